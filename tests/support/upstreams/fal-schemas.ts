// The inputs of the endpoints of fal that make videos, of its client's types (@fal-ai/client 1.10.1), and of fal's pages for
// those that these do not have. Stricter than fal: its queue accepts an invalid input and fails later, and it ignores
// fields that it does not know.

/** The allowed values of a field, or its type. */
export type Rule =
  | readonly unknown[]
  | 'text'
  | 'boolean'
  | 'url'
  | 'urls'
  | 'texts'
  | 'named images'
  | 'seed'
  | { readonly from: number; readonly to: number }
  | { readonly maxLength: number }
  /** In UTF-8. */
  | { readonly maxBytes: number };
/** A name that ends with `!` is required. */
export type Schema = Readonly<Record<string, Rule>>;

const texts = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

const WIDE_OR_TALL = ['16:9', '9:16'];
const veo: Schema = {
  'prompt!': 'text',
  duration: ['4s', '6s', '8s'],
  resolution: ['720p', '1080p', '4k'],
  generate_audio: 'boolean',
  auto_fix: 'boolean',
  negative_prompt: 'text',
  seed: 'seed',
};
const veoText: Schema = { ...veo, aspect_ratio: WIDE_OR_TALL };
const veoImage: Schema = { ...veo, aspect_ratio: ['auto', ...WIDE_OR_TALL], 'image_url!': 'url' };
const veoFrames: Schema = {
  ...veo,
  aspect_ratio: ['auto', ...WIDE_OR_TALL],
  'first_frame_url!': 'url',
  'last_frame_url!': 'url',
};
const veoLite: Schema = { resolution: ['720p', '1080p'] };
const KLING_RATIOS = ['16:9', '9:16', '1:1'];
const kling: Schema = {
  'prompt!': 'text',
  duration: texts(3, 15),
  generate_audio: 'boolean',
  negative_prompt: 'text',
};
const klingText: Schema = { ...kling, aspect_ratio: KLING_RATIOS };
const klingImage: Schema = { ...kling, 'start_image_url!': 'url', end_image_url: 'url' };
const klingVoicedImage: Schema = { ...klingImage, voice_ids: 'texts' };
const klingOlder: Schema = { 'prompt!': 'text', duration: ['5', '10'], negative_prompt: 'text' };
const klingOlderFrames: Schema = { ...klingOlder, 'image_url!': 'url', tail_image_url: 'url' };
const klingElements: Schema = { ...klingOlder, aspect_ratio: KLING_RATIOS, 'input_image_urls!': 'urls' };
const klingOmni: Schema = { 'prompt!': 'text', duration: texts(3, 15), generate_audio: 'boolean' };
const klingOmniEndpoints = (tier: string): Readonly<Record<string, Schema>> => ({
  [`fal-ai/kling-video/o3/${tier}/text-to-video`]: { ...klingOmni, aspect_ratio: KLING_RATIOS },
  [`fal-ai/kling-video/o3/${tier}/image-to-video`]: { ...klingOmni, 'image_url!': 'url', end_image_url: 'url' },
  [`fal-ai/kling-video/o3/${tier}/reference-to-video`]: {
    ...klingOmni,
    aspect_ratio: KLING_RATIOS,
    start_image_url: 'url',
    end_image_url: 'url',
    image_urls: 'urls',
  },
  [`fal-ai/kling-video/o3/${tier}/video-to-video/reference`]: {
    'prompt!': 'text',
    'video_url!': 'url',
    image_urls: 'urls',
    duration: texts(3, 15),
    aspect_ratio: ['auto', ...KLING_RATIOS],
    keep_audio: 'boolean',
  },
  [`fal-ai/kling-video/o3/${tier}/video-to-video/edit`]: {
    'prompt!': 'text',
    'video_url!': 'url',
    image_urls: 'urls',
    keep_audio: 'boolean',
  },
});
const klingO1: Schema = { 'prompt!': 'text', duration: texts(3, 10) };
const klingO1Endpoints = (path: string): Readonly<Record<string, Schema>> => ({
  [`${path}/image-to-video`]: { ...klingO1, 'start_image_url!': 'url', end_image_url: 'url' },
  [`${path}/reference-to-video`]: { ...klingO1, aspect_ratio: KLING_RATIOS, image_urls: 'urls' },
  [`${path}/video-to-video/reference`]: {
    ...klingO1,
    'video_url!': 'url',
    image_urls: 'urls',
    aspect_ratio: ['auto', ...KLING_RATIOS],
    keep_audio: 'boolean',
  },
  [`${path}/video-to-video/edit`]: {
    'prompt!': 'text',
    'video_url!': 'url',
    image_urls: 'urls',
    keep_audio: 'boolean',
  },
});
const klingTurbo: Schema = { 'prompt!': 'text', duration: texts(3, 15) };
const klingFourth: Schema = { 'prompt!': 'text', duration: { from: 3, to: 30 }, resolution: ['720p', '1080p'] };
const KLING_FOURTH_RATIOS = ['auto', '16:9', '9:16', '1:1', '21:9'];
const OMNI_TIERS = ['360p', '720p', '1080p', '4k'];
const firstOmni: Schema = { 'prompt!': 'text', duration: { from: 3, to: 10 }, aspect_ratio: WIDE_OR_TALL };
const omni = (maxSeconds: number): Schema => ({
  'prompt!': 'text',
  duration: { from: 3, to: maxSeconds },
  resolution: OMNI_TIERS,
  aspect_ratio: WIDE_OR_TALL,
});
const omniEndpoints = (version: string, maxSeconds: number): Readonly<Record<string, Schema>> => ({
  [`google/gemini-omni-flash/${version}/text-to-video`]: omni(maxSeconds),
  [`google/gemini-omni-flash/${version}/image-to-video`]: {
    ...omni(maxSeconds),
    'image_url!': 'url',
    end_image_url: 'url',
  },
  [`google/gemini-omni-flash/${version}/reference-to-video`]: {
    ...omni(maxSeconds),
    image_urls: 'urls',
    reference_video_urls: 'urls',
  },
});
const WAN_RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4'];
const WAN_SEED = { from: 0, to: 2_147_483_647 };
const wan: Schema = {
  'prompt!': { maxLength: 5_000 },
  duration: texts(2, 15),
  resolution: ['720p', '1080p'],
  negative_prompt: { maxLength: 500 },
  seed: WAN_SEED,
};
const wanOlder: Schema = {
  ...wan,
  duration: ['5', '10', '15'],
  enable_prompt_expansion: 'boolean',
  multi_shots: 'boolean',
};
const wanOlderReferences: Schema = { ...wanOlder, duration: ['5', '10'], aspect_ratio: WAN_RATIOS };
const wanThird: Schema = {
  'prompt!': 'text',
  duration: { from: 2, to: 30 },
  resolution: ['480p', '720p', '1080p'],
  aspect_ratio: ['adaptive', ...WAN_RATIOS],
  audio: 'boolean',
  enable_prompt_expansion: 'boolean',
  enable_thinking: 'boolean',
  seed: WAN_SEED,
};
const wanThirdEndpoints = (model: string): Readonly<Record<string, Schema>> => ({
  [`alibaba/${model}/text-to-video`]: wanThird,
  [`alibaba/${model}/image-to-video`]: { ...wanThird, 'start_image_url!': 'url', end_image_url: 'url' },
  [`alibaba/${model}/reference-to-video`]: {
    ...wanThird,
    reference_image_urls: 'urls',
    reference_video_urls: 'urls',
    reference_audio_urls: 'urls',
  },
});
const happyHorse: Schema = {
  'prompt!': { maxLength: 2_500 },
  duration: { from: 3, to: 15 },
  resolution: ['720p', '1080p'],
  seed: WAN_SEED,
};
const happyHorseEndpoints = (path: string): Readonly<Record<string, Schema>> => ({
  [`${path}/text-to-video`]: { ...happyHorse, aspect_ratio: WAN_RATIOS },
  [`${path}/image-to-video`]: { ...happyHorse, 'image_url!': 'url' },
  [`${path}/reference-to-video`]: { ...happyHorse, aspect_ratio: WAN_RATIOS, 'image_urls!': 'urls' },
});
const SEEDANCE_RATIOS = ['21:9', '16:9', '4:3', '1:1', '3:4', '9:16'];
const seedanceOlder: Schema = {
  'prompt!': 'text',
  duration: texts(2, 12),
  resolution: ['480p', '720p', '1080p'],
  camera_fixed: 'boolean',
  seed: 'seed',
};
const seedance15: Schema = { ...seedanceOlder, duration: texts(4, 12), generate_audio: 'boolean' };
const seedance20 = (resolutions: readonly string[], maxSeconds = 15): Schema => ({
  'prompt!': 'text',
  duration: ['auto', ...texts(4, maxSeconds)],
  resolution: resolutions,
  aspect_ratio: ['auto', ...SEEDANCE_RATIOS],
  generate_audio: 'boolean',
  seed: 'seed',
});
const seedance25 = seedance20(['480p', '720p', '1080p', '4k'], 30);
const { seed: _seed, ...seedance25Unseeded } = seedance25;
const seedanceReferences: Schema = { image_urls: 'urls', video_urls: 'urls', audio_urls: 'urls' };
/** Text, and images with and without a last frame. */
const seedanceEndpoints = (path: string, schema: Schema, takesLastFrame = true): Readonly<Record<string, Schema>> => ({
  [`${path}/text-to-video`]: {
    aspect_ratio: path.includes('/seedance/v1/') ? [...SEEDANCE_RATIOS, '9:21'] : SEEDANCE_RATIOS,
    ...schema,
  },
  [`${path}/image-to-video`]: {
    ...schema,
    aspect_ratio: ['auto', ...SEEDANCE_RATIOS],
    'image_url!': 'url',
    ...(takesLastFrame && { end_image_url: 'url' as const }),
  },
});
const PIXVERSE_RATIOS = ['16:9', '4:3', '1:1', '3:4', '9:16', '2:3', '3:2', '21:9'];
const pixverse: Schema = {
  'prompt!': 'text',
  duration: { from: 1, to: 15 },
  resolution: ['360p', '540p', '720p', '1080p'],
  generate_audio_switch: 'boolean',
  generate_multi_clip_switch: 'boolean',
  thinking_type: ['enabled', 'disabled', 'auto'],
  negative_prompt: 'text',
  seed: 'seed',
};
const pixverseC1: Schema = {
  'prompt!': { maxBytes: 2_048 },
  duration: { from: 1, to: 15 },
  resolution: ['360p', '540p', '720p', '1080p'],
  generate_audio_switch: 'boolean',
  seed: 'seed',
};
const pixverseFifth: Schema = {
  'prompt!': { maxBytes: 2_048 },
  duration: ['5', '8'],
  resolution: ['360p', '540p', '720p', '1080p'],
  negative_prompt: { maxBytes: 2_048 },
  seed: 'seed',
};
const pixverse56: Schema = {
  ...pixverseFifth,
  duration: ['5', '8', '10'],
  generate_audio_switch: 'boolean',
  thinking_type: ['enabled', 'disabled', 'auto'],
};
const pixverse55: Schema = { ...pixverse56, generate_multi_clip_switch: 'boolean' };
const withoutTransition = (
  version: string,
  ratios: readonly string[],
  schema: Schema,
): Readonly<Record<string, Schema>> => ({
  [`fal-ai/pixverse/${version}/text-to-video`]: { ...schema, aspect_ratio: ratios },
  [`fal-ai/pixverse/${version}/image-to-video`]: { ...schema, 'image_url!': 'url' },
});
const pixverseEndpoints = (
  version: string,
  ratios: readonly string[],
  schema: Schema,
  ofTransition = schema,
): Readonly<Record<string, Schema>> => ({
  ...withoutTransition(version, ratios, schema),
  [`fal-ai/pixverse/${version}/transition`]: {
    ...ofTransition,
    aspect_ratio: ratios,
    'first_image_url!': 'url',
    end_image_url: 'url',
  },
});
const GROK_RATIOS = ['16:9', '4:3', '3:2', '1:1', '2:3', '3:4', '9:16'];
const grok: Schema = { 'prompt!': 'text', duration: { from: 1, to: 15 }, resolution: ['480p', '720p'] };
const grokNewer: Schema = { ...grok, 'prompt!': { maxLength: 4_096 } };
const grokTo1080p: Schema = { ...grokNewer, resolution: ['480p', '720p', '1080p'] };
const hailuoText: Schema = { 'prompt!': 'text', prompt_optimizer: 'boolean' };
const hailuo: Schema = { ...hailuoText, 'image_url!': 'url' };
const HAILUO_SECONDS = ['6', '10'];
const h3 = (...resolutions: string[]): Schema => ({
  'prompt!': 'text',
  duration: { from: 5, to: 15 },
  resolution: resolutions,
  prompt_expansion_mode: ['disabled', 'fast', 'balanced', 'quality'],
  seed: 'seed',
});
const h3TextAndImage = (name: string, schema: Schema): Readonly<Record<string, Schema>> => ({
  [`minimax/${name}/text-to-video`]: { ...schema, aspect_ratio: SEEDANCE_RATIOS },
  [`minimax/${name}/image-to-video`]: { ...schema, image_url: 'url', end_image_url: 'url' },
});
const h3Endpoints = (name: string, schema: Schema): Readonly<Record<string, Schema>> => ({
  ...h3TextAndImage(name, schema),
  [`minimax/${name}/reference-to-video`]: {
    ...schema,
    aspect_ratio: ['adaptive', ...SEEDANCE_RATIOS],
    reference_image_urls: 'urls',
    reference_video_urls: 'urls',
    reference_audio_urls: 'urls',
  },
});
const viduQ3: Schema = {
  'prompt!': 'text',
  duration: { from: 1, to: 16 },
  resolution: ['360p', '540p', '720p', '1080p'],
  audio: 'boolean',
  seed: 'seed',
};
const viduQ3Image: Schema = { ...viduQ3, 'image_url!': 'url', end_image_url: 'url' };
const viduQ2: Schema = {
  'prompt!': 'text',
  duration: texts(2, 8),
  resolution: ['720p', '1080p'],
  bgm: 'boolean',
  seed: 'seed',
};
const viduQ2Image: Schema = { ...viduQ2, 'image_url!': 'url', end_image_url: 'url' };
const viduQ1: Schema = { 'prompt!': { maxLength: 1_500 }, seed: 'seed' };
const LUMA_RATIOS = ['16:9', '9:16', '4:3', '3:4', '21:9', '9:21'];
const luma: Schema = {
  'prompt!': 'text',
  duration: ['5s', '9s'],
  resolution: ['540p', '720p', '1080p'],
  aspect_ratio: LUMA_RATIOS,
  loop: 'boolean',
};
const lumaAgent: Schema = {
  ...luma,
  duration: ['5s', '10s'],
  aspect_ratio: SEEDANCE_RATIOS,
  hdr: 'boolean',
  exr_export: 'boolean',
};
const lumaImage: Schema = { ...luma, image_url: 'url', end_image_url: 'url' };

export const falSchemas: Readonly<Record<string, Schema>> = {
  ...omniEndpoints('v1.2', 15),
  ...omniEndpoints('v1.1', 10),
  'google/gemini-omni-flash': firstOmni,
  'google/gemini-omni-flash/image-to-video': { ...firstOmni, 'image_url!': 'url' },
  'google/gemini-omni-flash/reference-to-video': { ...firstOmni, 'image_urls!': 'urls' },
  'google/gemini-omni-flash/edit': { 'prompt!': 'text', 'video_url!': 'url' },
  'google/gemini-omni-flash/v1.1/edit': { 'prompt!': 'text', 'video_url!': 'url', resolution: OMNI_TIERS },
  'kling/v4/text-to-video': { ...klingFourth, aspect_ratio: KLING_FOURTH_RATIOS },
  'kling/v4/image-to-video': { ...klingFourth, 'start_image_url!': 'url', end_image_url: 'url' },
  'kling/v4/reference-to-video': {
    ...klingFourth,
    aspect_ratio: KLING_FOURTH_RATIOS,
    image_urls: 'urls',
    video_urls: 'urls',
  },
  'kling/v4/video-to-video/edit': {
    'prompt!': 'text',
    'video_url!': 'url',
    image_urls: 'urls',
    resolution: ['720p', '1080p'],
  },
  'fal-ai/veo3.1': veoText,
  'fal-ai/veo3.1/image-to-video': veoImage,
  'fal-ai/veo3.1/first-last-frame-to-video': veoFrames,
  'fal-ai/veo3.1/reference-to-video': {
    'prompt!': 'text',
    duration: ['8s'],
    resolution: ['720p', '1080p', '4k'],
    generate_audio: 'boolean',
    auto_fix: 'boolean',
    aspect_ratio: WIDE_OR_TALL,
    'image_urls!': 'urls',
  },
  'fal-ai/veo3.1/fast': veoText,
  'fal-ai/veo3.1/fast/image-to-video': veoImage,
  'fal-ai/veo3.1/fast/first-last-frame-to-video': veoFrames,
  'fal-ai/veo3.1/lite': { ...veoText, ...veoLite },
  'fal-ai/veo3.1/lite/image-to-video': { ...veoImage, ...veoLite },
  'fal-ai/veo3.1/lite/first-last-frame-to-video': { ...veoFrames, ...veoLite, duration: ['8s'] },
  'fal-ai/kling-video/v3/standard/text-to-video': klingText,
  'fal-ai/kling-video/v3/standard/image-to-video': klingVoicedImage,
  'fal-ai/kling-video/v3/pro/text-to-video': klingText,
  'fal-ai/kling-video/v3/pro/image-to-video': klingVoicedImage,
  'fal-ai/kling-video/v3/4k/text-to-video': klingText,
  'fal-ai/kling-video/v3/4k/image-to-video': klingImage,
  'fal-ai/kling-video/v3/turbo/standard/text-to-video': { ...klingTurbo, aspect_ratio: KLING_RATIOS },
  'fal-ai/kling-video/v3/turbo/pro/text-to-video': { ...klingTurbo, aspect_ratio: KLING_RATIOS },
  'fal-ai/kling-video/v3/turbo/standard/image-to-video': { ...klingTurbo, 'image_url!': 'url' },
  'fal-ai/kling-video/v3/turbo/pro/image-to-video': { ...klingTurbo, 'image_url!': 'url' },
  ...klingOmniEndpoints('standard'),
  ...klingOmniEndpoints('pro'),
  ...klingOmniEndpoints('4k'),
  ...klingO1Endpoints('fal-ai/kling-video/o1/standard'),
  ...klingO1Endpoints('fal-ai/kling-video/o1'),
  'fal-ai/kling-video/v2.6/pro/text-to-video': { ...klingText, duration: ['5', '10'] },
  'fal-ai/kling-video/v2.6/pro/image-to-video': { ...klingVoicedImage, duration: ['5', '10'] },
  'fal-ai/kling-video/v2.5-turbo/standard/image-to-video': { ...klingOlder, 'image_url!': 'url' },
  'fal-ai/kling-video/v2.5-turbo/pro/text-to-video': { ...klingOlder, aspect_ratio: KLING_RATIOS },
  'fal-ai/kling-video/v2.1/master/text-to-video': { ...klingOlder, aspect_ratio: KLING_RATIOS },
  'fal-ai/kling-video/v2.1/master/image-to-video': { ...klingOlder, 'image_url!': 'url' },
  'fal-ai/kling-video/v2.1/pro/image-to-video': klingOlderFrames,
  'fal-ai/kling-video/v2.1/standard/image-to-video': { ...klingOlder, 'image_url!': 'url' },
  'fal-ai/kling-video/v2/master/text-to-video': { ...klingOlder, aspect_ratio: KLING_RATIOS },
  'fal-ai/kling-video/v2/master/image-to-video': { ...klingOlder, 'image_url!': 'url' },
  'fal-ai/kling-video/v1.6/pro/text-to-video': { ...klingOlder, aspect_ratio: KLING_RATIOS },
  'fal-ai/kling-video/v1.6/pro/image-to-video': { ...klingOlderFrames, aspect_ratio: KLING_RATIOS },
  'fal-ai/kling-video/v1.6/pro/elements': klingElements,
  'fal-ai/kling-video/v1.6/standard/text-to-video': { ...klingOlder, aspect_ratio: KLING_RATIOS },
  'fal-ai/kling-video/v1.6/standard/image-to-video': { ...klingOlder, 'image_url!': 'url' },
  'fal-ai/kling-video/v1.6/standard/elements': klingElements,
  'fal-ai/kling-video/v1.5/pro/text-to-video': { ...klingOlder, aspect_ratio: KLING_RATIOS },
  'fal-ai/kling-video/v1.5/pro/image-to-video': { ...klingOlderFrames, aspect_ratio: KLING_RATIOS },
  'fal-ai/kling-video/v1/standard/text-to-video': { ...klingOlder, aspect_ratio: KLING_RATIOS },
  'fal-ai/kling-video/v1/standard/image-to-video': klingOlderFrames,
  'fal-ai/kling-video/v2.5-turbo/pro/image-to-video': klingOlderFrames,
  'fal-ai/wan-25-preview/text-to-video': {
    ...wan,
    'prompt!': { maxLength: 1_500 },
    duration: ['5', '10'],
    resolution: ['480p', '720p', '1080p'],
    aspect_ratio: ['16:9', '9:16', '1:1'],
    enable_prompt_expansion: 'boolean',
  },
  'fal-ai/wan-25-preview/image-to-video': {
    ...wan,
    'prompt!': { maxLength: 800 },
    duration: ['5', '10'],
    resolution: ['480p', '720p', '1080p'],
    enable_prompt_expansion: 'boolean',
    'image_url!': 'url',
  },
  'wan/v2.6/text-to-video': { ...wanOlder, aspect_ratio: WAN_RATIOS },
  'wan/v2.6/image-to-video': { ...wanOlder, 'image_url!': 'url' },
  'wan/v2.6/image-to-video/flash': { ...wanOlder, 'image_url!': 'url' },
  'wan/v2.6/reference-to-video': { ...wanOlderReferences, 'video_urls!': 'urls' },
  'wan/v2.6/reference-to-video/flash': {
    ...wanOlderReferences,
    enable_audio: 'boolean',
    image_urls: 'urls',
    video_urls: 'urls',
  },
  ...wanThirdEndpoints('wan-3.0'),
  ...wanThirdEndpoints('wan-3.0-prime'),
  ...happyHorseEndpoints('alibaba/happy-horse/v1.1'),
  ...happyHorseEndpoints('alibaba/happy-horse'),
  'alibaba/happy-horse/video-edit': {
    'prompt!': { maxLength: 2_500 },
    'video_url!': 'url',
    reference_image_urls: 'urls',
    resolution: ['720p', '1080p'],
    audio_setting: ['auto', 'origin'],
    seed: WAN_SEED,
  },
  'bytedance/seedance-2.5/text-to-video': seedance25,
  'bytedance/seedance-2.5/image-to-video': {
    ...seedance25Unseeded,
    aspect_ratio: ['auto'],
    'image_url!': 'url',
    end_image_url: 'url',
  },
  'bytedance/seedance-2.5/reference-to-video': { ...seedance25, ...seedanceReferences },
  ...seedanceEndpoints('bytedance/seedance-2.0', seedance20(['480p', '720p', '1080p'])),
  ...seedanceEndpoints('bytedance/seedance-2.0/fast', seedance20(['480p', '720p'])),
  'bytedance/seedance-2.0/reference-to-video': {
    ...seedance20(['480p', '720p', '1080p']),
    ...seedanceReferences,
  },
  'bytedance/seedance-2.0/fast/reference-to-video': {
    ...seedance20(['480p', '720p']),
    ...seedanceReferences,
  },
  ...seedanceEndpoints('fal-ai/bytedance/seedance/v1.5/pro', seedance15),
  ...seedanceEndpoints('fal-ai/bytedance/seedance/v1/pro', seedanceOlder),
  ...seedanceEndpoints('fal-ai/bytedance/seedance/v1/pro/fast', seedanceOlder, false),
  ...seedanceEndpoints('fal-ai/bytedance/seedance/v1/lite', seedanceOlder),
  'fal-ai/bytedance/seedance/v1/lite/reference-to-video': {
    ...seedanceOlder,
    resolution: ['480p', '720p'],
    aspect_ratio: ['auto', ...SEEDANCE_RATIOS],
    'reference_image_urls!': 'urls',
  },
  'fal-ai/wan/v2.7/text-to-video': { ...wan, aspect_ratio: WAN_RATIOS, enable_prompt_expansion: 'boolean' },
  'fal-ai/wan/v2.7/image-to-video': {
    ...wan,
    enable_prompt_expansion: 'boolean',
    image_url: 'url',
    end_image_url: 'url',
    video_url: 'url',
  },
  'fal-ai/wan/v2.7/reference-to-video': {
    ...wan,
    duration: texts(2, 10),
    aspect_ratio: WAN_RATIOS,
    multi_shots: 'boolean',
    reference_image_urls: 'urls',
    reference_video_urls: 'urls',
  },
  'fal-ai/wan/v2.7/edit-video': {
    'prompt!': 'text',
    'video_url!': 'url',
    reference_image_url: 'url',
    duration: ['0', ...texts(2, 10)],
    resolution: ['720p', '1080p'],
    aspect_ratio: WAN_RATIOS,
    audio_setting: ['auto', 'origin'],
    seed: WAN_SEED,
  },
  ...pixverseEndpoints('v6', PIXVERSE_RATIOS, pixverse),
  ...pixverseEndpoints('c1', PIXVERSE_RATIOS, pixverseC1),
  'fal-ai/pixverse/c1/reference-to-video': {
    ...pixverseC1,
    aspect_ratio: PIXVERSE_RATIOS,
    'image_references!': 'named images',
  },
  ...pixverseEndpoints('v5.6', WAN_RATIOS, pixverse56),
  ...pixverseEndpoints('v5.5', WAN_RATIOS, pixverse55, pixverse56),
  ...pixverseEndpoints('v5', WAN_RATIOS, pixverseFifth),
  ...pixverseEndpoints('v4.5', WAN_RATIOS, pixverseFifth),
  ...withoutTransition('v4', WAN_RATIOS, pixverseFifth),
  ...withoutTransition('v3.5', WAN_RATIOS, pixverseFifth),
  'xai/grok-imagine-video/text-to-video': { ...grok, aspect_ratio: GROK_RATIOS },
  'xai/grok-imagine-video/image-to-video': { ...grok, aspect_ratio: ['auto', ...GROK_RATIOS], 'image_url!': 'url' },
  'xai/grok-imagine-video/reference-to-video': {
    ...grok,
    aspect_ratio: GROK_RATIOS,
    'reference_image_urls!': 'urls',
  },
  'xai/grok-imagine-video/edit-video': {
    'prompt!': 'text',
    'video_url!': 'url',
    resolution: ['auto', '480p', '720p'],
  },
  'xai/grok-imagine-video/v1.5/text-to-video': { ...grokTo1080p, aspect_ratio: GROK_RATIOS },
  'xai/grok-imagine-video/v1.5/image-to-video': { ...grokTo1080p, 'image_url!': 'url' },
  'xai/grok-imagine-video/v1.5/reference-to-video': {
    ...grokNewer,
    aspect_ratio: GROK_RATIOS,
    'reference_image_urls!': 'urls',
  },
  'fal-ai/minimax/hailuo-2.3/standard/text-to-video': { ...hailuoText, duration: HAILUO_SECONDS },
  'fal-ai/minimax/hailuo-2.3/standard/image-to-video': { ...hailuo, duration: HAILUO_SECONDS },
  'fal-ai/minimax/hailuo-2.3/pro/text-to-video': hailuoText,
  'fal-ai/minimax/hailuo-2.3/pro/image-to-video': hailuo,
  'fal-ai/minimax/hailuo-2.3-fast/standard/image-to-video': { ...hailuo, duration: HAILUO_SECONDS },
  'fal-ai/minimax/hailuo-2.3-fast/pro/image-to-video': hailuo,
  'fal-ai/minimax/hailuo-02/standard/text-to-video': { ...hailuoText, duration: HAILUO_SECONDS },
  'fal-ai/minimax/hailuo-02/standard/image-to-video': {
    ...hailuo,
    duration: HAILUO_SECONDS,
    resolution: ['512P', '768P'],
    end_image_url: 'url',
  },
  'fal-ai/minimax/hailuo-02/pro/text-to-video': hailuoText,
  'fal-ai/minimax/hailuo-02/pro/image-to-video': { ...hailuo, end_image_url: 'url' },
  'fal-ai/minimax/video-01': hailuoText,
  'fal-ai/minimax/video-01/image-to-video': hailuo,
  'fal-ai/minimax/video-01-director': hailuoText,
  'fal-ai/minimax/video-01-director/image-to-video': hailuo,
  'fal-ai/minimax/video-01-live/image-to-video': hailuo,
  'fal-ai/minimax/video-01-subject-reference': { ...hailuoText, 'subject_reference_image_url!': 'url' },
  ...h3Endpoints('h3', h3('480P', '768P', '2K', '4K')),
  ...h3Endpoints('h3-max', h3('480P', '768P', '1080P')),
  ...h3TextAndImage('h3-max-turbo', h3('480P', '768P', '1080P')),
  'fal-ai/vidu/q1/reference-to-video': {
    ...viduQ1,
    aspect_ratio: KLING_RATIOS,
    bgm: 'boolean',
    'reference_image_urls!': 'urls',
  },
  'fal-ai/vidu/q2/reference-to-video/pro': {
    'prompt!': { maxLength: 2_000 },
    duration: { from: 1, to: 10 },
    resolution: ['540p', '720p', '1080p'],
    aspect_ratio: WAN_RATIOS,
    bgm: 'boolean',
    reference_image_urls: 'urls',
    reference_video_urls: 'urls',
    seed: 'seed',
  },
  'fal-ai/vidu/q2/text-to-video': {
    ...viduQ2,
    resolution: ['360p', '520p', '720p', '1080p'],
    aspect_ratio: KLING_RATIOS,
  },
  'fal-ai/vidu/q2/image-to-video/turbo': viduQ2Image,
  'fal-ai/vidu/q2/image-to-video/pro': viduQ2Image,
  'fal-ai/vidu/q3/text-to-video': { ...viduQ3, aspect_ratio: WAN_RATIOS },
  'fal-ai/vidu/q3/text-to-video/turbo': { ...viduQ3, aspect_ratio: WAN_RATIOS },
  'fal-ai/vidu/q3/image-to-video': viduQ3Image,
  'fal-ai/vidu/q3/image-to-video/turbo': viduQ3Image,
  'fal-ai/vidu/q3/reference-to-video/mix': {
    ...viduQ3,
    aspect_ratio: WAN_RATIOS,
    'reference_image_urls!': 'urls',
  },
  'luma/agent/ray/v3.2/text-to-video': lumaAgent,
  'luma/agent/ray/v3.2/image-to-video': { ...lumaAgent, duration: ['5s'], image_url: 'url', end_image_url: 'url' },
  'fal-ai/luma-dream-machine/ray-2': luma,
  'fal-ai/luma-dream-machine/ray-2-flash': luma,
  'fal-ai/luma-dream-machine/ray-2/image-to-video': lumaImage,
  'fal-ai/luma-dream-machine/ray-2-flash/image-to-video': lumaImage,
  'fal-ai/luma-dream-machine/ray-2-flash/modify': {
    'prompt!': 'text',
    'video_url!': 'url',
    image_url: 'url',
    mode: ['adhere', 'flex', 'reimagine'].flatMap((mode) => [1, 2, 3].map((level) => `${mode}_${level}`)),
  },
};
