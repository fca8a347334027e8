import type { ImageBlock } from '../../domain/messages';
import { imageSizeOf } from './image-size';

// A picture is seen in squares of 28 × 28 pixels, each of which is a token; one that has too many of them, or too long an
// edge, is first made smaller. As the vendor of the messages dialect describes it
// (platform.claude.com/docs/en/build-with-claude/vision); others who see pictures do much the same.

const SQUARE_PIXELS = 28;
const FINE_EDGE_PIXELS = 2_000;
/** The most squares of one picture: for models that see fine detail, and for the others. */
const MAX_FINE_TOKENS = 4_784;
const MOST = 1_568;
/** So closely the size is found at which a picture fits. */
const HALVINGS = 16;

/** Input tokens of a picture for a model that sees edges of so many pixels; as many as there can be where the size is not known. */
export function imageTokens({ source }: ImageBlock, maxEdgePixels: number): number {
  const most = maxEdgePixels >= FINE_EDGE_PIXELS ? MAX_FINE_TOKENS : MOST;
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
