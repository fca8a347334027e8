import type { Call } from '../../domain/call';
import { videoExpired } from '../../domain/errors';
import { fieldsOf, type Fields, type Json } from '../../domain/json';
import type { MediaBytes, MediaInForm } from '../../domain/provider';
import { mediaKind, requestNameOf } from '../../domain/video';
import type {
  FinishedVideo,
  RunningVideo,
  VideoOrder,
  VideoProgress,
  VideoProvider,
  VideoStart,
} from '../../domain/video';
import { encodeMultipart } from '../kit/http/multipart';
import { modelNotOffered } from '../kit/http/upstream-error';
import { idOf, textOf, urlOf } from '../kit/video/answer-fields';
import { readImageShape, nearestRatio } from '../kit/video/image-shape';
import { textOfNote, UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type MediaByRole, type VendorForms } from '../kit/video/order-media';
import { withFacts } from '../kit/video/probe-remote';
import {
  CANCELLED,
  endOf,
  lostJob,
  moderated,
  NOT_GENERATED,
  unknownStatus,
  type Billed,
  type VideoFailure,
} from '../kit/video/progress';
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
import { ratiosToChoose, requestFor, type MediaUrls } from './models';
import { refusalRules } from './refusals';

// A submit gives the id of a task, and polls of the id end with a link. If Runway refuses the content, the task fails,
// and the input is charged. Tasks beyond the account's concurrency are queued.

/** A data URL may have 5 MB of text, and a file is a quarter shorter than its base64. */
const MAX_DATA_BYTES = 3_700_000;
/** The maximum size of an uploaded file. */
const MAX_UPLOAD_BYTES = 200_000_000;
/** "Consumers of this API should not expect updates more frequent than once every five seconds." */
const MIN_POLL_INTERVAL_MS = 5_000;
/** A link expires after 24 to 48 hours; Runway does not document for how long it makes new ones. */
const LINK_LIFETIME_MS = 24 * 60 * 60 * 1_000;
/** Tasks above the account's concurrency wait; the smallest plan runs one at a time. */
const WAIT_TIMEOUT_MS = 20 * 60 * 1_000;
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

export function createRunwayVideo({ api, clock, media, files, probe }: VendorVideoDeps<FieldsAnswer>): VideoProvider {
  const askAboutTask = (method: 'GET' | 'DELETE', receipt: Json, call: Call) =>
    askAboutJob(api, { method, path: `/v1/tasks/${encodeURIComponent(textOfNote(receipt, 'taskId'))}` }, call);

  /** Reads the task of a receipt, or the error that says why there is none. */
  async function readTask(receipt: Json, call: Call): Promise<FieldsAnswer> {
    const answer = await askAboutTask('GET', receipt, call);
    checkJobId(answer.fields.id, textOfNote(receipt, 'taskId'));
    return answer;
  }

  const unreadable = (answer: FieldsAnswer) => pollFailure(answer, refusalRules, clock.now());

  /**
   * Chooses a ratio near that of the image: most models cannot follow the image, and would crop it to their default.
   */
  async function withRatio(
    { order, binding, owner }: Pick<VideoStart, 'order' | 'binding' | 'owner'>,
    call: Call,
  ): Promise<VideoOrder> {
    const ratios = ratiosToChoose(requestNameOf(binding), order);
    if (ratios.length === 0) return order;
    const image = order.media.find(({ role }) => mediaKind(role) === 'image');
    const shape = image && (await readImageShape(media, image.url, owner, call));
    const aspectRatio = nearestRatio(ratios, shape ?? order.width / order.height);
    return { ...order, ...(aspectRatio !== undefined && { aspectRatio }) };
  }

  async function urlsOf(taken: MediaByRole<Form>, call: Call): Promise<MediaUrls> {
    // Sequentially, so that no other upload is still running after a failure.
    const urls = async (list: readonly Extract<MediaInForm, { form: Form }>[]) => {
      const found: string[] = [];
      for (const one of list) found.push(one.form === 'bytes' ? await upload(one, call) : one.url);
      return found;
    };
    return {
      first_frame: await urls(taken.first_frame),
      last_frame: await urls(taken.last_frame),
      reference_image: await urls(taken.reference_image),
      reference_video: await urls(taken.reference_video),
      source_video: await urls(taken.source_video),
    };
  }

  /** Uploads a file and returns its runway URI, which is valid for a day. */
  async function upload({ bytes, contentType }: MediaBytes, call: Call): Promise<string> {
    const fileName = `media.${extensionOf(contentType)}`;
    try {
      const answer = await api.send(
        {
          method: 'POST',
          path: '/v1/uploads',
          body: JSON.stringify({ filename: fileName, type: 'ephemeral' }),
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
    waitTimeoutMs: WAIT_TIMEOUT_MS,
    unknownJob: { taskId: UNKNOWN_ID },

    async start({ order: given, binding, owner, submitting }, call) {
      const order = await withRatio({ order: given, binding, owner }, call);
      const request = requestFor(binding, order);
      if (!request) throw modelNotOffered('Runway does not make this kind or size of video with this model.');
      return withMedia({ order, owner }, forms, media, call, async (taken) => {
        const body = request.body(await urlsOf(taken, call));
        await submitting(body);
        const answer = await submitJob(api, { path: request.path, body: JSON.stringify(body) }, call);
        // An id proves that the video has begun, whatever else the answer says.
        const taskId = idOf(answer.fields.id);
        if (taskId === undefined) throw submitRefusal(answer, refusalRules, clock.now());
        return { receipt: { taskId }, providerJobId: taskId };
      });
    },

    async check(running, call) {
      const answer = await readTask(running.receipt, call);
      if (isOwnNotFound(answer) && isLost(running, clock)) return lostJob();
      const status = statusOf(answer);
      if (status === undefined) throw unreadable(answer);
      return withFacts(progressOf(status, answer.fields, running, call), { files, probe, clock }, call);
    },

    // Runway deletes the result if the task has ended.
    async cancel({ receipt }, call) {
      const answer = await readTask(receipt, call);
      const status = statusOf(answer);
      if (status === undefined && !isOwnNotFound(answer)) throw unreadable(answer);
      if (!['PENDING', 'THROTTLED', 'RUNNING'].includes(status ?? '')) return 'too_late';
      const deleted = await askAboutTask('DELETE', receipt, call);
      if (isDone(deleted)) return 'cancelled';
      if (isOwnNotFound(deleted)) return 'too_late';
      throw unreadable(deleted);
    },

    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),

    async refresh({ receipt }, call) {
      const answer = await readTask(receipt, call);
      const url = linkOf(answer.fields);
      if (url !== undefined) return { url };
      if (statusOf(answer) !== undefined || isOwnNotFound(answer)) throw videoExpired();
      throw unreadable(answer);
    },
  };
}

interface Slot {
  readonly url: string;
  /** The fields of the form that come before the file. */
  readonly fields: Readonly<Record<string, string>>;
  readonly uri: string;
}

function parseSlot({ fields: { uploadUrl, fields, runwayUri } }: FieldsAnswer): Slot | undefined {
  const url = textOf(uploadUrl);
  const uri = idOf(runwayUri);
  if (url === undefined || !uri?.startsWith('runway://')) return undefined;
  const texts = Object.entries(fieldsOf(fields)).filter(([, value]) => typeof value !== 'object');
  return { url, fields: Object.fromEntries(texts.map(([name, value]) => [name, String(value)])), uri };
}

/** Returns the extension for a file's name, from which Runway reads its type. */
function extensionOf(contentType: string): string {
  return contentType === 'video/quicktime' ? 'mov' : contentType.slice(contentType.indexOf('/') + 1);
}

function statusOf(answer: FieldsAnswer): string | undefined {
  return isSuccess(answer) ? textOf(answer.fields.status)?.toUpperCase() : undefined;
}

function progressOf(status: string, task: Fields, running: RunningVideo, call: Call): VideoProgress {
  const bill = billOf(task);
  switch (status) {
    case 'PENDING':
    case 'THROTTLED':
      return { status: 'queued' };
    case 'RUNNING':
      return { status: 'in_progress' };
    case 'SUCCEEDED':
      return endOf(finishedVideo(task, running.startedAt), running, bill);
    case 'FAILED':
      return { status: 'failed', ...failureOf(task.failureCode), ...bill };
    case 'CANCELLED':
      return { status: 'failed', ...CANCELLED, ...bill };
    default:
      return unknownStatus('runway', running, call);
  }
}

/** Returns why a task failed; see https://docs.dev.runwayml.com/errors/task-failures (November 2026). Often no code. */
function failureOf(failureCode: unknown): VideoFailure {
  const code = textOf(failureCode) ?? '';
  if (/^(SAFETY|INPUT_PREPROCESSING\.SAFETY)\b/.test(code)) return moderated('media');
  if (/^ASSET\.INVALID\b/.test(code))
    return {
      code: 'media_invalid',
      message: 'The provider cannot use the media: the format, size or duration is not supported.',
    };
  return NOT_GENERATED;
}

function finishedVideo(task: Fields, startedAt: Date): FinishedVideo | undefined {
  const url = linkOf(task);
  if (url === undefined) return undefined;
  return {
    file: { url },
    publicUrl: url,
    // Counted from the start and not from this check, so that every check reports the same expiry.
    expiresAt: new Date(startedAt.getTime() + LINK_LIFETIME_MS),
  };
}

/** Returns the link to the file; every poll returns a new one. */
function linkOf({ output }: Fields): string | undefined {
  return Array.isArray(output) ? urlOf(output[0]) : undefined;
}

/** Returns the cost of a task that has ended, even if it failed. */
function billOf({ cost }: Fields): Billed {
  const { credits } = fieldsOf(cost);
  const nanoUsd = typeof credits === 'number' ? Math.round(credits * NANO_USD_PER_CREDIT) : -1;
  // A number beyond the safe integers cannot be right, and not every cost is a whole number of billionths.
  if (!Number.isSafeInteger(nanoUsd) || nanoUsd < 0) return {};
  return { bill: { nanoUsd: BigInt(nanoUsd), units: `${String(credits)} credits` } };
}
