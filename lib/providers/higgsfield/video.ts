import type { Call } from '../../domain/call';
import { fieldsOf, isObject, type Fields, type Json } from '../../domain/json';
import type { VideoId } from '../../domain/ids';
import type { MediaBytes } from '../../domain/provider';
import { requestNameOf } from '../../domain/video';
import type {
  FinishedVideo,
  ProviderCallback,
  RunningVideo,
  VideoOrder,
  VideoProgress,
  VideoProvider,
  VideoStart,
} from '../../domain/video';
import { forgedCallback, hmacSha256, isSame } from '../kit/auth/callback-signature';
import { modelNotOffered } from '../kit/http/upstream-error';
import { idOf, textOf, urlOf } from '../kit/video/answer-fields';
import { textOfNote, UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import { withFacts } from '../kit/video/probe-remote';
import { CANCELLED, endOf, lostJob, moderated, NOT_GENERATED, unknownStatus } from '../kit/video/progress';
import { expandsPrompt } from '../kit/video/prompt-extension';
import {
  isDone,
  isOwnNotFound,
  isSuccess,
  notStarted,
  pollFailure,
  submitRefusal,
  type FieldsAnswer,
} from '../kit/video/refusal';
import { askAboutJob, checkJobId, isLost, submitJob, type VendorVideoDeps } from '../kit/video/vendor-job';
import { refusalRules } from './refusals';

// A submit gives the id of a job set with one job, and polls of the id end with a public link. If Higgsfield refuses
// the content, the job ends as `nsfw`. Only completed jobs are charged. The first generation of the API cannot cancel a
// job, and its callbacks contain the secret that the submit stated. The second generation has requests instead of job
// sets, can cancel queued requests, and its callbacks have no secret. The receipt says which generation has the job.

const DOP_PATH = '/v1/image2video/dop';
/** Higgsfield keeps results for at least seven days. */
const FILE_LIFETIME_MS = 7 * 24 * 60 * 60 * 1_000;

const forms: VendorForms<'https' | 'bytes'> = { image: [{ form: 'https' }, { form: 'bytes' }] };

/** A live answer of 2026-10-06 lists exactly these; the client's `dop-standard` is refused. */
const models = ['dop-lite', 'dop-turbo', 'dop-preview'];

/** Returns whether this is a model of DoP. */
export function isModel(name: string): boolean {
  return models.includes(name);
}

export interface HiggsfieldVideoDeps extends VendorVideoDeps<FieldsAnswer> {
  /** The API with the credentials in the header of the second generation. */
  readonly secondApi: VendorVideoDeps<FieldsAnswer>['api'];
  /** The secret of the API key. The secrets of callbacks are derived from it. */
  readonly secret: string;
  /** The generation of the API that takes new videos. */
  readonly version: 1 | 2;
}

export function createHiggsfieldVideo(deps: HiggsfieldVideoDeps): VideoProvider {
  const { api, secondApi, secret, version, clock, media, files, probe } = deps;

  /** The secret of the callbacks of a video, which only we and Higgsfield can know. */
  const secretFor = (videoId: VideoId) => hmacSha256(secret, `callback ${videoId}`);

  /** Uploads an image and returns its public URL. */
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
      const publicUrl = urlOf(answer.fields.public_url);
      if (uploadUrl === undefined || publicUrl === undefined) throw submitRefusal(answer, refusalRules, clock.now());
      await files.upload({ url: uploadUrl, method: 'PUT', headers: { 'content-type': contentType } }, bytes, call);
      return publicUrl;
    } catch (error) {
      throw notStarted(error);
    }
  }

  /** Submits a video. Returns the answer and the receipt for later calls, which is absent if the answer has no id. */
  async function submit(params: Fields, { videoId, callbackUrl, submitting }: VideoStart, call: Call) {
    const body = version === 2 ? params : { params };
    await submitting(body);
    if (version === 2) {
      const query = callbackUrl === undefined ? '' : `?${new URLSearchParams({ hf_webhook: callbackUrl })}`;
      const answer = await submitJob(secondApi, { path: DOP_PATH + query, body: JSON.stringify(body) }, call);
      return { answer, id: idOf(answer.fields.request_id), receipt: (id: string): Json => ({ requestId: id }) };
    }
    const webhook = callbackUrl === undefined ? {} : { webhook: { url: callbackUrl, secret: secretFor(videoId) } };
    const answer = await submitJob(api, { path: DOP_PATH, body: JSON.stringify({ ...body, ...webhook }) }, call);
    return { answer, id: idOf(answer.fields.id), receipt: (id: string): Json => ({ jobSetId: id }) };
  }

  /** Reads the job of a receipt; it is absent if the answer does not contain it. */
  async function readJob(receipt: Json, call: Call): Promise<{ answer: FieldsAnswer; job: Job | undefined }> {
    const requestPath = requestPathOf(receipt);
    if (requestPath === undefined) {
      const jobSetId = textOfNote(receipt, 'jobSetId');
      const path = `/v1/job-sets/${encodeURIComponent(jobSetId)}`;
      const answer = await askAboutJob(api, { method: 'GET', path }, call);
      checkJobId(answer.fields.id, jobSetId);
      return { answer, job: jobOf(answer) };
    }
    const answer = await askAboutJob(secondApi, { method: 'GET', path: `${requestPath}/status` }, call);
    checkJobId(answer.fields.request_id, textOfNote(receipt, 'requestId'));
    return { answer, job: requestOf(answer) };
  }

  const cancel: NonNullable<VideoProvider['cancel']> = async ({ receipt }, call) => {
    const path = requestPathOf(receipt);
    if (path === undefined) return 'unsupported';
    const answer = await askAboutJob(secondApi, { method: 'POST', path: `${path}/cancel` }, call);
    if (isDone(answer)) return 'requested';
    // Only a request that still waits can be cancelled.
    if (answer.refusal && [400, 404, 409, 422].includes(answer.status)) return 'too_late';
    throw pollFailure(answer, refusalRules, clock.now());
  };

  return {
    unknownJob: version === 2 ? { requestId: UNKNOWN_ID } : { jobSetId: UNKNOWN_ID },

    async start(start, call) {
      const { order, binding, owner } = start;
      if (order.kind !== 'i2v' || !isModel(requestNameOf(binding)))
        throw modelNotOffered('Higgsfield makes only videos from an image with this model.');
      return withMedia({ order, owner }, forms, media, call, async ({ first_frame }) => {
        const images = await Promise.all(
          first_frame.map(async (image) => (image.form === 'bytes' ? upload(image, call) : image.url)),
        );
        const { answer, id, receipt } = await submit(paramsOf(order, binding.modelName, images), start, call);
        // An id proves that the video has begun, whatever else the answer says.
        if (id === undefined) throw submitRefusal(answer, refusalRules, clock.now());
        return { receipt: receipt(id), providerJobId: id };
      });
    },

    // The second generation does not sign its calls.
    ...(version === 1 && {
      async receiveCallback({ videoId, headers }: ProviderCallback) {
        if (!isSame(headers['x-webhook-secret-key'] ?? '', secretFor(videoId))) throw forgedCallback();
        return undefined;
      },
    }),

    async check(running, call) {
      const { answer, job } = await readJob(running.receipt, call);
      if (isOwnNotFound(answer) && isLost(running, clock)) return lostJob();
      if (!job) throw pollFailure(answer, refusalRules, clock.now());
      return withFacts(progressOf(job, running, call), { files, probe, clock }, call);
    },

    ...(version === 2 && { cancel }),

    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),
  };
}

/** Returns the path of a request of the second generation; undefined for a job set of the first one. */
function requestPathOf(receipt: Json): string | undefined {
  const id = textOf(fieldsOf(receipt).requestId);
  return id === undefined ? undefined : `/requests/${encodeURIComponent(id)}`;
}

function paramsOf(order: VideoOrder, modelName: string, images: readonly string[]): Fields {
  const { prompt, seed, parameters } = order;
  return {
    // The option determines quality and price.
    model: parameters.options ?? modelName,
    prompt,
    ...(seed !== undefined && { seed }),
    enhance_prompt: expandsPrompt(order),
    input_images: images.map((url) => ({ type: 'image_url', image_url: url })),
  };
}

interface Job {
  readonly status: string;
  /** The video in full size, if it is finished. */
  readonly video: Fields;
}

function jobOf(answer: FieldsAnswer): Job | undefined {
  const { jobs } = answer.fields;
  const [job] = Array.isArray(jobs) ? jobs.filter(isObject) : [];
  const word = textOf(job?.status);
  // `raw` is the video in full size, and `min` a smaller copy.
  return isSuccess(answer) && word !== undefined
    ? { status: word, video: fieldsOf(fieldsOf(job?.results).raw) }
    : undefined;
}

function requestOf(answer: FieldsAnswer): Job | undefined {
  const { fields } = answer;
  const word = textOf(fields.status);
  return isSuccess(answer) && word !== undefined ? { status: word, video: fieldsOf(fields.video) } : undefined;
}

function progressOf({ status, video }: Job, running: RunningVideo, call: Call): VideoProgress {
  switch (status.toLowerCase()) {
    case 'queued':
      return { status: 'queued' };
    case 'in_progress':
      return { status: 'in_progress' };
    case 'completed':
      return endOf(finishedVideo(video, running.startedAt), running);
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

function finishedVideo(video: Fields, startedAt: Date): FinishedVideo | undefined {
  const url = urlOf(video.url);
  if (url === undefined) return undefined;
  return {
    file: { url },
    publicUrl: url,
    // Counted from the start and not from this check, so that every check reports the same expiry.
    expiresAt: new Date(startedAt.getTime() + FILE_LIFETIME_MS),
  };
}
