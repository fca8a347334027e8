import { createHmac } from 'node:crypto';
import { z } from 'zod';
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

// Kling as its API reference describes it, in both generations: the new one for API keys alone, and the legacy one for
// API keys and for tokens that are signed with a key pair. Beside the scenarios of every fake it has `code:N` (refused
// with that code), `error-with-id` and `success-without-id` (contradictory answers), and `numeric-id`.

export const KLING_API_KEY = 'api-key-kling-0123456789abcdef';
export const KLING_ACCESS_KEY = 'access-key-kling-0123456789';
export const KLING_SECRET_KEY = 'secret-key-kling-9876543210';

export interface FakeKling extends FakeVideoVendor {
  /** From now on it refuses the tokens that it has seen, as if they had been revoked. */
  revokeTokens(): void;
}

const ratio = z.enum(['16:9', '9:16', '1:1']);
/** Base64 without the head of a data URL, or a public URL. */
const imageText = z.union([z.url({ protocol: /^https$/ }), z.base64().min(20)]);
const videoText = z.url({ protocol: /^https$/ });
const externalId = z.string().min(1).max(64);
const watermark = z.strictObject({ enabled: z.boolean() });

const settings = {
  multi_shot: z.boolean().default(true),
  resolution: z.enum(['720p', '1080p', '4k']).default('720p'),
  duration: z.int().min(3).max(15).default(5),
};
const options = z
  .strictObject({
    callback_url: z.url().optional(),
    external_task_id: externalId.optional(),
    watermark_info: watermark.optional(),
  })
  .optional();
const newSound = z.enum(['native', 'off']).default('off');
const prompt = z.string().min(1).max(3_072);
const promptPart = z.strictObject({ type: z.literal('prompt'), text: prompt });
const frame = (type: 'first_frame' | 'last_frame') => z.strictObject({ type: z.literal(type), url: imageText });
const referenceImage = z.strictObject({
  type: z.literal('refer_image'),
  url: imageText,
  id: z.string().regex(/^\w+$/),
});
const video = (type: 'feature_video' | 'base_video') =>
  z.strictObject({ type: z.literal(type), url: videoText, id: z.string().regex(/^\w+$/) });

const countOf = (contents: readonly { readonly type: string }[], type: string) =>
  contents.filter((part) => part.type === type).length;

const { resolution: _tiers, multi_shot: _shots, ...turboLength } = settings;
const turboSettings = { ...turboLength, resolution: z.enum(['720p', '1080p']).default('720p') };
const olderSettings = { ...turboSettings, duration: z.literal([5, 10]).default(5) };
const shortPrompt = z.string().min(1).max(2_500);
const firstFrameAlone = z
  .array(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('prompt'), text: shortPrompt }),
      frame('first_frame'),
    ]),
  )
  .refine((parts) => countOf(parts, 'first_frame') === 1);

const firstAndLastFrame = z
  .array(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('prompt'), text: shortPrompt }),
      frame('first_frame'),
      frame('last_frame'),
    ]),
  )
  .refine((parts) => countOf(parts, 'first_frame') === 1 && countOf(parts, 'last_frame') <= 1);
/** The cheaper tier takes no last frame. */
const hasTierOfFrames = (body: {
  readonly contents: readonly { readonly type: string }[];
  readonly settings: { readonly resolution: string };
}) => body.settings.resolution === '1080p' || countOf(body.contents, 'last_frame') === 0;

const longPrompt = z.string().min(1).max(26_000);
const fourthSettings = { ...turboSettings, duration: z.int().min(3).max(30).default(5) };
const fourthRatio = z.enum(['16:9', '9:16', '1:1', '21:9']).default('16:9');
const fourthPromptPart = z.strictObject({ type: z.literal('prompt'), text: longPrompt });

const newBodies: Readonly<Record<string, z.ZodType<object>>> = {
  '/text-to-video/kling-4.0': z.strictObject({
    prompt: longPrompt,
    settings: z.strictObject({ ...fourthSettings, aspect_ratio: fourthRatio }),
    options,
  }),
  '/image-to-video/kling-4.0': z.strictObject({
    contents: z
      .array(z.discriminatedUnion('type', [fourthPromptPart, frame('first_frame'), frame('last_frame')]))
      .refine((parts) => countOf(parts, 'first_frame') === 1 && countOf(parts, 'last_frame') <= 1),
    settings: z.strictObject(fourthSettings),
    options,
  }),
  '/omni-video/kling-4.0': z
    .strictObject({
      contents: z
        .array(
          z.discriminatedUnion('type', [fourthPromptPart, referenceImage, video('feature_video'), video('base_video')]),
        )
        .refine(
          (parts) =>
            countOf(parts, 'refer_image') <= 10 &&
            countOf(parts, 'feature_video') <= 5 &&
            countOf(parts, 'base_video') <= 1,
        ),
      settings: z.strictObject({ ...fourthSettings, aspect_ratio: fourthRatio.unwrap().optional() }),
      options,
    })
    .refine(({ contents, settings: { aspect_ratio: ordered } }) =>
      countOf(contents, 'base_video') === 1 ? ordered === undefined : ordered !== undefined,
    ),
  '/text-to-video/kling-3.0': z.strictObject({
    prompt,
    settings: z.strictObject({ ...settings, audio: newSound, aspect_ratio: ratio.default('16:9') }),
    options,
  }),
  '/image-to-video/kling-3.0': z.strictObject({
    contents: z
      .array(z.discriminatedUnion('type', [promptPart, frame('first_frame'), frame('last_frame')]))
      .refine((parts) => countOf(parts, 'first_frame') === 1 && countOf(parts, 'last_frame') <= 1),
    settings: z.strictObject({ ...settings, audio: newSound }),
    options,
  }),
  // Without settings for sound and shots.
  '/text-to-video/kling-3.0-turbo': z.strictObject({
    prompt,
    settings: z.strictObject({ ...turboSettings, aspect_ratio: ratio.default('16:9') }),
    options,
  }),
  '/image-to-video/kling-3.0-turbo': z.strictObject({
    contents: firstFrameAlone,
    settings: z.strictObject(turboSettings),
    options,
  }),
  '/text-to-video/kling-2.6': z.strictObject({
    prompt: shortPrompt,
    settings: z.strictObject({ ...olderSettings, audio: newSound, aspect_ratio: ratio.default('16:9') }),
    options,
  }),
  '/image-to-video/kling-2.6': z
    .strictObject({
      contents: firstAndLastFrame,
      settings: z.strictObject({ ...olderSettings, audio: newSound }),
      options,
    })
    .refine(hasTierOfFrames),
  '/text-to-video/kling-2.5-turbo': z.strictObject({
    prompt: shortPrompt,
    settings: z.strictObject({ ...olderSettings, aspect_ratio: ratio.default('16:9') }),
    options,
  }),
  '/image-to-video/kling-2.5-turbo': z
    .strictObject({ contents: firstAndLastFrame, settings: z.strictObject(olderSettings), options })
    .refine(hasTierOfFrames),
  '/omni-video/kling-3.0-omni': z
    .strictObject({
      contents: z.array(
        z.discriminatedUnion('type', [
          promptPart,
          frame('first_frame'),
          frame('last_frame'),
          referenceImage,
          video('feature_video'),
          video('base_video'),
        ]),
      ),
      settings: z.strictObject({
        ...settings,
        audio: z.enum(['native', 'original', 'off']).default('off'),
        aspect_ratio: ratio.optional(),
      }),
      options,
    })
    .refine(({ contents, settings: { audio, aspect_ratio, multi_shot } }) => {
      const edits = countOf(contents, 'base_video');
      const videos = edits + countOf(contents, 'feature_video');
      const images = countOf(contents, 'refer_image');
      const frames = [countOf(contents, 'first_frame'), countOf(contents, 'last_frame')] as const;
      return (
        (frames[0] === 0 || videos + images === 0) &&
        frames[0] <= 1 &&
        frames[1] <= frames[0] &&
        videos <= 1 &&
        images <= (videos === 0 ? 7 : 4) &&
        (videos === 0 || audio !== 'native') &&
        (edits === 1 || audio !== 'original') &&
        (edits + frames[0] === 0) === (aspect_ratio !== undefined) &&
        (edits === 0 || !multi_shot) &&
        (videos === edits || multi_shot)
      );
    }),
};

const legacyShared = {
  prompt: z.string().min(1).max(2_500),
  negative_prompt: z.string().max(2_500).optional(),
  mode: z.enum(['std', 'pro']).default('std'),
  sound: z.enum(['on', 'off']).default('off'),
  watermark_info: watermark.optional(),
  callback_url: z.url().optional(),
  external_task_id: externalId.optional(),
};
const legacySeconds = z.enum(['3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13', '14', '15']);

/** Kling 3.0 requires a field for who chooses the shots; several rule out a last frame. */
const shotsOf30 = {
  multi_shot: z.boolean().default(false),
  shot_type: z.enum(['intelligence']).optional(),
};
const hasShotsOf30 = (body: {
  readonly multi_shot: boolean;
  readonly shot_type?: string | undefined;
  readonly image_tail?: unknown;
}) => body.multi_shot === (body.shot_type !== undefined) && !(body.multi_shot && body.image_tail !== undefined);

const legacyText = {
  ...legacyShared,
  ...shotsOf30,
  model_name: z.literal('kling-v3'),
  aspect_ratio: ratio.default('16:9'),
};
/** Only Kling 3.0 has shots, and Kling 2.5 Turbo makes no sound. */
const { sound: legacySound, ...olderFields } = legacyShared;
const olderShared = { ...olderFields, duration: z.enum(['5', '10']).default('5') };
const legacyOf26 = { model_name: z.literal('kling-v2-6'), sound: legacySound };
const legacyOf25 = { model_name: z.literal('kling-v2-5-turbo') };
/** The versions before 2.5, of which two make videos from images alone. */
const masterNames = ['kling-v2-master', 'kling-v2-1-master'] as const;
const firstTextNames = z.enum(['kling-v1', 'kling-v1-6', ...masterNames]);
const firstImageNames = z.enum(['kling-v1', 'kling-v1-5', 'kling-v1-6', 'kling-v2-1', ...masterNames]);

const legacyFrames = { image: imageText, image_tail: imageText.optional() };
const hasModeOfFrames = (body: { readonly mode: string; readonly image_tail?: string | undefined }) =>
  body.mode === 'pro' || body.image_tail === undefined;

/** Voices, which were made at Kling, speak in a video with sound. */
const legacyVoices = {
  voice_list: z
    .array(z.strictObject({ voice_id: z.string().min(1) }))
    .max(2)
    .optional(),
};
const hasSoundOfVoices = (body: { readonly sound: string; readonly voice_list?: readonly object[] | undefined }) =>
  body.sound === 'on' || body.voice_list === undefined;

const omniMedia = {
  aspect_ratio: ratio.optional(),
  image_list: z
    .array(z.strictObject({ image_url: imageText, type: z.enum(['first_frame', 'end_frame']).optional() }))
    .optional(),
  video_list: z
    .array(
      z.strictObject({
        video_url: videoText,
        refer_type: z.enum(['base', 'feature']),
        keep_original_sound: z.enum(['yes', 'no']),
      }),
    )
    .max(1)
    .optional(),
};
type OmniMedia = z.infer<z.ZodObject<typeof omniMedia>>;

function hasOmniMedia({ image_list: images = [], video_list: videos = [], aspect_ratio }: OmniMedia): boolean {
  const isEdit = videos.some(({ refer_type: type }) => type === 'base');
  const hasFrames = images.some(({ type }) => type !== undefined);
  return images.length <= (videos.length === 0 ? 7 : 4) && (isEdit || hasFrames) === (aspect_ratio === undefined);
}

const hasManyLengths = ({ image_list: images = [], video_list: videos = [] }: OmniMedia) =>
  videos.length > 0 || images.some(({ type }) => type !== 'first_frame');

const legacyBodies: Readonly<Record<string, z.ZodType<object>>> = {
  '/v1/videos/text2video': z.discriminatedUnion('model_name', [
    z.strictObject({ ...legacyText, duration: legacySeconds.default('5') }).refine(hasShotsOf30),
    z.strictObject({ ...olderShared, ...legacyOf26, aspect_ratio: ratio.default('16:9') }),
    z.strictObject({ ...olderShared, ...legacyOf25, aspect_ratio: ratio.default('16:9') }),
    z.strictObject({ ...olderShared, model_name: firstTextNames, aspect_ratio: ratio.default('16:9') }),
  ]),
  '/v1/videos/image2video': z.discriminatedUnion('model_name', [
    z
      .strictObject({
        ...legacyShared,
        ...shotsOf30,
        model_name: z.literal('kling-v3'),
        duration: legacySeconds.default('5'),
        ...legacyFrames,
        ...legacyVoices,
      })
      .refine((body) => hasShotsOf30(body) && hasSoundOfVoices(body)),
    z
      .strictObject({ ...olderShared, ...legacyOf26, ...legacyFrames, ...legacyVoices })
      .refine((body) => hasModeOfFrames(body) && hasSoundOfVoices(body)),
    z.strictObject({ ...olderShared, ...legacyOf25, ...legacyFrames }).refine(hasModeOfFrames),
    z.strictObject({ ...olderShared, model_name: firstImageNames, ...legacyFrames }).refine(hasModeOfFrames),
  ]),
  '/v1/videos/omni-video': z.union([
    z
      .strictObject({
        ...legacyShared,
        ...omniMedia,
        multi_shot: z.literal(false).optional(),
        model_name: z.literal('kling-v3-omni'),
        duration: legacySeconds.optional(),
      })
      .refine((body) => hasOmniMedia(body) && (body.video_list === undefined || body.sound === 'off')),
    // Kling O1: without sound and shots, and with two lengths from a text or a first frame alone.
    z
      .strictObject({
        ...olderFields,
        ...omniMedia,
        model_name: z.literal('kling-video-o1'),
        duration: z.enum(['3', '4', '5', '6', '7', '8', '9', '10']).optional(),
      })
      .refine((body) => hasOmniMedia(body) && (hasManyLengths(body) || /^(5|10)$/.test(body.duration ?? '5'))),
  ]),
};

const FIRST_TASK_ID = 830_000_000_000_000_000n;

const statusOf: Readonly<Record<JobState, string>> = {
  queued: 'submitted',
  running: 'processing',
  weird: 'rendering',
  completed: 'succeeded',
  'no-url': 'succeeded',
  cancelled: 'failed',
  moderated: 'failed',
  failed: 'failed',
};

interface Task {
  readonly id: string;
  readonly externalId: string;
  /** The path of its submit. */
  readonly path: string;
  readonly job: VendorJob;
  readonly hasWatermark: boolean;
}

/** `checksTime`: false for clients whose clock is not that of this machine. */
export async function startFakeKling({ checksTime = true } = {}): Promise<FakeKling> {
  const tasks: Task[] = [];
  const seenTokens = new Set<string>();
  const revoked = new Set<string>();

  const vendor = await startFakeVideoVendor((request, tools) => {
    const { method, path, query } = request;
    const isLegacy = path.startsWith('/v1/');
    const refusal = refuseCredentials(request, isLegacy);
    if (refusal) return refusal;
    const schema = newBodies[path] ?? legacyBodies[path];
    if (schema) return method === 'POST' ? generate(request, schema, tools) : failure(1202);
    if (method === 'GET' && path === '/tasks') return queryTasks(query, tools);
    const [, submitPath, id] = /^(\/v1\/videos\/[\w-]+)\/([^/]+)$/.exec(path) ?? [];
    if (method === 'GET' && submitPath !== undefined) {
      const task = tasks.find((one) => one.path === submitPath && (one.id === id || one.externalId === id));
      if (!task) return failure(1203);
      return brokenPoll(task.job, failure(1203)) ?? success(legacyTask(task, tools));
    }
    return { status: 404, body: '404 page not found' };
  });

  function refuseCredentials({ headers }: VendorRequest, isLegacy: boolean): VendorReply | undefined {
    const [, token] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
    if (token === undefined) return failure(1001);
    if (token === KLING_API_KEY) return undefined;
    if (!isLegacy) return failure(1002);
    seenTokens.add(token);
    return revoked.has(token) ? failure(1004) : refuseToken(token, checksTime);
  }

  function generate(request: VendorRequest, schema: z.ZodType<object>, tools: VendorTools): VendorReply {
    if (request.headers['content-type'] !== 'application/json') return failure(1200);
    if (!schema.safeParse(request.json).success) return failure(1201);
    const text = promptOf(request.json);
    const id = externalIdOf(request.json);
    const scenario = scenarioOf(text);
    const code = refusalCodeOf(text, refusalCodes, tools);
    if (code !== undefined) return failure(code);
    if (scenario?.name === 'success-without-id') return success({ status: 'submitted' });
    if (tasks.some(({ externalId: other }) => other === id))
      return failure(1201, `Duplicate external_task_id: a task with this external_task_id already exists`);
    const job = tools.createJob(text, request.json);
    const task: Task = {
      id: String(FIRST_TASK_ID + BigInt(job.number)),
      externalId: id,
      path: request.path,
      job,
      hasWatermark: hasWatermark(request.json),
    };
    tasks.push(task);
    if (scenario?.name === 'submit-500') return failure(5000);
    const isLegacy = request.path.startsWith('/v1/');
    const times = { create: job.createdAt.getTime(), update: job.createdAt.getTime() };
    const data = isLegacy
      ? {
          task_id: task.id,
          task_status: 'submitted',
          task_info: { external_task_id: id },
          created_at: times.create,
          updated_at: times.update,
        }
      : { id: task.id, status: 'submitted', external_id: id, create_time: times.create, update_time: times.update };
    if (scenario?.name === 'error-with-id') return { ...success(data, 5000), status: 500 };
    return success(data, 0, scenario?.name === 'numeric-id');
  }

  function queryTasks(query: URLSearchParams, tools: VendorTools): VendorReply {
    const names = [...query.keys()];
    if (names.length !== 1 || !/^(external_)?task_ids$/.test(names[0] ?? '')) return failure(1201);
    const ids = (query.get('task_ids') ?? query.get('external_task_ids') ?? '').split(',');
    const found = tasks.filter(
      ({ id, externalId: other, path }) => !path.startsWith('/v1/') && ids.includes(query.has('task_ids') ? id : other),
    );
    const [first] = found;
    const broken = first && brokenPoll(first.job, success([]));
    return broken ?? success(found.map((task) => newTask(task, tools)));
  }

  return Object.assign(vendor, { revokeTokens: () => [...seenTokens].forEach((token) => revoked.add(token)) });
}

const RISK_MESSAGE = 'Failure to pass the risk control system';

function newTask({ id, externalId: external, job, hasWatermark: marked }: Task, tools: VendorTools): object {
  const state = tools.poll(job);
  return {
    id,
    status: statusOf[state],
    message: messageOf(state),
    external_id: external,
    create_time: job.createdAt.getTime(),
    update_time: Date.now(),
    outputs:
      state === 'completed'
        ? [
            {
              type: 'video',
              id: `output-${job.number}`,
              url: tools.resultUrl(job),
              ...(marked && { watermark_url: markedUrl(tools.resultUrl(job)) }),
              duration: '5',
            },
          ]
        : [],
    billing: state === 'completed' ? [{ charge_type: 'unit', amount: '0.6', currency: '', list_price: '0.6' }] : [],
  };
}

function legacyTask({ id, externalId: external, job, hasWatermark: marked }: Task, tools: VendorTools): object {
  const state = tools.poll(job);
  return {
    task_id: id,
    task_status: statusOf[state].replace('succeeded', 'succeed'),
    task_status_msg: messageOf(state),
    task_info: { external_task_id: external },
    created_at: job.createdAt.getTime(),
    updated_at: Date.now(),
    ...(state === 'completed' && {
      task_result: {
        videos: [
          {
            id: `output-${job.number}`,
            url: tools.resultUrl(job),
            ...(marked && { watermark_url: markedUrl(tools.resultUrl(job)) }),
            duration: '5',
          },
        ],
      },
    }),
  };
}

const messageOf = (state: JobState) => (state === 'moderated' ? RISK_MESSAGE : state === 'failed' ? 'Failed' : '');

export const markedUrl = (url: string) => url.replace(/(\d+\.mp4)$/, 'marked-$1');

/** The first polls of a scenario such as `poll404:2`; undefined for the others. */
function brokenPoll(job: VendorJob, unknown: VendorReply): VendorReply | undefined {
  const [, kind] = /^poll(401|404|429|500)$/.exec(job.scenario?.name ?? '') ?? [];
  if (kind === undefined || job.polls >= (job.scenario?.count ?? 0)) return undefined;
  job.polls += 1;
  switch (kind) {
    case '401':
      return failure(1004);
    case '404':
      return unknown;
    case '429':
      return { ...failure(1302), headers: { 'retry-after': '7' } };
    default:
      return failure(5000);
  }
}

/** Checks a token as RFC 7519 says, without the code of the product. */
function refuseToken(token: string, checksTime: boolean): VendorReply | undefined {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  const expected = createHmac('sha256', KLING_SECRET_KEY).update(`${header}.${payload}`).digest('base64url');
  if (rest.length > 0 || signature !== expected) return failure(1002);
  const head = z.strictObject({ alg: z.literal('HS256'), typ: z.literal('JWT') });
  const claims = z.strictObject({ iss: z.literal(KLING_ACCESS_KEY), exp: z.int(), nbf: z.int() });
  const stated = claims.safeParse(partOf(payload)).data;
  if (!head.safeParse(partOf(header)).success || !stated) return failure(1002);
  const now = Math.floor(Date.now() / 1_000);
  if (stated.exp - stated.nbf !== 1_805) return failure(1002);
  if (checksTime && stated.nbf > now) return failure(1003);
  return checksTime && stated.exp <= now ? failure(1004) : undefined;
}

function partOf(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
}

const loose = z.object({
  prompt: z.string().optional(),
  contents: z.array(z.object({ type: z.string(), text: z.string().optional() })).optional(),
  external_task_id: z.string().optional(),
  watermark_info: watermark.optional(),
  options: z.object({ external_task_id: z.string().optional(), watermark_info: watermark.optional() }).optional(),
});

function promptOf(body: unknown): string {
  const { prompt: text, contents = [] } = loose.parse(body);
  return text ?? contents.find(({ type }) => type === 'prompt')?.text ?? '';
}

function externalIdOf(body: unknown): string {
  const { external_task_id: legacy, options: stated } = loose.parse(body);
  return legacy ?? stated?.external_task_id ?? '';
}

function hasWatermark(body: unknown): boolean {
  const { watermark_info: legacy, options: stated } = loose.parse(body);
  return (legacy ?? stated?.watermark_info)?.enabled ?? false;
}

const REQUEST_ID = 'CmbV0GhPcEcAAAAAAFsyWg';

function success(data: unknown, code = 0, numericIds = false): VendorReply {
  const text = JSON.stringify({ code, message: 'SUCCEED', request_id: REQUEST_ID, data });
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: numericIds ? text.replace(/"(id|task_id)":"(\d+)"/g, '"$1":$2') : text,
  };
}

const statusOfCode: Readonly<Record<number, number>> = {
  1102: 429,
  1103: 403,
  1202: 400,
  1203: 404,
  1302: 429,
  1303: 429,
  1304: 429,
  5000: 500,
  5001: 503,
  5002: 504,
};

/** An error with one of Kling's codes. */
const refusalCodes: RefusalCodes = {
  'moderated-input': 1301,
  balance: 1102,
  auth: 1002,
  invalid: 1201,
  unavailable: 5001,
  ratelimit: 1303,
};

function failure(code: number, message = `Error ${code}`): VendorReply {
  const status = statusOfCode[code] ?? (code < 1_200 ? (code < 1_100 ? 401 : 429) : code < 5_000 ? 400 : 500);
  const pause = code === refusalCodes.ratelimit ? { headers: { 'retry-after': '3' } } : {};
  return { status, ...pause, body: { code, message, request_id: REQUEST_ID } };
}
