import type { VideoOrder } from '../../domain/video';
import { editSeconds } from '../kit/video/edit-seconds';
import { nearestRatio, wideOrTall } from '../kit/video/image-shape';

// The input of each endpoint of fal that makes videos. Every endpoint has its own names and types: a duration is "5",
// "8s" or 5, and a first frame has four names. There is no common mapping. Fields whose default costs more or changes
// the result are always sent.
// Reference: the types of @fal-ai/client 1.10.1 (src/types/endpoints.d.ts), and for Kling 4.0 and 3.0 Turbo and Gemini
// Omni, which these do not have, fal's pages of the endpoints (fal.ai/models/…/llms.txt), November 2026.

/** The addresses of the media of an order: https or data URLs. */
export interface FalMedia {
  readonly firstFrame?: string;
  readonly lastFrame?: string;
  readonly sourceVideo?: string;
  /** Width divided by height; only for endpoints of `needsShape`, and only if it is known. */
  readonly firstFrameShape?: number;
  readonly referenceImages: readonly string[];
  readonly referenceVideos: readonly string[];
}

/** A field that is undefined is not sent. */
type Input = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
type MakeInput = (order: VideoOrder, media: FalMedia) => Input;

/** Does the table have this endpoint, such as `fal-ai/veo3.1/fast`? */
export function isEndpoint(name: string): boolean {
  return Object.hasOwn(endpoints, name);
}

/** Must the endpoint be sent the ratio of the first frame, because its default is another one? */
export function needsShape(name: string, { aspectRatio }: VideoOrder): boolean {
  return name === PIXVERSE_TRANSITION && aspectRatio === undefined;
}

/** The body of a submit to an endpoint; undefined for an endpoint that the table does not have. */
export function inputFor(name: string, order: VideoOrder, media: FalMedia): Input | undefined {
  const makeInput = isEndpoint(name) ? endpoints[name] : undefined;
  if (!makeInput) return undefined;
  return Object.fromEntries(Object.entries(makeInput(order, media)).filter(([, value]) => value !== undefined));
}

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

// The endpoint decides the resolution: `standard` makes 720p and `pro` 1080p.
const kling = ({ prompt, seconds, audio, parameters }: VideoOrder): Input => ({
  prompt,
  duration: String(seconds),
  generate_audio: audio,
  // The default is "blur, distort, and low quality".
  negative_prompt: parameters.negative_prompt ?? '',
});
const klingText: MakeInput = (order) => ({ ...kling(order), aspect_ratio: order.aspectRatio });
const klingImage: MakeInput = (order, { firstFrame, lastFrame }) => ({
  ...kling(order),
  start_image_url: firstFrame,
  end_image_url: lastFrame,
});

// As of Kling 3.0, but it always makes sound, and has other names.
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
  image_urls: media.referenceImages,
});

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
  // `auto` lets the model make new sound.
  audio_setting: order.audio ? 'origin' : 'auto',
  seed: order.seed,
});

const PIXVERSE_TRANSITION = 'fal-ai/pixverse/v6/transition';
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

// The endpoint decides the resolution: `standard` makes 768p and `pro` 1080p.
const hailuoPro: MakeInput = (order, { firstFrame }) => ({
  prompt: order.prompt,
  image_url: firstFrame,
  prompt_optimizer: expandsPrompt(order),
});
const hailuoStandard: MakeInput = (order, media) => ({
  ...hailuoPro(order, media),
  duration: String(order.seconds),
});

const viduQ2: MakeInput = (order, { firstFrame, lastFrame }) => ({
  prompt: order.prompt,
  duration: String(order.seconds),
  resolution: order.resolution,
  // The reference allows music only in videos of four seconds.
  bgm: order.audio && order.seconds === 4,
  seed: order.seed,
  image_url: firstFrame,
  end_image_url: lastFrame,
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

// It always makes sound.
const omni = (order: VideoOrder): Input => ({
  prompt: order.prompt,
  duration: order.seconds,
  resolution: order.resolution,
  aspect_ratio: wideOrTall(order),
});
const omniImage: MakeInput = (order, { firstFrame, lastFrame }) => ({
  ...omni(order),
  image_url: firstFrame,
  end_image_url: lastFrame,
});
const omniReferences: MakeInput = (order, { referenceImages }) => ({ ...omni(order), image_urls: referenceImages });

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

const endpoints: Readonly<Record<string, MakeInput>> = {
  'google/gemini-omni-flash/v1.2/text-to-video': omni,
  'google/gemini-omni-flash/v1.2/image-to-video': omniImage,
  'google/gemini-omni-flash/v1.2/reference-to-video': omniReferences,
  'google/gemini-omni-flash/v1.1/text-to-video': omni,
  'google/gemini-omni-flash/v1.1/image-to-video': omniImage,
  'google/gemini-omni-flash/v1.1/reference-to-video': omniReferences,
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
  'kling/v4/text-to-video': klingFourthText,
  'kling/v4/image-to-video': klingFourthImage,
  'kling/v4/reference-to-video': klingFourthReferences,
  'fal-ai/kling-video/v3/standard/text-to-video': klingText,
  'fal-ai/kling-video/v3/standard/image-to-video': klingImage,
  'fal-ai/kling-video/v3/pro/text-to-video': klingText,
  'fal-ai/kling-video/v3/pro/image-to-video': klingImage,
  'fal-ai/kling-video/v3/turbo/pro/text-to-video': klingTurboText,
  'fal-ai/kling-video/v3/turbo/standard/image-to-video': klingTurboImage,
  'fal-ai/kling-video/v3/turbo/pro/image-to-video': klingTurboImage,
  'fal-ai/wan/v2.7/text-to-video': wanText,
  'fal-ai/wan/v2.7/image-to-video': wanImage,
  'fal-ai/wan/v2.7/reference-to-video': wanReferences,
  'fal-ai/wan/v2.7/edit-video': wanEdit,
  'fal-ai/pixverse/v6/text-to-video': pixverseText,
  'fal-ai/pixverse/v6/image-to-video': pixverseImage,
  [PIXVERSE_TRANSITION]: pixverseTransition,
  'xai/grok-imagine-video/text-to-video': grokText,
  'xai/grok-imagine-video/image-to-video': grokImage,
  'xai/grok-imagine-video/reference-to-video': grokReferences,
  'xai/grok-imagine-video/edit-video': grokEdit,
  'fal-ai/minimax/hailuo-2.3/standard/image-to-video': hailuoStandard,
  'fal-ai/minimax/hailuo-2.3/pro/image-to-video': hailuoPro,
  'fal-ai/vidu/q2/image-to-video/turbo': viduQ2,
  'fal-ai/vidu/q3/text-to-video': viduQ3Text,
  'fal-ai/vidu/q3/image-to-video': viduQ3Image,
  'fal-ai/luma-dream-machine/ray-2': luma,
  'fal-ai/luma-dream-machine/ray-2/image-to-video': lumaImage,
  'fal-ai/luma-dream-machine/ray-2-flash': luma,
  'fal-ai/luma-dream-machine/ray-2-flash/image-to-video': lumaImage,
};

/** fal's `auto` follows the image, as does an order without a ratio or with `adaptive`. */
function ratioOrAuto({ aspectRatio }: VideoOrder): string {
  return aspectRatio === undefined || aspectRatio === 'adaptive' ? 'auto' : aspectRatio;
}

/** The default is to rewrite the prompt; we do so only if the request sets it. */
function expandsPrompt({ parameters }: VideoOrder): boolean {
  return parameters.prompt_extend === true;
}

function unlessEmpty(urls: readonly string[]): readonly string[] | undefined {
  return urls.length === 0 ? undefined : urls;
}
