import { z } from 'zod';
import {
  RESULT,
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

// PixVerse as its API reference describes it: uploads, four kinds of requests for videos, and polls. Errors are codes
// in an answer with the status 200. Beside the scenarios of every fake it has `code:N` (refused with that code),
// `error-with-id` and `success-without-id` (contradictory answers), and `long-id` (an id that is no exact number).

export const PIXVERSE_KEY = 'sk-imitated-0123456789abcdef';

export interface FakePixverse extends FakeVideoVendor {
  /** Answers the next uploads, one each, instead of storing the image. */
  readonly uploadReplies: VendorReply[];
  /** The uploaded images by their ids. */
  readonly images: ReadonlyMap<number, File>;
}

const TRACE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const imageId = z.int().positive();
const wideRatios = ['16:9', '4:3', '1:1', '3:4', '9:16', '2:3', '3:2', '21:9'];
const ratios = wideRatios.slice(0, 5);
const lengths = z.int().min(1).max(15);
const shortLengths = z.union([z.literal(5), z.literal(8), z.literal(10)]);
const multiClip = { generate_multi_clip_switch: z.boolean().optional() };
const audio = { generate_audio_switch: z.boolean().optional() };
const thinking = { thinking_type: z.enum(['auto', 'enabled', 'disabled']).optional() };

/** What the tables of the reference say about each version. */
const versions: Readonly<Record<string, { shape: z.ZodRawShape; clips?: z.ZodRawShape; ratios: readonly string[] }>> = {
  v6: { shape: { ...audio, ...thinking, duration: lengths }, clips: multiClip, ratios: wideRatios },
  c1: { shape: { ...audio, duration: lengths }, ratios: wideRatios },
  'v5.6': { shape: { ...audio, ...thinking, duration: shortLengths }, ratios },
  'v5.5': { shape: { ...audio, ...thinking, duration: shortLengths }, clips: multiClip, ratios },
  v5: { shape: { duration: z.union([z.literal(5), z.literal(8)]) }, ratios },
  ...Object.fromEntries(
    ['v4.5', 'v4', 'v3.5'].map((version) => [
      version,
      { shape: { duration: z.union([z.literal(5), z.literal(8)]) }, ratios },
    ]),
  ),
};
/** The most references of a fusion, and whether it can have sound. */
const fusions: Readonly<Record<string, { references: number; sound: boolean }>> = {
  c1: { references: 7, sound: true },
  'v5.6': { references: 7, sound: true },
  'v5.5': { references: 7, sound: false },
  v5: { references: 3, sound: false },
  'v4.5': { references: 3, sound: false },
};

function schemasOf(fieldsOf: (model: string, ratio: z.ZodType) => z.ZodRawShape | undefined): z.ZodType<VideoBody> {
  const known = Object.entries(versions).flatMap(([model, version]) => {
    const fields = fieldsOf(model, z.enum(version.ratios));
    const { duration = lengths } = version.shape;
    const common = {
      model: z.literal(model),
      prompt: z.string().min(1).max(5_000),
      quality: z.enum(['360p', '540p', '720p', '1080p']),
      seed: z.int().min(0).max(2_147_483_647).optional(),
      water_mark: z.boolean().optional(),
      duration,
    };
    return fields ? [z.strictObject({ ...common, ...fields })] : [];
  });
  // Safe: each of the schemas has the fields of a body.
  return z
    .union(known)
    .refine(
      ({ model, quality, duration }) =>
        quality !== '1080p' ||
        !((model.startsWith('v5.') && duration === 10) || (/^v[34]/.test(model) && duration === 8)),
    ) as unknown as z.ZodType<VideoBody>;
}

interface VideoBody {
  readonly model: string;
  readonly prompt: string;
  readonly duration: number;
  readonly quality: '360p' | '540p' | '720p' | '1080p';
  readonly seed?: number;
  readonly aspect_ratio?: string;
  readonly generate_audio_switch?: boolean;
  readonly img_id?: number;
  readonly first_frame_img?: number;
  readonly last_frame_img?: number;
  readonly image_references?: readonly { readonly img_id: number; readonly ref_name: string }[];
}

const offPeak = { off_peak_mode: z.boolean().optional() };
const unwanted = { negative_prompt: z.string().max(2_048).optional() };
const bodies = {
  '/openapi/v2/video/text/generate': schemasOf((model, aspect_ratio) => ({
    ...versions[model]?.shape,
    ...versions[model]?.clips,
    ...offPeak,
    ...unwanted,
    aspect_ratio,
  })),
  '/openapi/v2/video/img/generate': schemasOf((model) => ({
    ...versions[model]?.shape,
    ...versions[model]?.clips,
    ...offPeak,
    ...unwanted,
    img_id: imageId,
  })),
  '/openapi/v2/video/transition/generate': schemasOf((model) => ({
    ...versions[model]?.shape,
    ...offPeak,
    first_frame_img: imageId,
    last_frame_img: imageId,
  })),
  '/openapi/v2/video/fusion/generate': schemasOf((model, aspect_ratio) => {
    const fusion = fusions[model];
    if (!fusion) return undefined;
    const reference = z.strictObject({
      type: z.enum(['subject', 'background']),
      img_id: imageId,
      ref_name: z.string().min(1),
    });
    return {
      ...(fusion.sound && audio),
      aspect_ratio,
      image_references: z.array(reference).min(1).max(fusion.references),
    };
  }),
};

const creditsPerSecond = {
  '360p': { silent: 5, audio: 7 },
  '540p': { silent: 7, audio: 9 },
  '720p': { silent: 9, audio: 12 },
  '1080p': { silent: 18, audio: 23 },
};

export const FIRST_IMAGE_ID = 210_000_000;
const FIRST_VIDEO_ID = 301_000_000_000_000n;
const LONG_VIDEO_ID = 9_007_199_254_740_993n;

const statusOf: Readonly<Record<JobState, number>> = {
  queued: 5,
  running: 5,
  weird: 10,
  completed: 1,
  'no-url': 1,
  cancelled: 6,
  moderated: 7,
  failed: 8,
};

export async function startFakePixverse(): Promise<FakePixverse> {
  const uploadReplies: VendorReply[] = [];
  const images = new Map<number, File>();
  const jobs = new Map<string, VendorJob>();
  const answers = new Map<string, VendorReply>();

  const vendor = await startFakeVideoVendor(async (request, tools) => {
    const refusal = refuseCredentials(request);
    if (refusal) return refusal;
    const traceId = String(request.headers['ai-trace-id']);
    const earlier = answers.get(traceId);
    if (earlier) return earlier;
    const answer = await answerRequest(request, tools);
    answers.set(traceId, answer);
    return answer;
  });

  async function answerRequest(request: VendorRequest, tools: VendorTools): Promise<VendorReply> {
    const { method, path } = request;
    if (method === 'POST' && path === '/openapi/v2/image/upload') return storeImage(request);
    if (method === 'POST' && isGeneratePath(path)) return generate(request, bodies[path], tools);
    const [, id] = /^\/openapi\/v2\/video\/result\/([^/]+)$/.exec(path) ?? [];
    if (method === 'GET' && id !== undefined) return poll(id, tools);
    return { status: 404, body: '404 page not found' };
  }

  async function storeImage(request: VendorRequest): Promise<VendorReply> {
    const scripted = uploadReplies.shift();
    if (scripted) return scripted;
    const form = await new Response(new Uint8Array(request.raw), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    })
      .formData()
      .catch(() => undefined);
    const image = form?.get('image');
    if (!form || [...form.keys()].join() !== 'image' || !(image instanceof File)) return failure(400_017);
    if (!/^image\/(png|jpeg|webp)$/.test(image.type) || !/\.(png|jpe?g|webp)$/.test(image.name))
      return failure(500_032);
    if (image.size > 20 * 1024 * 1024) return failure(500_030);
    const id = FIRST_IMAGE_ID + images.size;
    images.set(id, image);
    return success({ img_id: id, img_url: `https://media.pixverse.ai/openapi/${id}.png` });
  }

  function generate(request: VendorRequest, schema: z.ZodType<VideoBody>, tools: VendorTools): VendorReply {
    if (request.headers['content-type'] !== 'application/json') return failure(400_013);
    const parsed = schema.safeParse(request.json);
    if (!parsed.success) return failure(400_017);
    const body = parsed.data;
    const { image_references: references = [] } = body;
    if (references.some(({ ref_name: name }) => !isCitedAsName(name, body.prompt))) return failure(400_017);
    const used = [body.img_id, body.first_frame_img, body.last_frame_img, ...references.map(({ img_id }) => img_id)];
    if (used.some((id) => id !== undefined && !images.has(id))) return failure(400_032);

    const scenario = scenarioOf(body.prompt);
    const code = refusalCodeOf(body.prompt, refusalCodes, tools);
    if (code !== undefined) return failure(code);
    if (scenario?.name === 'submit-500') return { ...failure(500_100), status: 500 };
    const job = tools.createJob(body.prompt, body);
    const id = String((scenario?.name === 'long-id' ? LONG_VIDEO_ID : FIRST_VIDEO_ID) + BigInt(job.number));
    jobs.set(id, job);
    if (scenario?.name === 'error-with-id') return success({ video_id: id }, 500_100);
    return success({ video_id: scenario?.name === 'success-without-id' ? 0 : id, credits: creditsOf(body) });
  }

  function poll(id: string, tools: VendorTools): VendorReply {
    const job = jobs.get(id);
    if (!job) return failure(500_008);
    const broken = brokenPoll(job);
    if (broken) return broken;
    const state = tools.poll(job);
    // Safe: `generate` created it with a parsed body.
    const body = job.body as VideoBody;
    const isCompleted = state === 'completed' || state === 'no-url';
    return success({
      id,
      create_time: job.createdAt.toISOString(),
      modify_time: new Date().toISOString(),
      prompt: body.prompt,
      negative_prompt: '',
      status: statusOf[state],
      seed: body.seed ?? 1_234_567,
      url: state === 'completed' ? tools.resultUrl(job) : '',
      ...(isCompleted
        ? {
            ...sizeOf(body),
            has_audio: body.generate_audio_switch ?? false,
            size: RESULT.length,
            credits: creditsOf(body),
          }
        : { outputWidth: 0, outputHeight: 0, has_audio: false, size: 0, credits: 0 }),
    });
  }

  return Object.assign(vendor, { uploadReplies, images });
}

function refuseCredentials({ headers }: VendorRequest): VendorReply | undefined {
  if (headers['api-key'] === undefined) return failure(10_003);
  if (headers['api-key'] !== PIXVERSE_KEY) return failure(10_005);
  return TRACE_ID.test(String(headers['ai-trace-id'])) ? undefined : failure(400_011);
}

/** The first polls of a scenario such as `poll404:2`; undefined for the others. */
function brokenPoll(job: VendorJob): VendorReply | undefined {
  const [, kind] = /^poll(401|404|429|500)$/.exec(job.scenario?.name ?? '') ?? [];
  if (kind === undefined || job.polls >= (job.scenario?.count ?? 0)) return undefined;
  job.polls += 1;
  switch (kind) {
    case '401':
      return { ...failure(10_005), status: 401 };
    case '404':
      return failure(500_008);
    case '429':
      return { status: 429, headers: { 'retry-after': '7' }, body: 'Too many requests' };
    default:
      return { ...failure(500_100), status: 500 };
  }
}

function isGeneratePath(path: string): path is keyof typeof bodies {
  return path in bodies;
}

/** Ids are numbers of JSON whatever their length, so they are written into the text. */
function success(resp: Readonly<Record<string, unknown>>, code = 0): VendorReply {
  const json = JSON.stringify({ ErrCode: code, ErrMsg: 'success', Resp: resp });
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: json.replace(/"(id|video_id)":"(\d+)"/g, '"$1":$2'),
  };
}

const messages: Readonly<Record<number, string>> = {
  10_003: 'Token not provided',
  10_005: 'Token is invalid',
  400_011: 'Empty parameter',
  400_013: 'Invalid binding request',
  400_017: 'Invalid parameter',
  400_032: 'Invalid image id',
  500_008: 'Requested data not found',
  500_030: 'Image size exceeds 20M',
  500_032: 'Invalid image format',
  500_044: 'Reached the limit for concurrent generations.',
  500_054: 'Content moderation failed',
  500_063: 'Your input text did not pass our content moderation.',
  500_069: 'The system is currently experiencing high load. Please try again later.',
  500_090: 'Insufficient balance. Unable to generate video.',
  500_100: 'Internal error',
};

/** An error with one of PixVerse's codes. */
const refusalCodes: RefusalCodes = {
  'moderated-input': 500_063,
  balance: 500_090,
  auth: 10_005,
  invalid: 400_017,
  unavailable: 500_069,
  ratelimit: 500_044,
};

export function failure(code: number): VendorReply {
  const pause = code === refusalCodes.ratelimit ? { headers: { 'retry-after': '3' } } : {};
  return { status: 200, ...pause, body: { ErrCode: code, ErrMsg: messages[code] ?? 'Error', Resp: null } };
}

function creditsOf({ quality, duration, generate_audio_switch: audio }: VideoBody): number {
  return creditsPerSecond[quality][audio ? 'audio' : 'silent'] * duration;
}

/** In a prompt, a space must follow every name of a reference. */
function isCitedAsName(name: string, prompt: string): boolean {
  const [, ...rests] = prompt.split(`@${name}`);
  return rests.every((rest) => /^(?:[\s\w]|$)/.test(rest));
}

/** The short side is that of the tier; a transition of the fake is 16:9. */
function sizeOf(body: VideoBody): { outputWidth: number; outputHeight: number } {
  const [across = 16, down = 9] = (body.aspect_ratio ?? '16:9').split(':').map(Number);
  const short = Number.parseInt(body.quality, 10);
  const long = Math.round((short * Math.max(across, down)) / Math.min(across, down) / 2) * 2;
  return across >= down ? { outputWidth: long, outputHeight: short } : { outputWidth: short, outputHeight: long };
}
