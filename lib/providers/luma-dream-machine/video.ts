import type { Call } from '../../domain/call';
import { type Fields, fieldsOf } from '../../domain/json';
import type { FinishedVideo, RunningVideo, VideoOrder, VideoProgress, VideoProvider } from '../../domain/video';
import { modelNotOffered } from '../kit/http/upstream-error';
import { addressOf, textOf } from '../kit/video/answer-fields';
import { textOfNote, UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import { endOf, lostJob, unknownStatus } from '../kit/video/progress';
import { isOwnNotFound, pollFailure, submitRefusal, type FieldsAnswer } from '../kit/video/refusal';
import { askAboutJob, isOldJob, submitJob, type VendorVideoDeps } from '../kit/video/vendor-job';
import { failureOf, refusalRules } from './refusals';

// Luma's Dream Machine API: a submit gives the id of a generation, and polls of the id end with the address of a file.
// A generation can be deleted, but nothing says that this stops its work or its charge, so no video is cancelled. Its
// callbacks are not signed.

/** How long files are kept is not documented; the links of the newer API are signed for an hour. */
const FILE_LIFETIME_MS = 60 * 60 * 1_000;

const models: ReadonlySet<string> = new Set(['ray-2', 'ray-flash-2']);
const kinds: ReadonlySet<string> = new Set(['t2v', 'i2v', 'start-end'] satisfies VideoOrder['kind'][]);

/** Luma reads images itself, at their addresses. */
const forms: VendorForms<'https'> = { image: [{ form: 'https' }] };

export const isDreamMachineModel = (modelName: string): boolean => models.has(modelName);

export function createDreamMachineVideo({ api, clock, media, files }: VendorVideoDeps<FieldsAnswer>): VideoProvider {
  return {
    unknownJob: { generationId: UNKNOWN_ID },

    async start({ order, binding, owner, submitting }, call) {
      if (!kinds.has(order.kind))
        throw modelNotOffered(`Dream Machine makes no video of the kind ${order.kind} with this model.`);
      return withMedia({ order, owner }, forms, media, call, async ({ first_frame: first, last_frame: last }) => {
        const body = {
          model: binding.modelName,
          prompt: order.prompt,
          // By default 16:9, also for portrait images.
          ...(order.aspectRatio !== undefined && { aspect_ratio: order.aspectRatio }),
          duration: `${order.seconds}s`,
          resolution: order.resolution,
          ...(order.kind !== 't2v' && { keyframes: keyframesOf(first[0]?.url, last[0]?.url) }),
        };
        await submitting(body);
        const answer = await submitJob(api, { path: '/generations/video', body: JSON.stringify(body) }, call);
        // An id proves that the generation has begun, whatever else the answer says.
        const id = textOf(answer.fields.id);
        if (id === undefined) throw submitRefusal(answer, refusalRules, clock.now());
        return { receipt: { generationId: id }, providerJobId: id };
      });
    },

    async check(running, call) {
      const path = `/generations/${encodeURIComponent(textOfNote(running.receipt, 'generationId'))}`;
      const answer = await askAboutJob(api, { method: 'GET', path }, call);
      const { state } = answer.fields;
      if (answer.status === 200 && typeof state === 'string') return progressOf(state, answer.fields, running, call);
      if (isOwnNotFound(answer) && isOldJob(running, clock)) return lostJob();
      throw pollFailure(answer, refusalRules, clock.now());
    },

    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),
  };
}

function keyframesOf(first: string | undefined, last: string | undefined): Fields {
  const image = (url: string) => ({ type: 'image', url });
  return {
    ...(first !== undefined && { frame0: image(first) }),
    ...(last !== undefined && { frame1: image(last) }),
  };
}

function progressOf(state: string, generation: Fields, running: RunningVideo, call: Call): VideoProgress {
  switch (state.toLowerCase()) {
    case 'queued':
      return { status: 'queued' };
    case 'dreaming':
      return { status: 'in_progress' };
    case 'completed':
      return endOf(finishedVideo(generation.assets, running.startedAt));
    case 'failed':
      return { status: 'failed', ...failureOf(generation.failure_reason) };
    default:
      return unknownStatus('luma-dream-machine', running, call);
  }
}

function finishedVideo(assets: unknown, startedAt: Date): FinishedVideo | undefined {
  const url = addressOf(fieldsOf(assets).video);
  if (url === undefined) return undefined;
  return {
    file: { url },
    publicUrl: url,
    // From the start and not from this check, so that every check promises the same.
    expiresAt: new Date(startedAt.getTime() + FILE_LIFETIME_MS),
  };
}
