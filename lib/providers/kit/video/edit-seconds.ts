import type { VideoOrder } from '../../../domain/video';

/**
 * The duration of an edit for vendors that cut the source to it; 0 leaves the source as long as it is, which need not be
 * a whole number of seconds.
 */
export function editSeconds({ seconds, inputMillis }: Pick<VideoOrder, 'seconds' | 'inputMillis'>): number {
  return inputMillis !== undefined && seconds * 1_000 >= inputMillis ? 0 : seconds;
}
