import { fieldsOf, isObject, type Fields } from '../../domain/json';
import { requestNameOf } from '../../domain/video';
import type { VideoBinding, VideoKind, VideoOrder } from '../../domain/video';
import { idOf, measureOf, urlOf } from '../kit/video/answer-fields';
import type { MediaByRole } from '../kit/video/order-media';
import { expandsPrompt } from '../kit/video/prompt-extension';
import { wantsWatermark } from '../kit/video/watermark';

// The differences between the two versions of the API: the paths, the fields of a request, and those of a task.
// Everything that changes the result or the price is stated, because the API has its own defaults: a rewritten prompt,
// and 2K.

export interface MinimaxWire {
  readonly name: 'v1' | 'v2';
  readonly submitPath: string;
  body(order: VideoOrder, binding: VideoBinding, media: MinimaxMedia): Fields;
  queryPath(taskId: string): string;
  /** Returns the task in the answer to a query; undefined if it has none. */
  task(json: unknown): MinimaxTask | undefined;
}

export type MinimaxMedia = MediaByRole<'https' | 'data'>;

export interface MinimaxTask {
  readonly taskId: string | undefined;
  /** The state of the task, in lower case. */
  readonly status: string;
  /** The error code of a failed task. */
  readonly errorCode?: string | number | undefined;
  /** The file of a succeeded task: its URL, or the id with which the URL is fetched. */
  readonly url?: string | undefined;
  readonly fileId?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly durationSeconds?: number | undefined;
  /** The charged seconds of input and output. */
  readonly billedSeconds?: number | undefined;
}

/** Hailuo and the models before it: silent, without ratios, with clips of 6 or 10 seconds. */
const v1: MinimaxWire = {
  name: 'v1',
  submitPath: '/v1/video_generation',

  body: (order, binding, { first_frame: [first], last_frame: [last], reference_image: [subject] }) => ({
    model: binding.modelName,
    prompt: order.prompt,
    ...(first && { first_frame_image: first.url }),
    ...(last && { last_frame_image: last.url }),
    ...(subject && { subject_reference: [{ type: 'character', image: [subject.url] }] }),
    // The first models have one length and one resolution.
    ...(!isFirstModel(requestNameOf(binding)) && { duration: order.seconds, resolution: tierOf(order) }),
    // The default is to rewrite the prompt; we do so only if the request sets it.
    prompt_optimizer: expandsPrompt(order),
    aigc_watermark: wantsWatermark(order),
  }),

  queryPath: (taskId) => `/v1/query/video_generation?${new URLSearchParams({ task_id: taskId })}`,

  task(json) {
    const { task_id, status, file_id, video_width, video_height, base_resp } = fieldsOf(json);
    if (typeof status !== 'string' || status === '') return undefined;
    const { status_code: code } = fieldsOf(base_resp);
    return {
      taskId: idOf(task_id),
      status: status.toLowerCase(),
      errorCode: codeOf(code),
      fileId: idOf(file_id),
      width: measureOf(video_width),
      height: measureOf(video_height),
    };
  },
};

/** H3: always with sound. */
const v2: MinimaxWire = {
  name: 'v2',
  submitPath: '/v2/video_generation',

  body: (order, binding, media) => ({
    model: binding.modelName,
    content: contentOf(order, media),
    resolution: tierOf(order),
    duration: order.seconds,
    // With frames, these decide the ratio.
    ...((order.kind === 't2v' || order.kind === 'r2v') && { ratio: order.aspectRatio }),
    aigc_watermark: wantsWatermark(order),
    ...(requestNameOf(binding) === H3_MAX && {
      extra: { prompt_expansion_mode: expandsPrompt(order) ? 'balanced' : 'disabled' },
    }),
  }),

  queryPath: (taskId) => `/v2/query/video_generation/${encodeURIComponent(taskId)}`,

  task(json) {
    const { task } = fieldsOf(json);
    const { id, status, content, duration, usage, error } = fieldsOf(task);
    if (typeof status !== 'string' || status === '') return undefined;
    const { code } = fieldsOf(error);
    const { url } = fieldsOf(content);
    return {
      taskId: idOf(id),
      status: status.toLowerCase(),
      errorCode: codeOf(code),
      url: urlOf(url),
      durationSeconds: measureOf(duration),
      billedSeconds: measureOf(fieldsOf(usage).total_seconds),
    };
  },
};

export const wires = { v1, v2 };

const H3_MAX = 'MiniMax-H3-Max';

const models: Readonly<Record<string, { readonly wire: MinimaxWire; readonly kinds: readonly VideoKind[] }>> = {
  'MiniMax-Hailuo-2.3': { wire: v1, kinds: ['t2v', 'i2v'] },
  'MiniMax-Hailuo-2.3-Fast': { wire: v1, kinds: ['i2v'] },
  // The only model of the first version that takes a last frame.
  'MiniMax-Hailuo-02': { wire: v1, kinds: ['t2v', 'i2v', 'start-end'] },
  // The only model of the first version that takes a reference.
  'S2V-01': { wire: v1, kinds: ['r2v'] },
  'T2V-01': { wire: v1, kinds: ['t2v'] },
  'T2V-01-Director': { wire: v1, kinds: ['t2v'] },
  'I2V-01': { wire: v1, kinds: ['i2v'] },
  'I2V-01-Director': { wire: v1, kinds: ['i2v'] },
  'I2V-01-live': { wire: v1, kinds: ['i2v'] },
  'MiniMax-H3': { wire: v2, kinds: ['t2v', 'i2v', 'start-end', 'r2v'] },
  [H3_MAX]: { wire: v2, kinds: ['t2v', 'i2v', 'start-end'] },
};

function isFirstModel(modelName: string): boolean {
  return /^(S2V|T2V|I2V)-01/.test(modelName);
}

export function isKnownModel(modelName: string): boolean {
  return Object.hasOwn(models, modelName);
}

/** Returns the wire of a model; undefined if the model is unknown or does not make this kind of videos. */
export function wireFor(modelName: string, kind: VideoKind): MinimaxWire | undefined {
  const model = models[modelName];
  return model?.kinds.includes(kind) ? model.wire : undefined;
}

/** Returns the URL of the file in the answer to the request for it; undefined if it has none. */
export function fileUrl(json: unknown): string | undefined {
  return urlOf(fieldsOf(fieldsOf(json).file).download_url);
}

/** Returns whether this is an answer to the request for a file. */
export function hasFile(json: unknown): boolean {
  return isObject(fieldsOf(json).file);
}

function contentOf({ prompt, parameters }: VideoOrder, media: MinimaxMedia): Fields[] {
  const { reference_voice: voice } = parameters;
  const images = (['first_frame', 'last_frame', 'reference_image'] as const).flatMap((role) =>
    media[role].map(({ url }) => ({ type: 'image_url', role, image_url: { url } })),
  );
  const videos = media.reference_video.map(({ url }) => ({
    type: 'video_url',
    role: 'reference_video',
    video_url: { url },
  }));
  const voices = voice === undefined ? [] : [{ type: 'audio_url', role: 'reference_audio', audio_url: { url: voice } }];
  return [{ type: 'text', text: prompt }, ...images, ...videos, ...voices];
}

/** Returns the tier as the API writes it: `768P`, `2K`. */
const tierOf = ({ resolution }: VideoOrder) => resolution.toUpperCase();

const codeOf = (code: unknown) => (typeof code === 'string' || typeof code === 'number' ? code : undefined);
