import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
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

// Vidu as its API reference describes it: four kinds of requests for videos, polls, and the cancelling of a task. Beside
// the scenarios of every fake it has `reason:N` (refused for the reason of that number in `reasons`), `failed:N` (fails
// later for it), `error-with-id` and `success-without-id` (contradictory answers), `numeric-id`, and `cancel-late` and
// `cancel-500` (answers to the cancelling).

export const VIDU_KEY = 'vda_0123456789abcdefghijklmnop';

export interface FakeVidu extends FakeVideoVendor {
  /** The URLs that it calls when the state of a task changes, by the ids of the tasks. */
  readonly callbacks: ReadonlyMap<string, string>;
}

const image = z.union([z.url({ protocol: /^https$/ }), z.string().regex(/^data:image\/(png|jpeg|webp);base64,/)]);
const video = z.union([
  z.url({ protocol: /^https$/ }),
  z.string().regex(/^data:video\/(mp4|x-msvideo|quicktime);base64,/),
]);
const ratio = z.enum(['16:9', '9:16', '4:3', '3:4', '1:1']);
/** Q3 takes sound and no music, and the older ones the reverse; the type belongs to sound. */
const soundOfQ3 = [
  { audio: z.literal(true).optional(), audio_type: z.enum(['all', 'speech_only', 'sound-effect_only']).optional() },
  { audio: z.literal(false) },
];
const soundOfQ2 = [
  { bgm: z.boolean().optional(), movement_amplitude: z.enum(['auto', 'small', 'medium', 'large']).optional() },
];
const shared = {
  prompt: z.string().max(5_000),
  seed: z.int().min(0).max(2_147_483_647).optional(),
  off_peak: z.boolean().optional(),
  watermark: z.boolean().optional(),
  payload: z.string().max(1_048_576).optional(),
  callback_url: z.url().optional(),
};

interface Kind {
  /** The durations of each model. */
  readonly models: Readonly<Record<string, readonly [number, number]>>;
  readonly fields: z.ZodRawShape;
}

const modelsOfFrames: Kind['models'] = {
  'viduq3-pro': [1, 16],
  'viduq3-turbo': [1, 16],
  'viduq2-pro': [2, 8],
  'viduq2-turbo': [2, 8],
  'viduq2-pro-fast': [2, 8],
  viduq1: [5, 5],
  'viduq1-classic': [5, 5],
  'vidu2.0': [4, 8],
};

const kinds: Readonly<Record<string, Kind>> = {
  '/ent/v2/text2video': {
    models: { 'viduq3-pro': [1, 16], 'viduq3-turbo': [1, 16], viduq2: [1, 10], viduq1: [5, 5] },
    fields: { aspect_ratio: ratio, prompt: z.string().min(1).max(5_000) },
  },
  '/ent/v2/img2video': {
    models: {
      ...modelsOfFrames,
      'viduq3-pro-fast': [1, 16],
      'viduq2-pro': [1, 10],
      'viduq2-pro-fast': [1, 10],
      'viduq2-turbo': [1, 10],
    },
    fields: { images: z.array(image).length(1) },
  },
  '/ent/v2/start-end2video': {
    models: modelsOfFrames,
    fields: { images: z.array(image).length(2) },
  },
  '/ent/v2/reference2video': {
    models: {
      viduq3: [3, 16],
      'viduq3-turbo': [3, 16],
      'viduq3-mix': [1, 16],
      viduq2: [1, 10],
      viduq1: [5, 5],
      'vidu2.0': [4, 4],
    },
    fields: { images: z.array(image).min(1).max(7), aspect_ratio: ratio, prompt: z.string().min(1).max(5_000) },
  },
};

const tiers: Readonly<Record<string, readonly string[]>> = {
  'viduq3-mix': ['720p', '1080p'],
  'viduq2-pro-fast': ['720p', '1080p'],
  'viduq1-classic': ['1080p'],
  viduq1: ['1080p'],
  'vidu2.0': ['360p', '720p', '1080p'],
};

function schemaOf({ models, fields }: Kind): z.ZodType {
  return z.union(
    Object.entries(models).flatMap(([model, [shortest, longest]]) =>
      (model.startsWith('viduq3') ? soundOfQ3 : soundOfQ2).map((sound) =>
        z
          .strictObject({
            ...shared,
            ...fields,
            ...sound,
            // Other ratios came with Q2.
            ...(fields.aspect_ratio && isOld(model) && { aspect_ratio: z.enum(['16:9', '9:16', '1:1']) }),
            model: z.literal(model),
            duration: z.int().min(shortest).max(longest),
            resolution: z.enum(tiers[model] ?? ['540p', '720p', '1080p']),
          })
          .refine(({ duration, resolution }) => model !== 'vidu2.0' || isLengthOf20(duration, resolution)),
      ),
    ),
  );
}

const isOld = (model: string) => ['viduq1', 'vidu2.0'].includes(model);

/** Eight seconds only at 720p. */
const isLengthOf20 = (duration: number, resolution: string) =>
  duration === 4 || (duration === 8 && resolution === '720p');

/** References of Q2 Pro: the only ones with videos, together with fewer pictures. */
const referencesOfQ2Pro = z
  .strictObject({
    ...shared,
    ...soundOfQ2[0],
    model: z.literal('viduq2-pro'),
    prompt: z.string().min(1).max(5_000),
    aspect_ratio: ratio,
    duration: z.int().min(1).max(10),
    resolution: z.enum(['540p', '720p', '1080p']),
    images: z.array(image).min(1).max(7),
    videos: z.array(video).min(1).max(2).optional(),
  })
  .refine(({ images, videos }) => !videos || images.length <= 4);

/** Q4 Preview, of which a prompt may be longer, as the requests of a client show it. */
const q4 = {
  ...shared,
  model: z.literal('viduq4-preview'),
  prompt: z.string().max(20_000),
  duration: z.int().min(3).max(16),
  resolution: z.enum(['540p', '720p', '1080p', '2K', '4K']),
  audio: z.boolean().optional(),
};
const framesOfQ4 = z.strictObject({ ...q4, images: z.array(image).length(1), is_rec: z.boolean().optional() });
const referencesOfQ4 = z.strictObject({
  ...q4,
  prompt: q4.prompt.min(1),
  images: z.array(image).min(1).max(15),
  aspect_ratio: ratio,
  sounds: z
    .array(z.url({ protocol: /^https$/ }))
    .max(3)
    .optional(),
});

const others: Readonly<Record<string, readonly z.ZodType[]>> = {
  '/ent/v2/img2video': [framesOfQ4],
  '/ent/v2/reference2video': [referencesOfQ2Pro, referencesOfQ4],
};

const schemas: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries(kinds).map(([path, kind]) => [path, z.union([schemaOf(kind), ...(others[path] ?? [])])]),
);

const known = z.object({
  model: z.string(),
  images: z.array(z.string()).optional(),
  prompt: z.string(),
  duration: z.number(),
  resolution: z.enum(['360p', '540p', '720p', '1080p', '2K', '4K']),
  watermark: z.boolean().default(false),
  payload: z.string().default(''),
  callback_url: z.string().optional(),
});

export const reasons = [
  ['BadRequest', 400],
  ['FieldLacking', 400],
  ['FieldInvalid', 400],
  ['FieldUnwanted', 400],
  ['FieldItemCountOutOfRange', 400],
  ['ImageDownloadFailure', 400],
  ['ImageFormatInvalid', 400],
  ['ImageSizeInvalid', 400],
  ['AuditSubmitIllegal', 400],
  ['CreditInsufficient', 400],
  ['CreationPolicyViolation', 400],
  ['TaskPromptPolicyViolation', 400],
  ['ModelUnavailable', 400],
  ['UserCancelled', 400],
  ['Unauthorized', 401],
  ['Forbidden', 403],
  ['TaskNotFound', 404],
  ['Conflict', 409],
  ['QuotaExceeded', 429],
  ['TooManyRequests', 429],
  ['SystemThrottling', 429],
  ['InternalServiceFailure', 500],
] as const;
export type Reason = (typeof reasons)[number][0];

const FIRST_TASK_ID = 860_000_000_000_000_000n;
const MAX_BODY_BYTES = 20_000_000;
/** Those of Q3 Pro, for every model. */
const creditsPerSecond = { '360p': 5, '540p': 9, '720p': 20, '1080p': 24, '2K': 48, '4K': 96 };

interface Task {
  readonly id: string;
  readonly job: VendorJob;
  hasEnded: boolean;
}

/** As https://platform.vidu.com/docs/callback-signature describes it. */
export const signViduCallback: SignCallback = ({ url, now }) => {
  const { pathname, search } = new URL(url);
  const [date, nonce] = [now.toUTCString(), randomUUID()];
  const text = `POST\n${pathname}\n${search.slice(1)}\nvidu\n${date}\nDate:${date}\nx-request-nonce:${nonce}\n`;
  return {
    date,
    'x-request-nonce': nonce,
    'x-hmac-signed-headers': 'Date;x-request-nonce',
    'x-hmac-algorithm': 'hmac-sha256',
    'x-hmac-access-key': 'vidu',
    'x-hmac-signature': createHmac('sha256', VIDU_KEY).update(text).digest('base64'),
  };
};

export async function startFakeVidu(): Promise<FakeVidu> {
  const tasks = new Map<string, Task>();
  const callbacks = new Map<string, string>();

  const vendor = await startFakeVideoVendor((request, tools) => {
    const { method, path, headers } = request;
    if (headers.authorization !== `Token ${VIDU_KEY}`) return failure('Unauthorized');
    if (request.raw.length > MAX_BODY_BYTES) return { status: 413, body: '<html>Request Entity Too Large</html>' };
    const schema = schemas[path];
    if (method === 'POST' && schema) return generate(request, schema, tools);
    const [, id, step] = /^\/ent\/v2\/tasks\/([^/]+)\/(creations|cancel)$/.exec(path) ?? [];
    const task = tasks.get(id ?? '');
    if (method === 'GET' && step === 'creations') return task ? poll(task, tools) : failure('TaskNotFound');
    if (method === 'POST' && step === 'cancel') return task ? cancel(task, request) : failure('TaskNotFound');
    return { status: 404, body: '404 page not found' };
  });

  function generate(request: VendorRequest, schema: z.ZodType, tools: VendorTools): VendorReply {
    if (request.headers['content-type'] !== 'application/json') return failure('BadRequest');
    if (!schema.safeParse(request.json).success) return failure('FieldInvalid');
    const body = known.parse(request.json);
    const scenario = scenarioOf(body.prompt);
    if (scenario?.name === 'reason') return failure(reasons[scenario.count]?.[0] ?? 'BadRequest');
    const refused = refusals[scenario?.name ?? ''];
    if (refused) return failure(refused);
    if (scenario?.name === 'ratelimit' && tools.countAttempt(body.prompt) <= scenario.count)
      return { ...failure('QuotaExceeded'), headers: { 'retry-after': '3' } };
    if (scenario?.name === 'success-without-id') return { status: 200, body: { state: 'created' } };
    const job = tools.createJob(body.prompt, request.json);
    const id = String(FIRST_TASK_ID + BigInt(job.number));
    tasks.set(id, { id, job, hasEnded: false });
    if (body.callback_url !== undefined) callbacks.set(id, body.callback_url);
    if (scenario?.name === 'submit-500') return failure('InternalServiceFailure');
    const { callback_url: _secret, ...echoed } = body;
    const answer = JSON.stringify({
      ...echoed,
      task_id: id,
      state: 'created',
      credits: creditsOf(job),
      created_at: job.createdAt.toISOString(),
    });
    return {
      status: scenario?.name === 'error-with-id' ? 500 : 200,
      headers: { 'content-type': 'application/json' },
      body: scenario?.name === 'numeric-id' ? answer.replace(/"task_id":"(\d+)"/, '"task_id":$1') : answer,
    };
  }

  function poll(task: Task, tools: VendorTools): VendorReply {
    const { id, job } = task;
    const broken = brokenPoll(job);
    if (broken) return broken;
    const state = tools.poll(job);
    const reason = failureReason(state, job);
    const isFailed = reason !== '';
    task.hasEnded = isFailed || state === 'completed' || state === 'no-url';
    const url = tools.resultUrl(job);
    const { watermark, payload } = known.parse(job.body);
    return {
      status: 200,
      body: {
        id,
        state: isFailed ? 'failed' : stateWords[state],
        err_code: reason,
        credits: creditsOf(job),
        payload,
        creations:
          state === 'completed' && !isFailed
            ? [
                {
                  id: `${id}1`,
                  url,
                  cover_url: `${url}.jpg`,
                  watermarked_url: watermark ? markedUrl(url) : '',
                },
              ]
            : [],
      },
    };
  }

  function cancel(task: Task, request: VendorRequest): VendorReply {
    const body = z.strictObject({ id: z.literal(task.id) }).safeParse(request.json);
    if (!body.success) return failure('FieldInvalid');
    if (task.hasEnded || task.job.scenario?.name === 'cancel-late') return failure('BadRequest');
    if (task.job.scenario?.name === 'cancel-500') return failure('InternalServiceFailure');
    task.job.cancelled = true;
    return { status: 200, body: {} };
  }

  return Object.assign(vendor, { callbacks });
}

export const markedUrl = (url: string) => url.replace(/(\d+\.mp4)$/, 'marked-$1');

const stateWords: Readonly<Record<JobState, string>> = {
  queued: 'queueing',
  running: 'processing',
  weird: 'rendering',
  completed: 'success',
  'no-url': 'success',
  cancelled: 'failed',
  moderated: 'failed',
  failed: 'failed',
};

/** Empty: the task has not failed. */
function failureReason(state: JobState, { scenario }: VendorJob): Reason | '' {
  if (state === 'cancelled') return 'UserCancelled';
  if (state === 'moderated') return 'CreationPolicyViolation';
  if (state === 'failed') return 'InternalServiceFailure';
  return state === 'completed' && scenario?.name === 'failed' ? (reasons[scenario.count]?.[0] ?? '') : '';
}

/** The first polls of a scenario such as `poll404:2`; undefined for the others. */
function brokenPoll(job: VendorJob): VendorReply | undefined {
  const [, kind] = /^poll(401|404|429|500)$/.exec(job.scenario?.name ?? '') ?? [];
  if (kind === undefined || job.polls >= (job.scenario?.count ?? 0)) return undefined;
  job.polls += 1;
  switch (kind) {
    case '401':
      return failure('Unauthorized');
    case '404':
      return failure('TaskNotFound');
    case '429':
      return { ...failure('TooManyRequests'), headers: { 'retry-after': '7' } };
    default:
      return failure('InternalServiceFailure');
  }
}

const refusals: Readonly<Record<string, Reason>> = {
  'moderated-input': 'AuditSubmitIllegal',
  balance: 'CreditInsufficient',
  auth: 'Unauthorized',
  invalid: 'FieldInvalid',
  unavailable: 'ModelUnavailable',
};

function creditsOf({ body }: VendorJob): number {
  const { duration, resolution } = known.parse(body);
  return duration * creditsPerSecond[resolution];
}

/** An error with one of Vidu's reasons. */
function failure(reason: Reason): VendorReply {
  const [, status = 500] = reasons.find(([name]) => name === reason) ?? [];
  return { status, body: { code: status, reason, message: `Error ${reason}`, metadata: {} } };
}
