import type { Call } from '../../domain/call';
import { fieldsOf, type Fields, type Json } from '../../domain/json';
import type { RunningVideo, VideoProgress, VideoProvider } from '../../domain/video';
import { askJson, type JsonAnswer } from '../kit/http/ask-json';
import type { Upstream } from '../kit/http/http';
import { idOf, textOf } from '../kit/video/answer-fields';
import { isModerated, refusalRules, vendorAnswer } from '../kit/video/google-errors';
import { textOfNote } from '../kit/video/note';
import { withMedia, writeMarker, writeMedia, type VendorForms } from '../kit/video/order-media';
import {
  CANCELLED,
  endOf,
  lostJob,
  moderated,
  NOT_GENERATED,
  unknownStatus,
  type Billed,
  type VideoFailure,
} from '../kit/video/progress';
import { isSuccess, laterPoll, pollFailure, submitRefusal } from '../kit/video/refusal';
import { checkJobId, isLost } from '../kit/video/vendor-job';
import { omniRequest } from './omni-request';
import type { GeminiDeps, ResultFiles } from './result-file';

// Gemini Omni, on the Interactions API. A submit begins an interaction in the background, whose last step has the
// URL of a file. The file may still be processed when the interaction is completed.

const SUBMIT_TIMEOUT_MS = 30_000;
/** A check makes up to two requests before it reads the facts of the file, and has 20 seconds in all. */
const POLL_TIMEOUT_MS = 6_000;
/** A request has at most 100 MB, and text of base64 is a third longer than its bytes. */
const MAX_VIDEO_BYTES = 60 * 1024 * 1024;
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

const forms: VendorForms<'base64'> = {
  image: [{ form: 'base64', maxBytes: MAX_IMAGE_BYTES }],
  video: [{ form: 'base64', maxBytes: MAX_VIDEO_BYTES }],
};

/** Returns whether the video with this receipt was begun by Omni and not by Veo. */
export function isInteraction(receipt: Json): boolean {
  return 'interaction' in fieldsOf(receipt);
}

export function createGeminiOmni(
  { upstream, interactions, credentials, clock, media }: GeminiDeps,
  { open, finish }: ResultFiles,
): VideoProvider & Required<Pick<VideoProvider, 'cancel'>> {
  async function ask(at: Upstream, method: 'GET' | 'POST', path: string, { signal }: Call): Promise<JsonAnswer> {
    try {
      const request = { method, path, headers: credentials, headersMs: POLL_TIMEOUT_MS, signal };
      return await askJson(at, request, clock);
    } catch (error) {
      throw laterPoll(error);
    }
  }

  /** Returns the end of a completed interaction: the video with this file. */
  async function endOfFile(uri: unknown, running: RunningVideo, bill: Billed, call: Call): Promise<VideoProgress> {
    const [, id] = /\/files\/([a-z0-9-]{1,40})(?:[:?/]|$)/.exec(textOf(uri) ?? '') ?? [];
    if (id === undefined) return endOf(undefined, running, bill);
    const answer = await ask(upstream, 'GET', `/files/${id}`, call);
    const { state } = isSuccess(answer) ? fieldsOf(answer.json) : {};
    switch (state) {
      case 'ACTIVE':
        return endOf(await finish(`/files/${id}:download?alt=media`, running, call), running, bill);
      case 'PROCESSING':
        return { status: 'in_progress' };
      case 'FAILED':
        return { status: 'failed', ...NOT_GENERATED, ...bill };
      default:
        throw pollFailure(vendorAnswer(answer), refusalRules, clock.now());
    }
  }

  return {
    start: ({ order, binding: { modelName }, owner, submitting }, call) =>
      withMedia({ order, owner }, forms, media, call, async (taken) => {
        await submitting(omniRequest(order, modelName, taken, writeMarker));
        const answer = await askJson(
          interactions,
          {
            method: 'POST',
            path: '/interactions',
            headers: { ...credentials, 'content-type': 'application/json' },
            // Sent as bytes, so that the text, which may have 80 MB, is not held in memory until the answer arrives.
            body: Buffer.from(JSON.stringify(omniRequest(order, modelName, taken, writeMedia))),
            ownConnection: true,
            headersMs: SUBMIT_TIMEOUT_MS,
            signal: call.signal,
          },
          clock,
        );
        // An id proves that the video has begun, whatever else the answer says.
        const interaction = interactionId(answer.json);
        if (interaction === undefined) throw submitRefusal(vendorAnswer(answer), refusalRules, clock.now());
        return { receipt: { interaction }, providerJobId: interaction };
      }),

    async check(running, call) {
      const answer = await ask(interactions, 'GET', pathOf(running.receipt), call);
      const interaction = fieldsOf(answer.json);
      checkJobId(interaction.id, textOfNote(running.receipt, 'interaction'));
      if (!isSuccess(answer) || typeof interaction.status !== 'string') {
        const refused = vendorAnswer(answer);
        if (refused.refusal?.code === 'NOT_FOUND' && isLost(running, clock)) return lostJob();
        throw pollFailure(refused, refusalRules, clock.now());
      }
      const bill = billOf(interaction);
      switch (interaction.status) {
        case 'queued':
          return { status: 'queued' };
        case 'in_progress':
          return { status: 'in_progress' };
        case 'completed':
          return endOfFile(videoIn(interaction)?.uri, running, bill, call);
        case 'failed':
        // The model has used up the tokens of the interaction.
        case 'incomplete':
        case 'budget_exceeded':
          return { status: 'failed', ...failureOf(interaction), ...bill };
        case 'cancelled':
          return { status: 'failed', ...CANCELLED, ...bill };
        default:
          return unknownStatus('google-ai-studio', running, call);
      }
    },

    async cancel({ receipt }, call) {
      const answer = await ask(interactions, 'POST', `${pathOf(receipt)}/cancel`, call);
      const { id, status } = fieldsOf(answer.json);
      checkJobId(id, textOfNote(receipt, 'interaction'));
      if (isSuccess(answer) && typeof status === 'string') {
        if (status === 'completed' || status === 'failed') return 'too_late';
        return status === 'cancelled' ? 'cancelled' : 'requested';
      }
      const refused = vendorAnswer(answer);
      // Only an interaction that runs can be cancelled.
      if (refused.refusal && (answer.status === 400 || answer.status === 404)) return 'too_late';
      throw pollFailure(refused, refusalRules, clock.now());
    },

    open,
  };
}

const pathOf = (receipt: Json) => `/interactions/${encodeURIComponent(textOfNote(receipt, 'interaction'))}`;

function interactionId(json: unknown): string | undefined {
  return idOf(fieldsOf(json).id);
}

/** Returns the outputs of the model, newest first. */
function outputsOf({ steps }: Fields): Fields[] {
  const made = (Array.isArray(steps) ? steps.map(fieldsOf) : []).filter(({ type }) => type === 'model_output');
  return made.toReversed();
}

function videoIn(interaction: Fields): Fields | undefined {
  return outputsOf(interaction)
    .flatMap(({ content }) => (Array.isArray(content) ? content.map(fieldsOf) : []))
    .find(({ type }) => type === 'video');
}

/** Returns why an interaction failed. Its errors are in the interaction or in its steps, or are missing. */
function failureOf(interaction: Fields): VideoFailure {
  const { errors } = interaction;
  const all = [
    ...(Array.isArray(errors) ? errors.map(fieldsOf) : []),
    ...outputsOf(interaction).map(({ error }) => fieldsOf(error)),
  ];
  return all.some(({ message }) => isModerated(textOf(message) ?? '')) ? moderated('media') : NOT_GENERATED;
}

/** Tokens have several prices, so they cannot be converted to dollars. */
function billOf({ usage }: Fields): Billed {
  const { total_tokens: tokens } = fieldsOf(usage);
  return Number.isSafeInteger(tokens) ? { bill: { units: `${String(tokens)} tokens` } } : {};
}
