import type { VideoOrder } from '../../../domain/video';
import { nearestRatio } from '../../kit/video/image-shape';
import { ratioOrAuto, type Endpoints, type Input, type MakeInput } from './input';

// PixVerse, Grok and Luma.

export const PIXVERSE_TRANSITION = 'fal-ai/pixverse/v6/transition';
const pixverseRatios = ['16:9', '4:3', '1:1', '3:4', '9:16', '2:3', '3:2', '21:9'];
const pixverse = ({ prompt, seconds, resolution, audio, seed, parameters }: VideoOrder): Input => ({
  prompt,
  duration: seconds,
  resolution,
  generate_audio_switch: audio,
  generate_multi_clip_switch: parameters.generate_multi_clip_switch ?? false,
  thinking_type: parameters.thinking_type ?? 'auto',
  negative_prompt: parameters.negative_prompt ?? '',
  seed,
});
const pixverseText: MakeInput = (order) => ({ ...pixverse(order), aspect_ratio: order.aspectRatio });
const pixverseImage: MakeInput = (order, { firstFrame }) => ({ ...pixverse(order), image_url: firstFrame });
const pixverseTransition: MakeInput = (order, { firstFrame, lastFrame, firstFrameShape }) => ({
  ...pixverse(order),
  // The default is 16:9, also for portrait images.
  aspect_ratio: order.aspectRatio ?? nearestRatio(pixverseRatios, firstFrameShape ?? order.width / order.height),
  first_image_url: firstFrame,
  end_image_url: lastFrame,
});

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
  'fal-ai/pixverse/v6/text-to-video': pixverseText,
  'fal-ai/pixverse/v6/image-to-video': pixverseImage,
  [PIXVERSE_TRANSITION]: pixverseTransition,
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
