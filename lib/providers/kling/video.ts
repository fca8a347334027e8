import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import { GatewayError, isGatewayError, upstreamFailed } from '../../domain/errors';
import type { RemoteFiles } from '../../domain/files';
import { fieldsOf, type Json } from '../../domain/json';
import type { MediaSource } from '../../domain/provider';
import type { FinishedVideo, RunningVideo, VideoOrder, VideoProgress, VideoProvider } from '../../domain/video';
import { modelNotOffered } from '../kit/http/upstream-error';
import { withMedia, writeMarker, writeMedia, type VendorForms } from '../kit/video/order-media';
import { laterPoll, pollFailure, submitRefusal } from '../kit/video/refusal';
import { wantsWatermark } from '../kit/video/watermark';
import { NOT_FOUND_CODE, refusalRules, type KlingAnswer, type KlingApi } from './api';
import { legacyWire } from './legacy-wire';
import { newWire } from './new-wire';
import { kindsOf, type KlingTask, type KlingWire, type TaskKey } from './wire';
import { parseUrl } from '../../domain/url';

// A submit gives the id of a task, and polls of the id end with a link. Every task has our id of the video, which Kling
// accepts once: a task is found by it if the answer to its submit was lost, and cannot be begun twice. Kling cannot
// cancel a task.

export interface KlingVideoDeps {
  readonly api: KlingApi;
  /** Takes the orders. Tasks are polled in the generation that has begun them. */
  readonly wire: KlingWire;
  readonly clock: Clock;
  readonly media: Pick<MediaSource, 'as'>;
  readonly files: Pick<RemoteFiles, 'open'>;
}

const SUBMIT_TIMEOUT_MS = 30_000;
const POLL_TIMEOUT_MS = 15_000;
/** Fewer than without a video. */
const MAX_IMAGES_BESIDE_VIDEO = 4;
/** A new task may be unknown to queries for this long. */
const UNKNOWN_TASK_MS = 60_000;
/** Kling deletes results after 30 days. */
const FILE_LIFETIME_MS = 30 * 24 * 60 * 60 * 1_000;

const wires = { new: newWire, legacy: legacyWire };

/** The generation and the query of a task, and whether its video with the watermark was ordered. */
interface Receipt {
  readonly wire: keyof typeof wires;
  readonly path: string;
  readonly taskId: string;
  readonly watermark: boolean;
}

export function createKlingVideo({ api, wire, clock, media, files }: KlingVideoDeps): VideoProvider {
  /** Kling reads videos only at addresses. */
  const forms: VendorForms<'https' | 'base64'> = {
    image: [{ form: 'https' }, { form: 'base64', maxBytes: wire.maxImageBytes }],
    video: [{ form: 'https' }],
  };

  /** Rejects only if there is no answer. */
  async function query(path: string, call: Call): Promise<KlingAnswer> {
    try {
      return await api.send({ method: 'GET', path, headersMs: POLL_TIMEOUT_MS }, call);
    } catch (error) {
      throw laterPoll(error);
    }
  }

  function accepted(by: KlingWire, taskId: string, submitPath: string, watermark: boolean) {
    const receipt = {
      wire: by.name,
      path: by.queryPath(submitPath, { taskId }),
      taskId,
      watermark,
    } satisfies Receipt;
    return { receipt, providerJobId: taskId };
  }

  return {
    unknownJob: accepted(wire, 'unknown', wire.path('t2v', 'kling-v3'), false).receipt,

    async start({ videoId, order, binding: { modelName }, owner, callbackUrl, submitting }, call) {
      if (!kindsOf(modelName).includes(order.kind))
        throw modelNotOffered(`Kling cannot make a video of the kind ${order.kind} with this model.`);
      refuseTooManyImages(order);
      return withMedia({ order, owner }, forms, media, call, async (taken) => {
        const ordered = { order, modelName, externalId: videoId, media: taken };
        await submitting(wire.body({ ...ordered, write: writeMarker }));
        const path = wire.path(order.kind, modelName);
        const body = wire.body({ ...ordered, write: writeMedia });
        const answer = await api.send(
          {
            method: 'POST',
            path,
            body: JSON.stringify(callbackUrl === undefined ? body : wire.withCallback(body, callbackUrl)),
            ownConnection: true,
            headersMs: SUBMIT_TIMEOUT_MS,
          },
          call,
        );
        // An id proves that the video has begun, whatever else the answer says.
        const taskId = wire.taskId(answer.data);
        if (taskId !== undefined) return accepted(wire, taskId, path, wantsWatermark(order));
        if (isDuplicate(answer))
          throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'The upstream already has a task with this id.');
        throw submitRefusal(answer, refusalRules, clock.now());
      });
    },

    async recover({ videoId, order, binding: { modelName }, submittedAt, sent }, call) {
      // The credentials may have changed since, and the other generation does not know the task. Only the legacy one
      // has the model in the body.
      const asked = 'model_name' in fieldsOf(sent) ? legacyWire : newWire;
      const path = asked.path(order.kind, modelName);
      const key = { externalId: videoId };
      try {
        const answer = await query(asked.queryPath(path, key), call);
        const task = taskIn(answer, asked, key);
        if (task === 'unreadable') throw pollFailure(answer, refusalRules, clock.now());
        if (task !== 'unknown') return accepted(asked, task.id, path, wantsWatermark(order));
        const isOld = clock.nowMs() - submittedAt.getTime() > UNKNOWN_TASK_MS;
        return isOld && asked.findsEveryTask ? 'not_started' : undefined;
      } catch (error) {
        if (!isGatewayError(error)) throw error;
        call.log.warn('the upstream could not say whether a video has begun', {
          provider: 'kling',
          videoId,
          code: error.code,
        });
        return undefined;
      }
    },

    async check(running, call) {
      const receipt = readReceipt(running.receipt);
      const answer = await query(receipt.path, call);
      const task = taskIn(answer, wires[receipt.wire], { taskId: receipt.taskId });
      if (task === 'unknown' && clock.nowMs() - running.startedAt.getTime() > UNKNOWN_TASK_MS)
        return { status: 'failed', code: 'generation_failed', message: 'The provider no longer knows this video.' };
      if (task === 'unknown' || task === 'unreadable') throw pollFailure(answer, refusalRules, clock.now());
      return progressOf(task, receipt, running, call);
    },

    // Links lead to a host that refuses requests from other pages, so they are not shown to callers.
    open: (file, part, call) => files.open(readUrl(file), part, call),
  };
}

function refuseTooManyImages({ media }: VideoOrder): void {
  const count = (role: string) => media.filter((one) => one.role === role).length;
  if (count('reference_video') === 0 || count('reference_image') <= MAX_IMAGES_BESIDE_VIDEO) return;
  throw new GatewayError(
    'media_invalid',
    `The provider takes at most ${MAX_IMAGES_BESIDE_VIDEO} reference images together with a video.`,
    { upstream: { retry: 'never', started: 'no' } },
  );
}

/** Kling accepts our id once, so an earlier request with it has begun. */
function isDuplicate({ refusal }: KlingAnswer): boolean {
  return (
    /external.?task.?id/i.test(refusal?.message ?? '') && /duplica|exist|uniq|repeat/i.test(refusal?.message ?? '')
  );
}

function taskIn({ status, data, refusal }: KlingAnswer, wire: KlingWire, key: TaskKey) {
  if (refusal) return refusal.code === NOT_FOUND_CODE ? 'unknown' : 'unreadable';
  if (status !== 200) return 'unreadable';
  if (Array.isArray(data) && data.length === 0) return 'unknown';
  return wire.task(data, key) ?? 'unreadable';
}

function progressOf(task: KlingTask, { watermark }: Receipt, running: RunningVideo, call: Call): VideoProgress {
  const bill = task.units === undefined ? {} : { bill: { units: task.units } };
  switch (task.status.toLowerCase()) {
    case 'submitted':
      return { status: 'queued' };
    case 'processing':
      return { status: 'in_progress' };
    // The second is that of the legacy generation.
    case 'succeeded':
    case 'succeed': {
      const video = finishedVideo(task, watermark, running.startedAt);
      if (video) return { status: 'completed', video, ...bill };
      return {
        status: 'failed',
        code: 'generation_failed',
        message: 'The provider finished the video without a file.',
        ...bill,
      };
    }
    case 'failed':
      return { status: 'failed', ...failureOf(task), ...bill };
    default:
      call.log.warn('the upstream reported an unknown status of a video', {
        provider: 'kling',
        videoId: running.videoId,
      });
      return { status: 'in_progress' };
  }
}

/** A failed task has no code, only a message, such as `Failure to pass the risk control system`. */
function failureOf({ message }: KlingTask) {
  if (/risk control|content (safety|polic|moderat)|sensitive|violat/i.test(message))
    return {
      code: 'content_policy_violation',
      message: 'The provider refused the content of this video. Change the prompt or the media.',
    } as const;
  return { code: 'generation_failed', message: 'The provider could not generate this video.' } as const;
}

function finishedVideo(task: KlingTask, watermark: boolean, startedAt: Date): FinishedVideo | undefined {
  const url = (watermark ? task.watermarkUrl : undefined) ?? task.url;
  if (url === undefined || !parseUrl(url)) return undefined;
  return {
    file: { url },
    ...(task.durationSeconds !== undefined && { durationSeconds: task.durationSeconds }),
    // From the start and not from this check, so that every check promises the same.
    expiresAt: new Date(startedAt.getTime() + FILE_LIFETIME_MS),
  };
}

function readReceipt(receipt: Json): Receipt {
  const { wire, path, taskId, watermark } = fieldsOf(receipt);
  if (
    (wire !== 'new' && wire !== 'legacy') ||
    typeof path !== 'string' ||
    typeof taskId !== 'string' ||
    typeof watermark !== 'boolean'
  )
    throw new Error('This is not a receipt of Kling.');
  return { wire, path, taskId, watermark };
}

function readUrl(file: Json): string {
  const { url } = fieldsOf(file);
  if (typeof url !== 'string') throw new Error('This is not a file of Kling.');
  return url;
}
