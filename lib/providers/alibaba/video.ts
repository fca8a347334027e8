import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import { GatewayError } from '../../domain/errors';
import type { RemoteFiles } from '../../domain/files';
import { fieldsOf, type Fields, type Json } from '../../domain/json';
import type { MediaSource } from '../../domain/provider';
import type {
  FinishedVideo,
  RunningVideo,
  UpstreamBill,
  VideoBinding,
  VideoOrder,
  VideoProgress,
  VideoProvider,
} from '../../domain/video';
import { askJson, type JsonAnswer } from '../kit/http/ask-json';
import type { Upstream, UpstreamRequest } from '../kit/http/http';
import { modelNotOffered } from '../kit/http/upstream-error';
import { measureOf } from '../kit/video/answer-fields';
import { UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import { laterPoll, pollFailure, submitRefusal } from '../kit/video/refusal';
import { bodyFor, maxReferencesOf } from './models';
import { failureOf, refusalOf, refusalRules } from './refusals';
import { parseUrl } from '../../domain/url';

// Videos of Model Studio (DashScope). A submit gives the id of a task, and polls of the id end with a link. A task that
// fails is a success of HTTP. Key, host and models belong to one region.

export interface AlibabaVideoDeps {
  readonly upstream: Upstream;
  readonly key: string;
  readonly clock: Clock;
  readonly media: Pick<MediaSource, 'as'>;
  readonly files: Pick<RemoteFiles, 'open'>;
}

const SUBMIT_TIMEOUT_MS = 30_000;
const POLL_TIMEOUT_MS = 15_000;
const SUBMIT_PATH = '/api/v1/services/aigc/video-generation/video-synthesis';
/** Of an image in the body of a request. */
const MAX_IMAGE_BYTES = 10_000_000;
/** A new task may be unknown to polls for this long. */
const UNKNOWN_TASK_MS = 60_000;
/** Tasks and their results are kept for 24 hours. */
const FILE_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/** Videos are taken only at addresses. */
const forms: VendorForms<'https' | 'data'> = {
  image: [{ form: 'https' }, { form: 'data', maxBytes: MAX_IMAGE_BYTES }],
  video: [{ form: 'https' }],
};

export function createAlibabaVideo({ upstream, key, clock, media, files }: AlibabaVideoDeps): VideoProvider {
  function ask(
    request: Pick<UpstreamRequest, 'method' | 'path' | 'body' | 'ownConnection' | 'headersMs'>,
    headers: Readonly<Record<string, string>>,
    call: Call,
  ): Promise<JsonAnswer> {
    return askJson(
      upstream,
      {
        ...request,
        headers: { authorization: `Bearer ${key}`, accept: 'application/json', ...headers },
        signal: call.signal,
      },
      clock,
    );
  }

  async function askAboutTask(method: 'GET' | 'POST', path: string, call: Call): Promise<JsonAnswer> {
    try {
      return await ask({ method, path, headersMs: POLL_TIMEOUT_MS }, {}, call);
    } catch (error) {
      throw laterPoll(error);
    }
  }

  return {
    // The vendor asks for at least ten seconds between polls, and allows an account 20 polls in a second.
    pace: { firstMs: 10_000, minMs: 10_000 },
    limits: { checksPerMinute: 1_200 },
    unknownJob: { taskId: UNKNOWN_ID },

    async start({ order, binding, owner, submitting }, call) {
      refuseReferences(order, binding);
      return withMedia({ order, owner }, forms, media, call, async (taken) => {
        const body = bodyFor(binding.modelName, order, taken);
        if (!body) throw modelNotOffered(`Alibaba cannot make a video of the kind ${order.kind} with this model.`);
        await submitting(body);
        const answer = await ask(
          {
            method: 'POST',
            path: SUBMIT_PATH,
            body: JSON.stringify(body),
            ownConnection: true,
            headersMs: SUBMIT_TIMEOUT_MS,
          },
          // Without this header the API refuses: it does not make videos while a client waits.
          { 'content-type': 'application/json', 'x-dashscope-async': 'enable' },
          call,
        );
        // An id proves that the video has begun, whatever else the answer says.
        const taskId = parseTaskId(taskOf(answer).task_id);
        if (taskId === undefined) throw submitRefusal(refusalOf(answer), refusalRules, clock.now());
        return { receipt: { taskId }, providerJobId: taskId };
      });
    },

    async check(running, call) {
      const answer = await askAboutTask('GET', `/api/v1/tasks/${readTaskId(running.receipt)}`, call);
      const task = taskOf(answer);
      const isUnknown = isUnknownTask(answer);
      if (isUnknown && clock.nowMs() - running.startedAt.getTime() > UNKNOWN_TASK_MS)
        return { status: 'failed', code: 'generation_failed', message: 'The provider no longer knows this video.' };
      if (isUnknown || answer.status !== 200 || typeof task.task_status !== 'string')
        throw pollFailure(refusalOf(answer), refusalRules, clock.now());
      return progressOf(task, fieldsOf(fieldsOf(answer.json).usage), running, call);
    },

    async cancel(running, call) {
      const answer = await askAboutTask('POST', `/api/v1/tasks/${readTaskId(running.receipt)}/cancel`, call);
      if (answer.status === 200) return 'requested';
      const refused = refusalOf(answer);
      // Only a task that still waits can be cancelled.
      if (isUnknownTask(answer) || refused.refusal?.code === 'UnsupportedOperation') return 'too_late';
      throw pollFailure(refused, refusalRules, clock.now());
    },

    open: (file, part, call) => files.open(readUrl(file), part, call),
  };
}

function refuseReferences({ media, parameters }: VideoOrder, { modelName }: VideoBinding): void {
  const refuse = (message: string, param?: string) =>
    new GatewayError('media_invalid', message, {
      ...(param !== undefined && { param }),
      upstream: { retry: 'never', started: 'no' },
    });
  const limit = maxReferencesOf(modelName);
  if (media.filter(({ role }) => role.startsWith('reference_')).length > limit)
    throw refuse(`The provider takes at most ${limit} reference images and videos in total.`);
  const { reference_voice: voice } = parameters;
  if (voice !== undefined && !/^https?:\/\//i.test(String(voice)))
    throw refuse('reference_voice must be the address of a recording for this provider.', 'reference_voice');
}

/** The task of an answer; no fields for an error. */
function taskOf({ json }: JsonAnswer): Fields {
  return fieldsOf(fieldsOf(json).output);
}

/** The vendor's own word for a task that does not exist or has expired, and not the 404 of a proxy. */
function isUnknownTask(answer: JsonAnswer): boolean {
  if (answer.status === 404) return refusalOf(answer).refusal !== undefined;
  return answer.status === 200 && String(taskOf(answer).task_status).toUpperCase() === 'UNKNOWN';
}

function progressOf(task: Fields, usage: Fields, running: RunningVideo, call: Call): VideoProgress {
  const bill = billOf(usage);
  switch (String(task.task_status).toUpperCase()) {
    case 'PENDING':
      return { status: 'queued' };
    case 'RUNNING':
      return { status: 'in_progress' };
    case 'SUCCEEDED': {
      const video = finishedVideo(task, usage, running.startedAt);
      if (video) return { status: 'completed', video, ...bill };
      return {
        status: 'failed',
        code: 'generation_failed',
        message: 'The provider finished the video without a file.',
        ...bill,
      };
    }
    case 'FAILED':
      return { status: 'failed', ...failureOf(task.code), ...bill };
    case 'CANCELED':
    case 'CANCELLED':
      return { status: 'failed', code: 'cancelled', message: 'The video was cancelled at the provider.', ...bill };
    default:
      call.log.warn('the upstream reported an unknown status of a video', {
        provider: 'alibaba',
        videoId: running.videoId,
      });
      return { status: 'in_progress' };
  }
}

function finishedVideo({ video_url: url }: Fields, usage: Fields, startedAt: Date): FinishedVideo | undefined {
  if (typeof url !== 'string' || !parseUrl(url)) return undefined;
  // Of an edit, `duration` is the sum of input and output.
  const durationSeconds = measureOf(usage.output_video_duration);
  const fps = measureOf(usage.fps);
  return {
    file: { url },
    publicUrl: url,
    ...sizeOf(usage.size),
    ...(fps !== undefined && { fps }),
    ...(durationSeconds !== undefined && { durationSeconds }),
    // From the acceptance and not from this check, so that every check promises the same.
    expiresAt: new Date(startedAt.getTime() + FILE_LIFETIME_MS),
  };
}

/** Pixels, such as `1280*720`. */
function sizeOf(size: unknown): Pick<FinishedVideo, 'width' | 'height'> {
  const [, width, height] = /^([1-9]\d{0,4})\*([1-9]\d{0,4})$/.exec(String(size)) ?? [];
  return width === undefined || height === undefined ? {} : { width: Number(width), height: Number(height) };
}

/** The seconds that are billed. */
function billOf({ duration }: Fields): { readonly bill?: UpstreamBill } {
  const seconds = measureOf(duration);
  return seconds === undefined ? {} : { bill: { units: `${seconds} seconds` } };
}

/** It becomes a part of a path. */
function parseTaskId(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-]{1,100}$/.test(value) ? value : undefined;
}

function readTaskId(receipt: Json): string {
  const taskId = parseTaskId(fieldsOf(receipt).taskId);
  if (taskId === undefined) throw new Error('This is not a receipt of Alibaba.');
  return taskId;
}

function readUrl(file: Json): string {
  const { url } = fieldsOf(file);
  if (typeof url !== 'string') throw new Error('This is not a file of Alibaba.');
  return url;
}
