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

// Luma's Agents API: a submit gives the id of a generation, and polls of the id end with a link that is signed for an
// hour. Luma cannot cancel a generation, reports neither the measures of a video nor what it charges, and has no
// callbacks.

/** Links are signed for an hour: https://docs.agents.lumalabs.ai. */
const LINK_LIFETIME_MS = 60 * 60 * 1_000;

/** Luma reads images itself, at their addresses. */
const forms: VendorForms<'https'> = { image: [{ form: 'https' }] };

export function createLumaVideo({ api, clock, media, files }: VendorVideoDeps<FieldsAnswer>): VideoProvider {
  return {
    unknownJob: { generationId: UNKNOWN_ID },

    async start({ order, binding, owner, submitting }, call) {
      if (order.kind !== 't2v' && order.kind !== 'i2v')
        throw modelNotOffered(`Luma makes no video of the kind ${order.kind} with this model.`);
      return withMedia({ order, owner }, forms, media, call, async ({ first_frame: [image] }) => {
        const body = bodyOf(binding.modelName, order, image?.url);
        await submitting(body);
        const answer = await submitJob(api, { path: '/generations', body: JSON.stringify(body) }, call);
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

function bodyOf(modelName: string, { prompt, aspectRatio, resolution, seconds }: VideoOrder, image?: string): Fields {
  return {
    model: modelName,
    type: 'video',
    prompt,
    // Without a ratio, a video has that of its first frame.
    ...(aspectRatio !== undefined && aspectRatio !== 'adaptive' && { aspect_ratio: aspectRatio }),
    video: {
      resolution,
      duration: `${seconds}s`,
      // A keyframe and no `start_frame`, which videos of ten seconds do not take.
      ...(image !== undefined && { keyframes: [{ url: image }], keyframe_indexes: [0] }),
    },
  };
}

function progressOf(state: string, generation: Fields, running: RunningVideo, call: Call): VideoProgress {
  switch (state.toLowerCase()) {
    case 'queued':
      return { status: 'queued' };
    case 'processing':
      return { status: 'in_progress' };
    case 'completed':
      return endOf(finishedVideo(generation.output, running.startedAt));
    case 'failed':
      return { status: 'failed', ...failureOf(generation.failure_code) };
    default:
      return unknownStatus('luma', running, call);
  }
}

function finishedVideo(output: unknown, startedAt: Date): FinishedVideo | undefined {
  const outputs = Array.isArray(output) ? output.map(fieldsOf) : [];
  const url = addressOf(outputs.find(({ type }) => type === 'video')?.url);
  if (url === undefined) return undefined;
  return {
    file: { url },
    publicUrl: url,
    // From the start and not from this check, so that every check promises the same.
    expiresAt: new Date(startedAt.getTime() + LINK_LIFETIME_MS),
  };
}
