import type { VideoOrder } from '../../../domain/video';

/**
 * Returns the duration of an edit for vendors that cut the source to it. 0 keeps the length of the source, which need
 * not be a whole number of seconds.
 */
export function editSeconds({ seconds, inputMillis }: Pick<VideoOrder, 'seconds' | 'inputMillis'>): number {
  return inputMillis !== undefined && seconds * 1_000 >= inputMillis ? 0 : seconds;
}
