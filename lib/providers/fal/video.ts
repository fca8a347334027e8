import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import { upstreamFailed } from '../../domain/errors';
import type { RemoteFiles } from '../../domain/files';
import { fieldsOf, type Json } from '../../domain/json';
import type { MediaSource } from '../../domain/provider';
import type {
  FinishedVideo,
  RunningVideo,
  UpstreamBill,
  VideoProgress,
  VideoProvider,
  VideoStart,
} from '../../domain/video';
import { askJson, type JsonAnswer } from '../kit/http/ask-json';
import type { Upstream, UpstreamRequest } from '../kit/http/http';
import { modelNotOffered } from '../kit/http/upstream-error';
import { measureOf } from '../kit/video/answer-fields';
import { imageShape } from '../kit/video/image-shape';
import { withMedia, type MediaByRole, type VendorForms } from '../kit/video/order-media';
import { UNKNOWN_ID } from '../kit/video/note';
import { laterPoll, pollFailure, submitRefusal } from '../kit/video/refusal';
import { inputFor, needsShape, type FalMedia } from './endpoints';
import { failureOf, isOfModel, refusalOf, submitRules } from './refusals';

// Videos of the queue of fal. A submit is answered with the addresses of its job: the status, the result, and where to
// cancel it. The status never says that a job failed: it is COMPLETED, and its result is an error. fal repeats failed
// runs of a job by itself and does not bill them, so one submit stays one video.

export interface FalVideoDeps {
  readonly upstream: Upstream;
  /** An id and a secret, `id:secret`. */
  readonly key: string;
  readonly clock: Clock;
  readonly media: MediaSource;
  readonly files: Pick<RemoteFiles, 'open'>;
}

const SUBMIT_TIMEOUT_MS = 30_000;
const POLL_TIMEOUT_MS = 15_000;
/** fal has no stated limit for data URLs, and advises against large ones. */
const MAX_DATA_BYTES = 25 * 1024 * 1024;
/** A new job may be unknown to polls for this long. */
const UNKNOWN_JOB_MS = 60_000;
/** After this many failed checks in a row, an error of the platform counts as the result of the job. */
const MAX_RESULT_FAILURES = 3;
/**
 * The lifetime of a result that each submit requests, so that a setting of the account cannot shorten it. Without the
 * header, fal keeps files for at least seven days: https://fal.ai/docs/documentation/model-apis/media-expiration.
 */
const FILE_LIFETIME_SECONDS = 7 * 24 * 60 * 60;

const forms: VendorForms<'https' | 'data'> = {
  image: [{ form: 'https' }, { form: 'data', maxBytes: MAX_DATA_BYTES }],
  video: [{ form: 'https' }, { form: 'data', maxBytes: MAX_DATA_BYTES }],
};

/** The paths of a job below the base URL, as fal returned them: they have only a part of the endpoint's name. */
interface Job {
  readonly requestId: string;
  readonly statusPath: string;
  readonly resultPath: string;
  readonly cancelPath: string;
}

export function createFalVideo({ upstream, key, clock, media, files }: FalVideoDeps): VideoProvider {
  function ask(
    request: Pick<UpstreamRequest, 'method' | 'path' | 'body' | 'ownConnection'>,
    { headersMs, headers }: { readonly headersMs: number; readonly headers?: Readonly<Record<string, string>> },
    call: Call,
  ): Promise<JsonAnswer> {
    return askJson(
      upstream,
      {
        ...request,
        headers: { authorization: `Key ${key}`, accept: 'application/json', ...headers },
        headersMs,
        signal: call.signal,
      },
      clock,
    );
  }

  async function askAboutJob(method: 'GET' | 'PUT', path: string, call: Call): Promise<JsonAnswer> {
    try {
      return await ask({ method, path }, { headersMs: POLL_TIMEOUT_MS }, call);
    } catch (error) {
      throw laterPoll(error);
    }
  }

  return {
    unknownJob: {
      requestId: UNKNOWN_ID,
      statusPath: `/fal-ai/veo3.1/requests/${UNKNOWN_ID}/status`,
      resultPath: `/fal-ai/veo3.1/requests/${UNKNOWN_ID}`,
      cancelPath: `/fal-ai/veo3.1/requests/${UNKNOWN_ID}/cancel`,
    },

    async start({ order, binding, owner, callbackUrl, submitting }, call) {
      return withMedia({ order, owner }, forms, media, call, async (taken) => {
        const firstFrameShape = needsShape(binding.modelName, order)
          ? await shapeOfFirstFrame({ order, owner }, call)
          : undefined;
        const input = inputFor(binding.modelName, order, {
          ...addressesOf(taken),
          ...(firstFrameShape !== undefined && { firstFrameShape }),
        });
        if (!input) throw modelNotOffered('The endpoint is not in the table of endpoints.');
        call.signal.throwIfAborted();
        await submitting(input);
        const answer = await ask(
          {
            method: 'POST',
            path: `/${binding.modelName}${callbackQuery(callbackUrl)}`,
            body: JSON.stringify(input),
            ownConnection: true,
          },
          {
            headersMs: SUBMIT_TIMEOUT_MS,
            headers: {
              'content-type': 'application/json',
              'x-fal-object-lifecycle-preference': JSON.stringify({
                expiration_duration_seconds: FILE_LIFETIME_SECONDS,
              }),
            },
          },
          call,
        );
        const job = isSuccess(answer) ? parseJob(answer.json, upstream) : undefined;
        if (!job) throw submitRefusal(refusalOf(answer), submitRules, clock.now());
        return { receipt: { ...job }, providerJobId: job.requestId };
      });
    },

    async check(running, call) {
      const job = readJob(running.receipt);
      const answer = await askAboutJob('GET', job.statusPath, call);
      const { status, error, error_type: errorType } = fieldsOf(answer.json);
      if (!isSuccess(answer) || typeof status !== 'string') return unreadable(answer, running);
      switch (status.toUpperCase()) {
        case 'IN_QUEUE':
          return { status: 'queued' };
        case 'IN_PROGRESS':
          return { status: 'in_progress' };
        case 'COMPLETED':
          return readResult(job, running, { hasFailed: (error ?? errorType ?? null) !== null }, call);
        default:
          call.log.warn('a provider gave a status that is not known; the video counts as in progress', {
            provider: 'fal',
            videoId: running.videoId,
          });
          return { status: 'in_progress' };
      }
    },

    async cancel(running, call) {
      const answer = await askAboutJob('PUT', readJob(running.receipt).cancelPath, call);
      if (isSuccess(answer)) return 'requested';
      const { status } = fieldsOf(answer.json);
      const isOver = answer.status === 400 && status === 'ALREADY_COMPLETED';
      if (isOver || isUnknownJob(answer)) return 'too_late';
      throw pollFailure(refusalOf(answer), submitRules, clock.now());
    },

    async open(file, part, call) {
      return files.open(readUrl(file), part, call);
    },
  };

  async function shapeOfFirstFrame(
    { order, owner }: Pick<VideoStart, 'order' | 'owner'>,
    call: Call,
  ): Promise<number | undefined> {
    const frame = order.media.find(({ role }) => role === 'first_frame');
    return frame && imageShape((await media.read(frame.url, { kind: 'image', owner }, call)).bytes);
  }

  /** The result of a job whose status is COMPLETED. `hasFailed`: the status says that it is an error. */
  async function readResult(
    job: Job,
    running: RunningVideo,
    { hasFailed }: { readonly hasFailed: boolean },
    call: Call,
  ): Promise<VideoProgress> {
    const answer = await askAboutJob('GET', job.resultPath, call);
    const bill = billOf(answer);
    if (isSuccess(answer)) {
      if (answer.json === undefined) throw pollFailure(refusalOf(answer), submitRules, clock.now());
      const video = finishedVideo(answer.json, running);
      if (video) return { status: 'completed', video, ...bill };
      const message = 'The provider finished the video without a file.';
      return { status: 'failed', code: 'generation_failed', message, ...bill };
    }
    const refusal = refusalOf(answer);
    // The status of a job may be newer than its result.
    if (answer.status === 400 && /still in progress/i.test(refusal.refusal?.message ?? ''))
      return { status: 'in_progress' };
    // An error of the platform may be one of this request, which a later one does not get.
    const isFinal =
      answer.status >= 500
        ? hasFailed || running.failures >= MAX_RESULT_FAILURES
        : ![401, 403, 404, 408, 429].includes(answer.status);
    if (isOfModel(answer) || (refusal.refusal && isFinal)) return { status: 'failed', ...failureOf(refusal), ...bill };
    return unreadable(answer, running);
  }

  /** The answer of a poll that says nothing about the progress of the job. */
  function unreadable(answer: JsonAnswer, running: RunningVideo): VideoProgress {
    const isOld = clock.nowMs() - running.startedAt.getTime() > UNKNOWN_JOB_MS;
    if (isUnknownJob(answer) && isOld)
      return { status: 'failed', code: 'generation_failed', message: 'The provider no longer knows this video.' };
    throw pollFailure(refusalOf(answer), submitRules, clock.now());
  }
}

function addressesOf(media: MediaByRole<'https' | 'data'>): FalMedia {
  const urls = (taken: readonly { readonly url: string }[]) => taken.map(({ url }) => url);
  const [firstFrame] = urls(media.first_frame);
  const [lastFrame] = urls(media.last_frame);
  const [sourceVideo] = urls(media.source_video);
  return {
    ...(firstFrame !== undefined && { firstFrame }),
    ...(lastFrame !== undefined && { lastFrame }),
    ...(sourceVideo !== undefined && { sourceVideo }),
    referenceImages: urls(media.reference_image),
    referenceVideos: urls(media.reference_video),
  };
}

function isSuccess({ status }: JsonAnswer): boolean {
  return status >= 200 && status < 300;
}

/** fal's own 404, and not that of a proxy. */
function isUnknownJob(answer: JsonAnswer): boolean {
  if (answer.status !== 404) return false;
  return refusalOf(answer).refusal !== undefined || fieldsOf(answer.json).status === 'NOT_FOUND';
}

/** Undefined: the answer is no acceptance. Throws, with a job that may have begun, if its addresses are none. */
function parseJob(json: unknown, upstream: Upstream): Job | undefined {
  const {
    request_id: requestId,
    status_url: statusUrl,
    response_url: resultUrl,
    cancel_url: cancelUrl,
  } = fieldsOf(json);
  if (typeof requestId !== 'string' || requestId === '') return undefined;
  if (typeof statusUrl !== 'string' || typeof resultUrl !== 'string' || typeof cancelUrl !== 'string')
    throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'The accepted job has no addresses.');
  return {
    requestId,
    statusPath: upstream.pathOf(statusUrl),
    resultPath: upstream.pathOf(resultUrl),
    cancelPath: upstream.pathOf(cancelUrl),
  };
}

function readJob(receipt: Json): Job {
  const { requestId, statusPath, resultPath, cancelPath } = fieldsOf(receipt);
  if (
    typeof requestId !== 'string' ||
    typeof statusPath !== 'string' ||
    typeof resultPath !== 'string' ||
    typeof cancelPath !== 'string'
  )
    throw new Error('This is not a receipt of fal.');
  return { requestId, statusPath, resultPath, cancelPath };
}

function finishedVideo(json: unknown, { startedAt }: RunningVideo): FinishedVideo | undefined {
  const video = fieldsOf(fieldsOf(json).video);
  if (typeof video.url !== 'string' || video.url === '') return undefined;
  const width = measureOf(video.width);
  const height = measureOf(video.height);
  const fps = measureOf(video.fps);
  const durationSeconds = measureOf(video.duration);
  return {
    file: { url: video.url },
    publicUrl: video.url,
    ...(width !== undefined && height !== undefined && { width, height }),
    ...(fps !== undefined && { fps }),
    ...(durationSeconds !== undefined && { durationSeconds }),
    // Counted from the acceptance: the file is younger, but its own time is not known.
    expiresAt: new Date(startedAt.getTime() + FILE_LIFETIME_SECONDS * 1_000),
  };
}

/** fal calls the address when the job has ended: https://docs.fal.ai/model-endpoints/webhooks. */
function callbackQuery(url: string | undefined): string {
  return url === undefined ? '' : `?${new URLSearchParams({ fal_webhook: url })}`;
}

function readUrl(file: Json): string {
  const { url } = fieldsOf(file);
  if (typeof url !== 'string') throw new Error('This is not a file of fal.');
  return url;
}

/** The unit is the endpoint's own: seconds, videos or tokens. Errors may be billed too. */
function billOf({ headers }: JsonAnswer): { readonly bill?: UpstreamBill } {
  const units = headers['x-fal-billable-units'];
  return units !== undefined && /^\d+(\.\d+)?$/.test(units) ? { bill: { units: `${units} units` } } : {};
}
