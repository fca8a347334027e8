import type { Call } from '../../../domain/call';
import type { Fields } from '../../../domain/json';
import type { RunningVideo, VideoKind, VideoOrder, VideoProgress, VideoProvider } from '../../../domain/video';
import { modelNotOffered } from '../http/upstream-error';
import { idOf } from './answer-fields';
import { textOfNote, UNKNOWN_ID } from './note';
import { withMedia, type VendorForms } from './order-media';
import { endOf, lostJob, unknownStatus, type VideoFailure } from './progress';
import { isOwnNotFound, isSuccess, pollFailure, submitRefusal, type FieldsAnswer, type VendorRule } from './refusal';
import { askAboutJob, checkJobId, isLost, submitJob, type VendorVideoDeps } from './vendor-job';

// The common parts of both APIs of Luma: a submit gives the id of a generation, and polls of the id end with the URL of
// a file. Neither can cancel a generation, or reports the size of a video or the charge. The older API calls a URL when
// the state of a generation changes, without a signature; the Agents API documents no such calls.

/** Links of the Agents API expire after an hour (https://docs.agents.lumalabs.ai); the older API documents nothing. */
const LINK_LIFETIME_MS = 60 * 60 * 1_000;

/** Luma reads media itself, at its URL. */
const forms: VendorForms<'https'> = { image: [{ form: 'https' }], video: [{ form: 'https' }] };

/** The media of an order, as URLs. */
export interface LumaMedia {
  /** The first and the last frame. */
  readonly frames: readonly string[];
  /** The source of an edit. */
  readonly source?: string;
}

/** The differences between the two APIs. */
export interface LumaWire {
  readonly provider: string;
  readonly kinds: readonly VideoKind[];
  submitPath(kind: VideoKind): string;
  /** The field of a submit for the URL that gets callbacks; absent: the API has none. */
  readonly callbackField?: string;
  /** The state of a generation that is being made. */
  readonly runningState: string;
  readonly rules: readonly VendorRule[];
  body(modelName: string, order: VideoOrder, media: LumaMedia): Fields;
  /** Returns the URL of the file of a completed generation. */
  urlOf(generation: Fields): string | undefined;
  failureOf(generation: Fields): VideoFailure;
}

export function createLumaGenerations(
  wire: LumaWire,
  { api, clock, media, files }: VendorVideoDeps<FieldsAnswer>,
): VideoProvider {
  return {
    unknownJob: { generationId: UNKNOWN_ID },

    async start({ order, binding, owner, callbackUrl, submitting }, call) {
      if (!wire.kinds.includes(order.kind))
        throw modelNotOffered(`${wire.provider} makes no video of the kind ${order.kind} with this model.`);
      return withMedia({ order, owner }, forms, media, call, async (taken) => {
        const frames = [...taken.first_frame, ...taken.last_frame].map(({ url }) => url);
        const [source] = taken.source_video;
        const body = wire.body(binding.modelName, order, { frames, ...(source && { source: source.url }) });
        await submitting(body);
        const { callbackField } = wire;
        const calledBack = callbackUrl !== undefined && callbackField !== undefined && { [callbackField]: callbackUrl };
        const sent = JSON.stringify({ ...body, ...calledBack });
        const answer = await submitJob(api, { path: wire.submitPath(order.kind), body: sent }, call);
        // An id proves that the generation has begun, whatever else the answer says.
        const id = idOf(answer.fields.id);
        if (id === undefined) throw submitRefusal(answer, wire.rules, clock.now());
        return { receipt: { generationId: id }, providerJobId: id };
      });
    },

    async check(running, call) {
      const generationId = textOfNote(running.receipt, 'generationId');
      const path = `/generations/${encodeURIComponent(generationId)}`;
      const answer = await askAboutJob(api, { method: 'GET', path }, call);
      checkJobId(answer.fields.id, generationId);
      const { state } = answer.fields;
      if (isSuccess(answer) && typeof state === 'string')
        return progressOf(state.toLowerCase(), answer.fields, running, call);
      if (isOwnNotFound(answer) && isLost(running, clock)) return lostJob();
      throw pollFailure(answer, wire.rules, clock.now());
    },

    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),
  };

  function progressOf(state: string, generation: Fields, running: RunningVideo, call: Call): VideoProgress {
    switch (state) {
      case 'queued':
        return { status: 'queued' };
      case wire.runningState:
        return { status: 'in_progress' };
      case 'completed': {
        const url = wire.urlOf(generation);
        // Computed from the start, not from this check, so that every check returns the same expiry.
        const expiresAt = new Date(running.startedAt.getTime() + LINK_LIFETIME_MS);
        return endOf(url === undefined ? undefined : { file: { url }, publicUrl: url, expiresAt }, running);
      }
      case 'failed':
        return { status: 'failed', ...wire.failureOf(generation) };
      default:
        return unknownStatus(wire.provider, running, call);
    }
  }
}
