import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  pollFailureOf,
  refusalOf,
  startFakeVideoVendor,
  type FakeVideoVendor,
  type VendorJob,
  type VendorReply,
  type VendorRequest,
  type VendorTools,
} from './fake-video-vendor';

// The video API of xAI. The first poll of a video is answered with 200, the next with 202 and an empty body. Errors have
// the two shapes of xAI. Beside the scenarios of every fake it has refusals of a submit (`wrong-key`, `no-credits`,
// `guidelines`, `forbidden`, `not-offered`, `unknown-error`), `error-with-id` and `success-without-id` (contradictory
// answers), running videos with other bodies (`pending-json`, `pending-text`), and ends of a video: `no-status`, `stored`
// (only the link of the stored file), `early` (the word comes with 202), `over` (the request expired), `failed-moderated`,
// `failed-invalid`, `failed-precondition`, `failed-permission`.

export const XAI_KEY = 'xai-Imitated0123456789abcdefghijklmnopqrstuvwxyz';

const url = z.strictObject({
  url: z.string().regex(/^(https:\/\/|data:(image\/(png|jpeg|webp)|video\/mp4);base64,[A-Za-z0-9+/]+=*$)/),
});
const LITE = 'grok-imagine-video-1.5-lite';
const shared = {
  model: z.enum(['grok-imagine-video', 'grok-imagine-video-1.5', LITE]),
  prompt: z.string().min(1).max(4_096),
  user: z.string().optional(),
};
const bodies = {
  '/v1/videos/edits': z.strictObject({ ...shared, video: url }),
  '/v1/videos/generations': z
    .strictObject({
      ...shared,
      duration: z.int().min(1).max(15).default(8),
      aspect_ratio: z.enum(['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9', '5:2']).optional(),
      resolution: z.enum(['480p', '720p', '1080p']).default('480p'),
      generate_audio: z.boolean().optional(),
      image: url.optional(),
      last_frame: url.optional(),
      reference_images: z.array(url).min(1).max(7).optional(),
      reference_audios: z
        .array(z.union([url, z.strictObject({ voice_id: z.string().min(1) })]))
        .min(1)
        .max(3)
        .optional(),
    })
    .refine((body) => !(body.image && body.reference_images), 'image and reference_images exclude each other.')
    .refine((body) => !body.reference_audios || body.reference_images, 'reference_audios need reference_images.')
    .refine((body) => !body.last_frame || (body.image && isNewer(body)), 'last_frame is not supported.')
    .refine((body) => !body.reference_images || body.model !== LITE, 'reference_images are not supported.')
    .refine(
      (body) => body.resolution !== '1080p' || ((isNewer(body) || body.model === LITE) && !body.reference_images),
      'No 1080p.',
    )
    .refine(
      (body) => !body.reference_images || isNewer(body) || body.duration <= 10,
      'At most 10 seconds with references.',
    ),
};
type VideoBody = z.infer<(typeof bodies)[keyof typeof bodies]>;

const isNewer = ({ model }: { readonly model: string }) => model === 'grok-imagine-video-1.5';

export function startFakeXai(): Promise<FakeVideoVendor> {
  const jobs = new Map<string, VendorJob>();

  function answer(request: VendorRequest, tools: VendorTools): VendorReply {
    const { method, path, headers } = request;
    if (headers.authorization !== `Bearer ${XAI_KEY}`) return refusals.auth;
    if (method === 'POST' && isSubmitPath(path)) return submit(request, bodies[path], tools);
    const [, id] = /^\/v1\/videos\/([^/]+)$/.exec(path) ?? [];
    if (method === 'GET' && id !== undefined) return poll(id, tools);
    return { status: 404, body: '' };
  }

  function submit({ headers, json }: VendorRequest, schema: z.ZodType<VideoBody>, tools: VendorTools): VendorReply {
    if (headers['content-type'] !== 'application/json')
      return { status: 415, body: 'Expected request with `Content-Type: application/json`' };
    const parsed = schema.safeParse(json);
    if (!parsed.success) return invalid(z.prettifyError(parsed.error));
    const { prompt } = parsed.data;
    const refused = refusalOf(prompt, refusals, tools);
    if (refused) return refused;
    const job = tools.createJob(prompt, parsed.data);
    const id = randomUUID();
    jobs.set(id, job);
    switch (job.scenario?.name) {
      case 'submit-500':
        return failure(500, 'Internal error', 'Something went wrong.');
      case 'error-with-id':
        return { status: 500, body: { request_id: id, code: 'Internal error', error: 'Something went wrong.' } };
      case 'success-without-id':
        return { status: 200, body: { request_id: null } };
      default:
        return { status: 200, body: { request_id: id } };
    }
  }

  function poll(id: string, tools: VendorTools): VendorReply {
    const job = jobs.get(id);
    if (!job) return notFound;
    const broken = pollFailureOf(job, pollFailures);
    if (broken) return broken;
    // Safe: `submit` created it with a parsed body.
    const body = job.body as VideoBody;
    const usage = { cost_in_usd_ticks: ticksOf(body) };
    const duration = 'duration' in body ? body.duration : 2;
    const done = (video: object, status = 200): VendorReply => ({
      status,
      body: { status: 'done', progress: 100, model: body.model, video, usage },
    });
    const failed = (code: string, message: string): VendorReply => ({
      status: 200,
      body: { status: 'failed', model: body.model, error: { code, message } },
    });
    const made = { url: tools.resultUrl(job), duration, respect_moderation: true };
    switch (tools.poll(job)) {
      case 'queued':
        return { status: 200, body: { status: 'pending', progress: 0 } };
      case 'running':
        return { status: 202, ...pendingBodies[job.scenario?.name ?? ''] };
      case 'weird':
        return { status: 200, body: { status: 'rewinding', progress: 50 } };
      case 'cancelled':
        return { status: 200, body: { status: 'cancelled' } };
      case 'failed':
        return failed('internal_error', 'The generation failed.');
      case 'moderated':
        return done({ url: '', duration, respect_moderation: false });
      case 'no-url':
        return done({ duration, respect_moderation: true });
      case 'completed':
        switch (job.scenario?.name) {
          case 'no-status':
            return { status: 200, body: { model: body.model, video: made, usage } };
          case 'stored':
            return done({ duration, file_output: { file_id: 'file_1', filename: 'a.mp4', public_url: made.url } });
          case 'early':
            return done(made, 202);
          case 'over':
            return { status: 200, body: { status: 'expired' } };
          case 'failed-moderated':
            return failed('invalid_argument', 'Generated video rejected by content moderation.');
          case 'failed-invalid':
            return failed('invalid_argument', 'The image could not be decoded.');
          case 'failed-precondition':
            return failed('failed_precondition', 'The source is too long.');
          case 'failed-permission':
            return failed('permission_denied', 'The team may not use this model.');
          default:
            return done(made);
        }
    }
  }

  return startFakeVideoVendor(answer);
}

/** The bodies of a 202; others are empty. */
const pendingBodies: Readonly<Record<string, Pick<VendorReply, 'body'>>> = {
  'pending-json': { body: { status: 'pending', progress: 30 } },
  'pending-text': { body: 'Accepted' },
};

const failure = (status: number, code: string, error: string): VendorReply => ({ status, body: { code, error } });
const invalid = (message: string) => failure(400, 'Client specified an invalid argument', message);
const rateLimited = (seconds: string): VendorReply => ({
  status: 429,
  headers: { 'retry-after': seconds },
  body: { error: { message: 'Too many requests.', type: 'rate_limit_error', code: 'rate_limit_exceeded' } },
});
const notFound = failure(404, 'Some requested entity was not found', 'The video was not found.');

const refusals = {
  ratelimit: rateLimited('3'),
  'moderated-input': invalid('Generated video rejected by content moderation.'),
  guidelines: failure(
    403,
    'The caller does not have permission to execute the specified operation',
    'Content violates usage guidelines. Team: 5c1f0a5e-0000-4000-8000-0123456789ab',
  ),
  invalid: invalid('The duration is not supported.'),
  auth: {
    status: 401,
    body: { error: { message: 'No valid API key.', type: 'authentication_error', code: 'invalid_api_key' } },
  },
  'wrong-key': invalid('Incorrect API key provided: xa***z. You can obtain an API key from https://console.x.ai.'),
  forbidden: failure(
    403,
    'The caller does not have permission to execute the specified operation',
    'The key may not use this model.',
  ),
  balance: failure(402, 'Some resource has been exhausted', 'The team has no credits.'),
  'no-credits': failure(
    429,
    'Some resource has been exhausted',
    'Your team has either used all available credits or reached its monthly spending limit.',
  ),
  'not-offered': failure(404, 'Some requested entity was not found', 'The model does not exist.'),
  unavailable: failure(503, 'The service is currently unavailable', 'Try again later.'),
  'unknown-error': failure(500, 'Unknown error', 'Something went wrong.'),
} satisfies Readonly<Record<string, VendorReply>>;

const pollFailures: Readonly<Record<string, VendorReply>> = {
  poll401: refusals.auth,
  poll404: notFound,
  poll429: rateLimited('7'),
  poll500: failure(500, 'Internal error', 'Something went wrong.'),
};

function isSubmitPath(path: string): path is keyof typeof bodies {
  return path in bodies;
}

/** 10^10 ticks are a dollar. An edit of the fake has two seconds. */
function ticksOf(body: VideoBody): number {
  if ('video' in body) return 4 * 700_000_000;
  const { duration, resolution, image, last_frame: last, reference_images: references = [] } = body;
  const perSecond = ticksPerSecond(body);
  const pictures = isNewer(body) ? [image, last, ...references].filter(Boolean).length : 0;
  return duration * perSecond[resolution] + pictures * 100_000_000;
}

function ticksPerSecond(body: VideoBody): Readonly<Record<'480p' | '720p' | '1080p', number>> {
  if (body.model === LITE) return { '480p': 200_000_000, '720p': 350_000_000, '1080p': 1_400_000_000 };
  return isNewer(body)
    ? { '480p': 800_000_000, '720p': 1_400_000_000, '1080p': 2_500_000_000 }
    : { '480p': 500_000_000, '720p': 700_000_000, '1080p': 0 };
}
