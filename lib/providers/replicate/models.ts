import type { Fields } from '../../domain/json';
import type { VideoKind, VideoOrder } from '../../domain/video';
import { chosenRatio } from '../kit/video/chosen-ratio';
import { editSeconds } from '../kit/video/edit-seconds';
import { citeInLegacyWords } from '../kit/video/kling-citations';
import type { MediaByRole } from '../kit/video/order-media';
import { expandsPrompt } from '../kit/video/prompt-extension';
import { wanSize } from '../kit/video/wan-size';

// The input of each model of Replicate that makes videos: every model has its own names. Fields whose default changes
// the result or the price are always sent. Reference: the API pages of the models on replicate.com, 2026, and for those
// whose page was not found, the inputs that clients generate from Replicate's schemas.

export type ReplicateMedia = MediaByRole<'https' | 'data'>;

interface ModelInput {
  readonly kinds: readonly VideoKind[];
  /** A field that is undefined is not sent. */
  input(order: VideoOrder, media: ReplicateMedia): Fields;
}

/** Returns the kinds of videos that the model makes; none for an unknown model. */
export function kindsOf(modelName: string): readonly VideoKind[] {
  return modelOf(modelName)?.kinds ?? [];
}

/** Returns the input of a prediction; undefined if the model does not make this kind of videos. */
export function inputFor(modelName: string, order: VideoOrder, media: ReplicateMedia): Fields | undefined {
  const model = modelOf(modelName);
  if (!model?.kinds.includes(order.kind)) return undefined;
  const input = { prompt: order.prompt, ...model.input(order, media) };
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

function modelOf(modelName: string): ModelInput | undefined {
  return Object.hasOwn(models, modelName) ? models[modelName] : undefined;
}

const every: readonly VideoKind[] = ['t2v', 'i2v', 'start-end'];
const fromTextOrImage: readonly VideoKind[] = ['t2v', 'i2v'];
const fromImages: readonly VideoKind[] = ['i2v', 'start-end'];

/** Returns the URLs of media; undefined if there are none. */
function urlsOf(media: ReplicateMedia[keyof ReplicateMedia]): readonly string[] | undefined {
  return media.length > 0 ? media.map(({ url }) => url) : undefined;
}

/** Returns the ratio for models whose first frame, if there is one, decides it. */
const ratioOfText = ({ kind, aspectRatio }: VideoOrder): Fields =>
  kind === 't2v' ? { aspect_ratio: aspectRatio } : {};

/** The length is stated as 81 to 121 frames: one more than seconds × fps, because the first frame is at 0 s. */
const wanFast = ({ seconds, fps, resolution, seed, parameters }: VideoOrder): Fields => ({
  resolution,
  num_frames: seconds * fps + 1,
  frames_per_second: fps,
  go_fast: parameters.go_fast ?? true,
  seed,
});

/** Wan 2.7 and 2.5. */
const wan = (order: VideoOrder): Fields => ({
  duration: order.seconds,
  negative_prompt: order.parameters.negative_prompt,
  enable_prompt_expansion: expandsPrompt(order),
  seed: order.seed,
});

/** Several shots need an extended prompt. */
const wan26 = (order: VideoOrder): Fields => ({
  ...wan(order),
  enable_prompt_expansion: order.parameters.prompt_extend ?? order.parameters.multi_clip === true,
  multi_shots: order.parameters.multi_clip === true,
});

/** The modes by resolution, for which Kling has no field. */
const klingModes: Readonly<Record<string, string>> = { '720p': 'standard', '1080p': 'pro', '4k': '4k' };
/** O1 has another name for the first of these modes. */
const o1Modes: Readonly<Record<string, string>> = { '720p': 'std', '1080p': 'pro' };

const klingFrames = ({ first_frame: [first], last_frame: [last] }: ReplicateMedia): Fields => ({
  start_image: first?.url,
  end_image: last?.url,
});

/** The versions up to 2.6. */
const olderKling = (order: VideoOrder, media: ReplicateMedia): Fields => ({
  ...klingFrames(media),
  reference_images: urlsOf(media.reference_image),
  ...(order.kind === 'r2v' ? { aspect_ratio: order.aspectRatio } : ratioOfText(order)),
  duration: order.seconds,
  negative_prompt: order.parameters.negative_prompt,
});

const veo = (order: VideoOrder, { first_frame: [first], last_frame: [last], reference_image }: ReplicateMedia) => ({
  image: first?.url,
  last_frame: last?.url,
  reference_images: urlsOf(reference_image),
  aspect_ratio: order.aspectRatio,
  duration: order.seconds,
  resolution: order.resolution,
  generate_audio: order.audio,
  negative_prompt: order.parameters.negative_prompt,
  seed: order.seed,
});

const seedance = (
  order: VideoOrder,
  { first_frame: [first], last_frame: [last], reference_image }: ReplicateMedia,
) => ({
  image: first?.url,
  last_frame_image: last?.url,
  reference_images: urlsOf(reference_image),
  duration: order.seconds,
  resolution: order.resolution,
  seed: order.seed,
});

/** The first versions of Seedance ignore a ratio if there is a first frame. */
const seedance1 = (order: VideoOrder, media: ReplicateMedia): Fields => ({
  ...seedance(order, media),
  ...(order.kind !== 'i2v' && order.kind !== 'start-end' && { aspect_ratio: order.aspectRatio }),
});

const seedance2 = (order: VideoOrder, media: ReplicateMedia): Fields => ({
  ...seedance(order, media),
  reference_videos: urlsOf(media.reference_video),
  ...(order.parameters.reference_voice !== undefined && { reference_audios: [order.parameters.reference_voice] }),
  aspect_ratio: order.aspectRatio ?? 'adaptive',
  generate_audio: order.audio,
});

/** Seedance 1.5 ignores a ratio too if there is a first frame. */
const seedance15 = (order: VideoOrder, media: ReplicateMedia): Fields => ({
  ...seedance1(order, media),
  generate_audio: order.audio,
});

const hailuo = (order: VideoOrder, { first_frame: [first], last_frame: [last] }: ReplicateMedia): Fields => ({
  first_frame_image: first?.url,
  last_frame_image: last?.url,
  duration: order.seconds,
  resolution: order.resolution,
  prompt_optimizer: expandsPrompt(order),
});

/** Returns the input of the models before Hailuo, which have one length and one resolution. */
function firstMinimax(order: VideoOrder, { first_frame: [first], reference_image: [subject] }: ReplicateMedia): Fields {
  return {
    first_frame_image: first?.url,
    subject_reference: subject?.url,
    prompt_optimizer: expandsPrompt(order),
  };
}

const ray: ModelInput = {
  kinds: every,
  input: (order, media) => ({
    ...klingFrames(media),
    aspect_ratio: order.aspectRatio,
    duration: order.seconds,
  }),
};

const wan3: ModelInput = {
  kinds: fromTextOrImage,
  input: (order, { first_frame: [first] }) => ({
    ...wan(order),
    image: first?.url,
    resolution: order.resolution,
    aspect_ratio: order.aspectRatio,
  }),
};

const happyhorse = (order: VideoOrder): Fields => ({
  ...ratioOfText(order),
  duration: order.seconds,
  resolution: order.resolution,
  seed: order.seed,
});

const viduQ3: ModelInput = {
  kinds: every,
  input: (order, media) => ({
    ...klingFrames(media),
    ...ratioOfText(order),
    duration: order.seconds,
    resolution: order.resolution,
    audio: order.audio,
    seed: order.seed,
  }),
};

const pixverse = (order: VideoOrder, { first_frame: [first], last_frame: [last] }: ReplicateMedia): Fields => ({
  image: first?.url,
  last_frame_image: last?.url,
  ...ratioOfText(order),
  quality: order.resolution,
  duration: order.seconds,
  negative_prompt: order.parameters.negative_prompt,
  seed: order.seed,
});

const runway = (order: VideoOrder, { first_frame: [first] }: ReplicateMedia): Fields => ({
  image: first?.url,
  aspect_ratio: order.aspectRatio,
  duration: order.seconds,
  seed: order.seed,
});

const models: Readonly<Record<string, ModelInput>> = {
  'wan-video/wan-2.7-t2v': {
    kinds: ['t2v'],
    input: (order) => ({ ...wan(order), resolution: order.resolution, aspect_ratio: order.aspectRatio }),
  },
  'wan-video/wan-2.7-i2v': {
    kinds: fromImages,
    input: (order, { first_frame: [first], last_frame: [last] }) => ({
      ...wan(order),
      first_frame: first?.url,
      last_frame: last?.url,
      resolution: order.resolution,
    }),
  },
  'wan-video/wan-2.7-r2v': {
    kinds: ['r2v'],
    input: (order, { reference_image, reference_video }) => ({
      reference_images: urlsOf(reference_image),
      reference_videos: urlsOf(reference_video),
      negative_prompt: order.parameters.negative_prompt,
      resolution: order.resolution,
      aspect_ratio: order.aspectRatio,
      duration: order.seconds,
      shot_type: order.parameters.multi_clip === true ? 'multi' : 'single',
      seed: order.seed,
    }),
  },
  'wan-video/wan-2.7-videoedit': {
    kinds: ['video-edit'],
    input: (order, { source_video: [source], reference_image: [reference] }) => ({
      video: source?.url,
      reference_image: reference?.url,
      resolution: order.resolution,
      aspect_ratio: chosenRatio(order) ?? 'auto',
      // Without a duration, the output is as long as the source.
      duration: editSeconds(order) || undefined,
      audio_setting: order.audio ? 'origin' : 'auto',
      seed: order.seed,
    }),
  },
  'wan-video/wan-2.6-t2v': { kinds: ['t2v'], input: (order) => ({ ...wan26(order), size: wanSize(order) }) },
  'wan-video/wan-2.6-i2v': {
    kinds: ['i2v'],
    input: (order, { first_frame: [first] }) => ({ ...wan26(order), image: first?.url, resolution: order.resolution }),
  },
  'alibaba/wan-3': wan3,
  'alibaba/wan-3-prime': wan3,
  'alibaba/happyhorse-1.0': {
    kinds: fromTextOrImage,
    input: (order, { first_frame: [first] }) => ({ ...happyhorse(order), image: first?.url }),
  },
  // One image is the first frame, and several are references (clients that read its schema, July and September 2026).
  'alibaba/happyhorse-1.1': {
    kinds: fromTextOrImage,
    input: (order, { first_frame: frames }) => ({ ...happyhorse(order), images: urlsOf(frames) }),
  },
  // The size gives the tier and the ratio.
  'wan-video/wan-2.5-t2v': {
    kinds: ['t2v'],
    input: (order) => ({ ...wan(order), size: wanSize(order) }),
  },
  'wan-video/wan-2.5-i2v': {
    kinds: ['i2v'],
    input: (order, { first_frame: [first] }) => ({ ...wan(order), image: first?.url, resolution: order.resolution }),
  },
  'wan-video/wan-2.2-i2v-fast': {
    kinds: fromImages,
    input: (order, { first_frame: [first], last_frame: [last] }) => ({
      ...wanFast(order),
      image: first?.url,
      last_image: last?.url,
    }),
  },
  'wan-video/wan-2.2-t2v-fast': {
    kinds: ['t2v'],
    input: (order) => ({
      ...wanFast(order),
      aspect_ratio: order.aspectRatio,
      negative_prompt: order.parameters.negative_prompt,
      optimize_prompt: expandsPrompt(order),
    }),
  },
  'kwaivgi/kling-v3-video': {
    kinds: every,
    input: (order, media) => ({
      ...olderKling(order, media),
      mode: klingModes[order.resolution],
      generate_audio: order.audio,
    }),
  },
  'kwaivgi/kling-v3-omni-video': { kinds: [...every, 'r2v', 'video-edit'], input: omni },
  'kwaivgi/kling-v2.6': {
    kinds: fromTextOrImage,
    input: (order, media) => ({ ...olderKling(order, media), generate_audio: order.audio }),
  },
  'kwaivgi/kling-v2.5-turbo-pro': { kinds: every, input: olderKling },
  'kwaivgi/kling-v2.1': {
    kinds: fromImages,
    input: (order, media) => ({ ...olderKling(order, media), mode: klingModes[order.resolution] }),
  },
  'kwaivgi/kling-o1': {
    kinds: [...every, 'r2v', 'video-edit'],
    input: (order, media) => {
      const { generate_audio: _none, ...input } = omni(order, media);
      return { ...input, mode: o1Modes[order.resolution] };
    },
  },
  'kwaivgi/kling-v2.1-master': { kinds: fromTextOrImage, input: olderKling },
  'kwaivgi/kling-v2.0': { kinds: fromTextOrImage, input: olderKling },
  'kwaivgi/kling-v1.6-pro': { kinds: [...fromImages, 'r2v'], input: olderKling },
  'kwaivgi/kling-v1.6-standard': { kinds: [...fromTextOrImage, 'r2v'], input: olderKling },
  'google/veo-3.1': { kinds: [...every, 'r2v'], input: veo },
  'google/veo-3.1-fast': { kinds: every, input: veo },
  'google/veo-3.1-lite': {
    kinds: every,
    input: (order, media) => {
      const { generate_audio: _audio, negative_prompt: _negative, ...input } = veo(order, media);
      return input;
    },
  },
  'bytedance/seedance-2.0': { kinds: [...every, 'r2v'], input: seedance2 },
  'bytedance/seedance-2.0-fast': { kinds: [...every, 'r2v'], input: seedance2 },
  'bytedance/seedance-2.5': { kinds: [...every, 'r2v'], input: seedance2 },
  'bytedance/seedance-1.5-pro': { kinds: every, input: seedance15 },
  'bytedance/seedance-1-pro': { kinds: every, input: seedance1 },
  'bytedance/seedance-1-lite': { kinds: [...every, 'r2v'], input: seedance1 },
  'bytedance/seedance-1-pro-fast': { kinds: fromTextOrImage, input: seedance1 },
  'minimax/hailuo-2.3': { kinds: fromTextOrImage, input: hailuo },
  'minimax/hailuo-2.3-fast': { kinds: ['i2v'], input: hailuo },
  'minimax/hailuo-02': { kinds: every, input: hailuo },
  // With an image of a person this is S2V-01.
  'minimax/video-01': { kinds: [...fromTextOrImage, 'r2v'], input: firstMinimax },
  'minimax/video-01-director': { kinds: fromTextOrImage, input: firstMinimax },
  'minimax/video-01-live': { kinds: ['i2v'], input: firstMinimax },
  'luma/ray-3.2': {
    kinds: every,
    input: (order, media) => ({
      ...klingFrames(media),
      aspect_ratio: chosenRatio(order),
      duration: order.seconds,
      resolution: order.resolution,
    }),
  },
  'luma/ray-2-540p': ray,
  'luma/ray-2-720p': ray,
  'luma/ray-flash-2-540p': ray,
  'luma/ray-flash-2-720p': ray,
  'pixverse/pixverse-v6': {
    kinds: every,
    input: (order, media) => ({
      ...pixverse(order, media),
      generate_audio_switch: order.audio,
      generate_multi_clip_switch: order.parameters.generate_multi_clip_switch ?? false,
    }),
  },
  'pixverse/pixverse-v5.6': {
    kinds: every,
    input: (order, media) => ({
      ...pixverse(order, media),
      generate_audio_switch: order.audio,
      thinking_type: order.parameters.thinking_type ?? 'auto',
    }),
  },
  'pixverse/pixverse-v5': { kinds: every, input: pixverse },
  'pixverse/pixverse-v4.5': { kinds: every, input: pixverse },
  'pixverse/pixverse-v4': { kinds: fromTextOrImage, input: pixverse },
  'vidu/q3-pro': viduQ3,
  'vidu/q3-turbo': viduQ3,
  'runwayml/gen-4.5': { kinds: fromTextOrImage, input: runway },
  'runwayml/gen4-turbo': { kinds: ['i2v'], input: runway },
  'xai/grok-imagine-video': {
    kinds: ['t2v', 'i2v', 'video-edit'],
    input: (order, { first_frame: [first], source_video: [source] }) =>
      order.kind === 'video-edit'
        ? { video: source?.url }
        : {
            image: first?.url,
            duration: order.seconds,
            resolution: order.resolution,
            aspect_ratio: chosenRatio(order) ?? 'auto',
          },
  },
  'xai/grok-imagine-video-1.5': {
    kinds: ['i2v'],
    input: (order, { first_frame: [first] }) => ({
      image: first?.url,
      duration: order.seconds,
      resolution: order.resolution,
      aspect_ratio: chosenRatio(order) ?? 'auto',
    }),
  },
};

/** Omni and O1. */
function omni(order: VideoOrder, media: ReplicateMedia): Fields {
  return {
    prompt: citeInLegacyWords(order.prompt),
    ...klingFrames(media),
    reference_images: urlsOf(media.reference_image),
    mode: klingModes[order.resolution],
    ...(order.kind === 'video-edit'
      ? {
          reference_video: media.source_video[0]?.url,
          video_reference_type: 'base',
          keep_original_sound: order.parameters.keep_original_sound ?? true,
        }
      : { ...featuredVideo(media), duration: order.seconds, generate_audio: order.audio }),
    ...((order.kind === 't2v' || order.kind === 'r2v') && { aspect_ratio: order.aspectRatio }),
  };
}

/** Returns the fields of a reference video, with which Omni makes no sound and does not keep that of the reference. */
function featuredVideo({ reference_video: [video] }: ReplicateMedia): Fields {
  return video ? { reference_video: video.url, video_reference_type: 'feature', keep_original_sound: false } : {};
}
