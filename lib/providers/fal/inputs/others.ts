import type { VideoOrder } from '../../../domain/video';
import { ratioOrAuto, type Endpoints, type Input, type MakeInput } from './input';

// Grok and Luma.

const grok = ({ prompt, seconds, resolution }: VideoOrder): Input => ({ prompt, duration: seconds, resolution });
const grokText: MakeInput = (order) => ({ ...grok(order), aspect_ratio: order.aspectRatio });
const grokImage: MakeInput = (order, { firstFrame }) => ({
  ...grok(order),
  aspect_ratio: ratioOrAuto(order),
  image_url: firstFrame,
});
const grokNewerImage: MakeInput = (order, { firstFrame }) => ({ ...grok(order), image_url: firstFrame });
const grokReferences: MakeInput = (order, { referenceImages }) => ({
  ...grok(order),
  aspect_ratio: order.aspectRatio,
  reference_image_urls: referenceImages,
});
// The output is as long as the source.
const grokEdit: MakeInput = ({ prompt, resolution }, { sourceVideo }) => ({
  prompt,
  resolution,
  video_url: sourceVideo,
});

const luma = ({ prompt, seconds, resolution, aspectRatio }: VideoOrder): Input => ({
  prompt,
  duration: `${seconds}s`,
  resolution,
  aspect_ratio: aspectRatio,
});
const lumaImage: MakeInput = (order, { firstFrame, lastFrame }) => ({
  ...luma(order),
  image_url: firstFrame,
  end_image_url: lastFrame,
});
// The output has the shape and the length of the source.
const lumaEdit: MakeInput = ({ prompt }, { sourceVideo }) => ({ prompt, video_url: sourceVideo, mode: 'flex_1' });

export const otherEndpoints: Endpoints = {
  'xai/grok-imagine-video/text-to-video': grokText,
  'xai/grok-imagine-video/image-to-video': grokImage,
  'xai/grok-imagine-video/reference-to-video': grokReferences,
  'xai/grok-imagine-video/edit-video': grokEdit,
  'xai/grok-imagine-video/v1.5/text-to-video': grokText,
  'xai/grok-imagine-video/v1.5/image-to-video': grokNewerImage,
  'xai/grok-imagine-video/v1.5/reference-to-video': grokReferences,
  'luma/agent/ray/v3.2/text-to-video': luma,
  'luma/agent/ray/v3.2/image-to-video': lumaImage,
  'fal-ai/luma-dream-machine/ray-2': luma,
  'fal-ai/luma-dream-machine/ray-2/image-to-video': lumaImage,
  'fal-ai/luma-dream-machine/ray-2-flash': luma,
  'fal-ai/luma-dream-machine/ray-2-flash/image-to-video': lumaImage,
  'fal-ai/luma-dream-machine/ray-2-flash/modify': lumaEdit,
};
