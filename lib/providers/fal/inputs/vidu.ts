import type { VideoOrder } from '../../../domain/video';
import { unlessEmpty, type Endpoints, type Input, type MakeInput } from './input';

const viduQ2 = ({ prompt, seconds, resolution, audio, seed }: VideoOrder): Input => ({
  prompt,
  duration: String(seconds),
  resolution,
  // fal's reference allows music only in videos of four seconds.
  bgm: audio && seconds === 4,
  seed,
});
const viduQ2Text: MakeInput = (order) => ({
  ...viduQ2(order),
  // The endpoint has this tier under another name.
  resolution: order.resolution === '540p' ? '520p' : order.resolution,
  aspect_ratio: order.aspectRatio,
});
const viduQ2Image: MakeInput = (order, { firstFrame, lastFrame }) => ({
  ...viduQ2(order),
  image_url: firstFrame,
  end_image_url: lastFrame,
});
const viduQ2References: MakeInput = (order, { referenceImages, referenceVideos }) => ({
  prompt: order.prompt,
  duration: order.seconds,
  resolution: order.resolution,
  aspect_ratio: order.aspectRatio,
  bgm: order.audio,
  reference_image_urls: unlessEmpty(referenceImages),
  reference_video_urls: unlessEmpty(referenceVideos),
  seed: order.seed,
});
// Vidu Q1 makes five seconds at 1080p, so the input has neither a duration nor a resolution.
const viduQ1References: MakeInput = ({ prompt, aspectRatio, audio, seed }, { referenceImages }) => ({
  prompt,
  seed,
  aspect_ratio: aspectRatio,
  bgm: audio,
  reference_image_urls: referenceImages,
});
const viduQ3 = ({ prompt, seconds, resolution, audio, seed }: VideoOrder): Input => ({
  prompt,
  duration: seconds,
  resolution,
  audio,
  seed,
});
const viduQ3Text: MakeInput = (order) => ({ ...viduQ3(order), aspect_ratio: order.aspectRatio });
const viduQ3Image: MakeInput = (order, { firstFrame, lastFrame }) => ({
  ...viduQ3(order),
  image_url: firstFrame,
  end_image_url: lastFrame,
});
const viduQ3References: MakeInput = (order, { referenceImages }) => ({
  ...viduQ3(order),
  aspect_ratio: order.aspectRatio,
  reference_image_urls: referenceImages,
});

export const viduEndpoints: Endpoints = {
  'fal-ai/vidu/q1/reference-to-video': viduQ1References,
  'fal-ai/vidu/q2/text-to-video': viduQ2Text,
  'fal-ai/vidu/q2/image-to-video/turbo': viduQ2Image,
  'fal-ai/vidu/q2/image-to-video/pro': viduQ2Image,
  'fal-ai/vidu/q2/reference-to-video/pro': viduQ2References,
  'fal-ai/vidu/q3/text-to-video': viduQ3Text,
  'fal-ai/vidu/q3/text-to-video/turbo': viduQ3Text,
  'fal-ai/vidu/q3/image-to-video': viduQ3Image,
  'fal-ai/vidu/q3/image-to-video/turbo': viduQ3Image,
  'fal-ai/vidu/q3/reference-to-video/mix': viduQ3References,
};
