import type { Call } from '../../domain/call';
import { upstreamFailed, videoExpired } from '../../domain/errors';
import { fieldsOf, type Json } from '../../domain/json';
import { requestNameOf } from '../../domain/video';
import type { FinishedVideo, RunningVideo, VideoProgress, VideoProvider } from '../../domain/video';
import { parseJson } from '../kit/http/ask-json';
import { modelNotOffered } from '../kit/http/upstream-error';
import { idOf } from '../kit/video/answer-fields';
import { textOfNote, UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import { CANCELLED, endOf, lostJob, moderated, NOT_GENERATED, TIMED_OUT, unknownStatus } from '../kit/video/progress';
import { isSuccess, pollFailure, submitRefusal, type FieldsAnswer } from '../kit/video/refusal';
import { askAboutJob, checkJobId, isLost, submitJob, type VendorVideoDeps } from '../kit/video/vendor-job';
import { meaningOf, refusalRules } from './refusals';
import { fileUrl, hasFile, wireFor, wires, type MinimaxTask } from './wire';

// A submit gives the id of a task. Polls of the id end with a link, or, in the first version of the API, with the id of
// a file, whose link is a second request. Both links are renewed by the same requests. Callbacks are not signed; the
// first one of a URL is a challenge, which must be returned. Running work cannot be cancelled.

/** A check makes up to two requests, and has 20 seconds in all. */
const POLL_TIMEOUT_MS = 9_000;
/**
 * Links to results are valid for nine hours: https://platform.minimax.io/docs/api-reference/video-agent-query. How long
 * a file is kept is not stated.
 */
const FILE_LIFETIME_MS = 9 * 60 * 60 * 1_000;
const MAX_CHALLENGE_CHARACTERS = 1_000;
/** The limit on an image; a limit on videos is not documented. */
const MAX_DATA_BYTES = 20_000_000;

const forms: VendorForms<'https' | 'data'> = {
  image: [{ form: 'https' }, { form: 'data', maxBytes: MAX_DATA_BYTES }],
  video: [{ form: 'https' }, { form: 'data', maxBytes: MAX_DATA_BYTES }],
};

interface Receipt {
  readonly wire: keyof typeof wires;
  readonly taskId: string;
}

export function createMinimaxVideo({ api, clock, media, files }: VendorVideoDeps<FieldsAnswer>): VideoProvider {
  const ask = (path: string, call: Call) => askAboutJob(api, { method: 'GET', path, headersMs: POLL_TIMEOUT_MS }, call);

  /** Reads the task with the link of its file. Rejects if its state cannot be read now. */
  async function readTask({ wire, taskId }: Receipt, call: Call): Promise<MinimaxTask | 'unknown'> {
    const answer = await ask(wires[wire].queryPath(taskId), call);
    const task = isSuccess(answer) ? wires[wire].task(answer.fields) : undefined;
    if (!task) return unknownOrThrow(answer);
    checkJobId(task.taskId, taskId);
    if (!hasSucceeded(task) || task.fileId === undefined) return task;
    const file = await ask(`/v1/files/retrieve?${new URLSearchParams({ file_id: task.fileId })}`, call);
    if (!isSuccess(file) || file.refusal || !hasFile(file.fields)) return unknownOrThrow(file);
    return { ...task, url: fileUrl(file.fields) };
  }

  function unknownOrThrow(answer: FieldsAnswer): 'unknown' {
    if (isUnknownId(answer)) return 'unknown';
    throw pollFailure(answer, refusalRules, clock.now());
  }

  return {
    // https://platform.minimax.io/docs/guides/video-generation recommends ten seconds between two polls.
    pace: { firstMs: 10_000, minMs: 10_000 },
    unknownJob: { wire: 'v2', taskId: UNKNOWN_ID },

    async start({ order, binding, owner, callbackUrl, submitting }, call) {
      const wire = wireFor(requestNameOf(binding), order.kind);
      if (!wire) throw modelNotOffered(`MiniMax cannot make a video of the kind ${order.kind} with this model.`);
      return withMedia({ order, owner }, forms, media, call, async (taken) => {
        const body = wire.body(order, binding, taken);
        await submitting(body);
        const sent = { ...body, ...(callbackUrl !== undefined && { callback_url: callbackUrl }) };
        const answer = await submitJob(api, { path: wire.submitPath, body: JSON.stringify(sent) }, call);
        // An id proves that the video has begun, whatever else the answer says.
        const taskId = idOf(answer.fields.task_id);
        if (taskId === undefined) throw submitRefusal(answer, refusalRules, clock.now());
        return { receipt: { wire: wire.name, taskId } satisfies Receipt, providerJobId: taskId };
      });
    },

    // Reference: the parameter `callback_url` of https://platform.minimax.io/docs/api-reference/video-generation-t2v,
    // 2026.
    async receiveCallback({ body }) {
      const { challenge } = fieldsOf(parseJson(Buffer.from(body)));
      return typeof challenge === 'string' && challenge.length <= MAX_CHALLENGE_CHARACTERS ? { challenge } : undefined;
    },

    async check(running, call) {
      const task = await readTask(readReceipt(running.receipt), call);
      if (task !== 'unknown') return progressOf(task, running, call);
      if (isLost(running, clock)) return lostJob();
      throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'The upstream does not know the new task yet.');
    },

    // Links expire earlier than their files may, so they are not shown to callers.
    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),

    async refresh({ receipt }, call) {
      const task = await readTask(readReceipt(receipt), call);
      if (task === 'unknown' || task.url === undefined) throw videoExpired();
      return { url: task.url };
    },
  };
}

/** Returns whether the id is unknown. The id is a poll's only parameter, so an invalid request means an unknown id. */
function isUnknownId({ status, refusal }: FieldsAnswer): boolean {
  return refusal !== undefined && (status === 404 || meaningOf(refusal.code) === 'invalid');
}

const hasSucceeded = ({ status }: MinimaxTask) => status === 'success' || status === 'succeeded';

function progressOf(task: MinimaxTask, running: RunningVideo, call: Call): VideoProgress {
  const { billedSeconds } = task;
  const bill = billedSeconds === undefined ? {} : { bill: { units: `${billedSeconds} seconds` } };
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
      return endOf(finishedVideo(task, running.startedAt), running, bill);
    case 'fail':
    case 'failed':
      return {
        status: 'failed',
        ...(meaningOf(task.errorCode) === 'policy' ? moderated('media') : NOT_GENERATED),
        ...bill,
      };
    case 'cancelled':
      return { status: 'failed', ...CANCELLED, ...bill };
    case 'expired':
      return { status: 'failed', ...TIMED_OUT, ...bill };
    default:
      return unknownStatus('minimax', running, call);
  }
}

function finishedVideo(
  { url, width, height, durationSeconds }: MinimaxTask,
  startedAt: Date,
): FinishedVideo | undefined {
  if (url === undefined) return undefined;
  return {
    file: { url },
    ...(width !== undefined && height !== undefined && { width, height }),
    ...(durationSeconds !== undefined && { durationSeconds }),
    // Counted from the start and not from this check, so that every check reports the same expiry.
    expiresAt: new Date(startedAt.getTime() + FILE_LIFETIME_MS),
  };
}

function readReceipt(receipt: Json): Receipt {
  const { wire, taskId } = fieldsOf(receipt);
  if ((wire !== 'v1' && wire !== 'v2') || typeof taskId !== 'string')
    throw new Error('This is not a receipt of MiniMax.');
  return { wire, taskId };
}
