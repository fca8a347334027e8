import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import { upstreamFailed, videoExpired } from '../../domain/errors';
import type { RemoteFiles } from '../../domain/files';
import { fieldsOf, type Json } from '../../domain/json';
import type { MediaSource } from '../../domain/provider';
import type { RunningVideo, VideoProgress, VideoProvider } from '../../domain/video';
import { modelNotOffered } from '../kit/http/upstream-error';
import { idOf } from '../kit/video/answer-fields';
import { UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import { laterPoll, pollFailure, submitRefusal } from '../kit/video/refusal';
import { meaningOf, refusalRules, type MinimaxAnswer, type MinimaxApi } from './api';
import { fileUrl, hasFile, wireFor, wires, type MinimaxTask } from './wire';

// A submit gives the id of a task. Polls of the id end with a link, or, in the first version of the API, with the id of
// a file, whose link is a second request. Both links are renewed by the same requests. Callbacks are not used: MiniMax
// begins them with a challenge that must be answered. Running work cannot be cancelled.

export interface MinimaxVideoDeps {
  readonly api: MinimaxApi;
  readonly clock: Clock;
  readonly media: Pick<MediaSource, 'as'>;
  readonly files: Pick<RemoteFiles, 'open'>;
}

const SUBMIT_TIMEOUT_MS = 30_000;
/** A check makes up to two requests, and has 20 seconds in all. */
const POLL_TIMEOUT_MS = 9_000;
/** A new task may be unknown to polls for this long. */
const UNKNOWN_TASK_MS = 60_000;
/**
 * Links to results are valid for nine hours: https://platform.minimax.io/docs/api-reference/video-agent-query. How long a
 * file is kept is not stated.
 */
const FILE_LIFETIME_MS = 9 * 60 * 60 * 1_000;
/** The limit on an image; that on videos is not stated. */
const MAX_DATA_BYTES = 20_000_000;

const forms: VendorForms<'https' | 'data'> = {
  image: [{ form: 'https' }, { form: 'data', maxBytes: MAX_DATA_BYTES }],
  video: [{ form: 'https' }, { form: 'data', maxBytes: MAX_DATA_BYTES }],
};

interface Receipt {
  readonly wire: keyof typeof wires;
  readonly taskId: string;
}

export function createMinimaxVideo({ api, clock, media, files }: MinimaxVideoDeps): VideoProvider {
  async function ask(path: string, call: Call): Promise<MinimaxAnswer> {
    try {
      return await api.send({ method: 'GET', path, headersMs: POLL_TIMEOUT_MS }, call);
    } catch (error) {
      throw laterPoll(error);
    }
  }

  /** The task with the link of its file. Rejects if its state cannot be read now. */
  async function readTask({ wire, taskId }: Receipt, call: Call): Promise<MinimaxTask | 'unknown'> {
    const answer = await ask(wires[wire].queryPath(taskId), call);
    const task = answer.status === 200 ? wires[wire].task(answer.json) : undefined;
    if (!task) return unknownOrThrow(answer);
    if (!isSuccess(task) || task.fileId === undefined) return task;
    const file = await ask(`/v1/files/retrieve?${new URLSearchParams({ file_id: task.fileId })}`, call);
    if (file.status !== 200 || file.refusal || !hasFile(file.json)) return unknownOrThrow(file);
    return { ...task, url: fileUrl(file.json) };
  }

  function unknownOrThrow(answer: MinimaxAnswer): 'unknown' {
    if (isUnknownId(answer)) return 'unknown';
    throw pollFailure(answer, refusalRules, clock.now());
  }

  return {
    // https://platform.minimax.io/docs/guides/video-generation recommends ten seconds between two polls.
    pace: { firstMs: 10_000, minMs: 10_000 },
    unknownJob: { wire: 'v2', taskId: UNKNOWN_ID },

    async start({ order, binding: { modelName }, owner, submitting }, call) {
      const wire = wireFor(modelName, order.kind);
      if (!wire) throw modelNotOffered(`MiniMax cannot make a video of the kind ${order.kind} with this model.`);
      return withMedia({ order, owner }, forms, media, call, async (taken) => {
        const body = wire.body(order, modelName, taken);
        await submitting(body);
        const answer = await api.send(
          {
            method: 'POST',
            path: wire.submitPath,
            body: JSON.stringify(body),
            ownConnection: true,
            headersMs: SUBMIT_TIMEOUT_MS,
          },
          call,
        );
        // An id proves that the video has begun, whatever else the answer says.
        const taskId = idOf(fieldsOf(answer.json).task_id);
        if (taskId === undefined) throw submitRefusal(answer, refusalRules, clock.now());
        return { receipt: { wire: wire.name, taskId } satisfies Receipt, providerJobId: taskId };
      });
    },

    async check(running, call) {
      const task = await readTask(readReceipt(running.receipt), call);
      if (task !== 'unknown') return progressOf(task, running, call);
      if (clock.nowMs() - running.startedAt.getTime() > UNKNOWN_TASK_MS)
        return failed('generation_failed', 'The provider no longer knows this video.');
      throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'The upstream does not know the new task yet.');
    },

    // Links end before their files may, so they are not shown to callers.
    open: (file, part, call) => files.open(readUrl(file), part, call),

    async refresh({ receipt }, call) {
      const task = await readTask(readReceipt(receipt), call);
      if (task === 'unknown' || task.url === undefined) throw videoExpired();
      return { url: task.url };
    },
  };
}

/** A poll has no parameter but an id, so an invalid request is an id that MiniMax does not know. */
function isUnknownId({ status, refusal }: MinimaxAnswer): boolean {
  return refusal !== undefined && (status === 404 || meaningOf(refusal.code) === 'invalid');
}

const isSuccess = ({ status }: MinimaxTask) => status === 'success' || status === 'succeeded';

function progressOf(task: MinimaxTask, running: RunningVideo, call: Call): VideoProgress {
  const { billedSeconds } = task;
  const billed = (end: Ended): VideoProgress =>
    billedSeconds === undefined ? end : { ...end, bill: { units: `${billedSeconds} seconds` } };
  switch (task.status) {
    case 'preparing':
    case 'queueing':
    case 'queued':
      return { status: 'queued' };
    case 'processing':
    case 'running':
      return { status: 'in_progress' };
    case 'success':
    case 'succeeded':
      return billed(finished(task, running.startedAt));
    case 'fail':
    case 'failed':
      return billed(
        meaningOf(task.errorCode) === 'policy'
          ? failed(
              'content_policy_violation',
              'The provider refused the content of this video. Change the prompt or the media.',
            )
          : failed('generation_failed', 'The provider could not generate this video.'),
      );
    case 'cancelled':
      return billed(failed('cancelled', 'The video was cancelled at the provider.'));
    case 'expired':
      return billed(failed('upstream_timeout', 'The provider did not finish the video in its own time limit.'));
    default:
      call.log.warn('the upstream reported an unknown status of a video', {
        provider: 'minimax',
        videoId: running.videoId,
      });
      return { status: 'in_progress' };
  }
}

type Ended = Extract<VideoProgress, { status: 'completed' | 'failed' }>;
type Failed = Extract<VideoProgress, { status: 'failed' }>;

const failed = (code: Failed['code'], message: string): Failed => ({ status: 'failed', code, message });

function finished({ url, width, height, durationSeconds }: MinimaxTask, startedAt: Date): Ended {
  if (url === undefined) return failed('generation_failed', 'The provider finished the video without a file.');
  return {
    status: 'completed',
    video: {
      file: { url },
      ...(width !== undefined && height !== undefined && { width, height }),
      ...(durationSeconds !== undefined && { durationSeconds }),
      // From the start and not from this check, so that every check promises the same.
      expiresAt: new Date(startedAt.getTime() + FILE_LIFETIME_MS),
    },
  };
}

function readReceipt(receipt: Json): Receipt {
  const { wire, taskId } = fieldsOf(receipt);
  if ((wire !== 'v1' && wire !== 'v2') || typeof taskId !== 'string')
    throw new Error('This is not a receipt of MiniMax.');
  return { wire, taskId };
}

function readUrl(file: Json): string {
  const { url } = fieldsOf(file);
  if (typeof url !== 'string') throw new Error('This is not a file of MiniMax.');
  return url;
}
