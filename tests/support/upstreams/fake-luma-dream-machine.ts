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

// Luma's Dream Machine API, as far as it makes videos of Ray 2. A request for a video is answered with 201, and an error
// has `detail` alone. Beside the scenarios of every fake it has refusals of a submit (`forbidden`, `not-offered`,
// `no-credits`, `too-large`, `bad-gateway`, `fields`: a `detail` that is a list), and `error-with-id` and
// `success-without-id` (contradictory answers).

export const DREAM_MACHINE_KEY = 'luma-imitated-0123456789abcdef';

const publicUrl = z.string().regex(/^https:\/\/[^\s]+$/);
const keyframe = z.union([
  z.strictObject({ type: z.literal('image'), url: publicUrl }),
  z.strictObject({ type: z.literal('generation'), id: z.uuid() }),
]);
const bodySchema = z.strictObject({
  model: z.enum(['ray-2', 'ray-flash-2']),
  prompt: z.string().min(1),
  aspect_ratio: z.enum(['1:1', '16:9', '9:16', '4:3', '3:4', '21:9', '9:21']).optional(),
  duration: z.enum(['5s', '9s']).optional(),
  resolution: z.enum(['540p', '720p', '1080p', '4k']).optional(),
  generation_type: z.literal('video').optional(),
  loop: z.boolean().optional(),
  callback_url: publicUrl.optional(),
  concepts: z.array(z.strictObject({ key: z.string() })).optional(),
  keyframes: z.strictObject({ frame0: keyframe.optional(), frame1: keyframe.optional() }).optional(),
});

export function startFakeLumaDreamMachine(): Promise<FakeVideoVendor> {
  const jobs = new Map<string, VendorJob>();

  function answer(request: VendorRequest, tools: VendorTools): VendorReply {
    const { method, path, headers } = request;
    if (headers.authorization !== `Bearer ${DREAM_MACHINE_KEY}`) return refusals.auth;
    if (method === 'POST' && path === '/dream-machine/v1/generations/video') return submit(request, tools);
    const [, id] = /^\/dream-machine\/v1\/generations\/([^/]+)$/.exec(path) ?? [];
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
    const inState = (state: string, more: object = {}) => ({ status: 200, body: generation(id, job, state, more) });
    switch (tools.poll(job)) {
      // Deleting a generation is not imitated, and nothing else ends one.
      case 'cancelled':
      case 'queued':
        return inState('queued');
      case 'running':
        return inState('dreaming');
      case 'weird':
        return inState('processing');
      case 'failed':
        return inState('failed', { failure_reason: 'Internal error in the renderer of node 7' });
      case 'moderated':
        return inState('failed', { failure_reason: 'The generation was stopped by frame moderation.' });
      case 'no-url':
        return inState('completed', { assets: { video: null } });
      case 'completed':
        return inState('completed', { assets: { image: null, progress_video: null, video: tools.resultUrl(job) } });
    }
  }

  return startFakeVideoVendor(answer);
}

function generation(id: string, { createdAt, body }: VendorJob, state: string, more: object = {}) {
  return {
    id,
    state,
    generation_type: 'video',
    model: (body as { model: string }).model,
    created_at: createdAt.toISOString(),
    failure_reason: null,
    assets: null,
    request: body,
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
  'moderated-input': detail(400, 'The prompt is not allowed because advanced moderation failed.'),
  invalid: detail(400, 'The duration is not supported.'),
  fields: detail(422, [{ loc: ['body', 'prompt'], msg: 'Field required', type: 'missing' }]),
  'too-large': detail(413, 'The request is too large.'),
  auth: detail(401, 'Invalid API key'),
  forbidden: detail(403, 'Not authenticated'),
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
