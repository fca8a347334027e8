import { fieldsOf, type Fields } from '../../domain/json';
import { requestNameOf } from '../../domain/video';
import type { VideoBinding, VideoKind, VideoOrder } from '../../domain/video';
import { textOf } from '../kit/video/answer-fields';
import type { MediaByRole, WrittenMedia } from '../kit/video/order-media';

// The differences between the two generations of the API: the paths, the fields of a request, and those of a task.

/** The part of a binding that identifies the upstream model. */
export type UpstreamName = Pick<VideoBinding, 'modelName' | 'sameRequestAs'>;

export interface KlingWire {
  readonly name: 'new' | 'legacy';
  /** The limit on an image inside a request. */
  readonly maxImageBytes: number;
  /** Returns the path of the request for a video. */
  path(kind: VideoKind, upstream: UpstreamName): string;
  /** Returns the body of that request, without the URL for callbacks. */
  body(order: KlingOrder): Fields;
  withCallback(body: Fields, url: string): Fields;
  /** Returns the path of a request for one task; `path` is the path of its submit. */
  queryPath(path: string, by: TaskKey): string;
  /** Returns the id of the task in the answer to a submit. */
  taskId(data: unknown): string | undefined;
  /** Returns the matching task in the answer to a query; undefined if there is none. */
  task(data: unknown, by: TaskKey): KlingTask | undefined;
  /** Whether Kling guarantees that it finds every task by our id. */
  readonly findsEveryTask: boolean;
}

/** Kling's id of a task, or ours. */
export type TaskKey = { readonly taskId: string } | { readonly externalId: string };

/** An order for a request. `write` returns the text that represents an image or a video in it. */
export interface KlingOrder {
  readonly order: VideoOrder;
  readonly upstream: UpstreamName;
  /** Our id, which is unique in the account. */
  readonly externalId: string;
  readonly media: MediaByRole<'https' | 'base64'>;
  write(media: WrittenMedia): string;
}

export interface KlingTask {
  readonly id: string;
  readonly status: string;
  /** The reason of the failure, in Kling's words. */
  readonly message: string;
  readonly url?: string;
  /** The same video with the watermark, if one was ordered. */
  readonly watermarkUrl?: string;
  readonly durationSeconds?: number;
  /** The charge, such as `0.6 units`. */
  readonly units?: string;
}

/** Reads the facts of a finished video whose names are the same in both generations. */
export function videoOf(output: unknown): Pick<KlingTask, 'url' | 'watermarkUrl' | 'durationSeconds'> {
  const video = fieldsOf(output);
  const url = textOf(video.url);
  const watermarkUrl = textOf(video.watermark_url);
  const durationSeconds = secondsOf(video.duration);
  return {
    ...(url !== undefined && { url }),
    ...(watermarkUrl !== undefined && { watermarkUrl }),
    ...(durationSeconds !== undefined && { durationSeconds }),
  };
}

const FRAMES: readonly VideoKind[] = ['i2v', 'start-end'];

/** The videos that an upstream model makes, and which optional settings it takes. */
export interface KlingModel {
  readonly kinds: readonly VideoKind[];
  /** Its name in the legacy generation, if it has the model. */
  readonly legacyName?: string;
  /** The new generation does not have it. */
  readonly onlyLegacy?: true;
  /** Whether the model has a setting for sound. Kling 4.0 and 3.0 Turbo have none and always make sound. */
  readonly hasSound?: true;
  readonly hasShots?: true;
  /** Whether the model takes all kinds of media in one list, which may be empty. */
  readonly isOmni?: true;
}

const models: Readonly<Record<string, KlingModel>> = {
  'kling-4.0': { kinds: ['t2v', ...FRAMES, 'r2v', 'video-edit'] },
  'kling-3.0': { kinds: ['t2v', ...FRAMES], legacyName: 'kling-v3', hasSound: true, hasShots: true },
  'kling-3.0-omni': {
    kinds: ['t2v', ...FRAMES, 'r2v', 'video-edit'],
    legacyName: 'kling-v3-omni',
    hasSound: true,
    hasShots: true,
    isOmni: true,
  },
  'kling-video-o1': {
    kinds: ['t2v', ...FRAMES, 'r2v', 'video-edit'],
    legacyName: 'kling-video-o1',
    onlyLegacy: true,
    isOmni: true,
  },
  'kling-3.0-turbo': { kinds: ['t2v', 'i2v'] },
  'kling-2.6': { kinds: ['t2v', ...FRAMES], legacyName: 'kling-v2-6', hasSound: true },
  'kling-2.5-turbo': { kinds: ['t2v', ...FRAMES], legacyName: 'kling-v2-5-turbo' },
  'kling-2.1': { kinds: FRAMES, legacyName: 'kling-v2-1', onlyLegacy: true },
  'kling-2.1-master': { kinds: ['t2v', 'i2v'], legacyName: 'kling-v2-1-master', onlyLegacy: true },
  'kling-2.0-master': { kinds: ['t2v', 'i2v'], legacyName: 'kling-v2-master', onlyLegacy: true },
  'kling-1.6': { kinds: ['t2v', ...FRAMES], legacyName: 'kling-v1-6', onlyLegacy: true },
  'kling-1.5': { kinds: FRAMES, legacyName: 'kling-v1-5', onlyLegacy: true },
  'kling-1.0': { kinds: ['t2v', 'i2v'], legacyName: 'kling-v1', onlyLegacy: true },
};

/** Returns the upstream model of a binding. For an unknown name, returns a model that makes nothing. */
export function klingModel(upstream: UpstreamName): KlingModel {
  const name = requestNameOf(upstream);
  const model: KlingModel = (Object.hasOwn(models, name) ? models[name] : undefined) ?? { kinds: [] };
  // A model that the table does not have has one name in both generations.
  return model.legacyName !== undefined && upstream.sameRequestAs !== undefined
    ? { ...model, legacyName: upstream.modelName }
    : model;
}

/** Parses seconds, which Kling sends as text such as `5` or `5.041`. */
function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'number' ? value : Number(textOf(value));
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}
