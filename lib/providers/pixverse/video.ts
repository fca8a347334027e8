import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import { GatewayError, isGatewayError } from '../../domain/errors';
import type { RemoteFiles } from '../../domain/files';
import { type Fields, fieldsOf, type Json } from '../../domain/json';
import type { MediaSource } from '../../domain/provider';
import type {
  FinishedVideo,
  RunningVideo,
  UpstreamBill,
  VideoBinding,
  VideoKind,
  VideoOrder,
  VideoProgress,
  VideoProvider,
} from '../../domain/video';
import { encodeMultipart, type FormFile } from '../kit/http/multipart';
import { modelNotOffered } from '../kit/http/upstream-error';
import { withMedia } from '../kit/video/order-media';
import { laterPoll, notStarted, pollFailure, submitRefusal } from '../kit/video/refusal';
import { NOT_FOUND_CODE, parseId, type PixverseAnswer, type PixverseApi, refusalRules } from './wire';
import { parseUrl } from '../../domain/url';

// PixVerse makes a video in three steps: images are uploaded, which gives ids; a request for the video gives its id;
// polls of the id end with a public link. PixVerse cannot cancel a video.

export interface PixverseVideoDeps {
  readonly api: PixverseApi;
  readonly clock: Clock;
  readonly media: Pick<MediaSource, 'as'>;
  readonly files: RemoteFiles;
}

const SUBMIT_TIMEOUT_MS = 30_000;
const POLL_TIMEOUT_MS = 15_000;
/** An upload is answered after the image has been stored and moderated. */
const UPLOAD_TIMEOUT_MS = 60_000;
/** PixVerse's limit on one image. */
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
/** A new id may be unknown to polls for this long. */
const UNKNOWN_ID_MS = 60_000;
/**
 * PixVerse states no lifetime for its links, which lead to a public CDN. A promise that is too short is safer than one
 * that breaks.
 */
const LINK_LIFETIME_MS = 7 * 24 * 60 * 60 * 1_000;
/** 1,000 credits cost $10: https://docs.platform.pixverse.ai/model-pricing-796039m0. */
const NANO_USD_PER_CREDIT = 10_000_000n;

export function createPixverseVideo({ api, clock, media, files }: PixverseVideoDeps): VideoProvider {
  async function upload(image: FormFile, call: Call): Promise<number> {
    const { body, contentType } = await encodeMultipart({ image });
    try {
      const answer = await api.send(
        {
          method: 'POST',
          path: '/openapi/v2/image/upload',
          headers: { 'content-type': contentType },
          body,
          headersMs: UPLOAD_TIMEOUT_MS,
        },
        call,
      );
      const { img_id: id } = answer.resp;
      // The id is sent as a number, so it must be an exact one.
      if (answer.refusal === undefined && typeof id === 'number' && parseId(id) !== undefined) return id;
      throw submitRefusal(answer, refusalRules, clock.now());
    } catch (error) {
      throw ofUpload(error);
    }
  }

  return {
    async start({ order, binding, owner, submitting }, call) {
      const endpoint = endpoints[order.kind];
      if (!endpoint) throw modelNotOffered(`PixVerse cannot make a video of the kind ${order.kind}.`);
      const imageIds = await withMedia(
        { order, owner },
        { image: [{ form: 'bytes', maxBytes: MAX_IMAGE_BYTES }] },
        media,
        call,
        async ({ first_frame, last_frame }) => {
          const ids: number[] = [];
          for (const { bytes, contentType } of [...first_frame, ...last_frame])
            ids.push(await upload({ bytes, contentType, fileName: fileName(contentType) }, call));
          return ids;
        },
      );

      const body = { ...sharedFields(order, binding), ...endpoint.fields(order, imageIds) };
      await submitting(body);
      const answer = await api.send(
        {
          method: 'POST',
          path: endpoint.path,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
          ownConnection: true,
          headersMs: SUBMIT_TIMEOUT_MS,
        },
        call,
      );
      // An id proves that the video has begun, whatever else the answer says.
      const id = parseId(answer.resp.video_id);
      if (id === undefined) throw submitRefusal(answer, refusalRules, clock.now());
      return { receipt: { videoId: id }, providerJobId: id };
    },

    unknownJob: { videoId: '1' },

    async check(running, call) {
      let answer: PixverseAnswer;
      try {
        answer = await api.send(
          {
            method: 'GET',
            path: `/openapi/v2/video/result/${readVideoId(running.receipt)}`,
            headers: {},
            headersMs: POLL_TIMEOUT_MS,
          },
          call,
        );
      } catch (error) {
        throw laterPoll(error);
      }
      if (isUnknownVideo(answer) && clock.nowMs() - running.startedAt.getTime() > UNKNOWN_ID_MS)
        return { status: 'failed', code: 'generation_failed', message: 'The provider no longer knows this video.' };
      if (answer.status !== 200 || answer.refusal || answer.resp.status === undefined)
        throw pollFailure(answer, refusalRules, clock.now());
      return progressOf(answer.resp, running, call);
    },

    open: (file, part, call) => files.open(readUrl(file), part, call),
  };
}

interface Endpoint {
  readonly path: string;
  /** The fields beside `sharedFields`; `imageIds` are those of the first and the last frame. */
  fields(order: VideoOrder, imageIds: readonly number[]): Fields;
}

const endpoints: Partial<Readonly<Record<VideoKind, Endpoint>>> = {
  t2v: {
    path: '/openapi/v2/video/text/generate',
    fields: (order) => ({ aspect_ratio: order.aspectRatio, ...multiClip(order) }),
  },
  i2v: {
    path: '/openapi/v2/video/img/generate',
    fields: (order, [image]) => ({ img_id: image, ...multiClip(order) }),
  },
  // V6 makes no transition of several clips, and takes its shape from the images.
  'start-end': {
    path: '/openapi/v2/video/transition/generate',
    fields: (_order, [first, last]) => ({ first_frame_img: first, last_frame_img: last }),
  },
};

function sharedFields({ prompt, seconds, resolution, seed, audio, parameters }: VideoOrder, binding: VideoBinding) {
  return {
    model: binding.modelName,
    prompt,
    ...(parameters.negative_prompt !== undefined && { negative_prompt: parameters.negative_prompt }),
    duration: seconds,
    // PixVerse's `quality` is the resolution tier.
    quality: resolution,
    ...(seed !== undefined && { seed }),
    generate_audio_switch: audio,
    thinking_type: parameters.thinking_type ?? 'auto',
    // Off-peak work is cheaper, and may begin hours later.
    off_peak_mode: false,
  };
}

const multiClip = ({ parameters }: VideoOrder) => ({
  generate_multi_clip_switch: parameters.generate_multi_clip_switch ?? false,
});

function fileName(contentType: string): string {
  return `image.${contentType.slice('image/'.length)}`;
}

/**
 * A failed upload has begun no video. If PixVerse rejects the request itself, its image is at fault. Anything but our
 * errors, such as the reason of an abort, stays.
 */
function ofUpload(error: unknown): unknown {
  if (!isGatewayError(error)) return error;
  const { code, extra } = error;
  if (code === 'upstream_rejected' || code === 'request_too_large')
    return new GatewayError(
      'media_invalid',
      'The provider does not accept one of the images. Use a smaller JPEG, PNG or WebP image.',
      { upstream: { retry: 'never', started: 'no' }, ...(extra.detail !== undefined && { detail: extra.detail }) },
    );
  return notStarted(error);
}

function isUnknownVideo({ status, refusal }: PixverseAnswer): boolean {
  return refusal !== undefined && (status === 404 || refusal.code === NOT_FOUND_CODE);
}

function progressOf(resp: Fields, running: RunningVideo, call: Call): VideoProgress {
  const bill = billOf(resp.credits);
  switch (Number(resp.status)) {
    case 1: {
      const video = finishedVideo(resp, running.startedAt);
      if (!video)
        return {
          status: 'failed',
          code: 'generation_failed',
          message: 'The provider finished the video without a file.',
          ...bill,
        };
      return { status: 'completed', video, ...bill };
    }
    case 5:
      return { status: 'in_progress' };
    case 6:
      return {
        status: 'failed',
        code: 'cancelled',
        message: 'The video was deleted at the provider before it was finished.',
        ...bill,
      };
    case 7:
      return {
        status: 'failed',
        code: 'content_policy_violation',
        message: 'The provider refused the content of this video. Change the prompt or the images.',
        ...bill,
      };
    case 8:
      return {
        status: 'failed',
        code: 'generation_failed',
        message: 'The provider could not generate this video.',
        ...bill,
      };
    default:
      call.log.warn('the upstream reported an unknown status of a video', {
        provider: 'pixverse',
        videoId: running.videoId,
        ...(typeof resp.status === 'number' && { status: resp.status }),
      });
      return { status: 'in_progress' };
  }
}

function finishedVideo(resp: Fields, startedAt: Date): FinishedVideo | undefined {
  const { url } = resp;
  if (typeof url !== 'string' || !parseUrl(url)) return undefined;
  const width = parseSide(resp.outputWidth);
  const height = parseSide(resp.outputHeight);
  return {
    file: { url },
    publicUrl: url,
    ...(width !== undefined && height !== undefined && { width, height }),
    // From the start and not from this check, so that every check promises the same.
    expiresAt: new Date(startedAt.getTime() + LINK_LIFETIME_MS),
  };
}

/** For a video that failed too: PixVerse says what it has charged. */
function billOf(credits: unknown): { readonly bill?: UpstreamBill } {
  if (typeof credits !== 'number' || !Number.isSafeInteger(credits) || credits < 0) return {};
  return { bill: { nanoUsd: BigInt(credits) * NANO_USD_PER_CREDIT, units: `${credits} credits` } };
}

function parseSide(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function readVideoId(receipt: Json): string {
  const { videoId } = fieldsOf(receipt);
  if (typeof videoId !== 'string') throw new Error('The receipt has no id.');
  return videoId;
}

function readUrl(file: Json): string {
  const { url } = fieldsOf(file);
  if (typeof url !== 'string') throw new Error('The reference of the file has no link.');
  return url;
}
