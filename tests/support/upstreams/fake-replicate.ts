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

export const replicateModels: Readonly<Record<string, z.ZodType>> = {
  'wan-video/wan-2.7-i2v': z.strictObject({
    prompt: z.string().min(1).max(5_000),
    negative_prompt: z.string().max(500).optional(),
    first_frame: image,
    last_frame: image.optional(),
    resolution: z.enum(['720p', '1080p']).default('1080p'),
    duration: z.int().min(2).max(15).default(5),
    enable_prompt_expansion: z.boolean().default(true),
    seed: z.int().min(0).max(2_147_483_647).optional(),
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
      prompt: z.string().min(1).max(2_500),
      negative_prompt: z.string().max(2_500).optional(),
      start_image: image.optional(),
      end_image: image.optional(),
      mode: z.enum(['standard', 'pro', '4k']).default('pro'),
      duration: z.int().min(3).max(15).default(5),
      aspect_ratio: z.enum(['16:9', '9:16', '1:1']).default('16:9'),
      generate_audio: z.boolean().default(false),
    })
    .refine(({ start_image, end_image }) => start_image !== undefined || end_image === undefined),
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
