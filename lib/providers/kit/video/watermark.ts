import type { VideoOrder } from '../../../domain/video';

/**
 * Returns whether the order wants the vendor's watermark. `watermark` decides; without it `remove_watermark`, whose
 * default is true.
 */
export function wantsWatermark({ parameters }: Pick<VideoOrder, 'parameters'>): boolean {
  return parameters.watermark === true || (parameters.watermark === undefined && parameters.remove_watermark === false);
}
