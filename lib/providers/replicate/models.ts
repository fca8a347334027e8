import type { Fields } from '../../domain/json';
import type { VideoKind, VideoOrder } from '../../domain/video';
import type { MediaByRole } from '../kit/video/order-media';

// The input of each model of Replicate that makes videos: every model has its own names. Fields whose default changes
// the result or the price are always sent. Reference: the API pages of the models on replicate.com, 2026.

export type ReplicateMedia = MediaByRole<'https' | 'data'>;

interface ModelInput {
  readonly kinds: readonly VideoKind[];
  /** A field that is undefined is not sent. */
  input(order: VideoOrder, media: ReplicateMedia): Fields;
}

/** The kinds of videos that the model makes; none for an unknown one. */
export function kindsOf(modelName: string): readonly VideoKind[] {
  return modelOf(modelName)?.kinds ?? [];
}

/** The input of a prediction; undefined if the model does not make this kind of videos. */
export function inputFor(modelName: string, order: VideoOrder, media: ReplicateMedia): Fields | undefined {
  const model = modelOf(modelName);
  if (!model?.kinds.includes(order.kind)) return undefined;
  const input = { prompt: order.prompt, ...model.input(order, media) };
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

function modelOf(modelName: string): ModelInput | undefined {
  return Object.hasOwn(models, modelName) ? models[modelName] : undefined;
}

/** The default is to rewrite the prompt; we do so only if the request sets it. */
const expandsPrompt = ({ parameters }: VideoOrder) => parameters.prompt_extend === true;

/** 81 to 121 frames. One more than seconds × fps, because the first frame is at 0 s. */
const wanFast = ({ seconds, fps, resolution, seed, parameters }: VideoOrder): Fields => ({
  resolution,
  num_frames: seconds * fps + 1,
  frames_per_second: fps,
  go_fast: parameters.go_fast ?? true,
  seed,
});

/** The modes by resolution, for which Kling has no field. */
const klingModes: Readonly<Record<string, string>> = { '720p': 'standard', '1080p': 'pro' };

const models: Readonly<Record<string, ModelInput>> = {
  'wan-video/wan-2.7-i2v': {
    kinds: ['i2v', 'start-end'],
    input: (order, { first_frame: [first], last_frame: [last] }) => ({
      first_frame: first?.url,
      last_frame: last?.url,
      resolution: order.resolution,
      duration: order.seconds,
      negative_prompt: order.parameters.negative_prompt,
      enable_prompt_expansion: expandsPrompt(order),
      seed: order.seed,
    }),
  },
  'wan-video/wan-2.2-i2v-fast': {
    kinds: ['i2v', 'start-end'],
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
    kinds: ['t2v', 'i2v', 'start-end'],
    input: (order, { first_frame: [first], last_frame: [last] }) => ({
      start_image: first?.url,
      end_image: last?.url,
      mode: klingModes[order.resolution],
      duration: order.seconds,
      // A first frame decides the ratio.
      ...(order.kind === 't2v' && { aspect_ratio: order.aspectRatio }),
      generate_audio: order.audio,
      negative_prompt: order.parameters.negative_prompt,
    }),
  },
};
