import { z } from 'zod';
import { fieldsOf } from '../../../lib/domain/json';
import {
  scenarioOf,
  startFakeVideoVendor,
  type FakeVideoVendor,
  type JobState,
  type VendorJob,
  type VendorReply,
  type VendorRequest,
  type VendorTools,
  refusalCodeOf,
  type RefusalCodes,
} from './fake-video-vendor';

// WaveSpeed as its API reference describes it: URLs for uploads, a submit, and polls. Stricter than the vendor: it
// refuses fields that a model does not have. Beside the scenarios of every fake it has `code:N` (refused with that code), `failed:N` (failed with that code while it worked), `timeout`, `deleted`
// (words for an end), `error-with-id` and `success-without-id` (contradictory answers).

export const WAVESPEED_KEY = 'wsk-imitated-0123456789abcdef';

const API = '/api/v3/';
export const viduPath = `${API}vidu/start-end-to-video-q2-turbo`;
const UPLOADS_PATH = `${API}media/uploads`;
/** The fields that have a URL, or a list of URLs. */
const MEDIA_FIELDS = [
  'image',
  'last_image',
  'end_image',
  'images',
  'reference_images',
  'reference_audios',
  'audios',
  'video',
];

export interface FakeWavespeed extends FakeVideoVendor {
  /** Answers the next requests for a URL for an upload, one each. */
  readonly uploadReplies: VendorReply[];
}

const uploadBody = z.strictObject({
  filename: z.string().regex(/\.(png|jpe?g|webp|mp4)$/),
  size: z.int().positive().max(300_000_000),
  content_type: z.enum(['image/png', 'image/jpeg', 'image/webp', 'video/mp4']).optional(),
});

const prompt = z.string().min(1);
const shortPrompt = z.string().min(1).max(2_500);
const media = z.url({ protocol: /^https?$/ });
const text = z.string().optional();
const flag = z.boolean().optional();
const seed = z.int().min(-1).max(2_147_483_647).optional();
const ofLength = (...seconds: readonly number[]) => z.union(seconds.map((each) => z.literal(each))).optional();
const between = (min: number, max: number) => z.int().min(min).max(max).optional();
const oneOf = (...values: readonly [string, ...string[]]) => z.enum(values).optional();
const scale = z.number().min(0).max(1).optional();
const wide = oneOf('16:9', '9:16');
const threeRatios = oneOf('16:9', '9:16', '1:1');
const fiveRatios = oneOf('16:9', '9:16', '1:1', '4:3', '3:4');
const sixRatios = oneOf('21:9', '16:9', '4:3', '1:1', '3:4', '9:16');

const veoRest = { prompt, resolution: oneOf('720p', '1080p', '4k'), generate_audio: flag, negative_prompt: text, seed };
const veo = { ...veoRest, aspect_ratio: wide, duration: ofLength(4, 6, 8) };
const veoFrames = { ...veo, image: media, last_image: media.optional() };

const shots = {
  shot_type: oneOf('customize', 'intelligent'),
  multi_prompt: z.array(z.unknown()).optional(),
  element_list: z.array(z.unknown()).optional(),
};
const kling3 = {
  prompt: shortPrompt,
  negative_prompt: text,
  duration: between(3, 15),
  cfg_scale: scale,
  sound: flag,
  ...shots,
};
const klingO3 = { prompt: shortPrompt, duration: between(3, 15), sound: flag, ...shots };
const klingStill = { prompt: shortPrompt, negative_prompt: text, duration: ofLength(5, 10) };
const kling26 = { ...klingStill, cfg_scale: scale, sound: flag };
const klingOld = { ...klingStill, guidance_scale: scale };

const seedance = {
  prompt,
  aspect_ratio: sixRatios,
  resolution: oneOf('480p', '720p', '1080p'),
  duration: between(4, 15),
  enable_web_search: flag,
  generate_audio: flag,
};
const referenceLists = {
  reference_images: z.array(media).max(9).optional(),
  reference_videos: z.array(media).max(3).optional(),
  reference_audios: z.array(media).max(3).optional(),
};
const seedance25 = {
  prompt,
  resolution: oneOf('480p', '720p', '1080p', '4k'),
  duration: between(4, 30),
  generate_audio: flag,
};
const seedance1 = { prompt, aspect_ratio: sixRatios, duration: ofLength(5, 10), camera_fixed: flag, seed };
const seedance15 = {
  ...seedance1,
  duration: between(4, 12),
  resolution: oneOf('480p', '720p', '1080p'),
  generate_audio: flag,
};
const wan3 = {
  prompt,
  aspect_ratio: fiveRatios,
  resolution: oneOf('480p', '720p', '1080p'),
  duration: between(2, 30),
  generate_audio: flag,
  enable_prompt_expansion: flag,
  seed,
};
const pixverse = {
  prompt,
  resolution: oneOf('360p', '540p', '720p', '1080p'),
  duration: between(1, 15),
  generate_audio_switch: flag,
};
const thinking = { thinking_type: oneOf('enabled', 'disabled', 'auto') };
const eightRatios = oneOf('16:9', '4:3', '1:1', '3:4', '9:16', '2:3', '3:2', '21:9');
const withFrames = { image: media, last_image: media.optional() };
const withEnd = { image: media, end_image: media.optional() };

const wan = { prompt, negative_prompt: text, enable_prompt_expansion: flag, seed };
const guided = { ...wan, audio: media.optional() };
const HD = oneOf('720p', '1080p');
const happyhorse = { prompt: shortPrompt, resolution: HD, duration: between(3, 15), seed };
const sizesOfHd = ['1280*720', '720*1280', '1920*1080', '1080*1920'] as const;
const hailuo = { prompt, duration: ofLength(6, 10), enable_prompt_expansion: flag };

const minimaxH3 = { prompt, resolution: oneOf('768p', '2k'), duration: between(4, 15) };
// The field for the ratio is called size.
const ray = {
  prompt,
  size: fiveRatios,
  resolution: oneOf('540p', '720p', '1080p'),
  duration: ofLength(5, 10),
};

const vidu = {
  prompt: z.string().max(2_000).optional(),
  duration: between(1, 10),
  resolution: oneOf('540p', '720p', '1080p'),
  movement_amplitude: oneOf('auto', 'small', 'medium', 'large'),
  seed,
};
const viduQ3 = {
  ...vidu,
  prompt,
  duration: between(1, 16),
  generate_audio: flag,
  bgm: flag,
};
const viduQ4 = {
  prompt,
  duration: between(3, 16),
  resolution: oneOf('540p', '720p', '1080p', '2k', '4k'),
  generate_audio: flag,
  seed,
};
const grok = { prompt, duration: ofLength(6, 10), resolution: oneOf('480p', '720p') };

const each = <Schema>(names: readonly string[], entries: (name: string) => Readonly<Record<string, Schema>>) =>
  Object.assign({}, ...names.map(entries)) as Readonly<Record<string, Schema>>;

/** The inputs of the models, from their pages on wavespeed.ai/docs. */
export const wavespeedModels: Readonly<Record<string, z.ZodType>> = {
  'google/veo3.1/text-to-video': z.strictObject(veo),
  'google/veo3.1/image-to-video': z.strictObject(veoFrames),
  'google/veo3.1/reference-to-video': z.strictObject({ ...veoRest, images: z.array(media).min(1).max(3) }),
  'google/veo3.1-fast/text-to-video': z.strictObject(veo),
  'google/veo3.1-fast/image-to-video': z.strictObject(veoFrames),
  'google/veo3.1-fast/reference-to-video': z.strictObject({
    ...veoRest,
    resolution: HD,
    aspect_ratio: wide,
    images: z.array(media).min(1).max(3),
  }),
  'google/veo3.1-lite/text-to-video': z.strictObject({ ...veo, resolution: HD }).omit({ generate_audio: true }),
  'google/veo3.1-lite/start-end-to-video': z
    .strictObject({ ...veo, image: media, last_image: media, resolution: HD })
    .omit({ generate_audio: true, duration: true }),
  'google/veo3.1-lite/image-to-video': z
    .strictObject({ ...veo, image: media, resolution: HD })
    .omit({ generate_audio: true }),
  ...each(['std', 'pro', '4k'], (tier) => ({
    [`kwaivgi/kling-v3.0-${tier}/text-to-video`]: z.strictObject({ ...kling3, aspect_ratio: threeRatios }),
    [`kwaivgi/kling-v3.0-${tier}/image-to-video`]: z.strictObject({ ...kling3, ...withEnd }),
  })),
  ...each(['std', 'pro', '4k'], (tier) => ({
    [`kwaivgi/kling-video-o3-${tier}/reference-to-video`]: z.strictObject({
      ...klingO3,
      images: z.array(media).min(1).max(7),
      aspect_ratio: threeRatios,
    }),
    [`kwaivgi/kling-video-o3-${tier}/video-edit`]: z.strictObject({
      prompt: shortPrompt,
      video: media,
      keep_original_sound: flag,
    }),
    [`kwaivgi/kling-video-o3-${tier}/text-to-video`]: z.strictObject({ ...klingO3, aspect_ratio: threeRatios }),
    [`kwaivgi/kling-video-o3-${tier}/image-to-video`]: z.strictObject({ ...klingO3, ...withEnd }),
  })),
  // Without a last frame it makes two lengths.
  'kwaivgi/kling-video-o1-std/image-to-video': z
    .strictObject({ prompt: shortPrompt, ...withFrames, duration: between(3, 10) })
    .refine(({ last_image, duration = 5 }) => last_image !== undefined || duration === 5 || duration === 10),
  'kwaivgi/kling-v2.6-pro/text-to-video': z.strictObject({ ...kling26, aspect_ratio: threeRatios }),
  'kwaivgi/kling-v2.6-pro/image-to-video': z.strictObject({
    ...kling26,
    ...withFrames,
    voice_list: z.array(z.unknown()).optional(),
  }),
  'kwaivgi/kling-v2.6-std/text-to-video': z.strictObject({ ...klingStill, aspect_ratio: threeRatios }),
  'kwaivgi/kling-v2.6-std/image-to-video': z.strictObject({ ...klingStill, image: media }),
  'kwaivgi/kling-v2.5-turbo-pro/text-to-video': z.strictObject({ ...klingOld, aspect_ratio: threeRatios }),
  'kwaivgi/kling-v2.5-turbo-pro/image-to-video': z.strictObject({ ...klingOld, ...withFrames }),
  'kwaivgi/kling-v2.5-turbo-std/image-to-video': z.strictObject({ ...klingOld, image: media }),
  'kwaivgi/kling-v2.1-t2v-master': z.strictObject({ ...klingOld, aspect_ratio: threeRatios }),
  'kwaivgi/kling-v2.1-i2v-master': z.strictObject({ ...klingOld, image: media }),
  'kwaivgi/kling-v2.1-i2v-pro': z.strictObject({ ...klingOld, image: media }),
  'kwaivgi/kling-v2.1-i2v-pro/start-end-frame': z.strictObject({ ...klingOld, image: media, end_image: media }),
  'kwaivgi/kling-v2.1-i2v-standard': z.strictObject({ ...klingOld, image: media }),
  'kwaivgi/kling-v1.6-i2v-pro': z.strictObject({ ...klingOld, ...withEnd }),
  'kwaivgi/kling-v1.6-multi-i2v-pro': z.strictObject({
    ...klingStill,
    images: z.array(media).min(1).max(4),
    aspect_ratio: threeRatios,
  }),
  'kwaivgi/kling-v1.6-i2v-standard': z.strictObject({ ...klingOld, image: media }),
  'kwaivgi/kling-v1.6-t2v-standard': z.strictObject({ ...klingOld, aspect_ratio: threeRatios }),
  ...each(['2.0', '2.0-fast'], (version) => {
    const tiers = version === '2.0' ? { resolution: oneOf('480p', '720p', '1080p', '4k') } : {};
    return {
      [`bytedance/seedance-${version}/text-to-video`]: z.strictObject({ ...seedance, ...tiers, ...referenceLists }),
      [`bytedance/seedance-${version}/image-to-video`]: z.strictObject({ ...seedance, ...tiers, ...withFrames }),
    };
  }),
  'bytedance/seedance-2.5/text-to-video': z.strictObject({ ...seedance25, aspect_ratio: sixRatios }),
  'bytedance/seedance-2.5/image-to-video': z.strictObject({ ...seedance25, ...withFrames }),
  'bytedance/seedance-v1.5-pro/text-to-video': z.strictObject(seedance15),
  'bytedance/seedance-v1.5-pro/image-to-video': z.strictObject({ ...seedance15, ...withFrames }),
  ...each(['pro', 'lite'], (version) =>
    each(['480p', '720p', '1080p'], (tier) => ({
      [`bytedance/seedance-v1-${version}-t2v-${tier}`]: z.strictObject(seedance1),
      [`bytedance/seedance-v1-${version}-i2v-${tier}`]: z.strictObject({ ...seedance1, ...withFrames }),
    })),
  ),
  'bytedance/seedance-v1-lite/reference-to-video': z.strictObject({
    prompt: z.string().max(2_000).optional(),
    reference_images: z.array(media).min(1).max(4),
    duration: between(5, 10),
    resolution: oneOf('720p'),
    camera_fixed: flag,
    seed,
  }),
  ...each(['wan-3.0', 'wan-3.0-prime'], (version) => ({
    [`alibaba/${version}/text-to-video`]: z.strictObject(wan3),
    [`alibaba/${version}/image-to-video`]: z.strictObject({ ...wan3, ...withFrames }),
    [`alibaba/${version}/reference-to-video`]: z.strictObject({
      ...wan3,
      reference_images: z.array(media).min(1).max(10),
    }),
  })),
  ...each(['1.0', '1.1'], (version) => ({
    [`alibaba/happyhorse-${version}/text-to-video`]: z.strictObject({ ...happyhorse, aspect_ratio: fiveRatios }),
    [`alibaba/happyhorse-${version}/image-to-video`]: z.strictObject({ ...happyhorse, image: media }),
    [`alibaba/happyhorse-${version}/reference-to-video`]: z.strictObject({
      ...happyhorse,
      aspect_ratio: fiveRatios,
      images: z.array(media).min(1).max(9),
    }),
  })),
  'alibaba/happyhorse-1.0/video-edit': z.strictObject({
    prompt: shortPrompt,
    video: media,
    images: z.array(media).max(9).optional(),
    resolution: HD,
    seed,
  }),
  'alibaba/wan-2.7/text-to-video': z.strictObject({
    ...guided,
    resolution: HD,
    aspect_ratio: fiveRatios,
    duration: between(2, 15),
  }),
  'alibaba/wan-2.7/image-to-video': z.strictObject({
    ...guided,
    ...withFrames,
    resolution: HD,
    duration: between(2, 15),
  }),
  'alibaba/wan-2.7/video-edit': z.strictObject({
    ...wan,
    video: media,
    images: z.array(media).max(3).optional(),
    resolution: HD,
    duration: z.union([z.literal(0), z.int().min(2).max(10)]).optional(),
    audio_setting: oneOf('auto', 'origin'),
  }),
  'alibaba/wan-2.6/text-to-video': z.strictObject({
    ...guided,
    size: oneOf(...sizesOfHd),
    duration: ofLength(5, 10, 15),
    shot_type: oneOf('single', 'multi'),
  }),
  'alibaba/wan-2.6/image-to-video': z.strictObject({
    ...guided,
    image: media,
    resolution: HD,
    duration: ofLength(5, 10, 15),
    shot_type: oneOf('single', 'multi'),
  }),
  'alibaba/wan-2.5/text-to-video': z.strictObject({
    ...guided,
    size: oneOf('832*480', '480*832', ...sizesOfHd),
    duration: ofLength(5, 10),
  }),
  'alibaba/wan-2.5/image-to-video': z.strictObject({
    ...guided,
    image: media,
    resolution: oneOf('480p', '720p', '1080p'),
    duration: between(3, 10),
  }),
  'minimax/hailuo-2.3/t2v-standard': z.strictObject(hailuo),
  'minimax/hailuo-2.3/i2v-standard': z.strictObject({ ...hailuo, image: media }),
  'minimax/hailuo-02/t2v-standard': z.strictObject(hailuo),
  'minimax/hailuo-02/i2v-standard': z.strictObject({ ...hailuo, ...withEnd }),
  ...each(['hailuo-2.3', 'hailuo-02'], (version) => ({
    [`minimax/${version}/t2v-pro`]: z.strictObject({ prompt, enable_prompt_expansion: flag }),
    [`minimax/${version}/i2v-pro`]: z.strictObject({
      prompt,
      enable_prompt_expansion: flag,
      ...(version === 'hailuo-02' ? withEnd : { image: media }),
    }),
  })),
  'minimax/hailuo-2.3/fast': z.strictObject({ ...hailuo, image: media, go_fast: flag }),
  'minimax/h3/text-to-video': z.strictObject({ ...minimaxH3, aspect_ratio: sixRatios }),
  'minimax/h3/image-to-video': z.strictObject({ ...minimaxH3, ...withFrames }),
  // A recording needs an image or a video beside it.
  'minimax/h3/reference-to-video': z
    .strictObject({ ...minimaxH3, aspect_ratio: sixRatios, ...referenceLists })
    .refine(
      ({ reference_images = [], reference_videos = [] }) => reference_images.length + reference_videos.length > 0,
    ),
  'luma/ray-3.2/text-to-video': z.strictObject(ray),
  'luma/ray-3.2/image-to-video': z.strictObject({ ...ray, ...withFrames, duration: ofLength(5) }),
  'vidu/q3/reference-to-video': z.strictObject({
    prompt,
    images: z.array(media).min(1).max(4),
    aspect_ratio: fiveRatios,
    resolution: HD,
    duration: between(1, 16),
    generate_audio: flag,
    seed,
  }),
  ...each(['pro', 'turbo'], (version) => ({
    [`vidu/q3-${version}/text-to-video`]: z.strictObject({ ...viduQ3, style: oneOf('general', 'anime') }),
    [`vidu/q3-${version}/image-to-video`]: z.strictObject({ ...viduQ3, image: media }),
    [`vidu/q3-${version}/start-end-to-video`]: z.strictObject({ ...viduQ3, image: media, last_image: media }),
  })),
  'vidu/q4-preview/image-to-video': z.strictObject({ ...viduQ4, image: media }),
  'vidu/q4-preview/reference-to-video': z.strictObject({
    ...viduQ4,
    images: z.array(media).min(1).max(12),
    audios: z.array(media).max(3).optional(),
    aspect_ratio: fiveRatios,
  }),
  'pixverse/pixverse-v6/text-to-video': z.strictObject({ ...pixverse, ...thinking, aspect_ratio: eightRatios }),
  'pixverse/pixverse-v6/image-to-video': z.strictObject({ ...pixverse, ...thinking, image: media }),
  'pixverse/pixverse-v6/transition': z.strictObject({
    ...pixverse,
    aspect_ratio: eightRatios,
    negative_prompt: text,
    seed,
    image: media,
    end_image: media,
  }),
  'pixverse/pixverse-c1/text-to-video': z.strictObject({ ...pixverse, aspect_ratio: eightRatios }),
  'pixverse/pixverse-c1/image-to-video': z.strictObject({ ...pixverse, image: media }),
  'pixverse/pixverse-c1/transition': z.strictObject({
    ...pixverse,
    aspect_ratio: eightRatios,
    image: media,
    end_image: media,
  }),
  'vidu/image-to-video-q2-turbo': z.strictObject({ ...vidu, image: media, bgm: flag }),
  'vidu/start-end-to-video-q2-turbo': z.strictObject({ ...vidu, image: media, last_image: media, bgm: flag }),
  'x-ai/grok-imagine-video/text-to-video': z.strictObject({ ...grok, aspect_ratio: threeRatios }),
  'x-ai/grok-imagine-video/image-to-video': z.strictObject({ ...grok, image: media }),
};

const statusOf: Readonly<Record<JobState, string>> = {
  queued: 'created',
  running: 'processing',
  weird: 'rendering',
  completed: 'completed',
  'no-url': 'completed',
  cancelled: 'cancelled',
  moderated: 'failed',
  failed: 'failed',
};

const refusalCodes: RefusalCodes = {
  'moderated-input': 1200,
  balance: 402,
  auth: 401,
  invalid: 1401,
  unavailable: 5003,
  ratelimit: 429,
};

export async function startFakeWavespeed(): Promise<FakeWavespeed> {
  const uploadReplies: VendorReply[] = [];
  const predictions = new Map<string, { readonly model: string; readonly job: VendorJob }>();
  let uploads = 0;

  const vendor = await startFakeVideoVendor((request, tools) => {
    const { method, path, headers } = request;
    if (headers.authorization !== `Bearer ${WAVESPEED_KEY}`) return failure(refusalCodes.auth);
    if (method === 'POST' && headers['content-type'] !== 'application/json') return failure(400);
    if (method === 'POST' && path === UPLOADS_PATH) return uploadReplies.shift() ?? giveSlot(request, tools);
    const model = path.slice(API.length);
    if (method === 'POST' && path.startsWith(API) && Object.hasOwn(wavespeedModels, model))
      return submit(model, request, tools);
    const [, id = ''] = /^\/api\/v3\/predictions\/([^/]+)\/result$/.exec(path) ?? [];
    const found = predictions.get(id);
    if (method !== 'GET' || !found) return failure(404);
    return brokenPoll(found.job) ?? { status: 200, body: success(predictionOf(id, found.model, found.job, tools)) };
  });

  function giveSlot(request: VendorRequest, { cdnUrl }: VendorTools): VendorReply {
    const parsed = uploadBody.safeParse(request.json);
    if (!parsed.success) return failure(refusalCodes.invalid);
    const url = `${cdnUrl}/uploads/${(uploads += 1)}-${parsed.data.filename}`;
    const { content_type: type } = parsed.data;
    const upload = { url: `${url}?signature=abc`, method: 'PUT', headers: type ? { 'Content-Type': type } : {} };
    return { status: 200, body: success({ download_url: url, upload }) };
  }

  /** Is it public, or was it uploaded? */
  function canRead(url: string, { cdnUrl }: VendorTools): boolean {
    if (!url.startsWith(`${cdnUrl}/uploads/`)) return url.startsWith('https://');
    return vendor.downloads.some(({ method, path }) => method === 'PUT' && url.endsWith(path));
  }

  function submit(model: string, request: VendorRequest, tools: VendorTools): VendorReply {
    if (!wavespeedModels[model]?.safeParse(request.json).success) return failure(refusalCodes.invalid);
    const body = fieldsOf(request.json);
    const prompt = typeof body.prompt === 'string' ? body.prompt : '';
    const urls = MEDIA_FIELDS.flatMap((name) => body[name] ?? []);
    if (!urls.every((url) => canRead(String(url), tools))) return failure(1402);
    const code = refusalCodeOf(prompt, refusalCodes, tools);
    if (code !== undefined) return failure(code);
    const job = tools.createJob(prompt, request.json);
    const id = String(job.number).padStart(32, 'c0ffee');
    predictions.set(id, { model, job });
    switch (scenarioOf(prompt)?.name) {
      case 'submit-500':
        return failure(5000);
      case 'success-without-id':
        return { status: 200, body: success({}) };
      case 'error-with-id':
        return { status: 500, body: { code: 5000, message: 'Internal error', data: { id } } };
      default:
        return { status: 200, body: success(prediction(id, model, 'created', tools)) };
    }
  }

  return Object.assign(vendor, { uploadReplies });
}

function prediction(id: string, model: string, status: string, { baseUrl }: VendorTools, more: object = {}): object {
  return {
    id,
    model,
    status,
    outputs: [],
    urls: { get: `${baseUrl}/api/v3/predictions/${id}/result` },
    has_nsfw_contents: [],
    created_at: '2026-11-23T10:00:00Z',
    error: '',
    timings: { inference: 0 },
    ...more,
  };
}

function predictionOf(id: string, model: string, job: VendorJob, tools: VendorTools): object {
  const state = tools.poll(job);
  const { name, count } = job.scenario ?? {};
  if (state === 'completed' && (name === 'timeout' || name === 'deleted')) return prediction(id, model, name, tools);
  if (state === 'completed' && name === 'failed')
    return prediction(id, model, 'failed', tools, { code: count, error: 'The prediction has failed.' });
  const error =
    state === 'moderated' ? 'Content flagged as potentially sensitive.' : state === 'failed' ? 'Out of memory' : '';
  const outputs = state === 'completed' ? [tools.resultUrl(job)] : [];
  return prediction(id, model, statusOf[state], tools, { error, outputs });
}

/** The first polls of a scenario such as `poll404:2`; undefined for the others. */
function brokenPoll(job: VendorJob): VendorReply | undefined {
  const [, kind] = /^poll(401|404|429|500)$/.exec(job.scenario?.name ?? '') ?? [];
  if (kind === undefined || job.polls >= (job.scenario?.count ?? 0)) return undefined;
  job.polls += 1;
  return kind === '429' ? { ...failure(429), headers: { 'retry-after': '7' } } : failure(Number(kind));
}

const success = (data: object) => ({ code: 200, message: 'success', data });

/** WaveSpeed's own codes come with the status 400 or 500, all others with their own. */
export function failure(code: number): VendorReply {
  const status = code < 1_000 ? code : code < 5_000 ? 400 : 500;
  const pause = code === refusalCodes.ratelimit ? { headers: { 'retry-after': '3' } } : {};
  const message = code === refusalCodes.balance ? 'Insufficient credits. Please top up.' : 'The request has failed.';
  return { status, ...pause, body: { code, message, data: null } };
}
