import type { Call } from '../../domain/call';
import { GatewayError, isGatewayError } from '../../domain/errors';
import type { Fields } from '../../domain/json';
import { requestNameOf } from '../../domain/video';
import type {
  FinishedVideo,
  RunningVideo,
  VideoBinding,
  VideoKind,
  VideoOrder,
  VideoProgress,
  VideoProvider,
} from '../../domain/video';
import { encodeMultipart, type FormFile } from '../kit/http/multipart';
import { modelNotOffered } from '../kit/http/upstream-error';
import { measureOf, textOf, urlOf } from '../kit/video/answer-fields';
import { textOfNote } from '../kit/video/note';
import { withMedia } from '../kit/video/order-media';
import { creditsBilled, endOf, lostJob, moderated, NOT_GENERATED } from '../kit/video/progress';
import { referenceName, spaceAfterNames } from '../kit/video/reference-names';
import { isSuccess, notStarted, pollFailure, submitRefusal } from '../kit/video/refusal';
import { askAboutJob, checkJobId, isLost, submitJob, type VendorVideoDeps } from '../kit/video/vendor-job';
import { wantsWatermark } from '../kit/video/watermark';
import { pixverseModel, type PixverseModel } from './models';
import { NOT_FOUND_CODE, parseId, refusalRules, type PixverseAnswer } from './refusals';

// PixVerse makes a video in three steps: images are uploaded, which gives ids; a request for the video gives its id;
// polls of the id end with a public link. PixVerse cannot cancel a video.

/** An upload is answered after the image has been stored and moderated. */
const UPLOAD_TIMEOUT_MS = 60_000;
/** PixVerse's limit on one image. */
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
/**
 * PixVerse states no lifetime for its links, which lead to a public CDN. It is safer to promise too short a lifetime
 * than too long a one.
 */
const LINK_LIFETIME_MS = 7 * 24 * 60 * 60 * 1_000;
/** 1,000 credits cost $10: https://docs.platform.pixverse.ai/model-pricing-796039m0. */
const NANO_USD_PER_CREDIT = 10_000_000n;

export function createPixverseVideo({ api, clock, media, files }: VendorVideoDeps<PixverseAnswer>): VideoProvider {
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
      if (answer.refusal === undefined && typeof id === 'number' && Number.isSafeInteger(id) && id > 0) return id;
      throw submitRefusal(answer, refusalRules, clock.now());
    } catch (error) {
      throw ofUpload(error);
    }
  }

  return {
    async start({ order, binding, owner, submitting }, call) {
      const model = pixverseModel(requestNameOf(binding));
      const endpoint = model?.kinds.includes(order.kind) ? endpoints[order.kind] : undefined;
      if (!model || !endpoint) throw modelNotOffered(`PixVerse cannot make a video of the kind ${order.kind}.`);
      const imageIds = await withMedia(
        { order, owner },
        { image: [{ form: 'bytes', maxBytes: MAX_IMAGE_BYTES }] },
        media,
        call,
        async ({ first_frame, last_frame, reference_image }) => {
          const ids: number[] = [];
          for (const { bytes, contentType } of [...first_frame, ...last_frame, ...reference_image])
            ids.push(await upload({ bytes, contentType, fileName: fileName(contentType) }, call));
          return ids;
        },
      );

      const body = { ...sharedFields(order, binding), ...endpoint.fields(order, imageIds, model) };
      await submitting(body);
      const answer = await submitJob(api, { path: endpoint.path, body: JSON.stringify(body) }, call);
      // An id proves that the video has begun, whatever else the answer says.
      const id = parseId(answer.resp.video_id);
      if (id === undefined) throw submitRefusal(answer, refusalRules, clock.now());
      return { receipt: { videoId: id }, providerJobId: id };
    },

    unknownJob: { videoId: '1' },

    async check(running, call) {
      const id = textOfNote(running.receipt, 'videoId');
      const answer = await askAboutJob(api, { method: 'GET', path: `/openapi/v2/video/result/${id}` }, call);
      checkJobId(answer.resp.id, id);
      if (isUnknownVideo(answer) && isLost(running, clock)) return lostJob();
      if (!isSuccess(answer) || answer.refusal || answer.resp.status === undefined)
        throw pollFailure(answer, refusalRules, clock.now());
      return progressOf(answer.resp, running, call);
    },

    open: (file, part, call) => files.open(textOfNote(file, 'url'), part, call),
  };
}

interface Endpoint {
  readonly path: string;
  /** Returns the fields besides `sharedFields`; `imageIds` are the ids of the frames or of the references. */
  fields(order: VideoOrder, imageIds: readonly number[], model: PixverseModel): Fields;
}

const endpoints: Partial<Readonly<Record<VideoKind, Endpoint>>> = {
  t2v: {
    path: '/openapi/v2/video/text/generate',
    fields: (order, _none, model) => ({
      aspect_ratio: order.aspectRatio,
      ...negativePrompt(order),
      ...modes(order, model),
      ...multiClip(order, model),
    }),
  },
  i2v: {
    path: '/openapi/v2/video/img/generate',
    fields: (order, [image], model) => ({
      img_id: image,
      ...negativePrompt(order),
      ...modes(order, model),
      ...multiClip(order, model),
    }),
  },
  // A transition has only one clip, and the shape of its images.
  'start-end': {
    path: '/openapi/v2/video/transition/generate',
    fields: (order, [first, last], model) => ({
      first_frame_img: first,
      last_frame_img: last,
      ...modes(order, model),
    }),
  },
  // Its request has fewer fields than the others.
  r2v: {
    path: '/openapi/v2/video/fusion/generate',
    fields: (order, images, model) => ({
      prompt: spaceAfterNames(order.prompt),
      aspect_ratio: order.aspectRatio,
      image_references: images.map((id, index) => ({ type: 'subject', img_id: id, ref_name: referenceName(index) })),
      ...sound(order, model),
    }),
  },
};

function sharedFields(order: VideoOrder, binding: VideoBinding): Fields {
  const { prompt, seconds, resolution, seed } = order;
  return {
    model: binding.modelName,
    prompt,
    duration: seconds,
    // PixVerse's `quality` is the resolution tier.
    quality: resolution,
    ...(seed !== undefined && { seed }),
    // Left out without a watermark, because the reference of the later versions does not have the field.
    ...(wantsWatermark(order) && { water_mark: true }),
  };
}

/**
 * Returns the field for the negative prompt, which the reference has only for videos from a text and from one image
 * (https://docs.platform.pixverse.ai/text-to-video-generation-13016634e0, a copy read 2026-11-28).
 */
const negativePrompt = ({ parameters: { negative_prompt } }: VideoOrder): Fields =>
  negative_prompt === undefined ? {} : { negative_prompt };

function modes(order: VideoOrder, model: PixverseModel): Fields {
  return {
    ...sound(order, model),
    ...(model.thinking && { thinking_type: order.parameters.thinking_type ?? 'auto' }),
    // Off-peak work is cheaper, but may begin hours later.
    off_peak_mode: false,
  };
}

const sound = ({ kind, audio }: VideoOrder, model: PixverseModel): Fields =>
  model.audio.includes(kind) ? { generate_audio_switch: audio } : {};

const multiClip = ({ parameters }: VideoOrder, model: PixverseModel): Fields =>
  model.multiClip ? { generate_multi_clip_switch: parameters.generate_multi_clip_switch ?? false } : {};

function fileName(contentType: string): string {
  return `image.${contentType.slice('image/'.length)}`;
}

/**
 * Returns the error of a failed upload, which has begun no video. If PixVerse rejected the request itself, the image is
 * the cause. An error that is not a GatewayError, such as the reason of an abort, is returned unchanged.
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
  // Also for a failed video, because PixVerse states what it has charged.
  const bill = creditsBilled(resp.credits, NANO_USD_PER_CREDIT);
  switch (Number(textOf(resp.status) ?? measureOf(resp.status))) {
    case 1:
      return endOf(finishedVideo(resp, running.startedAt), running, bill);
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
      return { status: 'failed', ...moderated('images'), ...bill };
    case 8:
      return { status: 'failed', ...NOT_GENERATED, ...bill };
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
  const url = urlOf(resp.url);
  if (url === undefined) return undefined;
  const width = parseSide(resp.outputWidth);
  const height = parseSide(resp.outputHeight);
  return {
    file: { url },
    publicUrl: url,
    ...(width !== undefined && height !== undefined && { width, height }),
    // Counted from the start and not from this check, so that every check reports the same expiry.
    expiresAt: new Date(startedAt.getTime() + LINK_LIFETIME_MS),
  };
}

function parseSide(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
