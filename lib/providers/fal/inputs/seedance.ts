import type { VideoOrder } from '../../../domain/video';
import { ratioOrAuto, unlessEmpty, voicesOf, type Endpoints, type Input, type MakeInput } from './input';

const silent = ({ prompt, seconds, resolution, seed }: VideoOrder): Input => ({
  prompt,
  duration: String(seconds),
  resolution,
  seed,
});
const withSound = (order: VideoOrder): Input => ({ ...silent(order), generate_audio: order.audio });

const text =
  (shared: typeof silent): MakeInput =>
  (order) => ({ ...shared(order), aspect_ratio: order.aspectRatio });
const image =
  (shared: typeof silent): MakeInput =>
  (order, { firstFrame, lastFrame }) => ({
    ...shared(order),
    aspect_ratio: ratioOrAuto(order),
    image_url: firstFrame,
    end_image_url: lastFrame,
  });
const references: MakeInput = (order, { referenceImages, referenceVideos }) => ({
  ...withSound(order),
  aspect_ratio: ratioOrAuto(order),
  image_urls: unlessEmpty(referenceImages),
  video_urls: unlessEmpty(referenceVideos),
  audio_urls: voicesOf(order),
});
const olderReferences: MakeInput = (order, { referenceImages }) => ({
  ...silent(order),
  aspect_ratio: ratioOrAuto(order),
  reference_image_urls: referenceImages,
});

export const seedanceEndpoints: Endpoints = {
  'bytedance/seedance-2.5/text-to-video': text(withSound),
  'bytedance/seedance-2.5/image-to-video': image(withSound),
  'bytedance/seedance-2.5/reference-to-video': references,
  'bytedance/seedance-2.0/text-to-video': text(withSound),
  'bytedance/seedance-2.0/image-to-video': image(withSound),
  'bytedance/seedance-2.0/reference-to-video': references,
  'bytedance/seedance-2.0/fast/text-to-video': text(withSound),
  'bytedance/seedance-2.0/fast/image-to-video': image(withSound),
  'bytedance/seedance-2.0/fast/reference-to-video': references,
  'fal-ai/bytedance/seedance/v1.5/pro/text-to-video': text(withSound),
  'fal-ai/bytedance/seedance/v1.5/pro/image-to-video': image(withSound),
  'fal-ai/bytedance/seedance/v1/pro/text-to-video': text(silent),
  'fal-ai/bytedance/seedance/v1/pro/image-to-video': image(silent),
  'fal-ai/bytedance/seedance/v1/pro/fast/text-to-video': text(silent),
  'fal-ai/bytedance/seedance/v1/pro/fast/image-to-video': image(silent),
  'fal-ai/bytedance/seedance/v1/lite/text-to-video': text(silent),
  'fal-ai/bytedance/seedance/v1/lite/image-to-video': image(silent),
  'fal-ai/bytedance/seedance/v1/lite/reference-to-video': olderReferences,
};
