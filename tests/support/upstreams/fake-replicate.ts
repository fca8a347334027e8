import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { fieldsOf } from '../../../lib/domain/json';
import {
  scenarioOf,
  startFakeVideoVendor,
  type FakeVideoVendor,
  type SignCallback,
  type JobState,
  type VendorJob,
  type VendorReply,
  type VendorRequest,
  type VendorTools,
} from './fake-video-vendor';

// The predictions of Replicate for the models that make videos, by its API reference. Stricter than the vendor: it
// refuses fields that models ignore. Beside the scenarios of every fake it has `status:N` (refused with that status),
// `aborted` (ends with that word), `list` (the output is a list), `error-with-id` and `success-without-id`
// (contradictory answers).

export const REPLICATE_KEY = 'r8_imitated0123456789abcdefghijklmnopqrs';

const prompt = z.string().min(1);
const image = z.union([z.url({ protocol: /^https?$/ }), z.string().regex(/^data:image\/(png|jpeg|webp);base64,\S+$/)]);
const seed = z.int().min(0).max(4_294_967_295).optional();
const wanFast = {
  prompt,
  resolution: z.enum(['480p', '720p']).default('480p'),
  num_frames: z.int().min(81).max(121).default(81),
  frames_per_second: z.int().min(5).max(30).default(16),
  go_fast: z.boolean().default(true),
  seed,
};

const ofLength = (...seconds: readonly number[]) => z.union(seconds.map((each) => z.literal(each)));
const someSeconds = z.int().min(2).max(15);
const video = z.url({ protocol: /^https?$/ });
const threeRatios = z.enum(['16:9', '9:16', '1:1']);
const sixRatios = z.enum(['16:9', '9:16', '4:3', '3:4', '1:1', '21:9']);
const sevenRatios = z.enum(['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', '9:21']);
const needsFirst = 'A last frame needs a first one.';
const text = z.string().optional();

const kling = {
  prompt: z.string().min(1).max(2_500),
  negative_prompt: z.string().max(2_500).optional(),
  start_image: image.optional(),
  end_image: image.optional(),
  aspect_ratio: threeRatios.default('16:9'),
};
const olderKling = { ...kling, duration: ofLength(5, 10).default(5) };
const klingWithReferences = {
  prompt: z.string().min(1).max(2_500),
  start_image: image.optional(),
  end_image: image.optional(),
  reference_images: z.array(image).max(7).default([]),
  reference_video: video.optional(),
  video_reference_type: z.enum(['feature', 'base']).default('feature'),
  keep_original_sound: z.boolean().default(true),
  aspect_ratio: threeRatios.default('16:9'),
};
const framesOfKling = ({
  start_image,
  end_image,
}: {
  start_image?: string | undefined;
  end_image?: string | undefined;
}) => start_image !== undefined || end_image === undefined;

const veo = {
  prompt,
  image: image.optional(),
  last_frame: image.optional(),
  aspect_ratio: z.enum(['16:9', '9:16']).default('16:9'),
  duration: ofLength(4, 6, 8).default(8),
  resolution: z.enum(['720p', '1080p']).default('1080p'),
  generate_audio: z.boolean().default(true),
  negative_prompt: text,
  seed,
};

const seedance1 = {
  prompt,
  image: image.optional(),
  last_frame_image: image.optional(),
  duration: z.int().min(2).max(12).default(5),
  resolution: z.enum(['480p', '720p', '1080p']).default('1080p'),
  aspect_ratio: sevenRatios.default('16:9'),
  fps: ofLength(24).default(24),
  camera_fixed: z.boolean().default(false),
  seed,
};
const framesOfSeedance = ({
  image,
  last_frame_image,
}: {
  image?: string | undefined;
  last_frame_image?: string | undefined;
}) => image !== undefined || last_frame_image === undefined;

const seedance2 = (resolutions: readonly [string, ...string[]]) =>
  z
    .strictObject({
      prompt,
      image: image.optional(),
      last_frame_image: image.optional(),
      reference_images: z.array(image).max(9).default([]),
      reference_videos: z.array(video).max(3).default([]),
      reference_audios: z.array(video).max(3).default([]),
      duration: z.int().min(-1).max(15).default(5),
      resolution: z.enum(resolutions).default('720p'),
      aspect_ratio: z.enum([...sevenRatios.options, 'adaptive']).default('16:9'),
      generate_audio: z.boolean().default(true),
      seed,
    })
    .refine(framesOfSeedance, needsFirst)
    .refine(({ image, reference_images, reference_videos }) =>
      image === undefined ? true : reference_images.length + reference_videos.length === 0,
    );

const seedance25 = z
  .strictObject({
    prompt,
    image: image.optional(),
    last_frame_image: image.optional(),
    reference_images: z.array(image).max(30).default([]),
    reference_videos: z.array(video).max(10).default([]),
    reference_audios: z.array(video).max(10).default([]),
    duration: z.int().min(4).max(30).default(5),
    resolution: z.enum(['480p', '720p']).default('720p'),
    aspect_ratio: z.enum([...sixRatios.options, 'adaptive']).default('16:9'),
    generate_audio: z.boolean().default(true),
    watermark: z.boolean().default(false),
    seed,
  })
  .refine(framesOfSeedance, needsFirst);

const hailuo = {
  prompt,
  duration: ofLength(6, 10).default(6),
  first_frame_image: image.optional(),
  prompt_optimizer: z.boolean().default(true),
};
const shortAt1080p = ({ resolution, duration }: { resolution: string; duration: number }) =>
  resolution !== '1080p' || duration === 6;

const firstMinimax = z.strictObject({
  prompt,
  first_frame_image: image.optional(),
  prompt_optimizer: z.boolean().default(true),
});

const ray = z
  .strictObject({
    prompt,
    start_image: image.optional(),
    end_image: image.optional(),
    aspect_ratio: sevenRatios.default('16:9'),
    duration: ofLength(5, 9).default(5),
    loop: z.boolean().default(false),
    concepts: z.array(z.string()).default([]),
  })
  .refine(framesOfKling, needsFirst);

const pixverse = {
  prompt,
  image: image.optional(),
  last_frame_image: image.optional(),
  aspect_ratio: threeRatios.default('16:9'),
  quality: z.enum(['360p', '540p', '720p', '1080p']).default('540p'),
  duration: ofLength(5, 8).default(5),
  negative_prompt: text,
  seed,
};
const olderPixverse = z
  .strictObject(pixverse)
  .refine(framesOfSeedance, needsFirst)
  .refine(({ quality, duration }) => quality !== '1080p' || duration === 5);

const gen = { prompt, aspect_ratio: sixRatios.default('16:9'), duration: ofLength(5, 10).default(5), seed };

const wan = {
  prompt: z.string().min(1).max(5_000),
  negative_prompt: z.string().max(500).optional(),
  enable_prompt_expansion: z.boolean().default(true),
  seed: z.int().min(0).max(2_147_483_647).optional(),
};

const wan26 = { ...wan, duration: ofLength(5, 10, 15).default(5), multi_shots: z.boolean().default(false) };
const wan3 = z.strictObject({
  ...wan,
  prompt: z.string().min(1).max(20_000),
  image: image.optional(),
  resolution: z.enum(['480p', '720p', '1080p']).default('720p'),
  aspect_ratio: z.enum(['adaptive', '16:9', '9:16', '1:1', '4:3', '3:4']).default('16:9'),
  duration: z.int().min(2).max(30).default(5),
});
const happyhorse = {
  prompt,
  resolution: z.enum(['720p', '1080p']).default('720p'),
  aspect_ratio: z.enum(['16:9', '9:16', '1:1', '4:3', '3:4']).default('16:9'),
  duration: z.int().min(3).max(15).default(5),
  seed,
};
const viduQ3 = z
  .strictObject({
    prompt: z.string().min(1).max(5_000),
    start_image: image.optional(),
    end_image: image.optional(),
    duration: z.int().min(1).max(16).default(5),
    aspect_ratio: z.enum(['16:9', '9:16', '3:4', '4:3', '1:1']).default('16:9'),
    resolution: z.enum(['540p', '720p', '1080p']).default('720p'),
    audio: z.boolean().default(true),
    seed,
  })
  .refine(framesOfKling, needsFirst);

export const replicateModels: Readonly<Record<string, z.ZodType>> = {
  'wan-video/wan-2.7-r2v': z
    .strictObject({
      ...wan,
      reference_images: z.array(image).max(5).default([]),
      reference_videos: z.array(video).max(5).default([]),
      resolution: z.enum(['720p', '1080p']).default('1080p'),
      aspect_ratio: z.enum(['16:9', '9:16', '1:1', '4:3', '3:4']).default('16:9'),
      duration: z.int().min(2).max(10).default(5),
      shot_type: z.enum(['single', 'multi']).default('single'),
    })
    .omit({ enable_prompt_expansion: true })
    .refine(({ reference_images, reference_videos }) => reference_images.length + reference_videos.length > 0),
  'wan-video/wan-2.7-videoedit': z
    .strictObject({
      ...wan,
      video,
      reference_image: image.optional(),
      resolution: z.enum(['720p', '1080p']).default('1080p'),
      aspect_ratio: z.enum(['auto', '16:9', '9:16', '1:1', '4:3', '3:4']).default('auto'),
      duration: z.int().min(2).max(10).optional(),
      audio_setting: z.enum(['auto', 'origin']).default('auto'),
    })
    .omit({ enable_prompt_expansion: true, negative_prompt: true }),
  'wan-video/wan-2.6-t2v': z.strictObject({
    ...wan26,
    size: z.enum(['1280*720', '720*1280', '1920*1080', '1080*1920']).default('1280*720'),
  }),
  'wan-video/wan-2.6-i2v': z.strictObject({ ...wan26, image, resolution: z.enum(['720p', '1080p']).default('720p') }),
  'alibaba/wan-3': wan3,
  'alibaba/wan-3-prime': wan3,
  'alibaba/happyhorse-1.0': z.strictObject({ ...happyhorse, image: image.optional() }),
  'alibaba/happyhorse-1.1': z.strictObject({ ...happyhorse, images: z.array(image).default([]) }),
  'wan-video/wan-2.7-t2v': z.strictObject({
    ...wan,
    aspect_ratio: z.enum(['16:9', '9:16', '1:1', '4:3', '3:4']).default('16:9'),
    resolution: z.enum(['720p', '1080p']).default('1080p'),
    duration: someSeconds.default(5),
  }),
  'wan-video/wan-2.7-i2v': z.strictObject({
    ...wan,
    first_frame: image,
    last_frame: image.optional(),
    resolution: z.enum(['720p', '1080p']).default('1080p'),
    duration: someSeconds.default(5),
  }),
  'wan-video/wan-2.5-t2v': z.strictObject({
    ...wan,
    size: z.enum(['832*480', '480*832', '1280*720', '720*1280', '1920*1080', '1080*1920']).default('1280*720'),
    duration: ofLength(5, 10).default(5),
  }),
  'wan-video/wan-2.5-i2v': z.strictObject({
    ...wan,
    image,
    resolution: z.enum(['480p', '720p', '1080p']).default('720p'),
    duration: ofLength(5, 10).default(5),
  }),
  'wan-video/wan-2.2-i2v-fast': z.strictObject({ ...wanFast, image, last_image: image.optional() }),
  'wan-video/wan-2.2-t2v-fast': z.strictObject({
    ...wanFast,
    negative_prompt: z.string().optional(),
    aspect_ratio: z.enum(['16:9', '9:16']).default('16:9'),
    optimize_prompt: z.boolean().default(false),
  }),
  'kwaivgi/kling-v3-video': z
    .strictObject({
      ...kling,
      mode: z.enum(['standard', 'pro', '4k']).default('pro'),
      duration: z.int().min(3).max(15).default(5),
      generate_audio: z.boolean().default(false),
    })
    .refine(framesOfKling, needsFirst),
  'kwaivgi/kling-v3-omni-video': z
    .strictObject({
      ...klingWithReferences,
      mode: z.enum(['standard', 'pro', '4k']).default('pro'),
      duration: z.int().min(3).max(15).default(5),
      generate_audio: z.boolean().default(false),
    })
    .refine(framesOfKling, needsFirst)
    .refine(({ reference_video, generate_audio, reference_images }) =>
      reference_video === undefined ? true : !generate_audio && reference_images.length <= 4,
    ),
  'kwaivgi/kling-v2.6': z
    .strictObject({ ...olderKling, generate_audio: z.boolean().default(true) })
    .omit({ end_image: true }),
  'kwaivgi/kling-v2.5-turbo-pro': z.strictObject(olderKling).refine(framesOfKling, needsFirst),
  'kwaivgi/kling-v2.1': z
    .strictObject({ ...olderKling, start_image: image, mode: z.enum(['standard', 'pro']).default('standard') })
    .omit({ aspect_ratio: true })
    .refine(({ end_image, mode }) => end_image === undefined || mode === 'pro'),
  'kwaivgi/kling-o1': z
    .strictObject({
      ...klingWithReferences,
      mode: z.enum(['std', 'pro']).default('pro'),
      duration: z.int().min(3).max(10).default(5),
    })
    .refine(framesOfKling, needsFirst)
    .refine(
      ({ end_image, reference_images, reference_video, duration }) =>
        end_image !== undefined ||
        reference_images.length > 0 ||
        reference_video !== undefined ||
        duration === 5 ||
        duration === 10,
    ),
  'kwaivgi/kling-v2.1-master': z.strictObject(olderKling).omit({ end_image: true }),
  'kwaivgi/kling-v2.0': z.strictObject(olderKling).omit({ end_image: true }),
  'kwaivgi/kling-v1.6-pro': z
    .strictObject({ ...olderKling, reference_images: z.array(image).max(4).optional() })
    .refine(
      ({ start_image, end_image, reference_images }) =>
        start_image !== undefined || end_image !== undefined || reference_images !== undefined,
    ),
  'kwaivgi/kling-v1.6-standard': z
    .strictObject({ ...olderKling, reference_images: z.array(image).max(4).optional() })
    .omit({ end_image: true }),
  'google/veo-3.1': z
    .strictObject({ ...veo, reference_images: z.array(image).max(3).default([]) })
    .refine(({ reference_images, aspect_ratio, duration }) =>
      reference_images.length === 0 ? true : aspect_ratio === '16:9' && duration === 8,
    ),
  'google/veo-3.1-fast': z.strictObject(veo),
  'google/veo-3.1-lite': z.strictObject(veo).omit({ generate_audio: true, negative_prompt: true }),
  'bytedance/seedance-2.5': seedance25,
  'bytedance/seedance-1.5-pro': z
    .strictObject({
      ...seedance1,
      generate_audio: z.boolean().default(true),
      duration: z.int().min(4).max(12).default(5),
    })
    .refine(framesOfSeedance, needsFirst),
  'bytedance/seedance-2.0': seedance2(['480p', '720p', '1080p', '4k']),
  'bytedance/seedance-2.0-fast': seedance2(['480p', '720p']),
  'bytedance/seedance-1-pro': z.strictObject(seedance1).refine(framesOfSeedance, needsFirst),
  'bytedance/seedance-1-lite': z
    .strictObject({ ...seedance1, reference_images: z.array(image).max(4).default([]) })
    .refine(framesOfSeedance, needsFirst)
    .refine(({ reference_images, resolution }) => reference_images.length === 0 || resolution !== '1080p'),
  'bytedance/seedance-1-pro-fast': z.strictObject(seedance1).omit({ last_frame_image: true }),
  'minimax/hailuo-2.3': z
    .strictObject({ ...hailuo, resolution: z.enum(['768p', '1080p']).default('768p') })
    .refine(shortAt1080p),
  'minimax/hailuo-2.3-fast': z
    .strictObject({ ...hailuo, first_frame_image: image, resolution: z.enum(['768p', '1080p']).default('768p') })
    .refine(shortAt1080p),
  'minimax/hailuo-02': z
    .strictObject({
      ...hailuo,
      last_frame_image: image.optional(),
      resolution: z.enum(['512p', '768p', '1080p']).default('1080p'),
    })
    .refine(shortAt1080p),
  'minimax/video-01': firstMinimax.extend({ subject_reference: image.optional() }),
  'minimax/video-01-director': firstMinimax,
  'minimax/video-01-live': firstMinimax.required({ first_frame_image: true }),
  'luma/ray-3.2': z
    .strictObject({
      prompt,
      start_image: image.optional(),
      end_image: image.optional(),
      aspect_ratio: sixRatios.optional(),
      resolution: z.enum(['540p', '720p', '1080p']).default('720p'),
      duration: ofLength(5, 10).default(5),
      hdr: z.boolean().default(false),
      loop: z.boolean().default(false),
    })
    .refine(framesOfKling, needsFirst),
  'luma/ray-2-540p': ray,
  'luma/ray-2-720p': ray,
  'luma/ray-flash-2-540p': ray,
  'luma/ray-flash-2-720p': ray,
  'pixverse/pixverse-v6': z
    .strictObject({
      ...pixverse,
      duration: ofLength(5, 8, 10, 15).default(5),
      generate_audio_switch: z.boolean().default(false),
      generate_multi_clip_switch: z.boolean().default(false),
    })
    .refine(framesOfSeedance, needsFirst),
  'vidu/q3-pro': viduQ3,
  'vidu/q3-turbo': viduQ3,
  'pixverse/pixverse-v5.6': z
    .strictObject({
      ...pixverse,
      duration: ofLength(5, 8, 10).default(5),
      generate_audio_switch: z.boolean().default(false),
      thinking_type: z.enum(['disabled', 'enabled', 'auto']).default('auto'),
    })
    .refine(framesOfSeedance, needsFirst)
    .refine(({ quality, duration }) => quality !== '1080p' || duration !== 10),
  'pixverse/pixverse-v5': z.strictObject(pixverse).refine(framesOfSeedance, needsFirst),
  'pixverse/pixverse-v4.5': olderPixverse,
  'pixverse/pixverse-v4': olderPixverse,
  'runwayml/gen-4.5': z.strictObject({ ...gen, image: image.optional() }),
  'runwayml/gen4-turbo': z.strictObject({ ...gen, image }),
  'xai/grok-imagine-video': z.strictObject({
    prompt,
    image: image.optional(),
    video: video.optional(),
    duration: z.int().min(1).max(15).default(5),
    resolution: z.enum(['480p', '720p']).default('720p'),
    aspect_ratio: z.enum(['auto', '16:9', '4:3', '1:1', '9:16', '3:4', '3:2', '2:3']).default('auto'),
  }),
  'xai/grok-imagine-video-1.5': z.strictObject({
    prompt,
    image,
    duration: z.int().min(1).max(15).default(5),
    resolution: z.enum(['480p', '720p']).default('720p'),
    aspect_ratio: z.enum(['auto', '16:9', '4:3', '1:1', '9:16', '3:4', '3:2', '2:3']).default('auto'),
  }),
};

const submitSchema = z.strictObject({
  input: z.unknown(),
  webhook: z.url({ protocol: /^https$/ }).optional(),
  webhook_events_filter: z.array(z.enum(['start', 'output', 'logs', 'completed'])).optional(),
});

const statusOf: Readonly<Record<JobState, string>> = {
  queued: 'starting',
  running: 'processing',
  weird: 'warming-up',
  completed: 'succeeded',
  'no-url': 'succeeded',
  cancelled: 'canceled',
  moderated: 'failed',
  failed: 'failed',
};

interface Prediction {
  readonly id: string;
  readonly model: string;
  readonly job: VendorJob;
  state: JobState;
}

export function startFakeReplicate(): Promise<FakeVideoVendor> {
  const predictions = new Map<string, Prediction>();
  return startFakeVideoVendor((request, tools) => {
    const { method, path, headers } = request;
    if (headers.authorization !== `Bearer ${REPLICATE_KEY}`) return refuse(401);
    if (method === 'GET' && path === '/v1/webhooks/default/secret')
      return { status: 200, body: { key: WEBHOOK_SECRET } };
    const [, model] = /^\/v1\/models\/([\w.-]+\/[\w.-]+)\/predictions$/.exec(path) ?? [];
    if (model !== undefined && method === 'POST') return submit(model, request, tools, predictions);
    const [, id = '', cancels] = /^\/v1\/predictions\/(\w+)(\/cancel)?$/.exec(path) ?? [];
    const prediction = predictions.get(id);
    if (!prediction) return refuse(404);
    if (cancels !== undefined && method === 'POST') return cancel(prediction, tools);
    if (cancels === undefined && method === 'GET') return poll(prediction, tools);
    return refuse(405);
  });
}

const WEBHOOK_SECRET = `whsec_${Buffer.from('imitated secret of webhooks').toString('base64')}`;

/** With the secret of the account, which `GET /v1/webhooks/default/secret` tells. */
export const signReplicateCallback: SignCallback = ({ body, now }) => {
  const id = 'msg_imitated';
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': `v1,b2xk ${new Webhook(WEBHOOK_SECRET).sign(id, now, body)}`,
  };
};

function submit(
  model: string,
  { headers, json }: VendorRequest,
  tools: VendorTools,
  predictions: Map<string, Prediction>,
): VendorReply {
  const schema = Object.hasOwn(replicateModels, model) ? replicateModels[model] : undefined;
  if (!schema) return refuse(404);
  if (headers['content-type'] !== 'application/json') return refuse(415);
  if (headers.prefer !== undefined) return refuse(422, 'This imitation does not wait.');
  const { input } = fieldsOf(json);
  if (!submitSchema.safeParse(json).success || !schema.safeParse(input).success)
    return refuse(422, '- input: the value is invalid');

  const text = String(fieldsOf(input).prompt);
  const scenario = scenarioOf(text);
  switch (scenario?.name) {
    case 'moderated-input':
      return refuse(422, 'The input was flagged as sensitive. Please try again with different inputs. (E005)');
    case 'balance':
      return refuse(402, 'You have insufficient credit to run this model.');
    case 'auth':
      return refuse(401);
    case 'invalid':
      return refuse(422, '- input.prompt: the prompt is too short');
    case 'unavailable':
      return refuse(503);
    case 'status':
      return refuse(scenario.count);
    case 'ratelimit':
      if (tools.countAttempt(text) > scenario.count) break;
      return { status: 429, body: { ...errorOf(429), retry_after: 3 } };
    case 'success-without-id':
      return { status: 201, body: { status: 'starting' } };
  }
  const job = tools.createJob(text, json);
  const id = idOf(job.number);
  const prediction: Prediction = { id, model, job, state: 'queued' };
  predictions.set(id, prediction);
  if (scenario?.name === 'submit-500') return refuse(500);
  const body = predictionOf(prediction, tools);
  return scenario?.name === 'error-with-id'
    ? { status: 500, body: { ...body, ...errorOf(500) } }
    : { status: 201, body };
}

function poll(prediction: Prediction, tools: VendorTools): VendorReply {
  const broken = brokenPoll(prediction.job);
  if (broken) return broken;
  prediction.state = tools.poll(prediction.job);
  return { status: 200, body: predictionOf(prediction, tools) };
}

/** A finished prediction stays as it is. */
function cancel(prediction: Prediction, tools: VendorTools): VendorReply {
  if (['queued', 'running', 'weird'].includes(prediction.state)) {
    prediction.job.cancelled = true;
    prediction.state = 'cancelled';
  }
  return { status: 200, body: predictionOf(prediction, tools) };
}

function predictionOf({ id, model, job, state }: Prediction, tools: VendorTools): object {
  const url = `${tools.baseUrl}/v1/predictions/${id}`;
  const hasEnded = !['queued', 'running', 'weird'].includes(state);
  const isAborted = job.scenario?.name === 'aborted' && hasEnded;
  const result = tools.resultUrl(job);
  return {
    id,
    model,
    version: 'hidden',
    input: fieldsOf(job.body).input,
    logs: '',
    output: state !== 'completed' || isAborted ? null : job.scenario?.name === 'list' ? [result] : result,
    data_removed: false,
    error: errorTextOf(state),
    source: 'api',
    status: isAborted ? 'aborted' : statusOf[state],
    created_at: job.createdAt.toISOString(),
    ...(hasEnded && {
      completed_at: new Date(job.createdAt.getTime() + 90_000).toISOString(),
      metrics: { predict_time: 41.5, total_time: 90 },
    }),
    urls: { get: url, cancel: `${url}/cancel`, stream: `${url}/stream`, web: `https://replicate.com/p/${id}` },
  };
}

function errorTextOf(state: JobState): string | null {
  if (state === 'moderated') return 'The output was flagged as sensitive. Please try again. (E005)';
  return state === 'failed' ? 'Prediction interrupted; please retry (code: PA)' : null;
}

/** 26 characters of lower-case base32. */
function idOf(number: number): string {
  return `p${(32 ** 6 + number).toString(32)}`.padEnd(26, '0');
}

/** The first polls of a scenario such as `poll404:2`; undefined for the others. */
function brokenPoll(job: VendorJob): VendorReply | undefined {
  const [, kind] = /^poll(401|404|429|500)$/.exec(job.scenario?.name ?? '') ?? [];
  if (kind === undefined || job.polls >= (job.scenario?.count ?? 0)) return undefined;
  job.polls += 1;
  return kind === '429' ? { status: 429, body: { ...errorOf(429), retry_after: 7 } } : refuse(Number(kind));
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthenticated',
  402: 'Insufficient credit',
  403: 'Forbidden',
  404: 'Not found',
  422: 'Input validation failed',
  429: 'Too many requests',
  503: 'Service unavailable',
};

function errorOf(status: number, detail = `Error ${status}`) {
  return { title: titles[status] ?? 'Error', detail, status };
}

function refuse(status: number, detail?: string): VendorReply {
  return { status, body: errorOf(status, detail) };
}
