import type { Call } from '../../domain/call';
import { upstreamFailed } from '../../domain/errors';
import { fieldsOf, type Fields, type Json } from '../../domain/json';
import type { FinishedVideo, RunningVideo, VideoProgress, VideoProvider, VideoStart } from '../../domain/video';
import type { Upstream } from '../kit/http/http';
import type { VendorApi } from '../kit/http/vendor-api';
import { modelNotOffered } from '../kit/http/upstream-error';
import { idOf, measureOf, urlOf } from '../kit/video/answer-fields';
import { readImageShape } from '../kit/video/image-shape';
import { withMedia, type MediaByRole, type VendorForms } from '../kit/video/order-media';
import { textOfNote, UNKNOWN_ID } from '../kit/video/note';
import { endOf, lostJob, unknownStatus, type Billed } from '../kit/video/progress';
import { isDone, isOwnNotFound, isSuccess, pollFailure, submitRefusal, type FieldsAnswer } from '../kit/video/refusal';
import { askAboutJob, checkJobId, isLost, submitJob, type VendorVideoDeps } from '../kit/video/vendor-job';
import { createVerifyCallback } from './callback';
import { endpointFor, inputFor, needsShape } from './endpoints';
import type { FalMedia } from './inputs/input';
import { failureOf, isOfModel, submitRules, type FalAnswer } from './refusals';

// Videos of the queue of fal. A submit is answered with the URLs of its job: the status, the result, and where to
// cancel it. The status never says that a job failed: it is COMPLETED, and its result is an error. fal repeats failed
// runs of a job by itself and does not bill them, so one submit stays one video.

/** fal has no stated limit for data URLs, and advises against large ones. */
const MAX_DATA_BYTES = 25 * 1024 * 1024;
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

export interface FalVideoDeps extends VendorVideoDeps<FalAnswer> {
  /** Serves the keys with which fal signs its callbacks. */
  readonly keys: Upstream;
}

export function createFalVideo({ api, keys, clock, media, files }: FalVideoDeps): VideoProvider {
  const verifyCallback = createVerifyCallback({ upstream: keys, clock });

  return {
    unknownJob: {
      requestId: UNKNOWN_ID,
      statusPath: `/fal-ai/veo3.1/requests/${UNKNOWN_ID}/status`,
      resultPath: `/fal-ai/veo3.1/requests/${UNKNOWN_ID}`,
      cancelPath: `/fal-ai/veo3.1/requests/${UNKNOWN_ID}/cancel`,
    },

    async start({ order, binding, owner, callbackUrl, submitting }, call) {
      const { endpoint, known } = endpointFor(binding, order);
      return withMedia({ order, owner }, forms, media, call, async (taken) => {
        const firstFrameShape = needsShape(known, order) ? await shapeOfFirstFrame({ order, owner }, call) : undefined;
        const input = inputFor(known, order, {
          ...urlsOf(taken),
          ...(firstFrameShape !== undefined && { firstFrameShape }),
        });
        if (!input) throw modelNotOffered('The endpoint is not in the table of endpoints.');
        call.signal.throwIfAborted();
        await submitting(input);
        const lifecycle = JSON.stringify({ expiration_duration_seconds: FILE_LIFETIME_SECONDS });
        const answer = await submitJob(
          api,
          {
            path: `/${endpoint}${callbackQuery(callbackUrl)}`,
            // The priority is the default; fal's own client states it too.
            headers: { 'x-fal-object-lifecycle-preference': lifecycle, 'x-fal-queue-priority': 'normal' },
            body: JSON.stringify(input),
          },
          call,
        );
        const job = isSuccess(answer) ? parseJob(answer.fields, api) : undefined;
        if (!job) throw submitRefusal(answer, submitRules, clock.now());
        return { receipt: { ...job }, providerJobId: job.requestId };
      });
    },

    receiveCallback: (callback, call) => verifyCallback(callback, call.signal),

    async check(running, call) {
      const job = readJob(running.receipt);
      const answer = await askAboutJob(api, { method: 'GET', path: job.statusPath }, call);
      const { request_id: requestId, status, error, error_type: errorType } = answer.fields;
      checkJobId(requestId, job.requestId);
      if (!isSuccess(answer) || typeof status !== 'string') return unreadable(answer, running);
      switch (status.toUpperCase()) {
        case 'IN_QUEUE':
          return { status: 'queued' };
        case 'IN_PROGRESS':
          return { status: 'in_progress' };
        case 'COMPLETED':
          return readResult(job, running, { hasFailed: (error ?? errorType ?? null) !== null }, call);
        default:
          return unknownStatus('fal', running, call);
      }
    },

    async cancel(running, call) {
      const answer = await askAboutJob(api, { method: 'PUT', path: readJob(running.receipt).cancelPath }, call);
      if (isDone(answer)) return 'requested';
      const isOver = answer.status === 400 && answer.fields.status === 'ALREADY_COMPLETED';
      if (isOver || isUnknownJob(answer)) return 'too_late';
      throw pollFailure(answer, submitRules, clock.now());
    },

    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),
  };

  async function shapeOfFirstFrame(
    { order, owner }: Pick<VideoStart, 'order' | 'owner'>,
    call: Call,
  ): Promise<number | undefined> {
    const frame = order.media.find(({ role }) => role === 'first_frame');
    return frame && readImageShape(media, frame.url, owner, call);
  }

  /** Reads the result of a job whose status is COMPLETED. `hasFailed`: the status says that the result is an error. */
  async function readResult(
    job: Job,
    running: RunningVideo,
    { hasFailed }: { readonly hasFailed: boolean },
    call: Call,
  ): Promise<VideoProgress> {
    const answer = await askAboutJob(api, { method: 'GET', path: job.resultPath }, call);
    const bill = billOf(answer);
    if (isSuccess(answer)) {
      if (!answer.isJson) throw pollFailure(answer, submitRules, clock.now());
      return endOf(finishedVideo(answer.fields, running), running, bill);
    }
    // The status of a job may be ahead of its result.
    if (answer.status === 400 && /still in progress/i.test(answer.refusal?.message ?? ''))
      return { status: 'in_progress' };
    // An error of the platform may concern only this request for the result: a later request may succeed.
    const isFinal =
      answer.status >= 500
        ? hasFailed || running.failures >= MAX_RESULT_FAILURES
        : ![401, 403, 404, 408, 429].includes(answer.status);
    if (isOfModel(answer) || (answer.refusal && isFinal)) return { status: 'failed', ...failureOf(answer), ...bill };
    return unreadable(answer, running);
  }

  /** Handles the answer to a poll that says nothing about the progress of the job. */
  function unreadable(answer: FieldsAnswer, running: RunningVideo): VideoProgress {
    if (isUnknownJob(answer) && isLost(running, clock)) return lostJob();
    throw pollFailure(answer, submitRules, clock.now());
  }
}

function urlsOf(media: MediaByRole<'https' | 'data'>): FalMedia {
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

/** Returns whether this is fal's own 404, and not that of a proxy. */
function isUnknownJob(answer: FieldsAnswer): boolean {
  return isOwnNotFound(answer) || (answer.status === 404 && answer.fields.status === 'NOT_FOUND');
}

/** Reads the accepted job; undefined if it was not accepted. Throws if its URLs are invalid; it may have begun then. */
function parseJob(fields: Fields, api: Pick<VendorApi<unknown>, 'pathOf'>): Job | undefined {
  const { request_id: id, status_url: statusUrl, response_url: resultUrl, cancel_url: cancelUrl } = fields;
  const requestId = idOf(id);
  if (requestId === undefined) return undefined;
  if (typeof statusUrl !== 'string' || typeof resultUrl !== 'string' || typeof cancelUrl !== 'string')
    throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'The accepted job has no URLs.');
  return {
    requestId,
    statusPath: api.pathOf(statusUrl),
    resultPath: api.pathOf(resultUrl),
    cancelPath: api.pathOf(cancelUrl),
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

function finishedVideo(result: Fields, { startedAt }: RunningVideo): FinishedVideo | undefined {
  const video = fieldsOf(result.video);
  const url = urlOf(video.url);
  if (url === undefined) return undefined;
  const width = measureOf(video.width);
  const height = measureOf(video.height);
  const fps = measureOf(video.fps);
  const durationSeconds = measureOf(video.duration);
  return {
    file: { url },
    publicUrl: url,
    ...(width !== undefined && height !== undefined && { width, height }),
    ...(fps !== undefined && { fps }),
    ...(durationSeconds !== undefined && { durationSeconds }),
    // Counted from the acceptance: the file is younger, but its own time is not known.
    expiresAt: new Date(startedAt.getTime() + FILE_LIFETIME_SECONDS * 1_000),
  };
}

/** Returns the query for a URL that fal calls when the job has ended: https://docs.fal.ai/model-endpoints/webhooks. */
function callbackQuery(url: string | undefined): string {
  return url === undefined ? '' : `?${new URLSearchParams({ fal_webhook: url })}`;
}

/** Returns the billed units, which depend on the endpoint: seconds, videos or tokens. Errors may be billed too. */
function billOf({ headers }: FieldsAnswer): Billed {
  const units = headers['x-fal-billable-units'];
  return units !== undefined && /^\d+(\.\d+)?$/.test(units) ? { bill: { units: `${units} units` } } : {};
}
