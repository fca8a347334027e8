import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import type { ProbeVideo, RemoteFiles, UploadSlot } from '../../domain/files';
import { fieldsOf, type Fields } from '../../domain/json';
import type { MediaBytes, MediaInForm, MediaSource } from '../../domain/provider';
import type { FinishedVideo, RunningVideo, VideoBinding, VideoProgress, VideoProvider } from '../../domain/video';
import { modelNotOffered } from '../kit/http/upstream-error';
import { textOfNote, UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import { probeRemote } from '../kit/video/probe-remote';
import { laterPoll, notStarted, pollFailure, submitRefusal } from '../kit/video/refusal';
import { CODES, refusalRules, TIMEOUT_CODE, type WavespeedAnswer, type WavespeedApi } from './api';
import { parseUrl } from '../../domain/url';

// A submit gives the id of a prediction, and polls of the id end with links. Images are read at public addresses; others
// are uploaded first, to an address that WaveSpeed gives for each. No way to cancel a prediction is documented.

export interface WavespeedVideoDeps {
  readonly api: WavespeedApi;
  readonly clock: Clock;
  readonly media: Pick<MediaSource, 'as'>;
  readonly files: Pick<RemoteFiles, 'open' | 'upload'>;
  readonly probe: ProbeVideo;
}

const SUBMIT_TIMEOUT_MS = 30_000;
const POLL_TIMEOUT_MS = 15_000;
/** Vidu's limit on one image. */
const MAX_IMAGE_BYTES = 50_000_000;
/** A new prediction may be unknown to polls for this long. */
const UNKNOWN_PREDICTION_MS = 60_000;
/** WaveSpeed states no lifetime for its links; a promise that is too short is safer than one that breaks. */
const LINK_LIFETIME_MS = 3 * 24 * 60 * 60 * 1_000;

const VIDU_Q2_START_END = 'vidu/start-end-to-video-q2-turbo';

/** Each model has fields of its own. */
export const canOrder = ({ modelName }: VideoBinding): boolean => modelName === VIDU_Q2_START_END;

type Form = 'https' | 'bytes';

const forms: VendorForms<Form> = { image: [{ form: 'https' }, { form: 'bytes', maxBytes: MAX_IMAGE_BYTES }] };

export function createWavespeedVideo({ api, clock, media, files, probe }: WavespeedVideoDeps): VideoProvider {
  async function addressOf(image: Extract<MediaInForm, { form: Form }> | undefined, call: Call) {
    return image?.form === 'bytes' ? upload(image, call) : image?.url;
  }

  /** The address of an uploaded image. */
  async function upload({ bytes, contentType }: MediaBytes, call: Call): Promise<string> {
    const fileName = `image.${contentType.slice('image/'.length)}`;
    try {
      const answer = await api.send(
        {
          method: 'POST',
          path: '/api/v3/media/uploads',
          body: JSON.stringify({ filename: fileName, size: bytes.length, content_type: contentType }),
          headersMs: POLL_TIMEOUT_MS,
        },
        call,
      );
      const slot = slotOf(answer);
      if (!slot) throw submitRefusal(answer, refusalRules, clock.now());
      await files.upload(slot, bytes, call);
      return slot.downloadUrl;
    } catch (error) {
      throw notStarted(error);
    }
  }

  async function finishedVideo(data: Fields, startedAt: Date, call: Call): Promise<FinishedVideo | undefined> {
    const [url] = Array.isArray(data.outputs) ? (data.outputs as readonly unknown[]) : [];
    if (typeof url !== 'string' || !parseUrl(url)) return undefined;
    const facts = await probeRemote((part, probing) => files.open(url, part, probing), { probe, clock }, call);
    return {
      file: { url },
      publicUrl: url,
      ...(facts && {
        width: facts.width,
        height: facts.height,
        fps: facts.fps,
        durationSeconds: facts.durationSeconds,
      }),
      // From the start and not from this check, so that every check promises the same.
      expiresAt: new Date(startedAt.getTime() + LINK_LIFETIME_MS),
    };
  }

  async function progressOf(data: Fields, running: RunningVideo, call: Call): Promise<VideoProgress> {
    switch (String(data.status).toLowerCase()) {
      case 'created':
        return { status: 'queued' };
      case 'processing':
        return { status: 'in_progress' };
      case 'completed': {
        const video = await finishedVideo(data, running.startedAt, call);
        if (video) return { status: 'completed', video };
        const message = 'The provider finished the video without a file.';
        return { status: 'failed', code: 'generation_failed', message };
      }
      case 'failed':
        return { status: 'failed', ...failureOf(data) };
      case 'cancelled':
      case 'deleted':
        return { status: 'failed', code: 'cancelled', message: 'The video was cancelled at the provider.' };
      case 'timeout':
        return { status: 'failed', ...timedOut };
      default:
        call.log.warn('the upstream reported an unknown status of a video', {
          provider: 'wavespeed',
          videoId: running.videoId,
        });
        return { status: 'in_progress' };
    }
  }

  return {
    unknownJob: { predictionId: UNKNOWN_ID },

    async start({ order, binding, owner, submitting }, call) {
      if (!canOrder(binding) || order.kind !== 'start-end')
        throw modelNotOffered(`WaveSpeed cannot make a video of the kind ${order.kind} with this model.`);
      const [image, lastImage] = await withMedia(
        { order, owner },
        forms,
        media,
        call,
        // One after the other, so that nothing goes on after a failure.
        async ({ first_frame: [first], last_frame: [last] }) => [
          await addressOf(first, call),
          await addressOf(last, call),
        ],
      );
      const body = {
        image,
        last_image: lastImage,
        prompt: order.prompt,
        duration: order.seconds,
        resolution: order.resolution,
        bgm: order.audio,
        movement_amplitude: 'auto',
        ...(order.seed !== undefined && { seed: order.seed }),
      };
      await submitting(body);
      const answer = await api.send(
        {
          method: 'POST',
          path: `/api/v3/${binding.modelName}`,
          body: JSON.stringify(body),
          ownConnection: true,
          headersMs: SUBMIT_TIMEOUT_MS,
        },
        call,
      );
      const { id } = answer.data;
      // An id proves that the video has begun, whatever else the answer says.
      if (typeof id !== 'string' || id === '') throw submitRefusal(answer, refusalRules, clock.now());
      return { receipt: { predictionId: id }, providerJobId: id };
    },

    async check(running, call) {
      const id = textOfNote(running.receipt, 'predictionId');
      let answer: WavespeedAnswer;
      try {
        const path = `/api/v3/predictions/${encodeURIComponent(id)}/result`;
        answer = await api.send({ method: 'GET', path, headersMs: POLL_TIMEOUT_MS }, call);
      } catch (error) {
        throw laterPoll(error);
      }
      if (answer.status === 200 && typeof answer.data.status === 'string')
        return progressOf(answer.data, running, call);
      // WaveSpeed's own 404, and not that of a proxy.
      const isUnknown = answer.status === 404 && answer.refusal !== undefined;
      if (isUnknown && clock.nowMs() - running.startedAt.getTime() > UNKNOWN_PREDICTION_MS)
        return { status: 'failed', code: 'generation_failed', message: 'The provider no longer knows this video.' };
      throw pollFailure(answer, refusalRules, clock.now());
    },

    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),
  };
}

const timedOut = { code: 'upstream_timeout', message: 'The provider ran out of time for this video.' } as const;

/** Not every failed prediction has a code; all have a message. */
function failureOf({ code, error }: Fields) {
  switch (code) {
    case CODES.moderated:
      return moderated;
    case CODES.mediaUnreachable:
      return {
        code: 'media_unreachable',
        message: 'The provider could not download the images. Check that they are public.',
      } as const;
    case CODES.parameterMissing:
    case CODES.parameterInvalid:
      return {
        code: 'upstream_rejected',
        message: 'The provider rejected the request as invalid. Change the prompt, the images or the parameters.',
      } as const;
    case TIMEOUT_CODE:
      return timedOut;
    default:
      if (/sensitive|moderat|nsfw|content polic|violat/i.test(typeof error === 'string' ? error : '')) return moderated;
      return { code: 'generation_failed', message: 'The provider could not generate this video.' } as const;
  }
}

const moderated = {
  code: 'content_policy_violation',
  message: 'The provider refused the content of this video. Change the prompt or the images.',
} as const;

/** Where to upload an image, and its address afterwards. */
function slotOf({ data }: WavespeedAnswer): (UploadSlot & { readonly downloadUrl: string }) | undefined {
  const { download_url: downloadUrl, upload } = data;
  const { url, method, headers } = fieldsOf(upload);
  if (typeof downloadUrl !== 'string' || typeof url !== 'string') return undefined;
  const given = Object.entries(fieldsOf(headers)).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return { downloadUrl, url, method: method === 'POST' ? 'POST' : 'PUT', headers: Object.fromEntries(given) };
}
