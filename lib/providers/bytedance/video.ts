import type { Call } from '../../domain/call';
import { fieldsOf, type Fields, type Json } from '../../domain/json';
import { requestNameOf } from '../../domain/video';
import type { FinishedVideo, RunningVideo, VideoProgress, VideoProvider } from '../../domain/video';
import { modelNotOffered } from '../kit/http/upstream-error';
import { idOf, measureOf, urlOf, wordOf } from '../kit/video/answer-fields';
import { gatherChecks } from '../kit/video/gather-checks';
import { textOfNote, UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import { probeRemote } from '../kit/video/probe-remote';
import { CANCELLED, endOf, lostJob, TIMED_OUT, unknownStatus, type Billed } from '../kit/video/progress';
import { isDone, isOwnNotFound, isSuccess, pollFailure, submitRefusal, type FieldsAnswer } from '../kit/video/refusal';
import { askAboutJob, checkJobId, isLost, submitJob, type VendorVideoDeps } from '../kit/video/vendor-job';
import { failureOf, refusalRules } from './refusals';
import { makeRequest, modelOf, refusePromptOptions } from './request';

// A submit gives the id of a task, and polls of the id end with a link. A task can be cancelled while it is queued; the
// same request would delete the record of a finished task, with its link.

const TASKS_PATH = '/contents/generations/tasks';
/** ModelArk's limit on one image. */
const MAX_IMAGE_BYTES = 30_000_000;
/** A link works for 24 hours after the video was made. */
const LINK_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/** Videos are read only by URL. */
const forms: VendorForms<'https' | 'data'> = {
  image: [{ form: 'https' }, { form: 'data', maxBytes: MAX_IMAGE_BYTES }],
  video: [{ form: 'https' }],
};

export function createSeedance({ api, clock, media, files, probe }: VendorVideoDeps<FieldsAnswer>): VideoProvider {
  const askAboutTask = (method: 'GET' | 'DELETE', receipt: Json, call: Call) =>
    askAboutJob(api, { method, path: `${TASKS_PATH}/${encodeURIComponent(textOfNote(receipt, 'taskId'))}` }, call);

  /** Only for running tasks: the list may lack fields of a finished task, and has no tasks older than seven days. */
  const findRunningTask = gatherChecks(clock, async (taskIds, call) => {
    const query = new URLSearchParams({ page_num: '1', page_size: String(taskIds.length) });
    for (const taskId of taskIds) query.append('filter.task_ids', taskId);
    const answer = await askAboutJob(api, { method: 'GET', path: `${TASKS_PATH}?${query}` }, call);
    const { items } = answer.fields;
    const tasks = isSuccess(answer) && Array.isArray(items) ? items.map(fieldsOf) : [];
    return taskIds.map((taskId) => tasks.find((task) => task.id === taskId && isRunning(task)));
  });

  async function finishedVideo(task: Fields, startedAt: Date, call: Call): Promise<FinishedVideo | undefined> {
    const url = urlOf(fieldsOf(task.content).video_url);
    if (url === undefined) return undefined;
    // The answer states only ratio and tier, whose size in pixels differs between models, so the file is measured.
    const facts = await probeRemote((part, probing) => files.open(url, part, probing), { probe, clock }, call);
    const fps = measureOf(task.framespersecond);
    const durationSeconds = measureOf(task.duration);
    return {
      file: { url },
      publicUrl: url,
      ...(facts && { width: facts.width, height: facts.height }),
      ...(fps !== undefined && { fps }),
      ...(durationSeconds !== undefined && { durationSeconds }),
      // Counted from the start and not from this check, so that every check reports the same expiry.
      expiresAt: new Date(startedAt.getTime() + LINK_LIFETIME_MS),
    };
  }

  async function progressOf(task: Fields, running: RunningVideo, call: Call): Promise<VideoProgress> {
    const bill = billOf(task);
    switch (wordOf(task.status)) {
      case 'queued':
        return { status: 'queued' };
      case 'running':
        return { status: 'in_progress' };
      case 'succeeded':
        return endOf(await finishedVideo(task, running.startedAt, call), running, bill);
      case 'failed':
        return { status: 'failed', ...failureOf(fieldsOf(task.error).code), ...bill };
      // The second spelling is one that ByteDance's provider for the AI SDK knows too (2.0.32).
      case 'cancelled':
      case 'canceled':
        return { status: 'failed', ...CANCELLED, ...bill };
      case 'expired':
        return { status: 'failed', ...TIMED_OUT, ...bill };
      default:
        return unknownStatus('bytedance', running, call);
    }
  }

  return {
    unknownJob: { taskId: UNKNOWN_ID },

    async start({ order, binding, owner, callbackUrl, submitting }, call) {
      const model = modelOf(requestNameOf(binding));
      if (!model?.kinds.includes(order.kind))
        throw modelNotOffered(`ModelArk cannot make a video of the kind ${order.kind} with this model.`);
      refusePromptOptions(order.prompt);
      return withMedia({ order, owner }, forms, media, call, async (taken) => {
        const body = makeRequest(order, binding.modelName, model, taken);
        await submitting(body);
        const sent = JSON.stringify(callbackUrl === undefined ? body : { ...body, callback_url: callbackUrl });
        const answer = await submitJob(api, { path: TASKS_PATH, body: sent }, call);
        // An id proves that the video has begun, whatever else the answer says.
        const id = idOf(answer.fields.id);
        if (id === undefined) throw submitRefusal(answer, refusalRules, clock.now());
        return { receipt: { taskId: id }, providerJobId: id };
      });
    },

    async check(running, call) {
      const listed = await findRunningTask(textOfNote(running.receipt, 'taskId'), call);
      if (listed) return progressOf(listed, running, call);
      const answer = await askAboutTask('GET', running.receipt, call);
      const task = taskIn(answer);
      checkJobId(task?.id, textOfNote(running.receipt, 'taskId'));
      if (task) return progressOf(task, running, call);
      if (isOwnNotFound(answer) && isLost(running, clock)) return lostJob();
      throw pollFailure(answer, refusalRules, clock.now());
    },

    async cancel({ receipt }, call) {
      const answer = await askAboutTask('GET', receipt, call);
      const task = taskIn(answer);
      checkJobId(task?.id, textOfNote(receipt, 'taskId'));
      if (!task) throw pollFailure(answer, refusalRules, clock.now());
      if (wordOf(task.status) !== 'queued') return 'too_late';
      const deleted = await askAboutTask('DELETE', receipt, call);
      if (isDone(deleted)) return 'cancelled';
      // The task has left the queue since. A page of a proxy, or a refused key, says nothing about the task.
      if (deleted.refusal && [400, 404, 409].includes(deleted.status)) return 'too_late';
      throw pollFailure(deleted, refusalRules, clock.now());
    },

    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),
  };
}

function isRunning({ status }: Fields): boolean {
  return status === 'queued' || status === 'running';
}

/** Returns the fields of the task; undefined if the answer is not a task. */
function taskIn(answer: FieldsAnswer): Fields | undefined {
  const { fields: task } = answer;
  return isSuccess(answer) && typeof task.status === 'string' ? task : undefined;
}

/** Returns the billed tokens, whose price depends on the model and the tier. */
function billOf({ usage }: Fields): Billed {
  const { total_tokens: tokens } = fieldsOf(usage);
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0
    ? { bill: { units: `${tokens} tokens` } }
    : {};
}
