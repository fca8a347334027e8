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

// WaveSpeed as its API reference describes it: addresses for uploads, a submit, and polls. Beside the scenarios of every
// fake it has `code:N` (refused with that code), `failed:N` (failed with that code while it worked), `timeout`, `deleted`
// (words for an end), `error-with-id` and `success-without-id` (contradictory answers).

export const WAVESPEED_KEY = 'wsk-imitated-0123456789abcdef';

export const viduPath = '/api/v3/vidu/start-end-to-video-q2-turbo';
const UPLOADS_PATH = '/api/v3/media/uploads';

export interface FakeWavespeed extends FakeVideoVendor {
  /** Answers the next requests for an address for an upload, one each. */
  readonly uploadReplies: VendorReply[];
}

const uploadBody = z.strictObject({
  filename: z.string().regex(/\.(png|jpe?g|webp|mp4)$/),
  size: z.int().positive().max(300_000_000),
  content_type: z.enum(['image/png', 'image/jpeg', 'image/webp', 'video/mp4']).optional(),
});

const viduBody = z.strictObject({
  image: z.url(),
  last_image: z.url(),
  prompt: z.string().max(2_000).optional(),
  duration: z.int().min(1).max(10).optional(),
  resolution: z.enum(['540p', '720p', '1080p']).optional(),
  bgm: z.boolean().optional(),
  movement_amplitude: z.enum(['auto', 'small', 'medium', 'large']).optional(),
  seed: z.int().min(-1).max(2_147_483_647).optional(),
});

const statusOf: Readonly<Record<JobState, string>> = {
  queued: 'created',
  running: 'processing',
  weird: 'rendering',
  completed: 'completed',
  'no-url': 'completed',
  cancelled: 'cancelled',
  moderated: 'failed',
  failed: 'failed',
};

const refusalCodes: RefusalCodes = {
  'moderated-input': 1200,
  balance: 402,
  auth: 401,
  invalid: 1401,
  unavailable: 5003,
  ratelimit: 429,
};

export async function startFakeWavespeed(): Promise<FakeWavespeed> {
  const uploadReplies: VendorReply[] = [];
  const predictions = new Map<string, VendorJob>();
  let uploads = 0;

  const vendor = await startFakeVideoVendor((request, tools) => {
    const { method, path, headers } = request;
    if (headers.authorization !== `Bearer ${WAVESPEED_KEY}`) return failure(refusalCodes.auth);
    if (method === 'POST' && headers['content-type'] !== 'application/json') return failure(400);
    if (method === 'POST' && path === UPLOADS_PATH) return uploadReplies.shift() ?? giveSlot(request, tools);
    if (method === 'POST' && path === viduPath) return submit(request, tools);
    const [, id = ''] = /^\/api\/v3\/predictions\/([^/]+)\/result$/.exec(path) ?? [];
    const job = predictions.get(id);
    if (method !== 'GET' || !job) return failure(404);
    return brokenPoll(job) ?? { status: 200, body: success(predictionOf(id, job, tools)) };
  });

  function giveSlot(request: VendorRequest, { cdnUrl }: VendorTools): VendorReply {
    const parsed = uploadBody.safeParse(request.json);
    if (!parsed.success) return failure(refusalCodes.invalid);
    const url = `${cdnUrl}/uploads/${(uploads += 1)}-${parsed.data.filename}`;
    const { content_type: type } = parsed.data;
    const upload = { url: `${url}?signature=abc`, method: 'PUT', headers: type ? { 'Content-Type': type } : {} };
    return { status: 200, body: success({ download_url: url, upload }) };
  }

  /** Is it public, or was it uploaded? */
  function canRead(url: string, { cdnUrl }: VendorTools): boolean {
    if (!url.startsWith(`${cdnUrl}/uploads/`)) return url.startsWith('https://');
    return vendor.downloads.some(({ method, path }) => method === 'PUT' && url.endsWith(path));
  }

  function submit(request: VendorRequest, tools: VendorTools): VendorReply {
    const parsed = viduBody.safeParse(request.json);
    if (!parsed.success) return failure(refusalCodes.invalid);
    const { image, last_image: lastImage, prompt = '' } = parsed.data;
    if (![image, lastImage].every((url) => canRead(url, tools))) return failure(1402);
    const code = refusalCodeOf(prompt, refusalCodes, tools);
    if (code !== undefined) return failure(code);
    const job = tools.createJob(prompt, request.json);
    const id = String(job.number).padStart(32, 'c0ffee');
    predictions.set(id, job);
    switch (scenarioOf(prompt)?.name) {
      case 'submit-500':
        return failure(5000);
      case 'success-without-id':
        return { status: 200, body: success({}) };
      case 'error-with-id':
        return { status: 500, body: { code: 5000, message: 'Internal error', data: { id } } };
      default:
        return { status: 200, body: success(prediction(id, 'created', tools)) };
    }
  }

  return Object.assign(vendor, { uploadReplies });
}

function prediction(id: string, status: string, { baseUrl }: VendorTools, more: object = {}): object {
  return {
    id,
    model: viduPath.slice('/api/v3/'.length),
    status,
    outputs: [],
    urls: { get: `${baseUrl}/api/v3/predictions/${id}/result` },
    has_nsfw_contents: [],
    created_at: '2026-11-23T10:00:00Z',
    error: '',
    timings: { inference: 0 },
    ...more,
  };
}

function predictionOf(id: string, job: VendorJob, tools: VendorTools): object {
  const state = tools.poll(job);
  const { name, count } = job.scenario ?? {};
  if (state === 'completed' && (name === 'timeout' || name === 'deleted')) return prediction(id, name, tools);
  if (state === 'completed' && name === 'failed')
    return prediction(id, 'failed', tools, { code: count, error: 'The prediction has failed.' });
  const error =
    state === 'moderated' ? 'Content flagged as potentially sensitive.' : state === 'failed' ? 'Out of memory' : '';
  const outputs = state === 'completed' ? [tools.resultUrl(job)] : [];
  return prediction(id, statusOf[state], tools, { error, outputs });
}

/** The first polls of a scenario such as `poll404:2`; undefined for the others. */
function brokenPoll(job: VendorJob): VendorReply | undefined {
  const [, kind] = /^poll(401|404|429|500)$/.exec(job.scenario?.name ?? '') ?? [];
  if (kind === undefined || job.polls >= (job.scenario?.count ?? 0)) return undefined;
  job.polls += 1;
  return kind === '429' ? { ...failure(429), headers: { 'retry-after': '7' } } : failure(Number(kind));
}

const success = (data: object) => ({ code: 200, message: 'success', data });

/** WaveSpeed's own codes come with the status 400 or 500, all others with their own. */
export function failure(code: number): VendorReply {
  const status = code < 1_000 ? code : code < 5_000 ? 400 : 500;
  const pause = code === refusalCodes.ratelimit ? { headers: { 'retry-after': '3' } } : {};
  const message = code === refusalCodes.balance ? 'Insufficient credits. Please top up.' : 'The request has failed.';
  return { status, ...pause, body: { code, message, data: null } };
}
