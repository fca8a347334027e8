import type { VideoOrder } from '../../../domain/video';
import { wideOrTall } from '../../kit/video/image-shape';
import { ratioOrAuto, unlessEmpty, type Endpoints, type Input, type MakeInput } from './input';

const veo = ({ prompt, seconds, resolution, audio }: VideoOrder): Input => ({
  prompt,
  duration: `${seconds}s`,
  resolution,
  generate_audio: audio,
  // By default, fal rewrites a prompt that the content policy refuses.
  auto_fix: false,
});
const veoWithSeed = (order: VideoOrder): Input => ({
  ...veo(order),
  negative_prompt: order.parameters.negative_prompt,
  seed: order.seed,
});
const veoText: MakeInput = (order) => ({ ...veoWithSeed(order), aspect_ratio: order.aspectRatio });
const veoImage: MakeInput = (order, { firstFrame }) => ({
  ...veoWithSeed(order),
  aspect_ratio: ratioOrAuto(order),
  image_url: firstFrame,
});
const veoFrames: MakeInput = (order, { firstFrame, lastFrame }) => ({
  ...veoWithSeed(order),
  aspect_ratio: ratioOrAuto(order),
  first_frame_url: firstFrame,
  last_frame_url: lastFrame,
});
const veoReferences: MakeInput = (order, { referenceImages }) => ({
  ...veo(order),
  aspect_ratio: order.aspectRatio,
  image_urls: referenceImages,
});

// Gemini Omni always makes sound. The first version has one resolution.
const firstOmni = (order: VideoOrder): Input => ({
  prompt: order.prompt,
  duration: order.seconds,
  aspect_ratio: wideOrTall(order),
});
const firstOmniImage: MakeInput = (order, { firstFrame }) => ({ ...firstOmni(order), image_url: firstFrame });
const firstOmniReferences: MakeInput = (order, { referenceImages }) => ({
  ...firstOmni(order),
  image_urls: referenceImages,
});
const firstOmniEdit: MakeInput = ({ prompt }, { sourceVideo }) => ({ prompt, video_url: sourceVideo });

const omni = (order: VideoOrder): Input => ({ ...firstOmni(order), resolution: order.resolution });
const omniImage: MakeInput = (order, { firstFrame, lastFrame }) => ({
  ...omni(order),
  image_url: firstFrame,
  end_image_url: lastFrame,
});
const omniReferences: MakeInput = (order, { referenceImages, referenceVideos }) => ({
  ...omni(order),
  image_urls: unlessEmpty(referenceImages),
  reference_video_urls: unlessEmpty(referenceVideos),
});
// The output has the shape and the length of the source.
const omniEdit: MakeInput = (order, media) => ({ ...firstOmniEdit(order, media), resolution: order.resolution });

export const googleEndpoints: Endpoints = {
  'google/gemini-omni-flash/v1.2/text-to-video': omni,
  'google/gemini-omni-flash/v1.2/image-to-video': omniImage,
  'google/gemini-omni-flash/v1.2/reference-to-video': omniReferences,
  'google/gemini-omni-flash/v1.1/text-to-video': omni,
  'google/gemini-omni-flash/v1.1/image-to-video': omniImage,
  'google/gemini-omni-flash/v1.1/reference-to-video': omniReferences,
  'google/gemini-omni-flash/v1.1/edit': omniEdit,
  'google/gemini-omni-flash': firstOmni,
  'google/gemini-omni-flash/image-to-video': firstOmniImage,
  'google/gemini-omni-flash/reference-to-video': firstOmniReferences,
  'google/gemini-omni-flash/edit': firstOmniEdit,
  'fal-ai/veo3.1': veoText,
  'fal-ai/veo3.1/image-to-video': veoImage,
  'fal-ai/veo3.1/first-last-frame-to-video': veoFrames,
  'fal-ai/veo3.1/reference-to-video': veoReferences,
  'fal-ai/veo3.1/fast': veoText,
  'fal-ai/veo3.1/fast/image-to-video': veoImage,
  'fal-ai/veo3.1/fast/first-last-frame-to-video': veoFrames,
  'fal-ai/veo3.1/lite': veoText,
  'fal-ai/veo3.1/lite/image-to-video': veoImage,
  'fal-ai/veo3.1/lite/first-last-frame-to-video': veoFrames,
};
