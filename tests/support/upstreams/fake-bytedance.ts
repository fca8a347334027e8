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

// Seedance on BytePlus ModelArk as its API reference describes it: a submit, polls, and a DELETE that stops a task in the
// queue and deletes the record of a finished one. Beside the scenarios of every fake it has `code:N` (refused with the
// N-th of `arkErrors`), `expire` (not made in time), `rejected` (found to be invalid while it worked), `error-with-id` and
// `success-without-id` (contradictory answers), and `race` (leaves the queue between a poll and a DELETE).

export const BYTEDANCE_KEY = 'ark-imitated-01234567-89ab-cdef';

export const arkPath = '/api/v3/contents/generations/tasks';

/** Codes of refusals with their status; the scenarios name them by their place. */
export const arkErrors = [
  ['AuthenticationError', 401],
  ['AccessDenied', 403],
  ['AccountOverdueError', 403],
  ['ModelNotOpen', 404],
  ['InvalidEndpoint.NotFound', 404],
  ['InvalidEndpointOrModel.NotFound', 404],
  ['InvalidParameter', 400],
  ['MissingParameter', 400],
  ['InvalidParameter.TaskTypeConstraint', 400],
  ['InputTextSensitiveContentDetected', 400],
  ['InputImageSensitiveContentDetected', 400],
  ['InputImageSensitiveContentDetected.PrivacyInformation', 400],
  ['InputImageSensitiveContentDetected.PolicyViolation', 400],
  ['InputVideoSensitiveContentDetected', 400],
  ['RateLimitExceeded.EndpointRPMExceeded', 429],
  ['ModelAccountRpmRateLimitExceeded', 429],
  ['QuotaExceeded', 429],
  ['ServerOverloaded', 429],
  ['ModelLoadingError', 429],
  ['InternalServiceError', 500],
  ['SomethingNew', 500],
] as const;

const placeOf = (code: (typeof arkErrors)[number][0]) => arkErrors.findIndex(([name]) => name === code);

const refusalCodes: RefusalCodes = {
  'moderated-input': placeOf('InputTextSensitiveContentDetected'),
  balance: placeOf('AccountOverdueError'),
  auth: placeOf('AuthenticationError'),
  invalid: placeOf('InvalidParameter'),
  unavailable: placeOf('ServerOverloaded'),
  ratelimit: placeOf('RateLimitExceeded.EndpointRPMExceeded'),
};

const imageUrl = z.strictObject({ url: z.string().regex(/^(https:\/\/|data:image\/(png|jpeg|webp|gif);base64,)/) });
const content = z.array(
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('text'), text: z.string().min(1) }),
    z.strictObject({
      type: z.literal('image_url'),
      image_url: imageUrl,
      role: z.enum(['first_frame', 'last_frame', 'reference_image']).optional(),
    }),
    z.strictObject({
      type: z.literal('video_url'),
      video_url: z.strictObject({ url: z.url({ protocol: /^https$/ }) }),
      role: z.literal('reference_video'),
    }),
    z.strictObject({
      type: z.literal('audio_url'),
      audio_url: z.strictObject({ url: z.string() }),
      role: z.literal('reference_audio'),
    }),
  ]),
);
type Content = z.infer<typeof content>;

const common = {
  content,
  seed: z.int().min(-1).max(2_147_483_647).optional(),
  watermark: z.boolean().optional(),
  return_last_frame: z.boolean().optional(),
  callback_url: z.url().optional(),
  execution_expires_after: z.int().min(3_600).max(259_200).optional(),
  safety_identifier: z.string().max(64).optional(),
};
const ratioWords = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive'] as const;
const ratio = z.enum(ratioWords).optional();
const tiers = <const T extends readonly [string, ...string[]]>(...words: T) => z.enum(words).optional();
const duration = (min: number, max: number) => z.union([z.int().min(min).max(max), z.literal(-1)]).optional();
const onlineTier = z.literal('default').optional();
const anyTier = z.enum(['default', 'flex']).optional();
const sound = z.boolean().optional();

interface Rules {
  readonly body: z.ZodType<ArkBody>;
  readonly references?: { readonly images: number; readonly videos: number };
  readonly takesLastFrame: boolean;
  /** Of a text alone. */
  readonly isAdaptive: boolean;
}

interface ArkBody {
  readonly content: Content;
  readonly resolution?: string | undefined;
  readonly ratio?: (typeof ratioWords)[number] | undefined;
  readonly duration?: number | undefined;
  readonly seed?: number | undefined;
  readonly generate_audio?: boolean | undefined;
  readonly service_tier?: string | undefined;
  readonly omni_reference_task_type?: string | undefined;
}

const seedance20 = (model: string, ...resolutions: readonly [string, ...string[]]): Rules => ({
  body: z.strictObject({
    ...common,
    model: z.literal(model),
    resolution: tiers(...resolutions),
    ratio,
    duration: duration(4, 15),
    generate_audio: sound,
    service_tier: onlineTier,
  }),
  references: { images: 9, videos: 3 },
  takesLastFrame: true,
  isAdaptive: true,
});
const seedance10 = (model: string, takesLastFrame: boolean): Rules => ({
  body: z.strictObject({
    ...common,
    model: z.literal(model),
    resolution: tiers('480p', '720p', '1080p'),
    ratio,
    duration: z.int().min(2).max(12).optional(),
    camera_fixed: z.boolean().optional(),
    service_tier: anyTier,
  }),
  takesLastFrame,
  isAdaptive: false,
});

const models: Readonly<Record<string, Rules>> = {
  'dreamina-seedance-2-5-260628': {
    body: z.strictObject({
      ...common,
      model: z.literal('dreamina-seedance-2-5-260628'),
      resolution: tiers('480p', '720p', '1080p'),
      ratio,
      duration: duration(4, 30),
      generate_audio: sound,
      service_tier: onlineTier,
      output_format: z.enum(['mp4', 'mov']).optional(),
      omni_reference_task_type: z.enum(['auto', 'reference', 'edit', 'extend']).optional(),
    }),
    references: { images: 30, videos: 10 },
    takesLastFrame: true,
    isAdaptive: true,
  },
  'dreamina-seedance-2-0-260128': seedance20('dreamina-seedance-2-0-260128', '480p', '720p', '1080p', '4k'),
  'dreamina-seedance-2-0-fast-260128': seedance20('dreamina-seedance-2-0-fast-260128', '480p', '720p'),
  'dreamina-seedance-2-0-mini-260615': seedance20('dreamina-seedance-2-0-mini-260615', '480p', '720p'),
  'seedance-1-5-pro-251215': {
    body: z.strictObject({
      ...common,
      model: z.literal('seedance-1-5-pro-251215'),
      resolution: tiers('480p', '720p', '1080p'),
      ratio,
      duration: duration(4, 12),
      generate_audio: sound,
      camera_fixed: z.boolean().optional(),
      draft: z.boolean().optional(),
      service_tier: anyTier,
    }),
    takesLastFrame: true,
    isAdaptive: true,
  },
  'seedance-1-0-pro-250528': seedance10('seedance-1-0-pro-250528', true),
  'seedance-1-0-lite-t2v-250428': seedance10('seedance-1-0-lite-t2v-250428', false),
  'seedance-1-0-lite-i2v-250428': {
    ...seedance10('seedance-1-0-lite-i2v-250428', true),
    references: { images: 4, videos: 0 },
  },
  'seedance-1-0-pro-fast-251015': seedance10('seedance-1-0-pro-fast-251015', false),
};

const statusOf: Readonly<Record<JobState, string>> = {
  queued: 'queued',
  running: 'running',
  weird: 'composing',
  completed: 'succeeded',
  'no-url': 'succeeded',
  cancelled: 'cancelled',
  moderated: 'failed',
  failed: 'failed',
};

/** The tokens of a second at 16:9. */
const tokensPerSecond: Readonly<Record<string, number>> = {
  '480p': 10_044,
  '720p': 21_600,
  '1080p': 48_600,
  '4k': 194_400,
};

export async function startFakeBytedance(): Promise<FakeVideoVendor> {
  const tasks = new Map<string, VendorJob>();

  return startFakeVideoVendor((request, tools) => {
    const { method, path } = request;
    if (request.headers.authorization !== `Bearer ${BYTEDANCE_KEY}`) return failure(refusalCodes.auth);
    if (path === arkPath && method === 'GET') return list(request.query, tools);
    if (path === arkPath) return method === 'POST' ? submit(request, tools) : { status: 405 };
    const [, id = ''] = path.startsWith(`${arkPath}/`) ? [arkPath, path.slice(arkPath.length + 1)] : [];
    const job = tasks.get(id);
    if (method !== 'GET' && method !== 'DELETE') return { status: 404, body: '404 page not found' };
    if (!job) return notFound(id);
    return method === 'GET' ? poll(id, job, tools) : remove(id, job);
  });

  function submit(request: VendorRequest, tools: VendorTools): VendorReply {
    const { model } = z.object({ model: z.string() }).safeParse(request.json).data ?? {};
    const rules = models[model ?? ''];
    if (request.headers['content-type'] !== 'application/json') return failure(refusalCodes.invalid);
    if (!rules) return failure(placeOf('InvalidEndpointOrModel.NotFound'));
    const parsed = rules.body.safeParse(request.json);
    if (!parsed.success || !isPossible(parsed.data, rules)) return failure(refusalCodes.invalid);
    const prompt = parsed.data.content.find((part) => part.type === 'text')?.text ?? '';
    const scenario = scenarioOf(prompt);
    const code = refusalCodeOf(prompt, refusalCodes, tools);
    if (code !== undefined) return failure(code);
    const job = tools.createJob(prompt, request.json);
    const id = taskId(job);
    tasks.set(id, job);
    if (scenario?.name === 'submit-500') return failure(placeOf('InternalServiceError'));
    if (scenario?.name === 'success-without-id') return { status: 200, body: {} };
    if (scenario?.name === 'error-with-id') return { status: 500, body: { id } };
    return { status: 200, body: { id } };
  }

  function poll(id: string, job: VendorJob, tools: VendorTools): VendorReply {
    const broken = brokenPoll(id, job);
    if (broken) return broken;
    return { status: 200, body: taskOf(id, job, tools) };
  }

  /** Tasks by their ids, as many as fit on the first page. */
  function list(query: URLSearchParams, tools: VendorTools): VendorReply {
    const { page_num: page, page_size: size, ...rest } = Object.fromEntries(query);
    const ids = query.getAll('filter.task_ids');
    if (page !== '1' || !/^([1-9]\d?|[1-4]\d\d|500)$/.test(size ?? '')) return failure(refusalCodes.invalid);
    if (ids.length === 0 || Object.keys(rest).length > 1) return failure(refusalCodes.invalid);
    const found = ids.flatMap((id) => {
      const job = tasks.get(id);
      return job ? [{ id, job }] : [];
    });
    const broken = found.map(({ id, job }) => brokenPoll(id, job)).find((reply) => reply !== undefined);
    if (broken) return broken;
    const items = found.slice(0, Number(size)).map(({ id, job }) => taskOf(id, job, tools));
    return { status: 200, body: { total: found.length, items } };
  }

  function remove(id: string, job: VendorJob): VendorReply {
    const name = job.scenario?.name;
    if (name !== 'race' && (job.polls === 0 || waits(job))) {
      job.cancelled = true;
      return { status: 200, body: {} };
    }
    if (name === 'race' || name === 'hang' || job.polls <= 2)
      return { status: 409, body: error('InvalidAction.RunningTaskDeletion', 'The task is running.') };
    // It is finished: the record goes, and with it the link.
    tasks.delete(id);
    return { status: 200, body: {} };
  }
}

/** An endless task waits for two polls, so that it can still be stopped by a client that looks before. */
const waits = ({ polls, scenario }: VendorJob) => polls <= (scenario?.name === 'hang' ? 2 : 1);

const taskId = ({ number, createdAt }: VendorJob) =>
  `cgt-${createdAt.toISOString().replace(/\D/g, '').slice(0, 14)}-${number.toString(36).padStart(5, 'x')}`;

function isPossible(body: ArkBody, rules: Rules): boolean {
  const { content: parts, ratio: shape } = body;
  const images = parts.flatMap((part) => (part.type === 'image_url' ? [part.role ?? 'first_frame'] : []));
  const count = (role: string) => images.filter((each) => each === role).length;
  const [first, last, pictures] = [count('first_frame'), count('last_frame'), count('reference_image')];
  const videos = parts.filter(({ type }) => type === 'video_url').length;
  const hasStatedFirst = parts.some((part) => part.type === 'image_url' && part.role === 'first_frame');
  const references = pictures + videos;
  return (
    parts.filter(({ type }) => type === 'text').length === 1 &&
    first <= 1 &&
    last <= (rules.takesLastFrame ? 1 : 0) &&
    (last === 0 || hasStatedFirst) &&
    (references === 0 || first + last === 0) &&
    pictures <= (rules.references?.images ?? 0) &&
    videos <= (rules.references?.videos ?? 0) &&
    (shape !== 'adaptive' || rules.isAdaptive || first + pictures > 0) &&
    (body.omni_reference_task_type !== 'edit' || (videos > 0 && isEdit(body)))
  );
}

/** An edit keeps the ratio and the length of its source; other values are an `InvalidParameter.TaskTypeConstraint`. */
const isEdit = ({ ratio: shape, duration: seconds }: ArkBody) => shape === 'adaptive' && seconds === -1;

function taskOf(id: string, job: VendorJob, tools: VendorTools): object {
  const counted = tools.poll(job);
  const state = counted === 'running' && waits(job) ? 'queued' : counted;
  // Safe: `submit` created it with a parsed body.
  const body = job.body as ArkBody & { readonly model: string };
  const { resolution = '720p', ratio: shape = '16:9' } = body;
  // The imitation has no source that it could measure.
  const seconds = body.duration === -1 ? 5 : (body.duration ?? 5);
  const isOver = state === 'failed' || state === 'completed';
  const times = { created_at: seconds1970(job.createdAt), updated_at: seconds1970(new Date()) };
  if (isOver && job.scenario?.name === 'expire') return { id, model: body.model, status: 'expired', ...times };
  if (isOver && job.scenario?.name === 'rejected')
    return { id, model: body.model, status: 'failed', ...error('InvalidParameter.TaskTypeConstraint'), ...times };
  if (state === 'moderated' || state === 'failed')
    return {
      id,
      model: body.model,
      status: 'failed',
      ...error(state === 'moderated' ? 'OutputVideoSensitiveContentDetected' : 'InternalServiceError'),
      ...times,
    };
  if (state !== 'completed' && state !== 'no-url') return { id, model: body.model, status: statusOf[state], ...times };
  const tokens = (tokensPerSecond[resolution] ?? 0) * seconds;
  return {
    id,
    model: body.model,
    status: 'succeeded',
    content: state === 'completed' ? { video_url: tools.resultUrl(job), last_frame_url: null } : {},
    usage: { completion_tokens: tokens, total_tokens: tokens },
    seed: body.seed ?? 1_276,
    resolution,
    ratio: shape === 'adaptive' ? '16:9' : shape,
    duration: seconds,
    framespersecond: 24,
    generate_audio: body.generate_audio ?? true,
    service_tier: body.service_tier ?? 'default',
    ...times,
  };
}

const seconds1970 = (time: Date) => Math.floor(time.getTime() / 1_000);

/** The first polls of a scenario such as `poll404:2`; undefined for the others. */
function brokenPoll(id: string, job: VendorJob): VendorReply | undefined {
  const [, kind] = /^poll(401|404|429|500)$/.exec(job.scenario?.name ?? '') ?? [];
  if (kind === undefined || job.polls >= (job.scenario?.count ?? 0)) return undefined;
  job.polls += 1;
  switch (kind) {
    case '401':
      return failure(refusalCodes.auth);
    case '404':
      return notFound(id);
    case '429':
      return { ...failure(refusalCodes.ratelimit), headers: { 'retry-after': '7' } };
    default:
      return failure(placeOf('InternalServiceError'));
  }
}

function notFound(id: string): VendorReply {
  return { status: 404, body: error('ResourceNotFound', `The specified task ${id} is not found.`) };
}

function error(code: string, message = 'The request failed. Request id: 021763700000000') {
  return { error: { code, message, param: '', type: 'BadRequest' } };
}

function failure(place: number): VendorReply {
  const [code, status] = arkErrors[place] ?? ['UnknownError', 500];
  const pause = place === refusalCodes.ratelimit ? { headers: { 'retry-after': '3' } } : {};
  return { status, ...pause, body: error(code) };
}
