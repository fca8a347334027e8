import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import { GatewayError, upstreamFailed } from '../../domain/errors';
import type { RemoteFiles } from '../../domain/files';
import { fieldsOf, type Fields, type Json } from '../../domain/json';
import type { MediaSource } from '../../domain/provider';
import type { FinishedVideo, RunningVideo, UpstreamBill, VideoProgress, VideoProvider } from '../../domain/video';
import { modelNotOffered } from '../kit/http/upstream-error';
import { addressOf, idOf } from '../kit/video/answer-fields';
import { UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import { laterPoll, pollFailure, submitRefusal } from '../kit/video/refusal';
import { wantsWatermark } from '../kit/video/watermark';
import { POLICY_REASON, refusalRules, type ViduAnswer, type ViduApi } from './api';
import { makeBody, pathFor } from './request';

// A submit gives the id of a task, and polls of the id end with a link. A task can be cancelled until it has ended.

export interface ViduVideoDeps {
  readonly api: ViduApi;
  readonly clock: Clock;
  readonly media: Pick<MediaSource, 'as'>;
  readonly files: Pick<RemoteFiles, 'open'>;
}

const SUBMIT_TIMEOUT_MS = 30_000;
const POLL_TIMEOUT_MS = 15_000;
/** A new task may be unknown to polls for this long. */
const UNKNOWN_TASK_MS = 60_000;
/** Links are valid for 24 hours. */
const FILE_LIFETIME_MS = 24 * 60 * 60 * 1_000;
const MAX_BODY_BYTES = 20_000_000;
/** One image fills the body: base64 has four characters for three bytes, and the prompt needs some room. */
const MAX_IMAGE_BYTES = 14_900_000;
/** A credit costs $0.005. */
const NANO_USD_PER_CREDIT = 5_000_000n;

const forms: VendorForms<'https' | 'data'> = {
  image: [{ form: 'https' }, { form: 'data', maxBytes: MAX_IMAGE_BYTES }],
};

interface Receipt {
  readonly taskId: string;
  /** Was the video with the watermark ordered? */
  readonly watermark: boolean;
}

export function createViduVideo({ api, clock, media, files }: ViduVideoDeps): VideoProvider {
  async function ask(method: 'GET' | 'POST', path: string, call: Call, body?: Fields): Promise<ViduAnswer> {
    try {
      return await api.send(
        { method, path, headersMs: POLL_TIMEOUT_MS, ...(body && { body: JSON.stringify(body) }) },
        call,
      );
    } catch (error) {
      throw laterPoll(error);
    }
  }

  /** The fields of the task. Rejects if they cannot be read now. */
  async function readTask({ taskId }: Receipt, call: Call): Promise<Fields | 'unknown'> {
    const answer = await ask('GET', `${taskPath(taskId)}/creations`, call);
    if (answer.refusal && answer.status === 404) return 'unknown';
    const task = fieldsOf(answer.json);
    if (answer.status === 200 && typeof task.state === 'string') return task;
    throw pollFailure(answer, refusalRules, clock.now());
  }

  return {
    // Of an account without a contract.
    limits: { running: 5 },
    unknownJob: { taskId: UNKNOWN_ID, watermark: false },

    async start({ videoId, order, binding, owner, callbackUrl, submitting }, call) {
      const path = pathFor(binding.modelName, order.kind);
      if (path === undefined)
        throw modelNotOffered(`Vidu cannot make a video of the kind ${order.kind} with this model.`);
      return withMedia({ order, owner }, forms, media, call, async (taken) => {
        const body = makeBody({ videoId, order, binding }, taken);
        const sent = JSON.stringify({ ...body, ...(callbackUrl !== undefined && { callback_url: callbackUrl }) });
        if (Buffer.byteLength(sent) > MAX_BODY_BYTES) throw tooLarge();
        await submitting(body);
        const answer = await api.send(
          { method: 'POST', path, body: sent, ownConnection: true, headersMs: SUBMIT_TIMEOUT_MS },
          call,
        );
        // An id proves that the video has begun, whatever else the answer says.
        const taskId = idOf(fieldsOf(answer.json).task_id);
        if (taskId === undefined) throw submitRefusal(answer, refusalRules, clock.now());
        return { receipt: { taskId, watermark: wantsWatermark(order) } satisfies Receipt, providerJobId: taskId };
      });
    },

    async check(running, call) {
      const receipt = readReceipt(running.receipt);
      const task = await readTask(receipt, call);
      if (task !== 'unknown') return progressOf(task, receipt, running, call);
      if (clock.nowMs() - running.startedAt.getTime() > UNKNOWN_TASK_MS)
        return { status: 'failed', code: 'generation_failed', message: 'The provider no longer knows this video.' };
      throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'The upstream does not know the new task yet.');
    },

    async cancel(running, call) {
      const receipt = readReceipt(running.receipt);
      const task = await readTask(receipt, call);
      if (task === 'unknown' || hasEnded(task)) return 'too_late';
      const { taskId } = receipt;
      const answer = await ask('POST', `${taskPath(taskId)}/cancel`, call, { id: taskId });
      if (answer.status === 200) return 'requested';
      // It has ended in the meantime, or has come too far.
      if (answer.refusal && [400, 404, 409].includes(answer.status)) return 'too_late';
      throw pollFailure(answer, refusalRules, clock.now());
    },

    open: (file, part, call) => files.open(readUrl(file), part, call),
  };
}

const taskPath = (taskId: string) => `/ent/v2/tasks/${encodeURIComponent(taskId)}`;

const stateOf = ({ state }: Fields) => String(state).toLowerCase();

const hasEnded = (task: Fields) => ['success', 'failed'].includes(stateOf(task));

function progressOf(task: Fields, receipt: Receipt, running: RunningVideo, call: Call): VideoProgress {
  switch (stateOf(task)) {
    case 'created':
    case 'queueing':
      return { status: 'queued' };
    case 'processing':
      return { status: 'in_progress' };
    case 'success': {
      const video = finishedVideo(task, receipt, running.startedAt);
      if (video) return { status: 'completed', video, ...billOf(task.credits) };
      return {
        status: 'failed',
        code: 'generation_failed',
        message: 'The provider finished the video without a file.',
        ...billOf(task.credits),
      };
    }
    case 'failed':
      return { status: 'failed', ...failureOf(String(task.err_code)) };
    default:
      call.log.warn('the upstream reported an unknown status of a video', {
        provider: 'vidu',
        videoId: running.videoId,
      });
      return { status: 'in_progress' };
  }
}

function failureOf(reason: string) {
  if (POLICY_REASON.test(reason))
    return {
      code: 'content_policy_violation',
      message: 'The provider refused the content of this video. Change the prompt or the images.',
    } as const;
  if (reason === 'ImageDownloadFailure')
    return {
      code: 'media_unreachable',
      message: 'The provider could not download one of the images. Use an address that is reachable from the internet.',
    } as const;
  if (reason.startsWith('Image'))
    return {
      code: 'media_invalid',
      message: 'The provider does not accept one of the images. Use another format, size or shape.',
    } as const;
  if (reason === 'UserCancelled')
    return { code: 'cancelled', message: 'The video was cancelled at the provider.' } as const;
  return { code: 'generation_failed', message: 'The provider could not generate this video.' } as const;
}

function finishedVideo(task: Fields, { watermark }: Receipt, startedAt: Date): FinishedVideo | undefined {
  const [creation] = Array.isArray(task.creations) ? task.creations.map(fieldsOf) : [];
  const url = (watermark ? addressOf(creation?.watermarked_url) : undefined) ?? addressOf(creation?.url);
  if (url === undefined) return undefined;
  return {
    file: { url },
    publicUrl: url,
    // From the start and not from this check, so that every check promises the same.
    expiresAt: new Date(startedAt.getTime() + FILE_LIFETIME_MS),
  };
}

function billOf(credits: unknown): { readonly bill?: UpstreamBill } {
  if (typeof credits !== 'number' || !Number.isSafeInteger(credits) || credits < 0) return {};
  return { bill: { nanoUsd: BigInt(credits) * NANO_USD_PER_CREDIT, units: `${credits} credits` } };
}

function tooLarge(): GatewayError {
  return new GatewayError(
    'media_too_large',
    'The images are too large together: a request to this provider may have 20 MB. Send smaller images, or https addresses.',
    { upstream: { retry: 'never', started: 'no' } },
  );
}

function readReceipt(receipt: Json): Receipt {
  const { taskId, watermark } = fieldsOf(receipt);
  if (typeof taskId !== 'string' || typeof watermark !== 'boolean') throw new Error('This is not a receipt of Vidu.');
  return { taskId, watermark };
}

function readUrl(file: Json): string {
  const { url } = fieldsOf(file);
  if (typeof url !== 'string') throw new Error('This is not a file of Vidu.');
  return url;
}
