import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import type { RemoteFiles } from '../../domain/files';
import { type Fields, fieldsOf } from '../../domain/json';
import type { MediaSource } from '../../domain/provider';
import type { FinishedVideo, RunningVideo, UpstreamBill, VideoProgress, VideoProvider } from '../../domain/video';
import type { JsonAnswer } from '../kit/http/ask-json';
import type { AskBearer } from '../kit/http/bearer-json';
import { modelNotOffered } from '../kit/http/upstream-error';
import { textOfNote, UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import { laterPoll, pollFailure, submitRefusal } from '../kit/video/refusal';
import { isModeration, refusalOf, refusalRules } from './refusals';
import { requestFor } from './request';
import { parseUrl } from '../../domain/url';

// A submit gives the id of a request, and polls of the id end with a temporary link. xAI cannot cancel a video, and calls
// no address of ours.

export interface XaiVideoDeps {
  readonly ask: AskBearer;
  readonly clock: Clock;
  readonly media: Pick<MediaSource, 'as'>;
  readonly files: Pick<RemoteFiles, 'open'>;
}

const SUBMIT_TIMEOUT_MS = 30_000;
const POLL_TIMEOUT_MS = 15_000;
/** xAI has no stated limit for data URLs; the largest that callers can send is this long. */
const MAX_DATA_BYTES = 25 * 1024 * 1024;
/** A new request may be unknown to polls for this long. */
const UNKNOWN_REQUEST_MS = 60_000;
/** xAI calls its links temporary and states no time. A promise that is too short is safer than one that breaks. */
const LINK_LIFETIME_MS = 60 * 60 * 1_000;
/** 10^10 ticks are a dollar. */
const TICKS_PER_NANO_USD = 10n;

const forms: VendorForms<'https' | 'data'> = {
  image: [{ form: 'https' }, { form: 'data', maxBytes: MAX_DATA_BYTES }],
  video: [{ form: 'https' }, { form: 'data', maxBytes: MAX_DATA_BYTES }],
};

export function createXaiVideo({ ask, clock, media, files }: XaiVideoDeps): VideoProvider {
  return {
    unknownJob: { requestId: UNKNOWN_ID },

    start: ({ order, binding, owner, submitting }, call) =>
      withMedia({ order, owner }, forms, media, call, async (taken) => {
        const request = requestFor(binding.modelName, order, taken);
        if (!request) throw modelNotOffered(`xAI makes no video of the kind ${order.kind} with this model.`);
        await submitting(request.body);
        const answer = await ask(
          {
            method: 'POST',
            path: request.path,
            body: JSON.stringify(request.body),
            ownConnection: true,
            headersMs: SUBMIT_TIMEOUT_MS,
          },
          call,
        );
        // An id proves that the video has begun, whatever else the answer says.
        const { request_id: requestId } = fieldsOf(answer.json);
        if (typeof requestId !== 'string' || requestId === '')
          throw submitRefusal(refusalOf(answer), refusalRules, clock.now());
        return { receipt: { requestId }, providerJobId: requestId };
      }),

    async check(running, call) {
      const path = `/videos/${encodeURIComponent(textOfNote(running.receipt, 'requestId'))}`;
      const answer = await ask({ method: 'GET', path, headersMs: POLL_TIMEOUT_MS }, call).catch((error: unknown) => {
        throw laterPoll(error);
      });
      const word = statusOf(answer);
      if (word !== undefined) return progressOf(word, fieldsOf(answer.json), running, call);
      const refused = refusalOf(answer);
      const isUnknown = answer.status === 404 && refused.refusal !== undefined;
      if (isUnknown && clock.nowMs() - running.startedAt.getTime() > UNKNOWN_REQUEST_MS)
        return { status: 'failed', code: 'generation_failed', message: 'The provider no longer knows this video.' };
      throw pollFailure(refused, refusalRules, clock.now());
    },

    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),
  };
}

/**
 * xAI's word for the state of a video; undefined if the answer has none. While it works, xAI answers 202 with a body
 * that may be empty or no JSON. A finished video may come without a word.
 */
function statusOf({ status, json }: JsonAnswer): string | undefined {
  if (status !== 200 && status !== 202) return undefined;
  const { status: word, video } = fieldsOf(json);
  if (typeof word === 'string') return word.toLowerCase();
  if (linkOf(fieldsOf(video)) !== undefined) return 'done';
  return status === 202 ? 'pending' : undefined;
}

function progressOf(word: string, answer: Fields, running: RunningVideo, call: Call): VideoProgress {
  const bill = billOf(answer);
  switch (word) {
    case 'pending':
      return { status: 'in_progress' };
    case 'done': {
      const made = fieldsOf(answer.video);
      if (made.respect_moderation === false) return { status: 'failed', ...moderated, ...bill };
      const video = finishedVideo(made, running.startedAt);
      if (video) return { status: 'completed', video, ...bill };
      const message = 'The provider finished the video without a file.';
      return { status: 'failed', code: 'generation_failed', message, ...bill };
    }
    case 'failed':
      return { status: 'failed', ...failureOf(answer), ...bill };
    case 'expired': {
      const message = 'The provider did not finish the video in time.';
      return { status: 'failed', code: 'upstream_timeout', message, ...bill };
    }
    case 'cancelled':
    case 'canceled':
      return { status: 'failed', code: 'cancelled', message: 'The video was cancelled at the provider.', ...bill };
    default:
      call.log.warn('the upstream reported an unknown status of a video', {
        provider: 'xai',
        videoId: running.videoId,
      });
      return { status: 'in_progress' };
  }
}

const moderated = {
  code: 'content_policy_violation',
  message: 'The provider refused the content of this video. Change the prompt or the media.',
} as const;

function failureOf({ error }: Fields) {
  const { code, message } = fieldsOf(error);
  if (isModeration(String(message))) return moderated;
  if (/^invalid[-_ ]argument$/i.test(String(code)))
    return {
      code: 'upstream_rejected',
      message: 'The provider rejected the request as invalid. Change the prompt, the media or the parameters.',
    } as const;
  return { code: 'generation_failed', message: 'The provider could not generate this video.' } as const;
}

function finishedVideo(made: Fields, startedAt: Date): FinishedVideo | undefined {
  const url = linkOf(made);
  if (url === undefined) return undefined;
  const { duration } = made;
  return {
    file: { url },
    publicUrl: url,
    ...(typeof duration === 'number' && duration > 0 && { durationSeconds: duration }),
    // From the start and not from this check, so that every check promises the same.
    expiresAt: new Date(startedAt.getTime() + LINK_LIFETIME_MS),
  };
}

/** If an account stores its videos, the link may be only that of the stored file. */
function linkOf({ url, file_output: stored }: Fields): string | undefined {
  return [url, fieldsOf(stored).public_url].find(
    (link): link is string => typeof link === 'string' && parseUrl(link) !== undefined,
  );
}

/** Rounded up to a billionth of a dollar. */
function billOf({ usage }: Fields): { readonly bill?: UpstreamBill } {
  const { cost_in_usd_ticks: ticks } = fieldsOf(usage);
  if (typeof ticks !== 'number' || !Number.isSafeInteger(ticks) || ticks < 0) return {};
  return { bill: { nanoUsd: (BigInt(ticks) + TICKS_PER_NANO_USD - 1n) / TICKS_PER_NANO_USD } };
}
