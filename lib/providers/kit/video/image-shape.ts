import { imageSize } from 'image-size';
import type { Call } from '../../../domain/call';
import type { MediaOwner, MediaSource } from '../../../domain/provider';
import type { VideoOrder } from '../../../domain/video';
import { nearestBy, ratioOf } from '../../../domain/video-tiers';

/**
 * Returns width divided by height of an image as it is displayed, which depends on the orientation in its metadata.
 * Undefined if they cannot be read from the file.
 */
export function imageShape(bytes: Uint8Array): number | undefined {
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    if (!(width > 0 && height > 0)) return undefined;
    // Orientations from 5 on turn the image by 90 degrees.
    return orientation >= 5 ? height / width : width / height;
  } catch {
    return undefined;
  }
}

/** Reads an image of an order and returns its `imageShape`. Rejects as `MediaSource.read` does. */
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

/** Returns the ratio, such as `16:9`, that is nearest to a shape; undefined if there are no ratios. */
export function nearestRatio(ratios: readonly string[], shape: number): string | undefined {
  return nearestBy(ratios, (ratio) => Math.abs(Math.log(shape / ratioOf(ratio))));
}

/**
 * Returns the ratio of an order for a vendor that knows only 16:9, its default, and 9:16. An order without a ratio has
 * the shape of its images.
 */
export function wideOrTall({ aspectRatio, width, height }: VideoOrder): string {
  return aspectRatio ?? (width < height ? '9:16' : '16:9');
}
