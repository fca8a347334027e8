import type { FoundVideoJson } from '../../../lib/contract/videos';
import type { ShownVideo } from '../components/video/shown-video';
import { apiPaths } from '../api-paths';
import type { Mode } from '../../../lib/domain/video';
import { isExpired, videoSource } from '../components/video/shown-video';

/** A video of the list API, or one that was just submitted, which has fewer fields. */
export type GalleryVideo = ShownVideo &
  Pick<Partial<FoundVideoJson>, 'prompt' | 'provider' | 'duration_ms' | 'width' | 'height' | 'favorite'>;

export interface GalleryVideos {
  readonly data: readonly GalleryVideo[];
}

/**
 * Returns the URL to play a finished file: its signed link, or the proxy of the console for a file at a provider.
 * Undefined if there is no file or it has expired.
 */
export function playableAt(video: GalleryVideo, mode: Mode, nowMs: number): string | undefined {
  if (video.status !== 'completed' || isExpired(video, nowMs)) return undefined;
  const source = videoSource(video);
  return source?.own ? source.href : apiPaths.videoContent(video.id, mode);
}

/** Returns width and height: measured if available, otherwise from `size`. */
export function pixelsOf({ size, width, height }: GalleryVideo): readonly [number, number] {
  const [wide = 16, high = 9] = size.split('x').map(Number);
  return [width ?? wide, height ?? high];
}
