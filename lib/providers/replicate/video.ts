import type { Call } from '../../domain/call';
import type { RemoteFiles } from '../../domain/files';
import { fieldsOf, type Fields, type Json } from '../../domain/json';
import type { MediaSource, ProviderDeps } from '../../domain/provider';
import type { FinishedVideo, RunningVideo, UpstreamBill, VideoProgress, VideoProvider } from '../../domain/video';
import { askJson, type JsonAnswer } from '../kit/http/ask-json';
import type { Upstream, UpstreamRequest } from '../kit/http/http';
import { modelNotOffered } from '../kit/http/upstream-error';
import { measureOf } from '../kit/video/answer-fields';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import { probeRemote } from '../kit/video/probe-remote';
import { laterPoll, pollFailure, submitRefusal } from '../kit/video/refusal';
import { inputFor } from './models';
import { failureOf, refusalOf, refusalRules } from './refusals';
import { parseUrl } from '../../domain/url';

// Predictions of Replicate. A submit gives the id of a prediction, and polls of the id end with a link for an hour. The
// answers do not state the measures of a video, so they are read from its file.

export interface ReplicateVideoDeps extends Pick<ProviderDeps, 'clock' | 'probe'> {
  readonly upstream: Upstream;
  readonly key: string;
  readonly media: Pick<MediaSource, 'as'>;
  readonly files: Pick<RemoteFiles, 'open'>;
}

const SUBMIT_TIMEOUT_MS = 30_000;
const POLL_TIMEOUT_MS = 10_000;
/** The official client sends at most 10 MB inside a request; an order has at most two images. */
const MAX_DATA_BYTES = 5_000_000;
/** A new prediction may be unknown to polls for this long. */
const UNKNOWN_PREDICTION_MS = 60_000;
/** Output files are deleted after an hour. */
const FILE_LIFETIME_MS = 60 * 60 * 1_000;

const forms: VendorForms<'https' | 'data'> = {
  image: [{ form: 'https' }, { form: 'data', maxBytes: MAX_DATA_BYTES }],
};

export function createReplicateVideo(deps: ReplicateVideoDeps): VideoProvider {
  const { upstream, key, clock, media, files, probe } = deps;

  function ask(
    request: Pick<UpstreamRequest, 'method' | 'path' | 'body' | 'ownConnection' | 'headersMs'>,
    call: Call,
  ): Promise<JsonAnswer> {
    return askJson(
      upstream,
      {
        ...request,
        // Without `Prefer: wait`, which would hold the answer back until the video is made.
        headers: {
          authorization: `Bearer ${key}`,
          accept: 'application/json',
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
        },
        signal: call.signal,
      },
      clock,
    );
  }

  async function askAboutPrediction(method: 'GET' | 'POST', path: string, call: Call): Promise<JsonAnswer> {
    try {
      return await ask({ method, path, headersMs: POLL_TIMEOUT_MS }, call);
    } catch (error) {
      throw laterPoll(error);
    }
  }

  async function progressOf(prediction: Fields, running: RunningVideo, call: Call): Promise<VideoProgress> {
    const bill = billOf(prediction.metrics);
    switch (String(prediction.status).toLowerCase()) {
      case 'starting':
        return { status: 'queued' };
      case 'processing':
        return { status: 'in_progress' };
      case 'succeeded': {
        const video = await finishedVideo(prediction, running.startedAt, call);
        if (video) return { status: 'completed', video, ...bill };
        return {
          status: 'failed',
          code: 'generation_failed',
          message: 'The provider finished the video without a file.',
          ...bill,
        };
      }
      case 'failed':
        return { status: 'failed', ...failureOf(prediction.error), ...bill };
      case 'canceled':
      case 'cancelled':
        return { status: 'failed', code: 'cancelled', message: 'The video was cancelled at the provider.', ...bill };
      case 'aborted':
        return {
          status: 'failed',
          code: 'generation_failed',
          message: 'The provider ended the video before it began to make it.',
          ...bill,
        };
      default:
        call.log.warn('the upstream reported an unknown status of a video', {
          provider: 'replicate',
          videoId: running.videoId,
        });
        return { status: 'in_progress' };
    }
  }

  async function finishedVideo(
    { output, completed_at: completedAt }: Fields,
    startedAt: Date,
    call: Call,
  ): Promise<FinishedVideo | undefined> {
    const url: unknown = Array.isArray(output) ? output[0] : output;
    if (typeof url !== 'string' || !parseUrl(url)) return undefined;
    const facts = await probeRemote((part, probing) => files.open(url, part, probing), { probe, clock }, call);
    // Without the time of the end, the start is the safe one.
    const endedMs = Date.parse(String(completedAt));
    return {
      file: { url },
      publicUrl: url,
      ...(facts && {
        width: facts.width,
        height: facts.height,
        fps: facts.fps,
        durationSeconds: facts.durationSeconds,
      }),
      expiresAt: new Date((Number.isNaN(endedMs) ? startedAt.getTime() : endedMs) + FILE_LIFETIME_MS),
    };
  }

  return {
    // An id has letters and digits only.
    unknownJob: { predictionId: 'unknown' },

    async start({ order, binding: { modelName }, owner, callbackUrl, submitting }, call) {
      return withMedia({ order, owner }, forms, media, call, async (taken) => {
        const input = inputFor(modelName, order, taken);
        if (!input) throw modelNotOffered(`Replicate cannot make a video of the kind ${order.kind} with this model.`);
        await submitting({ input });
        const answer = await ask(
          {
            method: 'POST',
            path: `/v1/models/${modelName}/predictions`,
            body: JSON.stringify({ input, ...callback(callbackUrl) }),
            ownConnection: true,
            headersMs: SUBMIT_TIMEOUT_MS,
          },
          call,
        );
        // An id proves that the video has begun, whatever else the answer says.
        const predictionId = parseId(fieldsOf(answer.json).id);
        if (predictionId === undefined) throw submitRefusal(refusalOf(answer), refusalRules, clock.now());
        return { receipt: { predictionId }, providerJobId: predictionId };
      });
    },

    async check(running, call) {
      const answer = await askAboutPrediction('GET', `/v1/predictions/${readId(running.receipt)}`, call);
      const prediction = fieldsOf(answer.json);
      if (isUnknown(answer) && clock.nowMs() - running.startedAt.getTime() > UNKNOWN_PREDICTION_MS)
        return { status: 'failed', code: 'generation_failed', message: 'The provider no longer knows this video.' };
      if (answer.status !== 200 || typeof prediction.status !== 'string')
        throw pollFailure(refusalOf(answer), refusalRules, clock.now());
      return progressOf(prediction, running, call);
    },

    async cancel(running, call) {
      const answer = await askAboutPrediction('POST', `/v1/predictions/${readId(running.receipt)}/cancel`, call);
      if (isUnknown(answer)) return 'too_late';
      const { status } = fieldsOf(answer.json);
      if (answer.status !== 200 || typeof status !== 'string')
        throw pollFailure(refusalOf(answer), refusalRules, clock.now());
      // The answer is the prediction; a finished one stays as it is.
      if (/^(succeeded|failed)$/i.test(status)) return 'too_late';
      return /^(cancell?ed|aborted)$/i.test(status) ? 'cancelled' : 'requested';
    },

    open: (file, part, call) => files.open(readUrl(file), part, call),
  };
}

/** Replicate calls the address once, when the prediction has ended. */
function callback(url: string | undefined): Fields {
  return url === undefined ? {} : { webhook: url, webhook_events_filter: ['completed'] };
}

/** Replicate's own 404, and not that of a proxy. */
function isUnknown(answer: JsonAnswer): boolean {
  return answer.status === 404 && refusalOf(answer).refusal !== undefined;
}

/** The time of the machines; models with a price for each second or video are billed by that instead. */
function billOf(metrics: unknown): { readonly bill?: UpstreamBill } {
  const seconds = measureOf(fieldsOf(metrics).predict_time);
  return seconds === undefined ? {} : { bill: { units: `${seconds} seconds of work` } };
}

/** It becomes a part of a path. */
function parseId(value: unknown): string | undefined {
  return typeof value === 'string' && /^\w{1,100}$/.test(value) ? value : undefined;
}

function readId(receipt: Json): string {
  const id = parseId(fieldsOf(receipt).predictionId);
  if (id === undefined) throw new Error('This is not a receipt of Replicate.');
  return id;
}

function readUrl(file: Json): string {
  const { url } = fieldsOf(file);
  if (typeof url !== 'string') throw new Error('This is not a file of Replicate.');
  return url;
}
