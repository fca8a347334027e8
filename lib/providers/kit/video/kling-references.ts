import { GatewayError } from '../../../domain/errors';
import type { VideoOrder } from '../../../domain/video';

/** Fewer than without a video. */
const MAX_IMAGES_BESIDE_VIDEO = 4;

/** Kling 3.0 Omni and O1 take fewer reference images beside a reference video, also at those who resell them. */
export function refuseTooManyImages({ media }: Pick<VideoOrder, 'media'>): void {
  const count = (role: string) => media.filter((one) => one.role === role).length;
  if (count('reference_video') === 0 || count('reference_image') <= MAX_IMAGES_BESIDE_VIDEO) return;
  throw new GatewayError(
    'media_invalid',
    `The provider takes at most ${MAX_IMAGES_BESIDE_VIDEO} reference images together with a video.`,
    { upstream: { retry: 'never', started: 'no' } },
  );
}
