import { imageSize } from 'image-size';
import type { Call } from '../../../domain/call';
import type { MediaOwner, MediaSource } from '../../../domain/provider';
import type { VideoOrder } from '../../../domain/video';
import { nearestBy, ratioOf } from '../../../domain/video-tiers';

/**
 * Width divided by height of an image as it is shown, so with the orientation of its metadata; undefined if the file
 * does not say it.
 */
export function imageShape(bytes: Uint8Array): number | undefined {
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    if (!(width > 0 && height > 0)) return undefined;
    // From 5 on, the image is turned by a quarter.
    return orientation >= 5 ? height / width : width / height;
  } catch {
    return undefined;
  }
}

/** `imageShape` of an image of an order. Rejects as `MediaSource.read` does. */
export async function readImageShape(
  media: Pick<MediaSource, 'read'>,
  url: string,
  owner: MediaOwner,
  call: Call,
): Promise<number | undefined> {
  const { bytes, release } = await media.read(url, { kind: 'image', owner }, call);
  release();
  return imageShape(bytes);
}

/** The one of these ratios, such as `16:9`, that is nearest to a shape; undefined if there is none. */
export function nearestRatio(ratios: readonly string[], shape: number): string | undefined {
  return nearestBy(ratios, (ratio) => Math.abs(Math.log(shape / ratioOf(ratio))));
}

/**
 * The ratio of an order for a vendor that knows only these two and by default makes 16:9. An order without a ratio has
 * the shape of its images.
 */
export function wideOrTall({ aspectRatio, width, height }: VideoOrder): string {
  return aspectRatio ?? (width < height ? '9:16' : '16:9');
}
