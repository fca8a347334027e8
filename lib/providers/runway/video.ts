import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import { videoExpired } from '../../domain/errors';
import type { ProbeVideo, RemoteFiles } from '../../domain/files';
import { fieldsOf, type Fields, type Json } from '../../domain/json';
import type { MediaBytes, MediaInForm, MediaSource } from '../../domain/provider';
import { mediaKind } from '../../domain/video';
import type {
  FinishedVideo,
  RunningVideo,
  UpstreamBill,
  VideoOrder,
  VideoProgress,
  VideoProvider,
  VideoStart,
} from '../../domain/video';
import { encodeMultipart } from '../kit/http/multipart';
import { modelNotOffered } from '../kit/http/upstream-error';
import { imageShape, nearestRatio } from '../kit/video/image-shape';
import { textOfNote, UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type MediaByRole, type VendorForms } from '../kit/video/order-media';
import { factsOfRemote } from '../kit/video/probe-remote';
import { laterPoll, notStarted, pollFailure, submitRefusal } from '../kit/video/refusal';
import { refusalRules, type RunwayAnswer, type RunwayApi } from './api';
import { ratiosToChoose, requestFor, type MediaAddresses } from './models';
import { parseUrl } from '../../domain/url';

// A submit gives the id of a task, and polls of the id end with a link. Runway refuses content by a task that fails, and
// queues what is more than the account may run at once. It charges for refused input.

export interface RunwayVideoDeps {
  readonly api: RunwayApi;
  readonly clock: Clock;
  readonly media: MediaSource;
  readonly files: RemoteFiles;
  readonly probe: ProbeVideo;
}

const SUBMIT_TIMEOUT_MS = 30_000;
const POLL_TIMEOUT_MS = 15_000;
/** A data URL may have 5 MB of text, and a file is a quarter shorter than its base64. */
const MAX_DATA_BYTES = 3_700_000;
/** Of an uploaded file. */
const MAX_UPLOAD_BYTES = 200_000_000;
/** "Consumers of this API should not expect updates more frequent than once every five seconds." */
const MIN_POLL_INTERVAL_MS = 5_000;
/** A new task may be unknown to polls for this long. */
const UNKNOWN_TASK_MS = 60_000;
/** A link ends after 24 to 48 hours; Runway does not say for how long it makes new ones. */
const LINK_LIFETIME_MS = 24 * 60 * 60 * 1_000;
/** A task waits while the account runs as many as it may; the smallest account may run one. */
const WAIT_LIMIT_MS = 20 * 60 * 1_000;
/** A credit costs $0.01. */
const NANO_USD_PER_CREDIT = 10_000_000;

type Form = 'https' | 'data' | 'bytes';
const accepted = [
  { form: 'https' },
  { form: 'data', maxBytes: MAX_DATA_BYTES },
  // Uploaded before the submit.
  { form: 'bytes', maxBytes: MAX_UPLOAD_BYTES },
] as const;
const forms: VendorForms<Form> = { image: accepted, video: accepted };

export function createRunwayVideo({ api, clock, media, files, probe }: RunwayVideoDeps): VideoProvider {
  /** Rejects only if there is no answer. */
  async function askAboutTask(method: 'GET' | 'DELETE', receipt: Json, call: Call): Promise<RunwayAnswer> {
    const path = `/v1/tasks/${encodeURIComponent(textOfNote(receipt, 'taskId'))}`;
    try {
      return await api.send({ method, path, headersMs: POLL_TIMEOUT_MS }, call);
    } catch (error) {
      throw laterPoll(error);
    }
  }

  const unreadable = (answer: RunwayAnswer) => pollFailure(answer, refusalRules, clock.now());

  /** Most models have no word for the ratio of the image, and would cut the image to another one. */
  async function withRatio(
    { order, binding, owner }: Pick<VideoStart, 'order' | 'binding' | 'owner'>,
    call: Call,
  ): Promise<VideoOrder> {
    const ratios = ratiosToChoose(binding.modelName, order);
    if (ratios.length === 0) return order;
    const image = order.media.find(({ role }) => mediaKind(role) === 'image');
    const shape = image && imageShape((await media.read(image.url, { kind: 'image', owner }, call)).bytes);
    const aspectRatio = nearestRatio(ratios, shape ?? order.width / order.height);
    return { ...order, ...(aspectRatio !== undefined && { aspectRatio }) };
  }

  async function addressesOf(taken: MediaByRole<Form>, call: Call): Promise<MediaAddresses> {
    // One after the other: after a failure, no other upload is still running.
    const addresses = async (list: readonly Extract<MediaInForm, { form: Form }>[]) => {
      const found: string[] = [];
      for (const one of list) found.push(one.form === 'bytes' ? await upload(one, call) : one.url);
      return found;
    };
    return {
      first_frame: await addresses(taken.first_frame),
      last_frame: await addresses(taken.last_frame),
      reference_image: await addresses(taken.reference_image),
      reference_video: await addresses(taken.reference_video),
      source_video: await addresses(taken.source_video),
    };
  }

  /** The runway URI of an uploaded file, which is valid for a day. */
  async function upload({ bytes, contentType }: MediaBytes, call: Call): Promise<string> {
    const fileName = `media.${extensionOf(contentType)}`;
    try {
      const answer = await api.send(
        {
          method: 'POST',
          path: '/v1/uploads',
          body: JSON.stringify({ filename: fileName, type: 'ephemeral' }),
          headersMs: POLL_TIMEOUT_MS,
        },
        call,
      );
      const slot = parseSlot(answer);
      if (!slot) throw submitRefusal(answer, refusalRules, clock.now());
      // The storage ignores the fields that follow the file.
      const form = await encodeMultipart({ ...slot.fields, file: { bytes, contentType, fileName } });
      const headers = { 'content-type': form.contentType };
      await files.upload({ url: slot.url, method: 'POST', headers }, form.body, call);
      return slot.uri;
    } catch (error) {
      throw notStarted(error);
    }
  }

  return {
    pace: { firstMs: MIN_POLL_INTERVAL_MS, minMs: MIN_POLL_INTERVAL_MS },
    waitLimitMs: WAIT_LIMIT_MS,
    unknownJob: { taskId: UNKNOWN_ID },

    async start({ order: given, binding, owner, submitting }, call) {
      const order = await withRatio({ order: given, binding, owner }, call);
      const request = requestFor(binding.modelName, order);
      if (!request) throw modelNotOffered('Runway does not make this kind or size of video with this model.');
      return withMedia({ order, owner }, forms, media, call, async (taken) => {
        const body = request.body(await addressesOf(taken, call));
        await submitting(body);
        const answer = await api.send(
          {
            method: 'POST',
            path: request.path,
            body: JSON.stringify(body),
            ownConnection: true,
            headersMs: SUBMIT_TIMEOUT_MS,
          },
          call,
        );
        // An id proves that the video has begun, whatever else the answer says.
        const taskId = textOf(answer.fields.id);
        if (taskId === undefined) throw submitRefusal(answer, refusalRules, clock.now());
        return { receipt: { taskId }, providerJobId: taskId };
      });
    },

    async check(running, call) {
      const answer = await askAboutTask('GET', running.receipt, call);
      if (isUnknownTask(answer) && clock.nowMs() - running.startedAt.getTime() > UNKNOWN_TASK_MS)
        return { status: 'failed', code: 'generation_failed', message: 'The provider no longer knows this video.' };
      const status = statusOf(answer);
      if (status === undefined) throw unreadable(answer);
      const progress = progressOf(status, answer.fields, running, call);
      if (progress.status !== 'completed') return progress;
      const url = textOfNote(progress.video.file, 'url');
      const facts = await factsOfRemote((part, probing) => files.open(url, part, probing), { probe, clock }, call);
      return { ...progress, video: { ...progress.video, ...facts } };
    },

    // Runway deletes the result if the task has ended.
    async cancel({ receipt }, call) {
      const answer = await askAboutTask('GET', receipt, call);
      const status = statusOf(answer);
      if (status === undefined && !isUnknownTask(answer)) throw unreadable(answer);
      if (!['PENDING', 'THROTTLED', 'RUNNING'].includes(status ?? '')) return 'too_late';
      const deleted = await askAboutTask('DELETE', receipt, call);
      if (deleted.status >= 200 && deleted.status < 300) return 'cancelled';
      if (isUnknownTask(deleted)) return 'too_late';
      throw unreadable(deleted);
    },

    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),

    async refresh({ receipt }, call) {
      const answer = await askAboutTask('GET', receipt, call);
      const url = linkOf(answer.fields);
      if (url !== undefined) return { url };
      if (statusOf(answer) !== undefined || isUnknownTask(answer)) throw videoExpired();
      throw unreadable(answer);
    },
  };
}

interface Slot {
  readonly url: string;
  /** Of the form that is sent there, before the file. */
  readonly fields: Readonly<Record<string, string>>;
  readonly uri: string;
}

function parseSlot({ fields: { uploadUrl, fields, runwayUri } }: RunwayAnswer): Slot | undefined {
  const url = textOf(uploadUrl);
  const uri = textOf(runwayUri);
  if (url === undefined || uri === undefined) return undefined;
  const texts = Object.entries(fieldsOf(fields)).map(([name, value]) => [name, String(value)] as const);
  return { url, fields: Object.fromEntries(texts), uri };
}

/** Runway reads the kind of a file from its name. */
function extensionOf(contentType: string): string {
  return contentType === 'video/quicktime' ? 'mov' : contentType.slice(contentType.indexOf('/') + 1);
}

/** Runway's own 404, and not that of a proxy. */
function isUnknownTask({ status, refusal }: RunwayAnswer): boolean {
  return status === 404 && refusal !== undefined;
}

function statusOf({ status, fields }: RunwayAnswer): string | undefined {
  return status === 200 ? textOf(fields.status)?.toUpperCase() : undefined;
}

function progressOf(status: string, task: Fields, running: RunningVideo, call: Call): VideoProgress {
  const bill = billOf(task);
  switch (status) {
    case 'PENDING':
    case 'THROTTLED':
      return { status: 'queued' };
    case 'RUNNING':
      return { status: 'in_progress' };
    case 'SUCCEEDED': {
      const video = finishedVideo(task, running.startedAt);
      if (video) return { status: 'completed', video, ...bill };
      const message = 'The provider finished the video without a file.';
      return { status: 'failed', code: 'generation_failed', message, ...bill };
    }
    case 'FAILED':
      return { status: 'failed', ...failureOf(task.failureCode), ...bill };
    case 'CANCELLED':
      return { status: 'failed', code: 'cancelled', message: 'The video was cancelled at the provider.', ...bill };
    default:
      call.log.warn('the upstream reported an unknown status of a video', {
        provider: 'runway',
        videoId: running.videoId,
      });
      return { status: 'in_progress' };
  }
}

/** From https://docs.dev.runwayml.com/errors/task-failures (November 2026). Many failures have no code. */
function failureOf(failureCode: unknown): Pick<Extract<VideoProgress, { status: 'failed' }>, 'code' | 'message'> {
  const code = textOf(failureCode) ?? '';
  if (/^(SAFETY|INPUT_PREPROCESSING\.SAFETY)\b/.test(code))
    return {
      code: 'content_policy_violation',
      message: 'The provider refused the content of this video. Change the prompt or the media.',
    };
  if (/^ASSET\.INVALID\b/.test(code))
    return {
      code: 'media_invalid',
      message: 'The provider cannot use the media: their format, size or duration is wrong.',
    };
  return { code: 'generation_failed', message: 'The provider could not generate this video.' };
}

function finishedVideo(task: Fields, startedAt: Date): FinishedVideo | undefined {
  const url = linkOf(task);
  if (url === undefined) return undefined;
  return {
    file: { url },
    publicUrl: url,
    // From the start and not from this check, so that every check promises the same.
    expiresAt: new Date(startedAt.getTime() + LINK_LIFETIME_MS),
  };
}

/** Every poll gets a new link to the same file. */
function linkOf({ output }: Fields): string | undefined {
  const url = Array.isArray(output) ? textOf(output[0]) : undefined;
  return url !== undefined && parseUrl(url) !== undefined ? url : undefined;
}

/** What the task has cost at its end, also if it failed. */
function billOf({ cost }: Fields): { readonly bill?: UpstreamBill } {
  const { credits } = fieldsOf(cost);
  if (typeof credits !== 'number' || !Number.isFinite(credits) || credits < 0) return {};
  return { bill: { nanoUsd: BigInt(Math.round(credits * NANO_USD_PER_CREDIT)), units: `${credits} credits` } };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
