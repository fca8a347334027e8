import type { Call } from '../../domain/call';
import { GatewayError, upstreamFailed } from '../../domain/errors';
import { fieldsOf, type Fields, type Json } from '../../domain/json';
import { requestNameOf } from '../../domain/video';
import type { FinishedVideo, RunningVideo, VideoProgress, VideoProvider } from '../../domain/video';
import { modelNotOffered } from '../kit/http/upstream-error';
import { idOf, textOf, urlOf, wordOf } from '../kit/video/answer-fields';
import { textOfNote, UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import {
  CANCELLED,
  creditsBilled,
  endOf,
  lostJob,
  moderated,
  NOT_GENERATED,
  unknownStatus,
  type VideoFailure,
} from '../kit/video/progress';
import { isDone, isOwnNotFound, isSuccess, pollFailure, submitRefusal, type FieldsAnswer } from '../kit/video/refusal';
import { askAboutJob, isLost, submitJob, type VendorVideoDeps } from '../kit/video/vendor-job';
import { wantsWatermark } from '../kit/video/watermark';
import { verifyCallback } from './callback';
import { POLICY_REASON, refusalRules } from './refusals';
import { makeBody, pathFor } from './request';

// A submit gives the id of a task, and polls of the id end with a link. A task can be cancelled until it has ended.

/** Links are valid for 24 hours. */
const FILE_LIFETIME_MS = 24 * 60 * 60 * 1_000;
const MAX_BODY_BYTES = 20_000_000;
/** Three quarters of the maximum body, because base64 has four characters for three bytes, less room for the prompt. */
const MAX_INLINE_BYTES = 14_900_000;
/** A credit costs $0.005. */
const NANO_USD_PER_CREDIT = 5_000_000n;

const forms: VendorForms<'https' | 'data'> = {
  image: [{ form: 'https' }, { form: 'data', maxBytes: MAX_INLINE_BYTES }],
  video: [{ form: 'https' }, { form: 'data', maxBytes: MAX_INLINE_BYTES }],
};

interface Receipt {
  readonly taskId: string;
  /** Whether the video with the watermark was ordered. */
  readonly watermark: boolean;
}

export interface ViduVideoDeps extends VendorVideoDeps<FieldsAnswer> {
  /** The API key, with which Vidu signs callbacks. */
  readonly key: string;
}

export function createViduVideo({ api, key, clock, media, files }: ViduVideoDeps): VideoProvider {
  /** Reads the fields of the task. Rejects if they cannot be read now. */
  async function readTask({ taskId }: Receipt, call: Call): Promise<Fields | 'unknown'> {
    const answer = await askAboutJob(api, { method: 'GET', path: `${taskPath(taskId)}/creations` }, call);
    if (isOwnNotFound(answer)) return 'unknown';
    const task = answer.fields;
    if (isSuccess(answer) && typeof task.state === 'string') return task;
    throw pollFailure(answer, refusalRules, clock.now());
  }

  return {
    // The limit of an account without a special contract.
    limits: { running: 5 },
    unknownJob: { taskId: UNKNOWN_ID, watermark: false },

    async start({ videoId, order, binding, owner, callbackUrl, submitting }, call) {
      const path = pathFor(requestNameOf(binding), order.kind);
      if (path === undefined)
        throw modelNotOffered(`Vidu cannot make a video of the kind ${order.kind} with this model.`);
      return withMedia({ order, owner }, forms, media, call, async (taken) => {
        const body = makeBody({ videoId, order, binding }, taken);
        const sent = JSON.stringify({ ...body, ...(callbackUrl !== undefined && { callback_url: callbackUrl }) });
        if (Buffer.byteLength(sent) > MAX_BODY_BYTES) throw tooLarge();
        await submitting(body);
        const answer = await submitJob(api, { path, body: sent }, call);
        // An id proves that the video has begun, whatever else the answer says.
        const taskId = idOf(answer.fields.task_id);
        if (taskId === undefined) throw submitRefusal(answer, refusalRules, clock.now());
        return { receipt: { taskId, watermark: wantsWatermark(order) } satisfies Receipt, providerJobId: taskId };
      });
    },

    receiveCallback: async (callback) => verifyCallback(callback, key, clock),

    async check(running, call) {
      const receipt = readReceipt(running.receipt);
      const task = await readTask(receipt, call);
      if (task !== 'unknown') return progressOf(task, receipt, running, call);
      if (isLost(running, clock)) return lostJob();
      throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'The upstream does not know the new task yet.');
    },

    async cancel(running, call) {
      const receipt = readReceipt(running.receipt);
      const task = await readTask(receipt, call);
      if (task === 'unknown' || hasEnded(task)) return 'too_late';
      const { taskId } = receipt;
      const body = JSON.stringify({ id: taskId });
      const answer = await askAboutJob(api, { method: 'POST', path: `${taskPath(taskId)}/cancel`, body }, call);
      if (isDone(answer)) return 'requested';
      // The task has ended in the meantime, or can no longer be cancelled.
      if (answer.refusal && [400, 404, 409].includes(answer.status)) return 'too_late';
      throw pollFailure(answer, refusalRules, clock.now());
    },

    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),
  };
}

const taskPath = (taskId: string) => `/ent/v2/tasks/${encodeURIComponent(taskId)}`;

const stateOf = ({ state }: Fields) => wordOf(state);

const hasEnded = (task: Fields) => ['success', 'failed'].includes(stateOf(task));

function progressOf(task: Fields, receipt: Receipt, running: RunningVideo, call: Call): VideoProgress {
  switch (stateOf(task)) {
    case 'created':
    case 'queueing':
      return { status: 'queued' };
    case 'processing':
      return { status: 'in_progress' };
    case 'success': {
      const bill = creditsBilled(task.credits, NANO_USD_PER_CREDIT);
      return endOf(finishedVideo(task, receipt, running.startedAt), running, bill);
    }
    case 'failed':
      return { status: 'failed', ...failureOf(textOf(task.err_code) ?? '') };
    default:
      return unknownStatus('vidu', running, call);
  }
}

function failureOf(reason: string): VideoFailure {
  if (POLICY_REASON.test(reason)) return moderated('images');
  if (reason === 'ImageDownloadFailure')
    return {
      code: 'media_unreachable',
      message: 'The provider could not download one of the images. Use a URL that is reachable from the internet.',
    };
  if (reason.startsWith('Image'))
    return {
      code: 'media_invalid',
      message: 'The provider does not accept one of the images. Use another format, size or shape.',
    };
  return reason === 'UserCancelled' ? CANCELLED : NOT_GENERATED;
}

function finishedVideo(task: Fields, { watermark }: Receipt, startedAt: Date): FinishedVideo | undefined {
  const [creation] = Array.isArray(task.creations) ? task.creations.map(fieldsOf) : [];
  const url = (watermark ? urlOf(creation?.watermarked_url) : undefined) ?? urlOf(creation?.url);
  if (url === undefined) return undefined;
  return {
    file: { url },
    publicUrl: url,
    // Counted from the start and not from this check, so that every check reports the same expiry.
    expiresAt: new Date(startedAt.getTime() + FILE_LIFETIME_MS),
  };
}

function tooLarge(): GatewayError {
  return new GatewayError(
    'media_too_large',
    'The media are too large together: a request to this provider may have 20 MB. Send smaller ones, or https URLs.',
    { upstream: { retry: 'never', started: 'no' } },
  );
}

function readReceipt(receipt: Json): Receipt {
  const { taskId, watermark } = fieldsOf(receipt);
  if (typeof taskId !== 'string' || typeof watermark !== 'boolean') throw new Error('This is not a receipt of Vidu.');
  return { taskId, watermark };
}
