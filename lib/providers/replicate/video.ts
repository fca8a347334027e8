import type { Call } from '../../domain/call';
import { fieldsOf, type Fields, type Json } from '../../domain/json';
import { requestNameOf } from '../../domain/video';
import type { FinishedVideo, RunningVideo, VideoProgress, VideoProvider } from '../../domain/video';
import { forgedCallback, hasStandardSignature } from '../kit/auth/callback-signature';
import { createTokenCache } from '../kit/auth/token-cache';
import { modelNotOffered } from '../kit/http/upstream-error';
import { measureOf, textOf, urlOf, wordOf } from '../kit/video/answer-fields';
import { textOfNote } from '../kit/video/note';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import { withFacts } from '../kit/video/probe-remote';
import { CANCELLED, endOf, lostJob, unknownStatus, type Billed } from '../kit/video/progress';
import { isOwnNotFound, isSuccess, pollFailure, submitRefusal, type FieldsAnswer } from '../kit/video/refusal';
import { askAboutJob, checkJobId, isLost, submitJob, type VendorVideoDeps } from '../kit/video/vendor-job';
import { inputFor } from './models';
import { failureOf, refusalRules } from './refusals';

// Predictions of Replicate. A submit gives the id of a prediction, and polls of the id end with a link for an hour. The
// answers do not state the measures of a video, so they are read from its file.

const POLL_TIMEOUT_MS = 10_000;
/** The official client sends at most 10 MB inside a request, and an order has up to nine images. */
const MAX_DATA_BYTES = 5_000_000;
/** How long the account's webhook secret is used before it is read again. */
const SECRET_LIFETIME_MS = 60 * 60 * 1_000;
/** Output files are deleted after an hour. */
const FILE_LIFETIME_MS = 60 * 60 * 1_000;

const forms: VendorForms<'https' | 'data'> = {
  image: [{ form: 'https' }, { form: 'data', maxBytes: MAX_DATA_BYTES }],
  video: [{ form: 'https' }],
};

export function createReplicateVideo({
  api,
  clock,
  media,
  files,
  probe,
}: VendorVideoDeps<FieldsAnswer>): VideoProvider {
  /**
   * The secret with which Replicate signs its calls to our URLs. It changes only when the account's owner replaces it.
   */
  const webhookSecret = createTokenCache({
    clock,
    async issue() {
      const request = { method: 'GET', path: '/v1/webhooks/default/secret', headersMs: POLL_TIMEOUT_MS } as const;
      // Not the signal of one caller, because all waiting callers share the request.
      const answer = await api.send(request, new AbortController());
      const { key: secret } = answer.fields;
      if (!isSuccess(answer) || typeof secret !== 'string') throw pollFailure(answer, refusalRules, clock.now());
      return { token: secret, expiresAt: new Date(clock.nowMs() + SECRET_LIFETIME_MS) };
    },
  });

  const askAboutPrediction = (method: 'GET' | 'POST', path: string, call: Call) =>
    askAboutJob(api, { method, path, headersMs: POLL_TIMEOUT_MS }, call);

  return {
    // An id of no prediction, made of letters only: real ids have only letters and digits.
    unknownJob: { predictionId: 'unknown' },

    async start({ order, binding, owner, callbackUrl, submitting }, call) {
      return withMedia({ order, owner }, forms, media, call, async (taken) => {
        const input = inputFor(requestNameOf(binding), order, taken);
        if (!input) throw modelNotOffered(`Replicate cannot make a video of the kind ${order.kind} with this model.`);
        await submitting({ input });
        // Without `Prefer: wait`, which would hold the answer back until the video is made.
        const body = JSON.stringify({ input, ...callback(callbackUrl) });
        const answer = await submitJob(api, { path: `/v1/models/${binding.modelName}/predictions`, body }, call);
        // An id proves that the video has begun, whatever else the answer says.
        const predictionId = parseId(answer.fields.id);
        if (predictionId === undefined) throw submitRefusal(answer, refusalRules, clock.now());
        return { receipt: { predictionId }, providerJobId: predictionId };
      });
    },

    async receiveCallback(callback, call) {
      if (!hasStandardSignature(callback, await webhookSecret.get(call.signal), clock)) throw forgedCallback();
      return undefined;
    },

    async check(running, call) {
      const answer = await askAboutPrediction('GET', predictionPath(running.receipt), call);
      checkJobId(answer.fields.id, textOfNote(running.receipt, 'predictionId'));
      if (isOwnNotFound(answer) && isLost(running, clock)) return lostJob();
      if (!isSuccess(answer) || typeof answer.fields.status !== 'string')
        throw pollFailure(answer, refusalRules, clock.now());
      return withFacts(progressOf(answer.fields, running, call), { files, probe, clock }, call);
    },

    async cancel(running, call) {
      const answer = await askAboutPrediction('POST', `${predictionPath(running.receipt)}/cancel`, call);
      checkJobId(answer.fields.id, textOfNote(running.receipt, 'predictionId'));
      if (isOwnNotFound(answer)) return 'too_late';
      const { status } = answer.fields;
      if (!isSuccess(answer) || typeof status !== 'string') throw pollFailure(answer, refusalRules, clock.now());
      // The answer is the prediction. Cancelling does not change a finished one.
      if (/^(succeeded|failed)$/i.test(status)) return 'too_late';
      return /^(cancell?ed|aborted)$/i.test(status) ? 'cancelled' : 'requested';
    },

    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),
  };
}

/** Replicate calls the URL once, when the prediction has ended. */
function callback(url: string | undefined): Fields {
  return url === undefined ? {} : { webhook: url, webhook_events_filter: ['completed'] };
}

function progressOf(prediction: Fields, running: RunningVideo, call: Call): VideoProgress {
  const bill = billOf(prediction.metrics);
  switch (wordOf(prediction.status)) {
    case 'starting':
      return { status: 'queued' };
    case 'processing':
      return { status: 'in_progress' };
    case 'succeeded':
      return endOf(finishedVideo(prediction, running.startedAt), running, bill);
    case 'failed':
      return { status: 'failed', ...failureOf(prediction.error), ...bill };
    case 'canceled':
    case 'cancelled':
      return { status: 'failed', ...CANCELLED, ...bill };
    case 'aborted': {
      const message = 'The provider ended the video before it began to make it.';
      return { status: 'failed', code: 'generation_failed', message, ...bill };
    }
    default:
      return unknownStatus('replicate', running, call);
  }
}

function finishedVideo({ output, completed_at: completedAt }: Fields, startedAt: Date): FinishedVideo | undefined {
  const url = urlOf(Array.isArray(output) ? output[0] : output);
  if (url === undefined) return undefined;
  // Without the time of completion, the start is the safe choice.
  const endedMs = Date.parse(textOf(completedAt) ?? '');
  return {
    file: { url },
    publicUrl: url,
    expiresAt: new Date((Number.isNaN(endedMs) ? startedAt.getTime() : endedMs) + FILE_LIFETIME_MS),
  };
}

/** Returns the machine time. Models with a price per second or per video are billed by that price instead. */
function billOf(metrics: unknown): Billed {
  const seconds = measureOf(fieldsOf(metrics).predict_time);
  return seconds === undefined ? {} : { bill: { units: `${seconds} seconds of work` } };
}

/** Returns an id that is safe as a part of a path; undefined for any other value. */
function parseId(value: unknown): string | undefined {
  return typeof value === 'string' && /^\w{1,100}$/.test(value) ? value : undefined;
}

function predictionPath(receipt: Json): string {
  return `/v1/predictions/${textOfNote(receipt, 'predictionId')}`;
}
