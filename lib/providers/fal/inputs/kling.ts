import type { VideoOrder } from '../../../domain/video';
import { unlessEmpty, voicesOf, type Endpoints, type Input, type MakeInput } from './input';

// Each endpoint makes one resolution, except those of Kling 4.0: `standard` makes 720p, `4k` makes 4k, and `pro`, or no
// tier in the name, 1080p.

// The older versions are silent, and their field for the last frame has another name than in the newer versions.
const klingOlder = ({ prompt, seconds, parameters }: VideoOrder): Input => ({
  prompt,
  duration: String(seconds),
  // Stated, because the default of fal is "blur, distort, and low quality".
  negative_prompt: parameters.negative_prompt ?? '',
});
const klingOlderText: MakeInput = (order) => ({ ...klingOlder(order), aspect_ratio: order.aspectRatio });
const klingOlderImage: MakeInput = (order, { firstFrame, lastFrame }) => ({
  ...klingOlder(order),
  image_url: firstFrame,
  tail_image_url: lastFrame,
});

const klingElements: MakeInput = (order, media) => ({
  ...klingOlderText(order, media),
  input_image_urls: media.referenceImages,
});

const kling = (order: VideoOrder): Input => ({ ...klingOlder(order), generate_audio: order.audio });
const klingText: MakeInput = (order) => ({ ...kling(order), aspect_ratio: order.aspectRatio });
const klingImage: MakeInput = (order, { firstFrame, lastFrame }) => ({
  ...kling(order),
  start_image_url: firstFrame,
  end_image_url: lastFrame,
});

// A voice is identified by its id at fal, and costs extra.
const klingVoicedImage: MakeInput = (order, media) => ({ ...klingImage(order, media), voice_ids: voicesOf(order) });

// Kling 3.0 Turbo: as 3.0, but it always makes sound, and some fields have other names.
const klingTurbo = ({ prompt, seconds }: VideoOrder): Input => ({ prompt, duration: String(seconds) });
const klingTurboText: MakeInput = (order) => ({ ...klingTurbo(order), aspect_ratio: order.aspectRatio });
const klingTurboImage: MakeInput = (order, { firstFrame }) => ({ ...klingTurbo(order), image_url: firstFrame });

const klingFourth = ({ prompt, seconds, resolution }: VideoOrder): Input => ({ prompt, duration: seconds, resolution });
const klingFourthText: MakeInput = (order) => ({ ...klingFourth(order), aspect_ratio: order.aspectRatio });
const klingFourthImage: MakeInput = (order, { firstFrame, lastFrame }) => ({
  ...klingFourth(order),
  start_image_url: firstFrame,
  end_image_url: lastFrame,
});
const klingFourthReferences: MakeInput = (order, media) => ({
  ...klingFourthText(order, media),
  prompt: cited(order),
  image_urls: unlessEmpty(media.referenceImages),
  video_urls: unlessEmpty(media.referenceVideos),
});
// The output is as long as the source.
const klingFourthEdit: MakeInput = (order, { sourceVideo, referenceImages }) => ({
  prompt: cited(order),
  resolution: order.resolution,
  video_url: sourceVideo,
  image_urls: unlessEmpty(referenceImages),
});

const klingOmni = (order: VideoOrder): Input => ({
  prompt: cited(order),
  duration: String(order.seconds),
  generate_audio: order.audio,
});
const klingOmniText: MakeInput = (order) => ({ ...klingOmni(order), aspect_ratio: order.aspectRatio });
const klingOmniImage: MakeInput = (order, { firstFrame, lastFrame }) => ({
  ...klingOmni(order),
  image_url: firstFrame,
  end_image_url: lastFrame,
});
const klingOmniReferences: MakeInput = (order, media) => ({
  ...klingOmniText(order, media),
  image_urls: media.referenceImages,
});
// Videos with a reference video are silent, as at Kling.
const klingOmniVideo: MakeInput = (order, { referenceVideos, referenceImages }) => ({
  prompt: cited(order),
  duration: String(order.seconds),
  aspect_ratio: order.aspectRatio,
  video_url: referenceVideos[0],
  image_urls: unlessEmpty(referenceImages),
  keep_audio: false,
});
// The output is as long as the source.
const klingOmniEdit: MakeInput = (order, { sourceVideo, referenceImages }) => ({
  prompt: cited(order),
  video_url: sourceVideo,
  image_urls: unlessEmpty(referenceImages),
  keep_audio: order.audio,
});

// Kling O1 is silent. Its fields are those of Kling 3.0 Omni, except for the name of the first frame.
const klingO1 = (order: VideoOrder): Input => ({ prompt: cited(order), duration: String(order.seconds) });
const klingO1Image: MakeInput = (order, { firstFrame, lastFrame }) => ({
  ...klingO1(order),
  start_image_url: firstFrame,
  end_image_url: lastFrame,
});
const klingO1References: MakeInput = (order, { referenceImages }) => ({
  ...klingO1(order),
  aspect_ratio: order.aspectRatio,
  image_urls: referenceImages,
});

const omniPaths = ['standard', 'pro', '4k'].map((tier) => `fal-ai/kling-video/o3/${tier}`);
const o1Paths = ['fal-ai/kling-video/o1/standard', 'fal-ai/kling-video/o1'];

/** The endpoints for reference images that have a counterpart for reference videos. */
export const klingReferenceEndpoints: readonly string[] = [...omniPaths, ...o1Paths].map(
  (path) => `${path}/reference-to-video`,
);

/** Returns the counterpart of such an endpoint, for reference videos. */
export function klingVideoEndpoint(name: string): string {
  return name.replace(/\/reference-to-video$/, '/video-to-video/reference');
}

const endpointsAt = (paths: readonly string[], endpoints: Endpoints): Endpoints =>
  Object.fromEntries(
    paths.flatMap((path) => Object.entries(endpoints).map(([name, makeInput]) => [`${path}/${name}`, makeInput])),
  );

export const klingEndpoints: Endpoints = {
  'kling/v4/text-to-video': klingFourthText,
  'kling/v4/image-to-video': klingFourthImage,
  'kling/v4/reference-to-video': klingFourthReferences,
  'kling/v4/video-to-video/edit': klingFourthEdit,
  'fal-ai/kling-video/v3/standard/text-to-video': klingText,
  'fal-ai/kling-video/v3/standard/image-to-video': klingVoicedImage,
  'fal-ai/kling-video/v3/pro/text-to-video': klingText,
  'fal-ai/kling-video/v3/pro/image-to-video': klingVoicedImage,
  'fal-ai/kling-video/v3/4k/text-to-video': klingText,
  'fal-ai/kling-video/v3/4k/image-to-video': klingImage,
  'fal-ai/kling-video/v3/turbo/standard/text-to-video': klingTurboText,
  'fal-ai/kling-video/v3/turbo/pro/text-to-video': klingTurboText,
  'fal-ai/kling-video/v3/turbo/standard/image-to-video': klingTurboImage,
  'fal-ai/kling-video/v3/turbo/pro/image-to-video': klingTurboImage,
  ...endpointsAt(omniPaths, {
    'text-to-video': klingOmniText,
    'image-to-video': klingOmniImage,
    'reference-to-video': klingOmniReferences,
    'video-to-video/reference': klingOmniVideo,
    'video-to-video/edit': klingOmniEdit,
  }),
  ...endpointsAt(o1Paths, {
    'image-to-video': klingO1Image,
    'reference-to-video': klingO1References,
    'video-to-video/reference': klingOmniVideo,
    'video-to-video/edit': klingOmniEdit,
  }),
  'fal-ai/kling-video/v2.6/pro/text-to-video': klingText,
  'fal-ai/kling-video/v2.6/pro/image-to-video': klingVoicedImage,
  'fal-ai/kling-video/v2.5-turbo/standard/image-to-video': klingOlderImage,
  'fal-ai/kling-video/v2.5-turbo/pro/text-to-video': klingOlderText,
  'fal-ai/kling-video/v2.5-turbo/pro/image-to-video': klingOlderImage,
  'fal-ai/kling-video/v2.1/master/text-to-video': klingOlderText,
  'fal-ai/kling-video/v2.1/master/image-to-video': klingOlderImage,
  'fal-ai/kling-video/v2.1/pro/image-to-video': klingOlderImage,
  'fal-ai/kling-video/v2.1/standard/image-to-video': klingOlderImage,
  'fal-ai/kling-video/v2/master/text-to-video': klingOlderText,
  'fal-ai/kling-video/v2/master/image-to-video': klingOlderImage,
  ...endpointsAt(
    ['v1.6/pro', 'v1.6/standard', 'v1.5/pro', 'v1/standard'].map((tier) => `fal-ai/kling-video/${tier}`),
    { 'text-to-video': klingOlderText, 'image-to-video': klingOlderImage },
  ),
  'fal-ai/kling-video/v1.6/pro/elements': klingElements,
  'fal-ai/kling-video/v1.6/standard/elements': klingElements,
};

/** Returns the prompt with the words for references that fal uses instead of Kling's `@img1` and `@vid1`. */
function cited({ prompt }: VideoOrder): string {
  return prompt.replace(/@img(\d+)\b/g, '@Image$1').replace(/@vid(\d+)\b/g, '@Video$1');
}
