import type { Call } from '../../domain/call';
import type { UploadSlot } from '../../domain/files';
import { fieldsOf, type Fields } from '../../domain/json';
import type { MediaBytes } from '../../domain/provider';
import { requestNameOf } from '../../domain/video';
import type { FinishedVideo, RunningVideo, VideoProgress, VideoProvider } from '../../domain/video';
import { modelNotOffered } from '../kit/http/upstream-error';
import { idOf, urlOf, wordOf } from '../kit/video/answer-fields';
import { textOfNote, UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type MediaByRole, type VendorForms } from '../kit/video/order-media';
import { withFacts } from '../kit/video/probe-remote';
import {
  CANCELLED,
  endOf,
  lostJob,
  moderated,
  NOT_GENERATED,
  TIMED_OUT,
  unknownStatus,
  type VideoFailure,
} from '../kit/video/progress';
import { isOwnNotFound, isSuccess, notStarted, pollFailure, submitRefusal } from '../kit/video/refusal';
import { askAboutJob, checkJobId, isLost, submitJob, type VendorVideoDeps } from '../kit/video/vendor-job';
import { bodyFor, modelFor, type MediaUrls } from './models';
import { CODES, refusalRules, TIMEOUT_CODE, type WavespeedAnswer } from './refusals';

// A submit gives the id of a prediction, and polls of the id end with links. Media are read at public URLs; other
// images are uploaded first, to a URL that WaveSpeed gives for each. No way to cancel a prediction is documented.

/** The largest limit of a model on one image. */
const MAX_IMAGE_BYTES = 50_000_000;
/** WaveSpeed states no lifetime for its links. It is safer to promise too short a lifetime than too long a one. */
const LINK_LIFETIME_MS = 3 * 24 * 60 * 60 * 1_000;

type Form = 'https' | 'bytes';

const forms: VendorForms<Form> = {
  image: [{ form: 'https' }, { form: 'bytes', maxBytes: MAX_IMAGE_BYTES }],
  video: [{ form: 'https' }],
};

export function createWavespeedVideo({
  api,
  clock,
  media,
  files,
  probe,
}: VendorVideoDeps<WavespeedAnswer>): VideoProvider {
  async function urlsOf(media: MediaByRole<Form>, call: Call): Promise<MediaUrls> {
    const urls: Record<keyof MediaUrls, string[]> = {
      first_frame: [],
      last_frame: [],
      reference_image: [],
      reference_video: [],
      source_video: [],
    };
    // Sequentially, so that no other upload is still running after a failure.
    for (const role of Object.keys(urls) as (keyof MediaUrls)[])
      for (const one of media[role]) urls[role].push(one.form === 'bytes' ? await upload(one, call) : one.url);
    return urls;
  }

  /** Uploads an image and returns its URL. */
  async function upload({ bytes, contentType }: MediaBytes, call: Call): Promise<string> {
    const fileName = `image.${contentType.slice('image/'.length)}`;
    try {
      const answer = await api.send(
        {
          method: 'POST',
          path: '/api/v3/media/uploads',
          body: JSON.stringify({ filename: fileName, size: bytes.length, content_type: contentType }),
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

  return {
    unknownJob: { predictionId: UNKNOWN_ID },

    async start({ order, binding, owner, submitting }, call) {
      const model = modelFor(requestNameOf(binding), order.kind);
      if (!model) throw modelNotOffered(`WaveSpeed cannot make a video of the kind ${order.kind} with this model.`);
      const body = await withMedia({ order, owner }, forms, media, call, async (taken) =>
        bodyFor(model, order, await urlsOf(taken, call)),
      );
      await submitting(body);
      const answer = await submitJob(api, { path: `/api/v3/${binding.modelName}`, body: JSON.stringify(body) }, call);
      // An id proves that the video has begun, whatever else the answer says.
      const id = idOf(answer.data.id);
      if (id === undefined) throw submitRefusal(answer, refusalRules, clock.now());
      return { receipt: { predictionId: id }, providerJobId: id };
    },

    async check(running, call) {
      const id = textOfNote(running.receipt, 'predictionId');
      const path = `/api/v3/predictions/${encodeURIComponent(id)}/result`;
      const answer = await askAboutJob(api, { method: 'GET', path }, call);
      checkJobId(answer.data.id, id);
      if (isSuccess(answer) && typeof answer.data.status === 'string')
        return withFacts(progressOf(answer.data, running, call), { files, probe, clock }, call);
      if (isOwnNotFound(answer) && isLost(running, clock)) return lostJob();
      throw pollFailure(answer, refusalRules, clock.now());
    },

    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),
  };
}

function progressOf(data: Fields, running: RunningVideo, call: Call): VideoProgress {
  switch (wordOf(data.status)) {
    case 'created':
      return { status: 'queued' };
    case 'processing':
      return { status: 'in_progress' };
    case 'completed':
      return endOf(finishedVideo(data, running.startedAt), running);
    case 'failed':
      return { status: 'failed', ...failureOf(data) };
    case 'cancelled':
    case 'deleted':
      return { status: 'failed', ...CANCELLED };
    case 'timeout':
      return { status: 'failed', ...TIMED_OUT };
    default:
      return unknownStatus('wavespeed', running, call);
  }
}

function finishedVideo({ outputs }: Fields, startedAt: Date): FinishedVideo | undefined {
  const url = Array.isArray(outputs) ? urlOf(outputs[0]) : undefined;
  if (url === undefined) return undefined;
  return {
    file: { url },
    publicUrl: url,
    // Counted from the start and not from this check, so that every check reports the same expiry.
    expiresAt: new Date(startedAt.getTime() + LINK_LIFETIME_MS),
  };
}

/** Returns why a prediction failed. Not every failed prediction has a code, but all have a message. */
function failureOf({ code, error }: Fields): VideoFailure {
  switch (code) {
    case CODES.moderated:
      return moderated('media');
    case CODES.mediaUnreachable:
      return {
        code: 'media_unreachable',
        message: 'The provider could not download the media. Check that they are public.',
      };
    case CODES.parameterMissing:
    case CODES.parameterInvalid:
      return {
        code: 'upstream_rejected',
        message: 'The provider rejected the request as invalid. Change the prompt, the media or the parameters.',
      };
    case TIMEOUT_CODE:
      return TIMED_OUT;
    default:
      if (/sensitive|moderat|nsfw|content polic|violat/i.test(typeof error === 'string' ? error : ''))
        return moderated('media');
      return NOT_GENERATED;
  }
}

/** Reads the URL to which an image is uploaded, and the URL that the image has afterwards. */
function slotOf({ data }: WavespeedAnswer): (UploadSlot & { readonly downloadUrl: string }) | undefined {
  const downloadUrl = urlOf(data.download_url);
  const { url, method, headers } = fieldsOf(data.upload);
  if (downloadUrl === undefined || typeof url !== 'string') return undefined;
  const given = Object.entries(fieldsOf(headers)).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return { downloadUrl, url, method: method === 'POST' ? 'POST' : 'PUT', headers: Object.fromEntries(given) };
}
