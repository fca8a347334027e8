import type { Fields, Json } from '../../domain/json';
import type { MediaRole, VideoKind, VideoOrder } from '../../domain/video';
import { chosenRatio } from '../kit/video/chosen-ratio';
import { editSeconds } from '../kit/video/edit-seconds';
import { wanSize } from '../kit/video/wan-size';

// The models of WaveSpeed that make videos. A field has the same meaning in every model, so a model is described by the
// list of the fields that it takes. Fields whose default changes the result or the price are always sent.
// Reference: the pages of the models on wavespeed.ai/docs, 2026, and the requests of clients to the same URLs. For
// MiniMax H3 those of clients that cite wavespeed.ai/models/minimax/h3, and for Luma the pages and such a client.

/** The URLs of the media of an order, by their roles. */
export type MediaUrls = Readonly<Record<MediaRole, readonly string[]>>;

interface WavespeedModel {
  /** The kinds of videos that the model makes. */
  readonly kinds: readonly VideoKind[];
  /** The fields that the model takes besides the prompt. */
  readonly takes: readonly (keyof typeof fields)[];
  /** The name of the field for the ratio, if the model has another one. */
  readonly ratioIn?: string;
}

/** Returns whether the adapter knows the fields of the model. */
export const isModel = (name: string): boolean => Object.hasOwn(models, name);

/** Returns the model; undefined if it is unknown or does not make this kind of videos. */
export function modelFor(name: string, kind: VideoKind): WavespeedModel | undefined {
  const model = isModel(name) ? models[name] : undefined;
  return model?.kinds.includes(kind) ? model : undefined;
}

/** Returns the body of a submit. */
export function bodyFor({ takes, ratioIn }: WavespeedModel, order: VideoOrder, media: MediaUrls): Fields {
  const nameOf = (name: string) => (name === 'aspect_ratio' ? (ratioIn ?? name) : name);
  const entries = takes.map((name) => [nameOf(name), fields[name](order, media)] as const);
  return { prompt: order.prompt, ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
}

/** The value of each field for an order. A field whose value is undefined is not sent. */
const fields = {
  image: (_order, { first_frame: [first] }) => first,
  last_image: lastFrame,
  end_image: lastFrame,
  images: references,
  reference_images: references,
  reference_audios: voices,
  audios: voices,
  video: (_order, { source_video: [source] }) => source,
  aspect_ratio: chosenRatio,
  duration: (order) => (order.kind === 'video-edit' ? editSeconds(order) : order.seconds),
  resolution: ({ resolution }) => resolution,
  size: wanSize,
  generate_audio: ({ audio }) => audio,
  sound: ({ audio }) => audio,
  generate_audio_switch: ({ audio }) => audio,
  bgm: ({ audio }) => audio,
  keep_original_sound: ({ audio }) => audio,
  audio_setting: ({ audio }) => (audio ? 'origin' : 'auto'),
  movement_amplitude: () => 'auto',
  shot_type: ({ parameters }) => (parameters.multi_clip === true ? 'multi' : 'single'),
  // For some models the default is to rewrite the prompt; we do so only if the request sets it, and for several shots,
  // which need an extended prompt.
  enable_prompt_expansion: ({ parameters }) => parameters.prompt_extend ?? parameters.multi_clip === true,
  thinking_type: ({ parameters }) => parameters.thinking_type ?? 'auto',
  negative_prompt: ({ parameters }) => parameters.negative_prompt,
  seed: ({ seed }) => seed,
} as const satisfies Readonly<Record<string, (order: VideoOrder, media: MediaUrls) => Json | undefined>>;

const fromText: readonly VideoKind[] = ['t2v'];
const fromImage: readonly VideoKind[] = ['i2v'];
const fromImages: readonly VideoKind[] = ['i2v', 'start-end'];

const veo = ['aspect_ratio', 'duration', 'resolution', 'generate_audio', 'negative_prompt', 'seed'] as const;
const veoLite = ['aspect_ratio', 'resolution', 'negative_prompt', 'seed'] as const;

// The tier of Kling and Hailuo is a part of the name of the model.
const olderKling = ['duration', 'negative_prompt'] as const;
const kling = [...olderKling, 'sound'] as const;
const klingOmni = ['duration', 'sound'] as const;

const seedance = ['aspect_ratio', 'duration', 'resolution', 'generate_audio'] as const;
// The tier of the versions 1.0 is a part of the name of the model.
const seedance1 = ['aspect_ratio', 'duration', 'seed'] as const;

const wan3 = ['aspect_ratio', 'duration', 'resolution', 'generate_audio', 'enable_prompt_expansion', 'seed'] as const;
const happyhorse = ['duration', 'resolution', 'seed'] as const;
const pixverse = ['duration', 'resolution', 'generate_audio_switch'] as const;
const wan = ['duration', 'negative_prompt', 'enable_prompt_expansion', 'seed'] as const;
const hailuo = ['duration', 'enable_prompt_expansion'] as const;
const minimaxH3 = ['duration', 'resolution'] as const;
const ray = ['duration', 'resolution', 'aspect_ratio'] as const;
const vidu = ['duration', 'resolution', 'bgm', 'movement_amplitude', 'seed'] as const;
const viduQ3 = ['duration', 'resolution', 'generate_audio', 'bgm', 'movement_amplitude', 'seed'] as const;
const viduQ4 = ['duration', 'resolution', 'generate_audio', 'seed'] as const;
const grok = ['duration', 'resolution'] as const;

const models: Readonly<Record<string, WavespeedModel>> = {
  'google/veo3.1/text-to-video': { kinds: fromText, takes: veo },
  'google/veo3.1/image-to-video': { kinds: fromImages, takes: [...veo, 'image', 'last_image'] },
  'google/veo3.1/reference-to-video': {
    kinds: ['r2v'],
    takes: ['images', 'resolution', 'generate_audio', 'negative_prompt', 'seed'],
  },
  'google/veo3.1-fast/text-to-video': { kinds: fromText, takes: veo },
  'google/veo3.1-fast/image-to-video': { kinds: fromImages, takes: [...veo, 'image', 'last_image'] },
  'google/veo3.1-fast/reference-to-video': {
    kinds: ['r2v'],
    takes: ['images', 'aspect_ratio', 'resolution', 'generate_audio', 'negative_prompt', 'seed'],
  },
  'google/veo3.1-lite/text-to-video': { kinds: fromText, takes: [...veoLite, 'duration'] },
  'google/veo3.1-lite/image-to-video': { kinds: fromImage, takes: [...veoLite, 'duration', 'image'] },
  // This model makes videos of one length only.
  'google/veo3.1-lite/start-end-to-video': { kinds: ['start-end'], takes: [...veoLite, 'image', 'last_image'] },
  ...Object.fromEntries(
    ['std', 'pro', '4k'].flatMap((tier) => [
      [`kwaivgi/kling-v3.0-${tier}/text-to-video`, { kinds: fromText, takes: [...kling, 'aspect_ratio'] }],
      [`kwaivgi/kling-v3.0-${tier}/image-to-video`, { kinds: fromImages, takes: [...kling, 'image', 'end_image'] }],
    ]),
  ),
  ...Object.fromEntries(
    ['std', 'pro', '4k'].flatMap((tier) => [
      [`kwaivgi/kling-video-o3-${tier}/text-to-video`, { kinds: fromText, takes: [...klingOmni, 'aspect_ratio'] }],
      [
        `kwaivgi/kling-video-o3-${tier}/image-to-video`,
        { kinds: fromImages, takes: [...klingOmni, 'image', 'end_image'] },
      ],
      [
        `kwaivgi/kling-video-o3-${tier}/reference-to-video`,
        { kinds: ['r2v'], takes: [...klingOmni, 'images', 'aspect_ratio'] },
      ],
      [`kwaivgi/kling-video-o3-${tier}/video-edit`, { kinds: ['video-edit'], takes: ['video', 'keep_original_sound'] }],
    ]),
  ),
  'kwaivgi/kling-video-o1-std/image-to-video': { kinds: fromImages, takes: ['duration', 'image', 'last_image'] },
  'kwaivgi/kling-v2.6-pro/text-to-video': { kinds: fromText, takes: [...kling, 'aspect_ratio'] },
  'kwaivgi/kling-v2.6-pro/image-to-video': { kinds: fromImages, takes: [...kling, 'image', 'last_image'] },
  'kwaivgi/kling-v2.6-std/text-to-video': { kinds: fromText, takes: [...olderKling, 'aspect_ratio'] },
  'kwaivgi/kling-v2.6-std/image-to-video': { kinds: fromImage, takes: [...olderKling, 'image'] },
  'kwaivgi/kling-v2.5-turbo-pro/text-to-video': { kinds: fromText, takes: [...olderKling, 'aspect_ratio'] },
  'kwaivgi/kling-v2.5-turbo-pro/image-to-video': { kinds: fromImages, takes: [...olderKling, 'image', 'last_image'] },
  'kwaivgi/kling-v2.5-turbo-std/image-to-video': { kinds: fromImage, takes: [...olderKling, 'image'] },
  'kwaivgi/kling-v2.1-t2v-master': { kinds: fromText, takes: [...olderKling, 'aspect_ratio'] },
  'kwaivgi/kling-v2.1-i2v-master': { kinds: fromImage, takes: [...olderKling, 'image'] },
  'kwaivgi/kling-v2.1-i2v-pro': { kinds: fromImage, takes: [...olderKling, 'image'] },
  'kwaivgi/kling-v2.1-i2v-pro/start-end-frame': { kinds: ['start-end'], takes: [...olderKling, 'image', 'end_image'] },
  'kwaivgi/kling-v2.1-i2v-standard': { kinds: fromImage, takes: [...olderKling, 'image'] },
  'kwaivgi/kling-v1.6-i2v-pro': { kinds: fromImages, takes: [...olderKling, 'image', 'end_image'] },
  'kwaivgi/kling-v1.6-multi-i2v-pro': { kinds: ['r2v'], takes: [...olderKling, 'images', 'aspect_ratio'] },
  'kwaivgi/kling-v1.6-i2v-standard': { kinds: fromImage, takes: [...olderKling, 'image'] },
  'kwaivgi/kling-v1.6-t2v-standard': { kinds: fromText, takes: [...olderKling, 'aspect_ratio'] },
  ...Object.fromEntries(
    ['2.0', '2.0-fast'].flatMap((version) => [
      // This model also makes videos from references.
      [
        `bytedance/seedance-${version}/text-to-video`,
        { kinds: ['t2v', 'r2v'], takes: [...seedance, 'reference_images', 'reference_audios'] },
      ],
      [
        `bytedance/seedance-${version}/image-to-video`,
        { kinds: fromImages, takes: [...seedance, 'image', 'last_image'] },
      ],
    ]),
  ),
  'bytedance/seedance-2.5/text-to-video': { kinds: fromText, takes: seedance },
  // A video has the shape of its frames.
  'bytedance/seedance-2.5/image-to-video': {
    kinds: fromImages,
    takes: ['duration', 'resolution', 'generate_audio', 'image', 'last_image'],
  },
  'bytedance/seedance-v1.5-pro/text-to-video': { kinds: fromText, takes: [...seedance, 'seed'] },
  'bytedance/seedance-v1.5-pro/image-to-video': {
    kinds: fromImages,
    takes: [...seedance, 'image', 'last_image', 'seed'],
  },
  ...Object.fromEntries(
    ['pro', 'lite'].flatMap((version) =>
      ['480p', '720p', '1080p'].flatMap((tier) => [
        [`bytedance/seedance-v1-${version}-t2v-${tier}`, { kinds: fromText, takes: seedance1 }],
        [
          `bytedance/seedance-v1-${version}-i2v-${tier}`,
          { kinds: fromImages, takes: [...seedance1, 'image', 'last_image'] },
        ],
      ]),
    ),
  ),
  'bytedance/seedance-v1-lite/reference-to-video': {
    kinds: ['r2v'],
    takes: ['reference_images', 'duration', 'resolution', 'seed'],
  },
  ...Object.fromEntries(
    ['wan-3.0', 'wan-3.0-prime'].flatMap((version) => [
      [`alibaba/${version}/text-to-video`, { kinds: fromText, takes: wan3 }],
      [`alibaba/${version}/image-to-video`, { kinds: fromImages, takes: [...wan3, 'image', 'last_image'] }],
      [`alibaba/${version}/reference-to-video`, { kinds: ['r2v'], takes: [...wan3, 'reference_images'] }],
    ]),
  ),
  ...Object.fromEntries(
    ['1.0', '1.1'].flatMap((version) => [
      [`alibaba/happyhorse-${version}/text-to-video`, { kinds: fromText, takes: [...happyhorse, 'aspect_ratio'] }],
      [`alibaba/happyhorse-${version}/image-to-video`, { kinds: fromImage, takes: [...happyhorse, 'image'] }],
      [
        `alibaba/happyhorse-${version}/reference-to-video`,
        { kinds: ['r2v'], takes: [...happyhorse, 'aspect_ratio', 'images'] },
      ],
    ]),
  ),
  // An edit keeps the length and the sound of its source.
  'alibaba/happyhorse-1.0/video-edit': { kinds: ['video-edit'], takes: ['video', 'images', 'resolution', 'seed'] },
  'alibaba/wan-2.7/text-to-video': { kinds: fromText, takes: [...wan, 'resolution', 'aspect_ratio'] },
  'alibaba/wan-2.7/image-to-video': { kinds: fromImages, takes: [...wan, 'resolution', 'image', 'last_image'] },
  'alibaba/wan-2.7/video-edit': {
    kinds: ['video-edit'],
    takes: [...wan, 'resolution', 'video', 'images', 'audio_setting'],
  },
  'alibaba/wan-2.6/text-to-video': { kinds: fromText, takes: [...wan, 'size', 'shot_type'] },
  'alibaba/wan-2.6/image-to-video': { kinds: fromImage, takes: [...wan, 'resolution', 'image', 'shot_type'] },
  'alibaba/wan-2.5/text-to-video': { kinds: fromText, takes: [...wan, 'size'] },
  'alibaba/wan-2.5/image-to-video': { kinds: fromImage, takes: [...wan, 'resolution', 'image'] },
  'minimax/hailuo-2.3/t2v-standard': { kinds: fromText, takes: hailuo },
  'minimax/hailuo-2.3/i2v-standard': { kinds: fromImage, takes: [...hailuo, 'image'] },
  'minimax/hailuo-02/t2v-standard': { kinds: fromText, takes: hailuo },
  'minimax/hailuo-02/i2v-standard': { kinds: fromImages, takes: [...hailuo, 'image', 'end_image'] },
  // In 1080p, videos have one length only.
  ...Object.fromEntries(
    ['hailuo-2.3', 'hailuo-02'].map((version) => [
      `minimax/${version}/t2v-pro`,
      { kinds: fromText, takes: ['enable_prompt_expansion'] },
    ]),
  ),
  'minimax/hailuo-2.3/i2v-pro': { kinds: fromImage, takes: ['image', 'enable_prompt_expansion'] },
  'minimax/hailuo-02/i2v-pro': { kinds: fromImages, takes: ['image', 'end_image', 'enable_prompt_expansion'] },
  'minimax/hailuo-2.3/fast': { kinds: fromImage, takes: [...hailuo, 'image'] },
  'minimax/h3/text-to-video': { kinds: fromText, takes: [...minimaxH3, 'aspect_ratio'] },
  'minimax/h3/image-to-video': { kinds: fromImages, takes: [...minimaxH3, 'image', 'last_image'] },
  'minimax/h3/reference-to-video': {
    kinds: ['r2v'],
    takes: [...minimaxH3, 'aspect_ratio', 'reference_images', 'reference_audios'],
  },
  'luma/ray-3.2/text-to-video': { kinds: fromText, takes: ray, ratioIn: 'size' },
  'luma/ray-3.2/image-to-video': { kinds: fromImages, takes: [...ray, 'image', 'last_image'], ratioIn: 'size' },
  'vidu/image-to-video-q2-turbo': { kinds: fromImage, takes: [...vidu, 'image'] },
  'vidu/start-end-to-video-q2-turbo': { kinds: ['start-end'], takes: [...vidu, 'image', 'last_image'] },
  ...Object.fromEntries(
    ['pro', 'turbo'].flatMap((version) => [
      [`vidu/q3-${version}/text-to-video`, { kinds: fromText, takes: viduQ3 }],
      [`vidu/q3-${version}/image-to-video`, { kinds: fromImage, takes: [...viduQ3, 'image'] }],
      [`vidu/q3-${version}/start-end-to-video`, { kinds: ['start-end'], takes: [...viduQ3, 'image', 'last_image'] }],
    ]),
  ),
  'vidu/q3/reference-to-video': {
    kinds: ['r2v'],
    takes: ['duration', 'resolution', 'generate_audio', 'seed', 'aspect_ratio', 'images'],
  },
  'vidu/q4-preview/image-to-video': { kinds: fromImage, takes: [...viduQ4, 'image'] },
  'vidu/q4-preview/reference-to-video': { kinds: ['r2v'], takes: [...viduQ4, 'images', 'audios', 'aspect_ratio'] },
  'pixverse/pixverse-v6/text-to-video': { kinds: fromText, takes: [...pixverse, 'thinking_type', 'aspect_ratio'] },
  'pixverse/pixverse-v6/image-to-video': { kinds: fromImage, takes: [...pixverse, 'thinking_type', 'image'] },
  'pixverse/pixverse-v6/transition': {
    kinds: ['start-end'],
    takes: [...pixverse, 'negative_prompt', 'seed', 'aspect_ratio', 'image', 'end_image'],
  },
  'pixverse/pixverse-c1/text-to-video': { kinds: fromText, takes: [...pixverse, 'aspect_ratio'] },
  'pixverse/pixverse-c1/image-to-video': { kinds: fromImage, takes: [...pixverse, 'image'] },
  'pixverse/pixverse-c1/transition': {
    kinds: ['start-end'],
    takes: [...pixverse, 'aspect_ratio', 'image', 'end_image'],
  },
  'x-ai/grok-imagine-video/text-to-video': { kinds: fromText, takes: [...grok, 'aspect_ratio'] },
  'x-ai/grok-imagine-video/image-to-video': { kinds: fromImage, takes: [...grok, 'image'] },
};

function voices({ parameters: { reference_voice: voice } }: VideoOrder): Json | undefined {
  return voice === undefined ? undefined : [voice];
}

function lastFrame(_order: VideoOrder, { last_frame: [last] }: MediaUrls): string | undefined {
  return last;
}

/** Returns the reference images; undefined instead of an empty list, which must not be sent. */
function references(_order: VideoOrder, { reference_image: images }: MediaUrls): string[] | undefined {
  return images.length > 0 ? [...images] : undefined;
}
