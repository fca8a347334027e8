import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import type { ProbeVideo, RemoteFiles } from '../../domain/files';
import { fieldsOf, type Fields, type Json } from '../../domain/json';
import type { MediaSource } from '../../domain/provider';
import type { FinishedVideo, RunningVideo, UpstreamBill, VideoProgress, VideoProvider } from '../../domain/video';
import { askJson, type JsonAnswer } from '../kit/http/ask-json';
import type { Upstream, UpstreamRequest } from '../kit/http/http';
import { modelNotOffered } from '../kit/http/upstream-error';
import { textOfNote, UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import { probeRemote } from '../kit/video/probe-remote';
import { laterPoll, pollFailure, submitRefusal } from '../kit/video/refusal';
import { failureOf, refusalOf, refusalRules } from './refusals';
import { makeRequest, modelOf, refusePromptOptions } from './request';
import { parseUrl } from '../../domain/url';

// A submit gives the id of a task, and polls of the id end with a link. A task can be stopped while it is in the queue;
// the same request deletes the record of a finished one, with its link.

export interface SeedanceDeps {
  readonly upstream: Upstream;
  readonly key: string;
  readonly clock: Clock;
  readonly media: Pick<MediaSource, 'as'>;
  readonly files: Pick<RemoteFiles, 'open'>;
  readonly probe: ProbeVideo;
}

const TASKS_PATH = '/contents/generations/tasks';
const SUBMIT_TIMEOUT_MS = 30_000;
const POLL_TIMEOUT_MS = 15_000;
/** ModelArk's limit on one image. */
const MAX_IMAGE_BYTES = 30_000_000;
/** A new task may be unknown to polls for this long. */
const UNKNOWN_TASK_MS = 60_000;
/** A link works for 24 hours after the video was made. */
const LINK_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/** Videos are read only at addresses. */
const forms: VendorForms<'https' | 'data'> = {
  image: [{ form: 'https' }, { form: 'data', maxBytes: MAX_IMAGE_BYTES }],
  video: [{ form: 'https' }],
};

export function createSeedance({ upstream, key, clock, media, files, probe }: SeedanceDeps): VideoProvider {
  function ask(
    request: Pick<UpstreamRequest, 'method' | 'path' | 'body' | 'ownConnection' | 'headersMs'>,
    call: Call,
  ): Promise<JsonAnswer> {
    const headers = {
      authorization: `Bearer ${key}`,
      accept: 'application/json',
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
    };
    return askJson(upstream, { ...request, headers, signal: call.signal }, clock);
  }

  async function askAboutTask(method: 'GET' | 'DELETE', receipt: Json, call: Call): Promise<JsonAnswer> {
    const path = `${TASKS_PATH}/${encodeURIComponent(textOfNote(receipt, 'taskId'))}`;
    try {
      return await ask({ method, path, headersMs: POLL_TIMEOUT_MS }, call);
    } catch (error) {
      throw laterPoll(error);
    }
  }

  async function finishedVideo(task: Fields, startedAt: Date, call: Call): Promise<FinishedVideo | undefined> {
    const { video_url: url } = fieldsOf(task.content);
    if (typeof url !== 'string' || !parseUrl(url)) return undefined;
    // The answer has the ratio and the tier, of which each model makes other sizes.
    const facts = await probeRemote((part, probing) => files.open(url, part, probing), { probe, clock }, call);
    const fps = measureOf(task.framespersecond);
    const durationSeconds = measureOf(task.duration);
    return {
      file: { url },
      publicUrl: url,
      ...(facts && { width: facts.width, height: facts.height }),
      ...(fps !== undefined && { fps }),
      ...(durationSeconds !== undefined && { durationSeconds }),
      // From the start and not from this check, so that every check promises the same.
      expiresAt: new Date(startedAt.getTime() + LINK_LIFETIME_MS),
    };
  }

  async function progressOf(task: Fields, running: RunningVideo, call: Call): Promise<VideoProgress> {
    const bill = billOf(task);
    switch (String(task.status).toLowerCase()) {
      case 'queued':
        return { status: 'queued' };
      case 'running':
        return { status: 'in_progress' };
      case 'succeeded': {
        const video = await finishedVideo(task, running.startedAt, call);
        if (video) return { status: 'completed', video, ...bill };
        const message = 'The provider finished the video without a file.';
        return { status: 'failed', code: 'generation_failed', message, ...bill };
      }
      case 'failed':
        return { status: 'failed', ...failureOf(fieldsOf(task.error).code), ...bill };
      case 'cancelled':
        return { status: 'failed', code: 'cancelled', message: 'The video was cancelled at the provider.', ...bill };
      case 'expired': {
        const message = 'The provider did not make this video in the time that it allows.';
        return { status: 'failed', code: 'upstream_timeout', message, ...bill };
      }
      default:
        call.log.warn('the upstream reported an unknown status of a video', {
          provider: 'bytedance',
          videoId: running.videoId,
        });
        return { status: 'in_progress' };
    }
  }

  return {
    unknownJob: { taskId: UNKNOWN_ID },

    async start({ order, binding: { modelName }, owner, callbackUrl, submitting }, call) {
      const model = modelOf(modelName);
      if (!model?.kinds.includes(order.kind))
        throw modelNotOffered(`ModelArk cannot make a video of the kind ${order.kind} with this model.`);
      refusePromptOptions(order.prompt);
      return withMedia({ order, owner }, forms, media, call, async (taken) => {
        const body = makeRequest(order, modelName, model, taken);
        await submitting(body);
        const answer = await ask(
          {
            method: 'POST',
            path: TASKS_PATH,
            body: JSON.stringify(callbackUrl === undefined ? body : { ...body, callback_url: callbackUrl }),
            ownConnection: true,
            headersMs: SUBMIT_TIMEOUT_MS,
          },
          call,
        );
        const { id } = fieldsOf(answer.json);
        // An id proves that the video has begun, whatever else the answer says.
        if (typeof id !== 'string' || id === '') throw submitRefusal(refusalOf(answer), refusalRules, clock.now());
        return { receipt: { taskId: id }, providerJobId: id };
      });
    },

    async check(running, call) {
      const answer = await askAboutTask('GET', running.receipt, call);
      const task = taskIn(answer);
      if (task) return progressOf(task, running, call);
      if (isUnknownTask(answer) && clock.nowMs() - running.startedAt.getTime() > UNKNOWN_TASK_MS)
        return { status: 'failed', code: 'generation_failed', message: 'The provider no longer knows this video.' };
      throw pollFailure(refusalOf(answer), refusalRules, clock.now());
    },

    async cancel({ receipt }, call) {
      const answer = await askAboutTask('GET', receipt, call);
      const task = taskIn(answer);
      if (!task) throw pollFailure(refusalOf(answer), refusalRules, clock.now());
      if (String(task.status).toLowerCase() !== 'queued') return 'too_late';
      const deleted = await askAboutTask('DELETE', receipt, call);
      if (deleted.status >= 200 && deleted.status < 300) return 'cancelled';
      // It has left the queue since. A page of a proxy, or a refused key, is no word about the task.
      const { refusal } = refusalOf(deleted);
      if (refusal && [400, 404, 409].includes(deleted.status)) return 'too_late';
      throw pollFailure(refusalOf(deleted), refusalRules, clock.now());
    },

    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),
  };
}

/** Undefined: the answer is no task. */
function taskIn({ status, json }: JsonAnswer): Fields | undefined {
  const task = fieldsOf(json);
  return status === 200 && typeof task.status === 'string' ? task : undefined;
}

/** ModelArk's own 404, and not that of a proxy. */
function isUnknownTask(answer: JsonAnswer): boolean {
  return answer.status === 404 && refusalOf(answer).refusal !== undefined;
}

/** Tokens, whose price depends on the model and the tier. */
function billOf({ usage }: Fields): { readonly bill?: UpstreamBill } {
  const { total_tokens: tokens } = fieldsOf(usage);
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0
    ? { bill: { units: `${tokens} tokens` } }
    : {};
}

function measureOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}
