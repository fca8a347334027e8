import { randomUUID } from 'node:crypto';
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
} from './fake-video-vendor';

// The videos of Model Studio (DashScope) as its API references describe them, with its answers of HTTP 200 for failed
// and unknown tasks. Stricter than the vendor: it refuses fields that the vendor ignores. Beside the scenarios of every
// fake it has `code:N` (refused with the line N of `errorCodes`), `failed:N` (accepted, and failed with that line),
// `error-with-id` and `success-without-id` (contradictory answers).

export const ALIBABA_KEY = 'sk-imitated0123456789abcdefALIBABA';

export const SUBMIT_PATH = '/api/v1/services/aigc/video-generation/video-synthesis';
/** The models whose submits another service takes. */
const otherPaths: Readonly<Record<string, string>> = {
  'wan2.2-kf2v-flash': '/api/v1/services/aigc/image2video/video-synthesis',
};
export const SUBMIT_PATHS: readonly string[] = [SUBMIT_PATH, ...Object.values(otherPaths)];

/** Codes with the statuses that the vendor sends with them. */
export const errorCodes: readonly (readonly [code: string, status: number])[] = [
  ['InvalidApiKey', 401],
  ['Arrearage', 400],
  ['AccessDenied', 403],
  ['AccessDenied.Unpurchased', 403],
  ['Workspace.AccessDenied', 403],
  ['Model.AccessDenied', 403],
  ['ModelNotFound', 404],
  ['AllocationQuota.FreeTierOnly', 403],
  ['InvalidParameter', 400],
  ['InvalidParameter.DataInspection', 400],
  ['InvalidURL', 400],
  ['InvalidImage.Resolution', 400],
  ['InvalidFile.Duration', 400],
  ['DataInspectionFailed', 400],
  ['IPInfringementSuspect', 400],
  ['Throttling', 429],
  ['Throttling.RateQuota', 429],
  ['Throttling.AllocationQuota', 429],
  ['ModelUnavailable', 503],
  ['InternalError', 500],
  ['InternalError.Timeout', 500],
  ['RequestTimeOut', 500],
  ['SomethingNew', 500],
];

const image = z.union([z.url({ protocol: /^https?$/ }), z.string().regex(/^data:image\/(png|jpeg|webp);base64,\S+$/)]);
const httpUrl = z.url({ protocol: /^https?$/ });
const ratio = z.enum(['16:9', '9:16', '1:1', '4:3', '3:4']);
const seed = z.int().min(0).max(2_147_483_647).optional();
const seconds = (min: number, max: number) => z.int().min(min).max(max).default(5);
const watermark = z.boolean().optional();
const prompt = (characters: number) => z.string().min(1).max(characters);
const audioSetting = z.enum(['auto', 'origin']).default('auto');

const item = (type: string, url: z.ZodType = image) => z.strictObject({ type: z.literal(type), url });
const voiced = (type: string, url: z.ZodType) =>
  z.strictObject({ type: z.literal(type), url, reference_voice: httpUrl.optional() });
const listOf = (items: z.ZodType<{ type: string }>, fits: (count: (type: string) => number) => boolean) =>
  z.array(items).refine((list) => fits((type) => list.filter((one) => one.type === type).length));
const itemsOf = (...items: z.ZodType[]) => z.union(items) as z.ZodType<{ type: string }>;

const wanPrompt = { prompt: prompt(5_000), negative_prompt: z.string().max(500).optional() };
const wan = {
  resolution: z.enum(['720P', '1080P']).default('1080P'),
  prompt_extend: z.boolean().default(true),
  watermark,
  seed,
};

const oldPrompt = { prompt: prompt(1_500), negative_prompt: z.string().max(500).optional() };
const old = {
  shot_type: z.enum(['single', 'multi']).default('single'),
  prompt_extend: z.boolean().default(true),
  audio: z.boolean().default(true),
  watermark,
  seed,
};
const size = z.enum([
  '1280*720',
  '720*1280',
  '960*960',
  '1088*832',
  '832*1088',
  '1920*1080',
  '1080*1920',
  '1440*1440',
  '1632*1248',
  '1248*1632',
]);

const horsePrompt = { prompt: prompt(5_000) };
const horse = { resolution: z.enum(['720P', '1080P']).default('1080P'), watermark, seed };
const horseText = bodyOf(horsePrompt, { ...horse, ratio: ratio.default('16:9'), duration: seconds(3, 15) });
const horseImage = bodyOf(
  { ...horsePrompt, media: listOf(item('first_frame'), (count) => count('first_frame') === 1) },
  { ...horse, duration: seconds(3, 15) },
);
const horseReferences = bodyOf(
  { ...horsePrompt, media: z.array(item('reference_image')).min(1).max(9) },
  { ...horse, ratio: ratio.default('16:9'), duration: seconds(3, 15) },
);

const oldImage = bodyOf(
  { ...oldPrompt, img_url: image },
  { ...old, resolution: z.enum(['720P', '1080P']).default('1080P'), duration: seconds(2, 15) },
);
const oldReferences = bodyOf(
  { ...oldPrompt, reference_urls: z.array(httpUrl).min(1).max(5) },
  { ...old, size: size.default('1920*1080'), duration: seconds(2, 10) },
);

function bodyOf(input: z.ZodRawShape, parameters: z.ZodRawShape): z.ZodType {
  return z.strictObject({ model: z.string(), input: z.strictObject(input), parameters: z.strictObject(parameters) });
}

/** Wan 3.0 and Prime. */
const wan30Body = bodyOf(
  {
    prompt: prompt(20_000),
    negative_prompt: z.string().max(500).optional(),
    media: listOf(
      itemsOf(
        item('first_frame'),
        item('last_frame'),
        item('reference_image'),
        item('reference_video', httpUrl),
        item('reference_audio', httpUrl),
      ),
      (count) => {
        const [frames, last] = [count('first_frame'), count('last_frame')];
        const [images, videos, voices] = [count('reference_image'), count('reference_video'), count('reference_audio')];
        if (images + videos === 0) return frames === 1 && last <= 1 && voices === 0;
        return frames + last === 0 && images <= 10 && videos <= 5 && voices <= 5;
      },
    ).optional(),
  },
  {
    ...wan,
    resolution: z.enum(['480P', '720P', '1080P']).default('1080P'),
    ratio: z.enum(['adaptive', ...ratio.options]).default('adaptive'),
    duration: seconds(2, 30),
    audio: z.boolean().default(true),
  },
);

export const alibabaModels: Readonly<Record<string, z.ZodType>> = {
  'wan2.6-t2v': bodyOf(oldPrompt, { ...old, size: size.default('1920*1080'), duration: seconds(2, 15) }),
  'wan2.5-t2v-preview': bodyOf(oldPrompt, {
    prompt_extend: old.prompt_extend,
    audio: old.audio,
    watermark,
    seed,
    size: size.default('1920*1080'),
    duration: z.union([z.literal(5), z.literal(10)]).default(5),
  }),
  'wan2.5-i2v-preview': bodyOf(
    { ...oldPrompt, img_url: image },
    {
      prompt_extend: old.prompt_extend,
      audio: old.audio,
      watermark,
      seed,
      resolution: z.enum(['480P', '720P', '1080P']).default('1080P'),
      duration: z.union([z.literal(5), z.literal(10)]).default(5),
    },
  ),
  'wan2.2-kf2v-flash': bodyOf(
    {
      prompt: prompt(800),
      negative_prompt: z.string().max(500).optional(),
      first_frame_url: image,
      last_frame_url: image,
    },
    { ...wan, resolution: z.enum(['480P', '720P', '1080P']).default('720P') },
  ),
  'wan2.6-i2v': oldImage,
  'wan2.6-i2v-flash': oldImage,
  'wan2.6-r2v': oldReferences,
  'wan2.6-r2v-flash': oldReferences,
  'wan2.7-t2v': bodyOf(wanPrompt, { ...wan, ratio: ratio.default('16:9'), duration: seconds(2, 15) }),
  'wan2.7-i2v': bodyOf(
    {
      ...wanPrompt,
      media: listOf(
        itemsOf(item('first_frame'), item('last_frame')),
        (count) => count('first_frame') === 1 && count('last_frame') <= 1,
      ),
    },
    { ...wan, duration: seconds(2, 15) },
  ),
  'wan2.7-r2v': bodyOf(
    {
      ...wanPrompt,
      media: listOf(itemsOf(voiced('reference_image', image), voiced('reference_video', httpUrl)), (count) => {
        const total = count('reference_image') + count('reference_video');
        return total >= 1 && total <= 5 && count('reference_video') <= 3;
      }),
    },
    { ...wan, ratio: ratio.default('16:9'), duration: seconds(2, 10) },
  ),
  'wan2.7-videoedit': bodyOf(
    {
      ...wanPrompt,
      media: listOf(
        itemsOf(item('video', httpUrl), item('reference_image')),
        (count) => count('video') === 1 && count('reference_image') <= 4,
      ),
    },
    {
      ...wan,
      ratio: ratio.optional(),
      duration: z.union([z.literal(0), z.int().min(2).max(10)]).default(0),
      audio_setting: audioSetting,
    },
  ),
  'wan3.0-video': wan30Body,
  'wan3.0-video-prime': wan30Body,
  'happyhorse-1.1-t2v': horseText,
  'happyhorse-1.1-i2v': horseImage,
  'happyhorse-1.1-r2v': horseReferences,
  'happyhorse-1.0-t2v': horseText,
  'happyhorse-1.0-i2v': horseImage,
  'happyhorse-1.0-r2v': horseReferences,
  'happyhorse-1.0-video-edit': bodyOf(
    {
      ...horsePrompt,
      media: listOf(
        itemsOf(item('video', httpUrl), item('reference_image')),
        (count) => count('video') === 1 && count('reference_image') <= 5,
      ),
    },
    { ...horse, audio_setting: audioSetting },
  ),
};

const statusOf: Readonly<Record<JobState, string>> = {
  queued: 'PENDING',
  running: 'RUNNING',
  weird: 'SUSPENDED',
  completed: 'SUCCEEDED',
  'no-url': 'SUCCEEDED',
  cancelled: 'CANCELED',
  moderated: 'FAILED',
  failed: 'FAILED',
};

interface Task {
  readonly job: VendorJob;
  state: JobState;
}

export function startFakeAlibaba(): Promise<FakeVideoVendor> {
  const tasks = new Map<string, Task>();
  return startFakeVideoVendor((request, tools) => {
    const { method, path } = request;
    if (request.headers.authorization !== `Bearer ${ALIBABA_KEY}`) return refuse('InvalidApiKey');
    if (SUBMIT_PATHS.includes(path) && method === 'POST') return submit(request, tools, tasks);
    const [, id = '', cancels] = /^\/api\/v1\/tasks\/([\w-]+)(\/cancel)?$/.exec(path) ?? [];
    if (cancels !== undefined && method === 'POST') return cancel(tasks.get(id));
    if (id !== '' && cancels === undefined && method === 'GET') return poll(id, tasks.get(id), tools);
    return { status: 404, body: { code: 'NotFound', message: 'Not Found', request_id: randomUUID() } };
  });
}

function submit(request: VendorRequest, tools: VendorTools, tasks: Map<string, Task>): VendorReply {
  const { headers, json } = request;
  if (headers['x-dashscope-async'] !== 'enable')
    return refuse('AccessDenied', 'current user api does not support synchronous calls.');
  if (headers['content-type'] !== 'application/json') return refuse('InvalidParameter');
  const { model, input } = fieldsOf(json);
  const schema = typeof model === 'string' && Object.hasOwn(alibabaModels, model) ? alibabaModels[model] : undefined;
  const path = typeof model === 'string' ? (otherPaths[model] ?? SUBMIT_PATH) : undefined;
  if (!schema || request.path !== path) return refuse('ModelNotFound');
  if (!schema.safeParse(json).success) return refuse('InvalidParameter');

  const prompt = String(fieldsOf(input).prompt);
  const scenario = scenarioOf(prompt);
  switch (scenario?.name) {
    case 'moderated-input':
      return refuse('DataInspectionFailed', 'Input data may contain inappropriate content.');
    case 'balance':
      return refuse('Arrearage');
    case 'auth':
      return refuse('InvalidApiKey');
    case 'invalid':
      return refuse('InvalidParameter');
    case 'unavailable':
      return refuse('ModelUnavailable');
    case 'code':
      return refuse(errorCodes[scenario.count]?.[0] ?? '');
    case 'ratelimit':
      if (tools.countAttempt(prompt) > scenario.count) break;
      return { ...refuse('Throttling.RateQuota'), headers: { 'retry-after': '3' } };
    case 'success-without-id':
      return { status: 200, body: { output: { task_status: 'PENDING' }, request_id: randomUUID() } };
  }
  const id = randomUUID();
  tasks.set(id, { job: tools.createJob(prompt, json), state: 'queued' });
  if (scenario?.name === 'submit-500') return refuse('InternalError');
  const accepted = { output: { task_status: 'PENDING', task_id: id }, request_id: randomUUID() };
  return scenario?.name === 'error-with-id'
    ? { status: 500, body: { ...accepted, code: 'InternalError', message: 'An internal error has occured.' } }
    : { status: 200, body: accepted };
}

function poll(id: string, task: Task | undefined, tools: VendorTools): VendorReply {
  // An unknown task is no error of HTTP.
  const unknown = { status: 200, body: { request_id: randomUUID(), output: { task_id: id, task_status: 'UNKNOWN' } } };
  if (!task) return unknown;
  const broken = brokenPoll(task.job, unknown);
  if (broken) return broken;
  const { job } = task;
  task.state = tools.poll(job);
  const failedCode = errorCodes[job.scenario?.count ?? 0]?.[0];
  const isFailed = job.scenario?.name === 'failed' && task.state === 'completed';
  return {
    status: 200,
    body: {
      request_id: randomUUID(),
      output: {
        task_id: id,
        task_status: isFailed ? 'FAILED' : statusOf[task.state],
        submit_time: '2026-11-23 10:00:00.000',
        scheduled_time: '2026-11-23 10:00:01.000',
        ...(isFailed && { code: failedCode, message: 'The task failed.' }),
        ...outputOf(task.state, job, tools),
      },
      ...(task.state === 'completed' && !isFailed && { usage: usageOf(job.body) }),
    },
  };
}

function outputOf(state: JobState, job: VendorJob, tools: VendorTools): object {
  switch (state) {
    case 'completed':
      return job.scenario?.name === 'failed'
        ? {}
        : { end_time: '2026-11-23 10:01:00.000', orig_prompt: 'A paper boat', video_url: tools.resultUrl(job) };
    case 'moderated':
      return { code: 'DataInspectionFailed', message: 'The output may contain inappropriate content.' };
    case 'failed':
      return { code: 'InternalError', message: 'An internal error has occured, please try again later.' };
    default:
      return {};
  }
}

/** As the vendor bills: an edit by its input and its output. */
function usageOf(body: unknown): object {
  const { parameters, model } = fieldsOf(body);
  const { duration = 5, size: pixels = '1280*720', resolution = '720P' } = fieldsOf(parameters);
  const input = String(model).endsWith('edit') ? 4 : 0;
  const output = Number(duration) || input;
  return {
    duration: input + output,
    input_video_duration: input,
    output_video_duration: output,
    video_count: 1,
    SR: Number.parseInt(String(resolution), 10),
    ratio: '16:9',
    size: pixels,
    fps: 24,
  };
}

/** The first polls of a scenario such as `poll404:2`; undefined for the others. */
function brokenPoll(job: VendorJob, unknown: VendorReply): VendorReply | undefined {
  const [, kind] = /^poll(401|404|429|500)$/.exec(job.scenario?.name ?? '') ?? [];
  if (kind === undefined || job.polls >= (job.scenario?.count ?? 0)) return undefined;
  job.polls += 1;
  switch (kind) {
    case '401':
      return refuse('InvalidApiKey');
    case '404':
      return unknown;
    case '429':
      return { ...refuse('Throttling'), headers: { 'retry-after': '7' } };
    default:
      return refuse('InternalError');
  }
}

/** Only a task that still waits can be cancelled. */
function cancel(task: Task | undefined): VendorReply {
  if (task?.state !== 'queued')
    return {
      status: 400,
      body: {
        code: 'UnsupportedOperation',
        message: 'Failed to cancel the task, please confirm if the task is in PENDING status.',
        request_id: randomUUID(),
      },
    };
  task.job.cancelled = true;
  return { status: 200, body: { request_id: randomUUID() } };
}

function refuse(code: string, message = `Error ${code}`): VendorReply {
  const status = errorCodes.find(([name]) => name === code)?.[1] ?? 400;
  return { status, body: { code, message, request_id: randomUUID() } };
}
