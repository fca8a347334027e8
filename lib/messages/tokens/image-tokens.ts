import type { ImageBlock } from '../../domain/messages';
import { imageSizeOf } from './image-size';

// An image costs one token per square of 28 × 28 pixels. An image with too many squares or too long an edge is scaled
// down first. This follows the vendor of the messages dialect (platform.claude.com/docs/en/build-with-claude/vision);
// other vendors are similar.

const SQUARE_PIXELS = 28;
const FINE_EDGE_PIXELS = 2_000;
/** Maximum squares per image, for models with fine vision and for the others. */
const MAX_FINE_TOKENS = 4_784;
const MAX_TOKENS = 1_568;
/** Steps of the binary search for the scale at which an image fits. */
const HALVINGS = 16;

/**
 * Returns the input tokens of an image for a model that accepts edges up to `maxEdgePixels`; the maximum if the size is
 * unknown.
 */
export function imageTokens({ source }: ImageBlock, maxEdgePixels: number): number {
  const most = maxEdgePixels >= FINE_EDGE_PIXELS ? MAX_FINE_TOKENS : MAX_TOKENS;
  const size = source.type === 'base64' ? imageSizeOf(source.data) : undefined;
  if (!size || size.width === 0 || size.height === 0) return most;
  const squares = (scale: number) =>
    Math.ceil((size.width * scale) / SQUARE_PIXELS) * Math.ceil((size.height * scale) / SQUARE_PIXELS);
  const largest = Math.min(1, maxEdgePixels / Math.max(size.width, size.height));
  if (squares(largest) <= most) return squares(largest);
  let [fits, tooLarge] = [0, largest];
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = (fits + tooLarge) / 2;
    if (squares(middle) <= most) fits = middle;
    else tooLarge = middle;
  }
  return squares(fits);
}
