import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  pollFailureOf,
  refusalOf,
  startFakeVideoVendor,
  type FakeVideoVendor,
  type JobState,
  type VendorJob,
  type VendorReply,
  type VendorRequest,
  type VendorTools,
} from './fake-video-vendor';

// What both APIs of Luma have in common. A request for a video is answered with 201, and an error has `detail` alone.
// Beside the scenarios of every fake they have refusals of a submit (`forbidden`, `not-offered`, `no-credits`,
// `too-large`, `bad-gateway`, `fields`: a `detail` that is a list), and `error-with-id` and `success-without-id`
// (contradictory answers).

/** A public URL, at which Luma reads an image itself. */
export const publicUrl = z.string().regex(/^https:\/\/[^\s]+$/);

/** One of the APIs. */
export interface LumaApi {
  readonly key: string;
  /** Such as `/v1`. */
  readonly base: string;
  /** The bodies of submits by their paths below the base. */
  readonly bodies: Readonly<Record<string, z.ZodType<{ readonly prompt: string }>>>;
  /** The text with which a moderated prompt is refused. */
  readonly moderation: string;
  /** The fields of a generation besides its id and its time. */
  generation(job: VendorJob, state: Exclude<JobState, 'cancelled'>, url: string): object;
}

export function startFakeLumaGenerations(api: LumaApi): Promise<FakeVideoVendor> {
  const jobs = new Map<string, VendorJob>();
  const submitRefusals = { ...refusals, 'moderated-input': detail(400, api.moderation) };

  function answer(request: VendorRequest, tools: VendorTools): VendorReply {
    const { method, path, headers } = request;
    if (headers.authorization !== `Bearer ${api.key}`) return refusals.auth;
    const body = path.startsWith(api.base) ? api.bodies[path.slice(api.base.length)] : undefined;
    if (method === 'POST' && body) return submit(request, body, tools);
    const id = path.startsWith(`${api.base}/generations/`) ? path.slice(api.base.length + 13) : undefined;
    if (method === 'GET' && id !== undefined) return poll(id, tools);
    return detail(404, 'Not Found');
  }

  function submit(
    { headers, json }: VendorRequest,
    body: z.ZodType<{ readonly prompt: string }>,
    tools: VendorTools,
  ): VendorReply {
    if (headers['content-type'] !== 'application/json') return detail(415, 'Unsupported media type.');
    const parsed = body.safeParse(json);
    if (!parsed.success) return detail(422, z.prettifyError(parsed.error));
    const { prompt } = parsed.data;
    const refused = refusalOf(prompt, submitRefusals, tools);
    if (refused) return refused;
    const job = tools.createJob(prompt, parsed.data);
    const id = randomUUID();
    jobs.set(id, job);
    switch (job.scenario?.name) {
      case 'submit-500':
        return detail(500, 'Internal server error');
      case 'error-with-id':
        return { status: 500, body: { id, detail: 'Internal server error' } };
      case 'success-without-id':
        return { status: 201, body: { state: 'queued' } };
      default:
        return { status: 201, body: generation(id, job, 'queued', tools) };
    }
  }

  function poll(id: string, tools: VendorTools): VendorReply {
    const job = jobs.get(id);
    if (!job) return notFound;
    const broken = pollFailureOf(job, pollFailures);
    if (broken) return broken;
    const state = tools.poll(job);
    // Nothing ends a generation: the one API cannot, and the deletion of the other is not imitated.
    return { status: 200, body: generation(id, job, state === 'cancelled' ? 'queued' : state, tools) };
  }

  function generation(id: string, job: VendorJob, state: Exclude<JobState, 'cancelled'>, tools: VendorTools): object {
    return { id, created_at: job.createdAt.toISOString(), ...api.generation(job, state, tools.resultUrl(job)) };
  }

  return startFakeVideoVendor(answer);
}

const detail = (status: number, text: unknown): VendorReply => ({ status, body: { detail: text } });
const rateLimited = (seconds: string): VendorReply => ({
  ...detail(429, 'Too many requests'),
  headers: { 'retry-after': seconds },
});
const notFound = detail(404, 'Generation not found');

const refusals = {
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
  ratelimit: rateLimited('3'),
} satisfies Readonly<Record<string, VendorReply>>;

const pollFailures: Readonly<Record<string, VendorReply>> = {
  poll401: refusals.auth,
  poll404: notFound,
  poll429: rateLimited('7'),
  poll500: detail(500, 'Internal server error'),
};
