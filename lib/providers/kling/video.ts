import type { Call } from '../../domain/call';
import { isGatewayError, upstreamFailed } from '../../domain/errors';
import { fieldsOf, type Json } from '../../domain/json';
import type { FinishedVideo, RunningVideo, VideoProgress, VideoProvider } from '../../domain/video';
import { modelNotOffered } from '../kit/http/upstream-error';
import { urlOf } from '../kit/video/answer-fields';
import { gatherChecks } from '../kit/video/gather-checks';
import { textOfNote } from '../kit/video/note';
import { withMedia, writeMarker, writeMedia, type VendorForms } from '../kit/video/order-media';
import { endOf, lostJob, moderated, NOT_GENERATED, unknownStatus, type VideoFailure } from '../kit/video/progress';
import { isSuccess, pollFailure, submitRefusal } from '../kit/video/refusal';
import { askAboutJob, isLost, isOldJob, submitJob, type VendorVideoDeps } from '../kit/video/vendor-job';
import { wantsWatermark } from '../kit/video/watermark';
import { legacyWire } from './legacy-wire';
import { newWire } from './new-wire';
import { NOT_FOUND_CODE, refusalRules, type KlingAnswer } from './refusals';
import { klingModel, type KlingTask, type KlingWire, type TaskKey, type UpstreamName } from './wire';

// A submit gives the id of a task, and polls of the id end with a link. Every task has our id of the video, which Kling
// accepts once: a task is found by it if the answer to its submit was lost, and cannot be begun twice. Kling cannot
// cancel a task.

export interface KlingVideoDeps extends VendorVideoDeps<KlingAnswer> {
  /** Returns the generation that takes the orders of a model. Tasks are polled in the generation that began them. */
  wireFor(upstream: UpstreamName): KlingWire;
}

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

/** Kling reads videos only by URL. */
const formsOf = ({ maxImageBytes }: KlingWire): VendorForms<'https' | 'base64'> => ({
  image: [{ form: 'https' }, { form: 'base64', maxBytes: maxImageBytes }],
  video: [{ form: 'https' }],
});

export function createKlingVideo({ api, wireFor, clock, media, files }: KlingVideoDeps): VideoProvider {
  const query = (path: string, call: Call) => askAboutJob(api, { method: 'GET', path }, call);

  /** Only the new generation can answer about several tasks at once. */
  const findTask = gatherChecks(clock, async (taskIds, call) => {
    const answer = await query(newWire.queryPath('', { taskId: taskIds.join(',') }), call);
    return taskIds.map((taskId) => (isSuccess(answer) ? newWire.task(answer.data, { taskId }) : undefined));
  });

  function accepted(by: KlingWire, taskId: string, submitPath: string, watermark: boolean) {
    const receipt = {
      wire: by.name,
      path: by.queryPath(submitPath, { taskId }),
      taskId,
      watermark,
    } satisfies Receipt;
    return { receipt, providerJobId: taskId };
  }

  const usualModel = { modelName: 'kling-3.0' };
  const usual = wireFor(usualModel);

  return {
    unknownJob: accepted(usual, 'unknown', usual.path('t2v', usualModel), false).receipt,

    async start({ videoId, order, binding: upstream, owner, callbackUrl, submitting }, call) {
      if (!klingModel(upstream).kinds.includes(order.kind))
        throw modelNotOffered(`Kling cannot make a video of the kind ${order.kind} with this model.`);
      const wire = wireFor(upstream);
      return withMedia({ order, owner }, formsOf(wire), media, call, async (taken) => {
        const ordered = { order, upstream, externalId: videoId, media: taken };
        await submitting(wire.body({ ...ordered, write: writeMarker }));
        const path = wire.path(order.kind, upstream);
        const body = wire.body({ ...ordered, write: writeMedia });
        const sent = JSON.stringify(callbackUrl === undefined ? body : wire.withCallback(body, callbackUrl));
        const answer = await submitJob(api, { path, body: sent }, call);
        // An id proves that the video has begun, whatever else the answer says.
        const taskId = wire.taskId(answer.data);
        if (taskId !== undefined) return accepted(wire, taskId, path, wantsWatermark(order));
        if (isDuplicate(answer))
          throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'The upstream already has a task with this id.');
        throw submitRefusal(answer, refusalRules, clock.now());
      });
    },

    async recover({ videoId, order, binding: upstream, submittedAt, sent }, call) {
      // The credentials may have changed since, and the other generation does not know the task. Only the legacy one
      // has the model in the body.
      const wire = 'model_name' in fieldsOf(sent) ? legacyWire : newWire;
      const path = wire.path(order.kind, upstream);
      const key = { externalId: videoId };
      try {
        const answer = await query(wire.queryPath(path, key), call);
        const task = taskIn(answer, wire, key);
        if (task === 'unreadable') throw pollFailure(answer, refusalRules, clock.now());
        if (task !== 'unknown') return accepted(wire, task.id, path, wantsWatermark(order));
        return isOldJob({ startedAt: submittedAt }, clock) && wire.findsEveryTask ? 'not_started' : undefined;
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
      const found = receipt.wire === 'new' ? await findTask(receipt.taskId, call) : undefined;
      if (found) return progressOf(found, receipt, running, call);
      const answer = await query(receipt.path, call);
      const task = taskIn(answer, wires[receipt.wire], { taskId: receipt.taskId });
      if (task === 'unknown' && isLost(running, clock)) return lostJob();
      if (task === 'unknown' || task === 'unreadable') throw pollFailure(answer, refusalRules, clock.now());
      return progressOf(task, receipt, running, call);
    },

    // Links lead to a host that refuses requests from other pages, so they are not shown to callers.
    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),
  };
}

/** Kling accepts our id once, so an earlier request with it has begun. */
function isDuplicate({ refusal }: KlingAnswer): boolean {
  return (
    /external.?task.?id/i.test(refusal?.message ?? '') && /duplica|exist|uniq|repeat/i.test(refusal?.message ?? '')
  );
}

function taskIn(answer: KlingAnswer, wire: KlingWire, key: TaskKey) {
  const { data, refusal } = answer;
  if (refusal) return refusal.code === NOT_FOUND_CODE ? 'unknown' : 'unreadable';
  if (!isSuccess(answer)) return 'unreadable';
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
    // `succeed` is the status of the legacy generation.
    case 'succeeded':
    case 'succeed':
      return endOf(finishedVideo(task, watermark, running.startedAt), running, bill);
    case 'failed':
      return { status: 'failed', ...failureOf(task), ...bill };
    default:
      return unknownStatus('kling', running, call);
  }
}

/** Returns why a task failed, by its message, such as `Failure to pass the risk control system`. There is no code. */
function failureOf({ message }: KlingTask): VideoFailure {
  const isModerated = /risk control|content (safety|polic|moderat)|sensitive|violat/i.test(message);
  return isModerated ? moderated('media') : NOT_GENERATED;
}

function finishedVideo(task: KlingTask, watermark: boolean, startedAt: Date): FinishedVideo | undefined {
  const url = urlOf((watermark ? task.watermarkUrl : undefined) ?? task.url);
  if (url === undefined) return undefined;
  return {
    file: { url },
    ...(task.durationSeconds !== undefined && { durationSeconds: task.durationSeconds }),
    // Counted from the start and not from this check, so that every check reports the same expiry.
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
