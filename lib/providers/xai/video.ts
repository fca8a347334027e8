import type { Call } from '../../domain/call';
import { type Fields, fieldsOf } from '../../domain/json';
import type { FinishedVideo, RunningVideo, VideoProgress, VideoProvider } from '../../domain/video';
import { modelNotOffered } from '../kit/http/upstream-error';
import { idOf, measureOf, textOf, urlOf, wordOf } from '../kit/video/answer-fields';
import { textOfNote, UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import {
  ACCOUNT_REFUSED,
  CANCELLED,
  endOf,
  lostJob,
  moderated,
  NOT_GENERATED,
  REQUEST_REJECTED,
  TIMED_OUT,
  unknownStatus,
  type Billed,
  type VideoFailure,
} from '../kit/video/progress';
import { isOwnNotFound, isSuccess, pollFailure, submitRefusal, type FieldsAnswer } from '../kit/video/refusal';
import { askAboutJob, isLost, submitJob, type VendorVideoDeps } from '../kit/video/vendor-job';
import { isModeration, refusalRules } from './refusals';
import { requestFor } from './request';

// A submit gives the id of a request, and polls of the id end with a temporary link. xAI cannot cancel a video, and
// calls no URL of ours.

/** xAI states no limit for data URLs; this is the size of the largest one that callers can send. */
const MAX_DATA_BYTES = 25 * 1024 * 1024;
/**
 * xAI calls its links temporary and states no lifetime. It is safer to promise too short a lifetime than too long a
 * one.
 */
const LINK_LIFETIME_MS = 60 * 60 * 1_000;
/** 10^10 ticks are a dollar. */
const TICKS_PER_NANO_USD = 10n;

const forms: VendorForms<'https' | 'data'> = {
  image: [{ form: 'https' }, { form: 'data', maxBytes: MAX_DATA_BYTES }],
  video: [{ form: 'https' }, { form: 'data', maxBytes: MAX_DATA_BYTES }],
};

export function createXaiVideo({ api, clock, media, files }: VendorVideoDeps<FieldsAnswer>): VideoProvider {
  return {
    unknownJob: { requestId: UNKNOWN_ID },

    start: ({ order, binding, owner, submitting }, call) =>
      withMedia({ order, owner }, forms, media, call, async (taken) => {
        const request = requestFor(binding, order, taken);
        if (!request) throw modelNotOffered(`xAI makes no video of the kind ${order.kind} with this model.`);
        await submitting(request.body);
        const answer = await submitJob(api, { path: request.path, body: JSON.stringify(request.body) }, call);
        // An id proves that the video has begun, whatever else the answer says.
        const requestId = idOf(answer.fields.request_id);
        if (requestId === undefined) throw submitRefusal(answer, refusalRules, clock.now());
        return { receipt: { requestId }, providerJobId: requestId };
      }),

    async check(running, call) {
      const path = `/videos/${encodeURIComponent(textOfNote(running.receipt, 'requestId'))}`;
      const answer = await askAboutJob(api, { method: 'GET', path }, call);
      const word = statusOf(answer);
      if (word !== undefined) return progressOf(word, answer.fields, running, call);
      if (isOwnNotFound(answer) && isLost(running, clock)) return lostJob();
      throw pollFailure(answer, refusalRules, clock.now());
    },

    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),
  };
}

/**
 * Returns xAI's word for the state of a video; undefined if the answer has none. While the work runs, xAI answers 202
 * with a body that may be empty or not JSON. The answer with a finished video may have no status.
 */
function statusOf(answer: FieldsAnswer): string | undefined {
  const {
    status,
    fields: { status: word, video },
  } = answer;
  if (!isSuccess(answer)) return undefined;
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
      if (made.respect_moderation === false) return { status: 'failed', ...moderated('media'), ...bill };
      return endOf(finishedVideo(made, running.startedAt), running, bill);
    }
    case 'failed':
      return { status: 'failed', ...failureOf(answer), ...bill };
    case 'expired':
      return { status: 'failed', ...TIMED_OUT, ...bill };
    case 'cancelled':
    case 'canceled':
      return { status: 'failed', ...CANCELLED, ...bill };
    default:
      return unknownStatus('xai', running, call);
  }
}

function failureOf({ error }: Fields): VideoFailure {
  const { code, message } = fieldsOf(error);
  const word = wordOf(code);
  if (isModeration(textOf(message) ?? '')) return moderated('media');
  if (/^permission[-_ ]denied$/i.test(word)) return ACCOUNT_REFUSED;
  // https://docs.x.ai/developers/model-capabilities/video/generation, a copy read 2026-11-28.
  if (/^(invalid[-_ ]argument|failed[-_ ]precondition)$/i.test(word)) return REQUEST_REJECTED;
  return NOT_GENERATED;
}

function finishedVideo(made: Fields, startedAt: Date): FinishedVideo | undefined {
  const url = linkOf(made);
  if (url === undefined) return undefined;
  const durationSeconds = measureOf(made.duration);
  return {
    file: { url },
    publicUrl: url,
    ...(durationSeconds !== undefined && { durationSeconds }),
    // Counted from the start and not from this check, so that every check reports the same expiry.
    expiresAt: new Date(startedAt.getTime() + LINK_LIFETIME_MS),
  };
}

/** Returns the link to the video. If the account stores its videos, the stored file may be the only one with a link. */
function linkOf({ url, file_output: stored }: Fields): string | undefined {
  return urlOf(url) ?? urlOf(fieldsOf(stored).public_url);
}

/** Returns the charge, rounded up to a billionth of a dollar. */
function billOf({ usage }: Fields): Billed {
  const { cost_in_usd_ticks: ticks } = fieldsOf(usage);
  if (typeof ticks !== 'number' || !Number.isSafeInteger(ticks) || ticks < 0) return {};
  return { bill: { nanoUsd: (BigInt(ticks) + TICKS_PER_NANO_USD - 1n) / TICKS_PER_NANO_USD } };
}
