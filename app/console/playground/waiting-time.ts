import type { GalleryVideo } from './gallery-video';

// How long a model usually takes, from the finished videos of the organisation. Providers report no progress, so there
// is no percentage.

/** Minimum number of finished videos for an estimate. */
const ENOUGH = 3;

export interface UsualTime {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly count: number;
}

/**
 * Returns the range in which the middle 80 % of the finished videos of the model took; undefined if there are too few.
 */
export function usualTime(videos: readonly GalleryVideo[], model: string): UsualTime | undefined {
  const seconds = videos
    .filter((video) => video.model === model && video.status === 'completed' && video.completed_at !== undefined)
    .map((video) => Math.max(1, (video.completed_at ?? 0) - video.created_at))
    .sort((a, b) => a - b);
  if (seconds.length < ENOUGH) return undefined;
  const at = (part: number) => seconds[Math.round((seconds.length - 1) * part)] ?? 1;
  return { fromSeconds: at(0.1), toSeconds: at(0.9), count: seconds.length };
}

/** Formats a duration: `42 s`, `3:07 min`. */
export function clockWords(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`;
}

export function usualWords(usual: UsualTime | undefined, isSandboxed: boolean): string {
  if (!usual)
    return isSandboxed
      ? 'The sandbox usually takes a few seconds per second of video.'
      : 'Most videos take 30 to 180 seconds.';
  const range =
    usual.fromSeconds === usual.toSeconds
      ? `about ${clockWords(usual.fromSeconds)}`
      : `${clockWords(usual.fromSeconds)} to ${clockWords(usual.toSeconds)}`;
  return `Usually ${range} (based on the last ${usual.count} videos).`;
}
