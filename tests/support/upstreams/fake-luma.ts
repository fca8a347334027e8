import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  scenarioOf,
  startFakeVideoVendor,
  type FakeVideoVendor,
  type VendorJob,
  type VendorReply,
  type VendorRequest,
  type VendorTools,
} from './fake-video-vendor';

// Luma's Agents API, as far as it makes videos. A request for a video is answered with 201, and an error has `detail`
// alone. Beside the scenarios of every fake it has refusals of a submit (`forbidden`, `not-offered`, `no-credits`,
// `too-large`, `bad-gateway`, `fields`: a `detail` that is a list), `error-with-id` and `success-without-id`
// (contradictory answers), and the failure codes of a generation as scenarios (`budget_exhausted` and so on, written with
// a hyphen: `budget-exhausted`).

export const LUMA_KEY = 'luma-api-imitated-0123456789abcdef';

const publicUrl = z.string().regex(/^https:\/\/[^\s]+$/);
const bodySchema = z.strictObject({
  model: z.literal('ray-3.2'),
  type: z.literal('video'),
  prompt: z.string().min(1).max(6_000),
  aspect_ratio: z.enum(['9:16', '3:4', '1:1', '4:3', '16:9', '21:9']).optional(),
  video: z
    .strictObject({
      resolution: z.enum(['360p', '540p', '720p', '1080p']).optional(),
      duration: z.enum(['5s', '10s']).optional(),
      keyframes: z
        .array(z.strictObject({ url: publicUrl }))
        .min(1)
        .max(64)
        .optional(),
      keyframe_indexes: z.array(z.int().min(0).max(240)).optional(),
    })
    .refine(
      ({ keyframes = [], keyframe_indexes: indexes = [] }) => keyframes.length === indexes.length,
      'keyframes and keyframe_indexes must have the same length.',
    ),
});

/** The codes of a failed generation. */
const failureCodes = [
  'content_moderated',
  'generation_failed',
  'output_not_found',
  'rate_limited',
  'budget_exhausted',
  'image_too_large',
  'unsupported_format',
  'corrupt_input',
  'invalid_request',
  'something_new',
];

export function startFakeLuma(): Promise<FakeVideoVendor> {
  const jobs = new Map<string, VendorJob>();

  function answer(request: VendorRequest, tools: VendorTools): VendorReply {
    const { method, path, headers } = request;
    if (headers.authorization !== `Bearer ${LUMA_KEY}`) return refusals.auth;
    if (method === 'POST' && path === '/v1/generations') return submit(request, tools);
    const [, id] = /^\/v1\/generations\/([^/]+)$/.exec(path) ?? [];
    if (method === 'GET' && id !== undefined) return poll(id, tools);
    return detail(404, 'Not Found');
  }

  function submit({ headers, json }: VendorRequest, tools: VendorTools): VendorReply {
    if (headers['content-type'] !== 'application/json') return detail(415, 'Unsupported media type.');
    const parsed = bodySchema.safeParse(json);
    if (!parsed.success) return detail(422, z.prettifyError(parsed.error));
    const { prompt } = parsed.data;
    const scenario = scenarioOf(prompt);
    if (scenario?.name === 'ratelimit') {
      if (tools.countAttempt(prompt) <= scenario.count) return rateLimited('3');
    } else if (scenario && Object.hasOwn(refusals, scenario.name)) {
      // Safe: the key is one of the table.
      return refusals[scenario.name as keyof typeof refusals];
    }
    const job = tools.createJob(prompt, parsed.data);
    const id = randomUUID();
    jobs.set(id, job);
    switch (scenario?.name) {
      case 'submit-500':
        return detail(500, 'Internal server error');
      case 'error-with-id':
        return { status: 500, body: { id, detail: 'Internal server error' } };
      case 'success-without-id':
        return { status: 201, body: { state: 'queued' } };
      default:
        return { status: 201, body: generation(id, job, 'queued') };
    }
  }

  function poll(id: string, tools: VendorTools): VendorReply {
    const job = jobs.get(id);
    if (!job) return notFound;
    const broken = pollFailures[job.scenario?.name ?? ''];
    if (broken && job.polls < (job.scenario?.count ?? 0)) {
      job.polls += 1;
      return broken;
    }
    const failed = (code: string) =>
      generation(id, job, 'failed', { failure_code: code, failure_reason: 'The generation failed.' });
    const code = job.scenario?.name.replaceAll('-', '_') ?? '';
    switch (tools.poll(job)) {
      // A generation cannot be cancelled.
      case 'cancelled':
      case 'queued':
        return { status: 200, body: generation(id, job, 'queued') };
      case 'running':
        return { status: 200, body: generation(id, job, 'processing') };
      case 'weird':
        return { status: 200, body: generation(id, job, 'dreaming') };
      case 'failed':
        return { status: 200, body: failed('generation_failed') };
      case 'moderated':
        return { status: 200, body: failed('content_moderated') };
      case 'no-url':
        return { status: 200, body: generation(id, job, 'completed', { output: [] }) };
      case 'completed': {
        if (failureCodes.includes(code)) return { status: 200, body: failed(code) };
        const output = [{ type: 'video', url: tools.resultUrl(job) }];
        return { status: 200, body: generation(id, job, 'completed', { output }) };
      }
    }
  }

  return startFakeVideoVendor(answer);
}

function generation(id: string, { createdAt }: VendorJob, state: string, more: object = {}) {
  return {
    id,
    state,
    model: 'ray-3.2',
    type: 'video',
    created_at: createdAt.toISOString(),
    output: null,
    failure_code: null,
    failure_reason: null,
    ...more,
  };
}

const detail = (status: number, text: unknown): VendorReply => ({ status, body: { detail: text } });
const rateLimited = (seconds: string): VendorReply => ({
  ...detail(429, 'Too many requests'),
  headers: { 'retry-after': seconds },
});
const notFound = detail(404, 'Generation not found');

const refusals = {
  'moderated-input': detail(400, 'The prompt was rejected by content moderation.'),
  invalid: detail(400, 'The duration is not supported.'),
  fields: detail(422, [
    { loc: ['body', 'prompt'], msg: 'String should have at most 6000 characters', type: 'too_long' },
  ]),
  'too-large': detail(413, 'The request is too large.'),
  auth: detail(401, 'Invalid API key'),
  forbidden: detail(403, 'Forbidden'),
  balance: detail(402, 'Payment required'),
  'no-credits': detail(400, 'Insufficient credits'),
  'not-offered': detail(404, 'Model not found'),
  unavailable: detail(503, 'Service unavailable'),
  'bad-gateway': detail(502, 'Bad gateway'),
} satisfies Readonly<Record<string, VendorReply>>;

const pollFailures: Readonly<Record<string, VendorReply>> = {
  poll401: refusals.auth,
  poll404: notFound,
  poll429: rateLimited('7'),
  poll500: detail(500, 'Internal server error'),
};
