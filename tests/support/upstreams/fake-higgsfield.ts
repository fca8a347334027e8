import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  refusalCodeOf,
  scenarioOf,
  startFakeVideoVendor,
  type FakeVideoVendor,
  type JobState,
  type RefusalCodes,
  type SignCallback,
  type VendorJob,
  type VendorReply,
  type VendorRequest,
  type VendorTools,
} from './fake-video-vendor';

// Both generations of Higgsfield's API as its client describes them: DoP, job sets or requests, and uploads. A request is
// cancelled while it is queued. Content is refused by a
// job that ends as `nsfw`: the scenario `moderated-input` is accepted. Beside the scenarios of every fake it has `code:N`
// (a submit is refused with that status), `success-without-id`, `error-with-id`, and `canceled`.

export const HIGGSFIELD_KEY = 'imitated-6d1f0c52-7f7e-4f0e-9a53-0123456789ab';
export const HIGGSFIELD_SECRET = 'imitated0123456789abcdef0123456789abcdef0123456789abcdef';

export interface FakeHiggsfield extends FakeVideoVendor {
  /** The uploaded images by their public URLs. */
  readonly uploads: ReadonlyMap<string, { readonly contentType: string; readonly bytes: Buffer }>;
  /** Answers the next requests for an upload, one each. */
  readonly uploadReplies: VendorReply[];
  /** The same for the uploads themselves. */
  readonly storageReplies: VendorReply[];
}

const CDN = 'https://d3u0tzju9qaucj.cloudfront.net';
const image = z.strictObject({ type: z.literal('image_url'), image_url: z.url({ protocol: /^https$/ }) });
const params = z.strictObject({
  model: z.enum(['dop-lite', 'dop-turbo', 'dop-preview']),
  prompt: z.string().min(1),
  seed: z.int().min(0).max(1_000_000).optional(),
  enhance_prompt: z.boolean().optional(),
  input_images: z.array(image).length(1),
  input_images_end: z.array(image).max(1).optional(),
  motions: z.array(z.strictObject({ id: z.uuid(), strength: z.number().min(0).max(1) })).optional(),
});
const order = z.strictObject({
  params,
  webhook: z.strictObject({ url: z.url(), secret: z.string().min(1) }).optional(),
});

/** With the secret that the submit stated. */
export const signHiggsfieldCallback: SignCallback = (call) => ({
  'x-webhook-secret-key': order.parse(call.order).webhook?.secret ?? '',
});

const refusalCodes: RefusalCodes = {
  // Never asked for: content is refused later.
  'moderated-input': 400,
  balance: 403,
  auth: 401,
  invalid: 422,
  unavailable: 503,
  ratelimit: 429,
};

const sentences: Readonly<Record<number, string>> = {
  401: 'Invalid credentials',
  403: 'Not enough credits',
  404: 'Not found',
  429: 'Too many requests',
  503: 'Service unavailable',
};

const wordOf: Readonly<Record<JobState, string>> = {
  queued: 'queued',
  running: 'in_progress',
  weird: 'polishing',
  failed: 'failed',
  moderated: 'nsfw',
  cancelled: 'canceled',
  completed: 'completed',
  'no-url': 'completed',
};

export async function startFakeHiggsfield(): Promise<FakeHiggsfield> {
  const jobSets = new Map<string, VendorJob>();
  const requests = new Map<string, VendorJob>();
  const slots = new Map<string, { readonly publicUrl: string; readonly contentType: string }>();
  const uploads = new Map<string, { readonly contentType: string; readonly bytes: Buffer }>();
  const uploadReplies: VendorReply[] = [];
  const storageReplies: VendorReply[] = [];

  const vendor = await startFakeVideoVendor((request, tools) => {
    const { method, path, headers } = request;
    // Another host in reality, which gets no keys.
    if (path.startsWith('/storage/')) return method === 'PUT' ? store(request) : { status: 405 };
    const isSecond = headers.authorization !== undefined;
    const isKnown = isSecond
      ? headers.authorization === `Key ${HIGGSFIELD_KEY}:${HIGGSFIELD_SECRET}`
      : headers['hf-api-key'] === HIGGSFIELD_KEY && headers['hf-secret'] === HIGGSFIELD_SECRET;
    if (!isKnown) return failure(401);
    if (method === 'POST' && path === '/files/generate-upload-url')
      return uploadReplies.shift() ?? openSlot(request, tools);
    if (method === 'POST' && path === '/v1/image2video/dop') return generate(request, isSecond, tools);
    const [, requestId, step] = /^\/requests\/([^/]+)\/(status|cancel)$/.exec(path) ?? [];
    if (isSecond && requestId !== undefined)
      return method === (step === 'status' ? 'GET' : 'POST')
        ? answerRequest(requestId, step === 'cancel', tools)
        : { status: 405 };
    const [, id] = /^\/v1\/job-sets\/([^/]+)$/.exec(path) ?? [];
    if (!isSecond && method === 'GET' && id !== undefined) return poll(id, tools);
    return { status: 404, body: '404 page not found' };
  });

  function openSlot({ json }: VendorRequest, { baseUrl }: VendorTools): VendorReply {
    const parsed = z.strictObject({ content_type: z.string().regex(/^image\/(png|jpeg|webp)$/) }).safeParse(json);
    if (!parsed.success) return invalid(parsed.error);
    const id = randomUUID();
    const contentType = parsed.data.content_type;
    const publicUrl = `${CDN}/${id}.${contentType.slice('image/'.length)}`;
    slots.set(id, { publicUrl, contentType });
    return { status: 200, body: { upload_url: `${baseUrl}/storage/${id}?signature=abc`, public_url: publicUrl } };
  }

  function store({ path, query, headers, raw }: VendorRequest): VendorReply {
    const scripted = storageReplies.shift();
    if (scripted) return scripted;
    const slot = slots.get(path.slice('/storage/'.length));
    const isSigned = query.get('signature') === 'abc' && headers['content-type'] === slot?.contentType;
    if (!slot || !isSigned || headers['hf-api-key'] !== undefined || headers['hf-secret'] !== undefined)
      return { status: 403 };
    uploads.set(slot.publicUrl, { contentType: slot.contentType, bytes: raw });
    return { status: 200 };
  }

  function generate(request: VendorRequest, isSecond: boolean, tools: VendorTools): VendorReply {
    if (!request.headers['content-type']?.startsWith('application/json')) return failure(422);
    const parsed = order.safeParse(isSecond ? { params: request.json } : request.json);
    if (!parsed.success) return invalid(parsed.error);
    const { params } = parsed.data;
    if (params.input_images.some(({ image_url: url }) => url.startsWith(CDN) && !uploads.has(url))) return failure(400);

    const scenario = scenarioOf(params.prompt);
    const code = scenario?.name === 'moderated-input' ? undefined : refusalCodeOf(params.prompt, refusalCodes, tools);
    if (code !== undefined) return failure(code);
    if (scenario?.name === 'success-without-id')
      return { status: 200, body: isSecond ? { status: 'queued' } : { type: 'image2video', jobs: [] } };
    const job = tools.createJob(params.prompt, request.json);
    const id = randomUUID();
    (isSecond ? requests : jobSets).set(id, job);
    if (scenario?.name === 'canceled') job.cancelled = true;
    if (scenario?.name === 'submit-500') return failure(500);
    const created = isSecond ? requestBody(id, 'queued', tools) : jobSet(id, job, 'queued', null);
    if (scenario?.name === 'error-with-id') return { status: 500, body: { ...created, detail: 'Internal error' } };
    return { status: 200, body: created };
  }

  function poll(id: string, tools: VendorTools): VendorReply {
    const job = jobSets.get(id);
    if (!job) return failure(404);
    const broken = brokenPoll(job);
    if (broken) return broken;
    const state = tools.poll(job);
    const isRefused = state === 'running' && job.scenario?.name === 'moderated-input';
    const url = tools.resultUrl(job);
    const results =
      state === 'completed'
        ? { min: { url: `${url}.webp`, type: 'image' }, raw: { url, type: 'video' } }
        : state === 'no-url'
          ? {}
          : null;
    return { status: 200, body: jobSet(id, job, isRefused ? 'nsfw' : wordOf[state], results) };
  }

  function answerRequest(id: string, cancels: boolean, tools: VendorTools): VendorReply {
    const job = requests.get(id);
    if (!job) return failure(404);
    if (cancels) {
      if (job.polls > 1) return failure(400);
      job.cancelled = true;
      return { status: 202 };
    }
    const broken = brokenPoll(job);
    if (broken) return broken;
    const state = tools.poll(job);
    const isRefused = state === 'running' && job.scenario?.name === 'moderated-input';
    const body = requestBody(id, isRefused ? 'nsfw' : wordOf[state], tools);
    return { status: 200, body: state === 'completed' ? { ...body, video: { url: tools.resultUrl(job) } } : body };
  }

  return Object.assign(vendor, { uploads, uploadReplies, storageReplies });
}

function jobSet(id: string, job: VendorJob, status: string, results: object | null): object {
  return {
    id,
    type: 'image2video',
    created_at: job.createdAt.toISOString(),
    jobs: [{ id: `${id.slice(0, -1)}0`, job_set_type: 'image2video_dop', status, results }],
    input_params: {},
  };
}

function requestBody(id: string, status: string, { baseUrl }: VendorTools): object {
  const url = `${baseUrl}/requests/${id}`;
  return { status, request_id: id, status_url: `${url}/status`, cancel_url: `${url}/cancel` };
}

/** The first polls of a scenario such as `poll404:2`; undefined for the others. */
function brokenPoll(job: VendorJob): VendorReply | undefined {
  const [, status] = /^poll(401|404|429|500)$/.exec(job.scenario?.name ?? '') ?? [];
  if (status === undefined || job.polls >= (job.scenario?.count ?? 0)) return undefined;
  job.polls += 1;
  return failure(Number(status), 7);
}

export function failure(status: number, pauseSeconds = 3): VendorReply {
  return {
    status,
    ...(status === 429 && { headers: { 'retry-after': String(pauseSeconds) } }),
    body: { detail: sentences[status] ?? `Error ${status}` },
  };
}

function invalid({ issues }: z.ZodError): VendorReply {
  const detail = issues.map(({ path, message, code }) => ({ loc: ['body', ...path], msg: message, type: code }));
  return { status: 422, body: { detail } };
}
