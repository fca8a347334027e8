import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import type { RemoteFiles } from '../../domain/files';
import { type Fields, fieldsOf } from '../../domain/json';
import type { MediaSource } from '../../domain/provider';
import type { FinishedVideo, RunningVideo, VideoOrder, VideoProgress, VideoProvider } from '../../domain/video';
import type { AskBearer } from '../kit/http/bearer-json';
import { modelNotOffered } from '../kit/http/upstream-error';
import { textOfNote, UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import { laterPoll, pollFailure, submitRefusal } from '../kit/video/refusal';
import { failureOf, refusalOf, refusalRules } from './refusals';
import { parseUrl } from '../../domain/url';

// Luma's Agents API: a submit gives the id of a generation, and polls of the id end with a link that is signed for an
// hour. Luma cannot cancel a generation, reports neither the measures of a video nor what it charges, and calls no
// address of ours.

export interface LumaVideoDeps {
  readonly ask: AskBearer;
  readonly clock: Clock;
  readonly media: Pick<MediaSource, 'as'>;
  readonly files: Pick<RemoteFiles, 'open'>;
}

const SUBMIT_TIMEOUT_MS = 30_000;
const POLL_TIMEOUT_MS = 15_000;
/** A new generation may be unknown to polls for this long. */
const UNKNOWN_GENERATION_MS = 60_000;
/** Links are signed for an hour: https://docs.agents.lumalabs.ai. */
const LINK_LIFETIME_MS = 60 * 60 * 1_000;

/** Luma reads images itself, at their addresses. */
const forms: VendorForms<'https'> = { image: [{ form: 'https' }] };

export function createLumaVideo({ ask, clock, media, files }: LumaVideoDeps): VideoProvider {
  return {
    unknownJob: { generationId: UNKNOWN_ID },

    async start({ order, binding, owner, submitting }, call) {
      if (order.kind !== 't2v' && order.kind !== 'i2v')
        throw modelNotOffered(`Luma makes no video of the kind ${order.kind} with this model.`);
      return withMedia({ order, owner }, forms, media, call, async ({ first_frame: [image] }) => {
        const body = bodyOf(binding.modelName, order, image?.url);
        await submitting(body);
        const answer = await ask(
          {
            method: 'POST',
            path: '/generations',
            body: JSON.stringify(body),
            ownConnection: true,
            headersMs: SUBMIT_TIMEOUT_MS,
          },
          call,
        );
        // An id proves that the generation has begun, whatever else the answer says.
        const { id } = fieldsOf(answer.json);
        if (typeof id !== 'string' || id === '') throw submitRefusal(refusalOf(answer), refusalRules, clock.now());
        return { receipt: { generationId: id }, providerJobId: id };
      });
    },

    async check(running, call) {
      const path = `/generations/${encodeURIComponent(textOfNote(running.receipt, 'generationId'))}`;
      const answer = await ask({ method: 'GET', path, headersMs: POLL_TIMEOUT_MS }, call).catch((error: unknown) => {
        throw laterPoll(error);
      });
      const generation = fieldsOf(answer.json);
      if (answer.status === 200 && typeof generation.state === 'string')
        return progressOf(generation.state, generation, running, call);
      const refused = refusalOf(answer);
      const isUnknown = answer.status === 404 && refused.refusal !== undefined;
      if (isUnknown && clock.nowMs() - running.startedAt.getTime() > UNKNOWN_GENERATION_MS)
        return { status: 'failed', code: 'generation_failed', message: 'The provider no longer knows this video.' };
      throw pollFailure(refused, refusalRules, clock.now());
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
    case 'completed': {
      const video = finishedVideo(generation.output, running.startedAt);
      if (video) return { status: 'completed', video };
      const message = 'The provider finished the video without a file.';
      return { status: 'failed', code: 'generation_failed', message };
    }
    case 'failed':
      return { status: 'failed', ...failureOf(generation.failure_code) };
    default:
      call.log.warn('the upstream reported an unknown status of a video', {
        provider: 'luma',
        videoId: running.videoId,
      });
      return { status: 'in_progress' };
  }
}

function finishedVideo(output: unknown, startedAt: Date): FinishedVideo | undefined {
  const outputs = Array.isArray(output) ? output.map(fieldsOf) : [];
  const url = outputs.find(({ type }) => type === 'video')?.url;
  if (typeof url !== 'string' || !parseUrl(url)) return undefined;
  return {
    file: { url },
    publicUrl: url,
    // From the start and not from this check, so that every check promises the same.
    expiresAt: new Date(startedAt.getTime() + LINK_LIFETIME_MS),
  };
}
