import type { VideoOrder } from '../../../domain/video';
import { editSeconds } from '../../kit/video/edit-seconds';
import { expandsPrompt } from '../../kit/video/prompt-extension';
import { unlessEmpty, voicesOf, type Endpoints, type Input, type MakeInput } from './input';

// Wan and HappyHorse.

const wan = ({ prompt, seconds, resolution, seed, parameters }: VideoOrder): Input => ({
  prompt,
  duration: String(seconds),
  resolution,
  negative_prompt: parameters.negative_prompt,
  seed,
});
const wanText: MakeInput = (order) => ({
  ...wan(order),
  aspect_ratio: order.aspectRatio,
  enable_prompt_expansion: expandsPrompt(order),
});
const wanImage: MakeInput = (order, { firstFrame, lastFrame }) => ({
  ...wan(order),
  enable_prompt_expansion: expandsPrompt(order),
  image_url: firstFrame,
  end_image_url: lastFrame,
});
const wanReferences: MakeInput = (order, { referenceImages, referenceVideos }) => ({
  ...wan(order),
  aspect_ratio: order.aspectRatio,
  multi_shots: order.parameters.multi_clip ?? false,
  reference_image_urls: unlessEmpty(referenceImages),
  reference_video_urls: unlessEmpty(referenceVideos),
});
const wanEdit: MakeInput = (order, { sourceVideo, referenceImages }) => ({
  prompt: order.prompt,
  video_url: sourceVideo,
  reference_image_url: referenceImages[0],
  duration: String(editSeconds(order)),
  resolution: order.resolution,
  aspect_ratio: order.aspectRatio,
  // `origin` keeps the sound of the source; `auto` lets the model make new sound.
  audio_setting: order.audio ? 'origin' : 'auto',
  seed: order.seed,
});

const wanOlder = (order: VideoOrder): Input => ({
  ...wan(order),
  // fal ignores this field unless it also extends the prompt.
  multi_shots: order.parameters.multi_clip ?? false,
  enable_prompt_expansion: expandsPrompt(order),
});
const wanOlderText: MakeInput = (order) => ({ ...wanOlder(order), aspect_ratio: order.aspectRatio });
const wanOlderImage: MakeInput = (order, { firstFrame }) => ({ ...wanOlder(order), image_url: firstFrame });
const wanOlderReferences: MakeInput = (order, { referenceVideos }) => ({
  ...wanOlder(order),
  aspect_ratio: order.aspectRatio,
  video_urls: referenceVideos,
});
const wanFlashReferences: MakeInput = (order, { referenceImages, referenceVideos }) => ({
  ...wanOlder(order),
  aspect_ratio: order.aspectRatio,
  enable_audio: order.audio,
  image_urls: unlessEmpty(referenceImages),
  video_urls: unlessEmpty(referenceVideos),
});

// The input for Wan 3.0 and 3.0 Prime.
const wanThird = (order: VideoOrder): Input => ({
  prompt: order.prompt,
  duration: order.seconds,
  resolution: order.resolution,
  aspect_ratio: order.aspectRatio ?? 'adaptive',
  audio: order.audio,
  enable_prompt_expansion: expandsPrompt(order),
  seed: order.seed,
});
const wanThirdImage: MakeInput = (order, { firstFrame, lastFrame }) => ({
  ...wanThird(order),
  start_image_url: firstFrame,
  end_image_url: lastFrame,
});
const wanThirdReferences: MakeInput = (order, media) => ({
  ...wanThird(order),
  reference_image_urls: unlessEmpty(media.referenceImages),
  reference_video_urls: unlessEmpty(media.referenceVideos),
  reference_audio_urls: voicesOf(order),
});

const happyHorse = ({ prompt, seconds, resolution, seed }: VideoOrder): Input => ({
  prompt,
  duration: seconds,
  resolution,
  seed,
});
const happyHorseText: MakeInput = (order) => ({ ...happyHorse(order), aspect_ratio: order.aspectRatio });
const happyHorseImage: MakeInput = (order, { firstFrame }) => ({ ...happyHorse(order), image_url: firstFrame });
const happyHorseReferences: MakeInput = (order, { referenceImages }) => ({
  ...happyHorse(order),
  aspect_ratio: order.aspectRatio,
  image_urls: referenceImages,
});
// The output is as long as the source.
const happyHorseEdit: MakeInput = ({ prompt, resolution, seed, audio }, { sourceVideo, referenceImages }) => ({
  prompt,
  resolution,
  seed,
  video_url: sourceVideo,
  reference_image_urls: unlessEmpty(referenceImages),
  audio_setting: audio ? 'origin' : 'auto',
});

export const alibabaEndpoints: Endpoints = {
  'alibaba/wan-3.0/text-to-video': wanThird,
  'alibaba/wan-3.0/image-to-video': wanThirdImage,
  'alibaba/wan-3.0/reference-to-video': wanThirdReferences,
  'alibaba/wan-3.0-prime/text-to-video': wanThird,
  'alibaba/wan-3.0-prime/image-to-video': wanThirdImage,
  'alibaba/wan-3.0-prime/reference-to-video': wanThirdReferences,
  'fal-ai/wan/v2.7/text-to-video': wanText,
  'fal-ai/wan/v2.7/image-to-video': wanImage,
  'fal-ai/wan/v2.7/reference-to-video': wanReferences,
  'fal-ai/wan/v2.7/edit-video': wanEdit,
  'fal-ai/wan-25-preview/text-to-video': wanText,
  'fal-ai/wan-25-preview/image-to-video': wanImage,
  'wan/v2.6/text-to-video': wanOlderText,
  'wan/v2.6/image-to-video': wanOlderImage,
  'wan/v2.6/image-to-video/flash': wanOlderImage,
  'wan/v2.6/reference-to-video': wanOlderReferences,
  'wan/v2.6/reference-to-video/flash': wanFlashReferences,
  'alibaba/happy-horse/v1.1/text-to-video': happyHorseText,
  'alibaba/happy-horse/v1.1/image-to-video': happyHorseImage,
  'alibaba/happy-horse/v1.1/reference-to-video': happyHorseReferences,
  'alibaba/happy-horse/text-to-video': happyHorseText,
  'alibaba/happy-horse/image-to-video': happyHorseImage,
  'alibaba/happy-horse/reference-to-video': happyHorseReferences,
  'alibaba/happy-horse/video-edit': happyHorseEdit,
};
