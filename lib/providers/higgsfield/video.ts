import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import type { ProbeVideo, RemoteFiles } from '../../domain/files';
import { fieldsOf, isObject, type Fields } from '../../domain/json';
import type { MediaBytes, MediaSource } from '../../domain/provider';
import type { FinishedVideo, RunningVideo, VideoOrder, VideoProgress, VideoProvider } from '../../domain/video';
import { modelNotOffered } from '../kit/http/upstream-error';
import { textOfNote, UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import { factsOfRemote } from '../kit/video/probe-remote';
import { laterPoll, notStarted, pollFailure, submitRefusal } from '../kit/video/refusal';
import { refusalRules, type HiggsfieldAnswer, type HiggsfieldApi } from './api';
import { parseUrl } from '../../domain/url';

// A submit gives the id of a job set with one job, and polls of the id end with a public link. Higgsfield refuses content
// by a job that ends as `nsfw`, and charges for nothing but completed jobs. The first generation of the API cannot cancel
// a job. Its webhooks need a secret of their own beside the address; the checks are enough.

export interface HiggsfieldVideoDeps {
  readonly api: HiggsfieldApi;
  readonly clock: Clock;
  readonly media: Pick<MediaSource, 'as'>;
  readonly files: RemoteFiles;
  readonly probe: ProbeVideo;
}

const SUBMIT_TIMEOUT_MS = 30_000;
const POLL_TIMEOUT_MS = 15_000;
/** A new job set may be unknown to polls for this long. */
const UNKNOWN_JOB_MS = 60_000;
/** Higgsfield keeps results for at least seven days. */
const FILE_LIFETIME_MS = 7 * 24 * 60 * 60 * 1_000;

const forms: VendorForms<'https' | 'bytes'> = { image: [{ form: 'https' }, { form: 'bytes' }] };

/** A live answer of 2026-10-06 lists exactly these; the client's `dop-standard` is refused. */
const models = ['dop-lite', 'dop-turbo', 'dop-preview'];

/** Is this a model of DoP? */
export function isModel(name: string): boolean {
  return models.includes(name);
}

export function createHiggsfieldVideo({ api, clock, media, files, probe }: HiggsfieldVideoDeps): VideoProvider {
  /** The public address of an uploaded image. */
  async function upload({ bytes, contentType }: MediaBytes, call: Call): Promise<string> {
    try {
      const answer = await api.send(
        {
          method: 'POST',
          path: '/files/generate-upload-url',
          body: JSON.stringify({ content_type: contentType }),
          headersMs: POLL_TIMEOUT_MS,
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

    async start({ order, binding: { modelName }, owner, submitting }, call) {
      if (order.kind !== 'i2v' || !isModel(modelName))
        throw modelNotOffered('Higgsfield makes only videos from an image with this model.');
      return withMedia({ order, owner }, forms, media, call, async ({ first_frame }) => {
        const images = await Promise.all(
          first_frame.map(async (image) => (image.form === 'bytes' ? upload(image, call) : image.url)),
        );
        const body = { params: paramsOf(order, modelName, images) };
        await submitting(body);
        const answer = await api.send(
          {
            method: 'POST',
            path: '/v1/image2video/dop',
            body: JSON.stringify(body),
            ownConnection: true,
            headersMs: SUBMIT_TIMEOUT_MS,
          },
          call,
        );
        // An id proves that the video has begun, whatever else the answer says.
        const jobSetId = textOf(answer.fields.id);
        if (jobSetId === undefined) throw submitRefusal(answer, refusalRules, clock.now());
        return { receipt: { jobSetId }, providerJobId: jobSetId };
      });
    },

    async check(running, call) {
      const path = `/v1/job-sets/${encodeURIComponent(textOfNote(running.receipt, 'jobSetId'))}`;
      const answer = await api
        .send({ method: 'GET', path, headersMs: POLL_TIMEOUT_MS }, call)
        .catch((error: unknown) => {
          throw laterPoll(error);
        });
      if (isUnknownJob(answer) && clock.nowMs() - running.startedAt.getTime() > UNKNOWN_JOB_MS)
        return { status: 'failed', code: 'generation_failed', message: 'The provider no longer knows this video.' };
      const job = jobOf(answer);
      if (!job) throw pollFailure(answer, refusalRules, clock.now());
      const progress = progressOf(job, running, call);
      if (progress.status !== 'completed') return progress;
      const url = textOfNote(progress.video.file, 'url');
      const facts = await factsOfRemote((part, probing) => files.open(url, part, probing), { probe, clock }, call);
      return { ...progress, video: { ...progress.video, ...facts } };
    },

    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),
  };
}

function paramsOf({ prompt, seed, parameters }: VideoOrder, modelName: string, images: readonly string[]): Fields {
  return {
    // The option decides about quality and price.
    model: parameters.options ?? modelName,
    prompt,
    ...(seed !== undefined && { seed }),
    enhance_prompt: parameters.prompt_extend === true,
    input_images: images.map((url) => ({ type: 'image_url', image_url: url })),
  };
}

/** Higgsfield's own 404, and not that of a proxy. */
function isUnknownJob({ status, refusal }: HiggsfieldAnswer): boolean {
  return status === 404 && refusal !== undefined;
}

interface Job {
  readonly status: string;
  readonly results: Fields;
}

function jobOf({ status, fields: { jobs } }: HiggsfieldAnswer): Job | undefined {
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
    case 'completed': {
      const video = finishedVideo(results, running.startedAt);
      if (video) return { status: 'completed', video };
      const message = 'The provider finished the video without a file.';
      return { status: 'failed', code: 'generation_failed', message };
    }
    case 'failed':
      return { status: 'failed', code: 'generation_failed', message: 'The provider could not generate this video.' };
    case 'nsfw':
      return {
        status: 'failed',
        code: 'content_policy_violation',
        message: 'The provider refused the content of this video. Change the prompt or the image.',
      };
    case 'canceled':
    case 'cancelled':
      return { status: 'failed', code: 'cancelled', message: 'The video was cancelled at the provider.' };
    default:
      call.log.warn('the upstream reported an unknown status of a video', {
        provider: 'higgsfield',
        videoId: running.videoId,
      });
      return { status: 'in_progress' };
  }
}

/** `raw` is the whole video, and `min` a smaller copy. */
function finishedVideo({ raw }: Fields, startedAt: Date): FinishedVideo | undefined {
  const url = textOf(fieldsOf(raw).url);
  if (url === undefined || !parseUrl(url)) return undefined;
  return {
    file: { url },
    publicUrl: url,
    // From the start and not from this check, so that every check promises the same.
    expiresAt: new Date(startedAt.getTime() + FILE_LIFETIME_MS),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
