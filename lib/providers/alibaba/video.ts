import type { Call } from '../../domain/call';
import { fieldsOf, type Fields, type Json } from '../../domain/json';
import type { FinishedVideo, RunningVideo, VideoProgress, VideoProvider } from '../../domain/video';
import { modelNotOffered } from '../kit/http/upstream-error';
import { measureOf, textOf, urlOf } from '../kit/video/answer-fields';
import { textOfNote, UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import { CANCELLED, endOf, lostJob, unknownStatus, type Billed } from '../kit/video/progress';
import { isDone, isOwnNotFound, isSuccess, pollFailure, submitRefusal, type FieldsAnswer } from '../kit/video/refusal';
import { askAboutJob, checkJobId, isLost, submitJob, type VendorVideoDeps } from '../kit/video/vendor-job';
import { bodyFor, submitPathFor } from './models';
import { failureOf, refusalRules } from './refusals';

// Videos of Model Studio (DashScope). A submit gives the id of a task, and polls of the id end with a link. The poll of
// a failed task has status 200, too. Key, host and models belong to one region.

/** The maximum size of an image in the body of a request. */
const MAX_IMAGE_BYTES = 10_000_000;
/** Tasks and their results are kept for 24 hours. */
const FILE_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/** Videos are taken only by URL. */
const forms: VendorForms<'https' | 'data'> = {
  image: [{ form: 'https' }, { form: 'data', maxBytes: MAX_IMAGE_BYTES }],
  video: [{ form: 'https' }],
};

export function createAlibabaVideo({ api, clock, media, files }: VendorVideoDeps<FieldsAnswer>): VideoProvider {
  return {
    // The vendor asks for at least ten seconds between polls, and allows an account 20 polls in a second.
    pace: { firstMs: 10_000, minMs: 10_000 },
    limits: { checksPerMinute: 1_200 },
    unknownJob: { taskId: UNKNOWN_ID },

    async start({ order, binding, owner, submitting }, call) {
      return withMedia({ order, owner }, forms, media, call, async (taken) => {
        const body = bodyFor(binding, order, taken);
        if (!body) throw modelNotOffered(`Alibaba cannot make a video of the kind ${order.kind} with this model.`);
        await submitting(body);
        // Without this header the API refuses: it does not make videos while a client waits.
        const headers = { 'x-dashscope-async': 'enable' };
        const answer = await submitJob(
          api,
          { path: submitPathFor(binding), headers, body: JSON.stringify(body) },
          call,
        );
        // An id proves that the video has begun, whatever else the answer contains.
        const taskId = parseTaskId(taskOf(answer).task_id);
        if (taskId === undefined) throw submitRefusal(answer, refusalRules, clock.now());
        return { receipt: { taskId }, providerJobId: taskId };
      });
    },

    async check(running, call) {
      const answer = await askAboutJob(api, { method: 'GET', path: taskPath(running.receipt) }, call);
      const task = taskOf(answer);
      checkJobId(task.task_id, textOfNote(running.receipt, 'taskId'));
      const isUnknown = isUnknownTask(answer);
      if (isUnknown && isLost(running, clock)) return lostJob();
      if (isUnknown || !isSuccess(answer) || typeof task.task_status !== 'string')
        throw pollFailure(answer, refusalRules, clock.now());
      return progressOf(task, fieldsOf(answer.fields.usage), running, call);
    },

    async cancel(running, call) {
      const answer = await askAboutJob(api, { method: 'POST', path: `${taskPath(running.receipt)}/cancel` }, call);
      if (isDone(answer)) return 'requested';
      // Only a task that still waits can be cancelled.
      if (isUnknownTask(answer) || answer.refusal?.code === 'UnsupportedOperation') return 'too_late';
      throw pollFailure(answer, refusalRules, clock.now());
    },

    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),
  };
}

/** Returns the fields of the task in an answer; none for an error. */
function taskOf({ fields }: FieldsAnswer): Fields {
  return fieldsOf(fields.output);
}

/** Returns whether the vendor itself, and not a proxy, says that a task does not exist or has expired. */
function isUnknownTask(answer: FieldsAnswer): boolean {
  if (isOwnNotFound(answer)) return true;
  return isSuccess(answer) && textOf(taskOf(answer).task_status)?.toUpperCase() === 'UNKNOWN';
}

function progressOf(task: Fields, usage: Fields, running: RunningVideo, call: Call): VideoProgress {
  const bill = billOf(usage);
  switch (textOf(task.task_status)?.toUpperCase()) {
    case 'PENDING':
      return { status: 'queued' };
    case 'RUNNING':
      return { status: 'in_progress' };
    case 'SUCCEEDED':
      return endOf(finishedVideo(task, usage, running.startedAt), running, bill);
    case 'FAILED':
      return { status: 'failed', ...failureOf(task.code), ...bill };
    case 'CANCELED':
    case 'CANCELLED':
      return { status: 'failed', ...CANCELLED, ...bill };
    default:
      return unknownStatus('alibaba', running, call);
  }
}

function finishedVideo(task: Fields, usage: Fields, startedAt: Date): FinishedVideo | undefined {
  const url = urlOf(task.video_url);
  if (url === undefined) return undefined;
  // For an edit, `duration` is the sum of input and output.
  const durationSeconds = measureOf(usage.output_video_duration);
  const fps = measureOf(usage.fps);
  return {
    file: { url },
    publicUrl: url,
    ...sizeOf(usage.size),
    ...(fps !== undefined && { fps }),
    ...(durationSeconds !== undefined && { durationSeconds }),
    // Counted from the acceptance and not from this check, so that every check reports the same expiry.
    expiresAt: new Date(startedAt.getTime() + FILE_LIFETIME_MS),
  };
}

/** Parses a size in pixels, such as `1280*720`. */
function sizeOf(size: unknown): Pick<FinishedVideo, 'width' | 'height'> {
  const [, width, height] = /^([1-9]\d{0,4})\*([1-9]\d{0,4})$/.exec(textOf(size) ?? '') ?? [];
  return width === undefined || height === undefined ? {} : { width: Number(width), height: Number(height) };
}

/** Returns the billed seconds. */
function billOf({ duration }: Fields): Billed {
  const seconds = measureOf(duration);
  return seconds === undefined ? {} : { bill: { units: `${seconds} seconds` } };
}

/** Returns an id that is safe as a part of a path; undefined for any other value. */
function parseTaskId(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-]{1,100}$/.test(value) ? value : undefined;
}

function taskPath(receipt: Json): string {
  return `/api/v1/tasks/${textOfNote(receipt, 'taskId')}`;
}
