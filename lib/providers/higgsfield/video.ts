import type { Call } from '../../domain/call';
import { fieldsOf, isObject, type Fields } from '../../domain/json';
import type { VideoId } from '../../domain/ids';
import type { MediaBytes } from '../../domain/provider';
import { requestNameOf } from '../../domain/video';
import type { FinishedVideo, RunningVideo, VideoOrder, VideoProgress, VideoProvider } from '../../domain/video';
import { forgedCallback, hmacSha256, isSame } from '../kit/auth/callback-signature';
import { modelNotOffered } from '../kit/http/upstream-error';
import { addressOf, textOf } from '../kit/video/answer-fields';
import { textOfNote, UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import { withFacts } from '../kit/video/probe-remote';
import { CANCELLED, endOf, lostJob, moderated, NOT_GENERATED, unknownStatus } from '../kit/video/progress';
import { isOwnNotFound, notStarted, pollFailure, submitRefusal, type FieldsAnswer } from '../kit/video/refusal';
import { askAboutJob, isOldJob, submitJob, type VendorVideoDeps } from '../kit/video/vendor-job';
import { refusalRules } from './refusals';

// A submit gives the id of a job set with one job, and polls of the id end with a public link. Higgsfield refuses content
// by a job that ends as `nsfw`, and charges for nothing but completed jobs. The first generation of the API cannot cancel
// a job. It calls the address of a job with the secret that the submit stated for it.

/** Higgsfield keeps results for at least seven days. */
const FILE_LIFETIME_MS = 7 * 24 * 60 * 60 * 1_000;

const forms: VendorForms<'https' | 'bytes'> = { image: [{ form: 'https' }, { form: 'bytes' }] };

/** A live answer of 2026-10-06 lists exactly these; the client's `dop-standard` is refused. */
const models = ['dop-lite', 'dop-turbo', 'dop-preview'];

/** Is this a model of DoP? */
export function isModel(name: string): boolean {
  return models.includes(name);
}

export interface HiggsfieldVideoDeps extends VendorVideoDeps<FieldsAnswer> {
  /** The secret of the API key. The secrets of callbacks are made from it. */
  readonly secret: string;
}

export function createHiggsfieldVideo(deps: HiggsfieldVideoDeps): VideoProvider {
  const { api, secret, clock, media, files, probe } = deps;

  /** The secret of the callbacks of a video, which only we and Higgsfield can know. */
  const secretFor = (videoId: VideoId) => hmacSha256(secret, `callback ${videoId}`);

  /** The public address of an uploaded image. */
  async function upload({ bytes, contentType }: MediaBytes, call: Call): Promise<string> {
    try {
      const answer = await api.send(
        {
          method: 'POST',
          path: '/files/generate-upload-url',
          body: JSON.stringify({ content_type: contentType }),
        },
        call,
      );
      const uploadUrl = textOf(answer.fields.upload_url);
      const publicUrl = textOf(answer.fields.public_url);
      if (uploadUrl === undefined || publicUrl === undefined) throw submitRefusal(answer, refusalRules, clock.now());
      await files.upload({ url: uploadUrl, method: 'PUT', headers: { 'content-type': contentType } }, bytes, call);
      return publicUrl;
    } catch (error) {
      throw notStarted(error);
    }
  }

  return {
    unknownJob: { jobSetId: UNKNOWN_ID },

    async start({ videoId, order, binding, owner, callbackUrl, submitting }, call) {
      if (order.kind !== 'i2v' || !isModel(requestNameOf(binding)))
        throw modelNotOffered('Higgsfield makes only videos from an image with this model.');
      return withMedia({ order, owner }, forms, media, call, async ({ first_frame }) => {
        const images = await Promise.all(
          first_frame.map(async (image) => (image.form === 'bytes' ? upload(image, call) : image.url)),
        );
        const body = { params: paramsOf(order, binding.modelName, images) };
        await submitting(body);
        const webhook = callbackUrl === undefined ? {} : { webhook: { url: callbackUrl, secret: secretFor(videoId) } };
        const request = { path: '/v1/image2video/dop', body: JSON.stringify({ ...body, ...webhook }) };
        const answer = await submitJob(api, request, call);
        // An id proves that the video has begun, whatever else the answer says.
        const jobSetId = textOf(answer.fields.id);
        if (jobSetId === undefined) throw submitRefusal(answer, refusalRules, clock.now());
        return { receipt: { jobSetId }, providerJobId: jobSetId };
      });
    },

    async receiveCallback({ videoId, headers }) {
      if (!isSame(headers['x-webhook-secret-key'] ?? '', secretFor(videoId))) throw forgedCallback();
      return undefined;
    },

    async check(running, call) {
      const path = `/v1/job-sets/${encodeURIComponent(textOfNote(running.receipt, 'jobSetId'))}`;
      const answer = await askAboutJob(api, { method: 'GET', path }, call);
      if (isOwnNotFound(answer) && isOldJob(running, clock)) return lostJob();
      const job = jobOf(answer);
      if (!job) throw pollFailure(answer, refusalRules, clock.now());
      return withFacts(progressOf(job, running, call), { files, probe, clock }, call);
    },

    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),
  };
}

function paramsOf({ prompt, seed, parameters }: VideoOrder, modelName: string, images: readonly string[]): Fields {
  return {
    // The option determines quality and price.
    model: parameters.options ?? modelName,
    prompt,
    ...(seed !== undefined && { seed }),
    enhance_prompt: parameters.prompt_extend === true,
    input_images: images.map((url) => ({ type: 'image_url', image_url: url })),
  };
}

interface Job {
  readonly status: string;
  readonly results: Fields;
}

function jobOf({ status, fields: { jobs } }: FieldsAnswer): Job | undefined {
  const [job] = Array.isArray(jobs) ? jobs.filter(isObject) : [];
  const word = textOf(job?.status);
  return status === 200 && word !== undefined ? { status: word, results: fieldsOf(job?.results) } : undefined;
}

function progressOf({ status, results }: Job, running: RunningVideo, call: Call): VideoProgress {
  switch (status.toLowerCase()) {
    case 'queued':
      return { status: 'queued' };
    case 'in_progress':
      return { status: 'in_progress' };
    case 'completed':
      return endOf(finishedVideo(results, running.startedAt));
    case 'failed':
      return { status: 'failed', ...NOT_GENERATED };
    case 'nsfw':
      return { status: 'failed', ...moderated('image') };
    case 'canceled':
    case 'cancelled':
      return { status: 'failed', ...CANCELLED };
    default:
      return unknownStatus('higgsfield', running, call);
  }
}

/** `raw` is the whole video, and `min` a smaller copy. */
function finishedVideo({ raw }: Fields, startedAt: Date): FinishedVideo | undefined {
  const url = addressOf(fieldsOf(raw).url);
  if (url === undefined) return undefined;
  return {
    file: { url },
    publicUrl: url,
    // From the start and not from this check, so that every check promises the same.
    expiresAt: new Date(startedAt.getTime() + FILE_LIFETIME_MS),
  };
}
