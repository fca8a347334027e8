import type { VideoOrder } from '../../../domain/video';

/** The ratio that the request chose; undefined if the media decide, as they do without one and with `adaptive`. */
export function chosenRatio({ aspectRatio }: Pick<VideoOrder, 'aspectRatio'>): string | undefined {
  return aspectRatio === 'adaptive' ? undefined : aspectRatio;
}
