import type { VideoOrder } from '../../../domain/video';

/** Returns the ratio that the request chose; undefined if it is absent or `adaptive`, so that the media decide it. */
export function chosenRatio({ aspectRatio }: Pick<VideoOrder, 'aspectRatio'>): string | undefined {
  return aspectRatio === 'adaptive' ? undefined : aspectRatio;
}
