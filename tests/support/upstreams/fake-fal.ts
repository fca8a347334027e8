import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { fieldsOf, isObject, type Fields } from '../../../lib/domain/json';
import {
  RESULT,
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
import { falSchemas, type Rule, type Schema } from './fal-schemas';

// The queue API of fal, for the endpoints of its client's types (@fal-ai/client 1.10.1) that make videos. Stricter than
// fal: it refuses an input at the submit that fal's queue accepts and fails later, and fields that fal ignores.
// Beyond the shared scenarios: `result-500:N` and `result-html:N` fail the first N reads of a result, `result-early:N` has
// no result yet at the first N reads, and `error-…` fails the job with that code, for example `error-file-download-error`.

export const FAL_KEY = 'c0ffee00-1111-4222-8333-444455556666:5ec4e75ec4e75ec4e75ec4e75ec4e75e';

/** The vendor returns these URLs, whatever origin the request was sent to. */
const QUEUE_URL = 'https://queue.fal.run';

const callbackKey = generateKeyPairSync('ed25519');

/** As https://docs.fal.ai/model-endpoints/webhooks describes it. */
export const signFalCallback: SignCallback = ({ body, now }) => {
  const [requestId, userId, timestamp] = [randomUUID(), 'user_imitated', String(Math.floor(now.getTime() / 1_000))];
  const digest = createHash('sha256').update(body).digest('hex');
  const text = [requestId, userId, timestamp, digest].join('\n');
  return {
    'x-fal-webhook-request-id': requestId,
    'x-fal-webhook-user-id': userId,
    'x-fal-webhook-timestamp': timestamp,
    'x-fal-webhook-signature': sign(null, Buffer.from(text), callbackKey.privateKey).toString('hex'),
  };
};

interface FalJob {
  readonly id: string;
  /** Owner and application, which begin the endpoint's name. */
  readonly application: string;
  readonly job: VendorJob;
  /** What the last poll found. */
  state: JobState;
}

export function startFakeFal(): Promise<FakeVideoVendor> {
  const jobs = new Map<string, FalJob>();
  return startFakeVideoVendor((request, tools) => answer(request, tools, jobs));
}

function answer(request: VendorRequest, tools: VendorTools, jobs: Map<string, FalJob>): VendorReply {
  // Of another origin in truth, where no key is needed.
  if (request.path === '/.well-known/jwks.json')
    return { status: 200, body: { keys: [callbackKey.publicKey.export({ format: 'jwk' })] } };
  if (request.headers.authorization !== `Key ${FAL_KEY}`)
    return refuse(401, 'Authentication is required to access this application.');
  const [, owner = '', name = '', id = '', action] =
    /^\/([^/]+)\/([^/]+)\/requests\/([^/]+)(?:\/(status|cancel))?$/.exec(request.path) ?? [];
  if (id !== '') {
    const found = jobs.get(id);
    const job = found?.application === `${owner}/${name}` ? found : undefined;
    if (action === 'cancel') return request.method === 'PUT' ? cancel(job) : notAllowed();
    if (request.method !== 'GET') return notAllowed();
    if (!job) return refuse(404, `Request ${id} not found.`);
    return action === 'status' ? poll(request, tools, job) : readResult(tools, job);
  }
  const endpoint = request.path.slice(1);
  if (!Object.hasOwn(falSchemas, endpoint)) return refuse(404, `Application "${endpoint}" not found`);
  return request.method === 'POST' ? submit(request, tools, endpoint, jobs) : notAllowed();
}

function submit(request: VendorRequest, tools: VendorTools, endpoint: string, jobs: Map<string, FalJob>): VendorReply {
  if (request.headers['content-type'] !== 'application/json') return refuse(415, 'Unsupported media type');
  if (!isObject(request.json)) return invalid([], 'Input should be a valid dictionary', 'model_attributes_type');
  const problem =
    problemOf(request.json, falSchemas[endpoint] ?? {}) ?? lifecycleProblem(request) ?? queryProblem(request);
  if (problem) return problem;

  const prompt = String(request.json.prompt);
  const begin = (): FalJob => {
    const [owner, name] = endpoint.split('/');
    const job = tools.createJob(prompt, request.json);
    const begun: FalJob = { id: randomUUID(), application: `${owner}/${name}`, job, state: 'queued' };
    jobs.set(begun.id, begun);
    return begun;
  };
  const scenario = scenarioOf(prompt);
  switch (scenario?.name) {
    case 'moderated-input':
      return invalid(['body', 'prompt'], 'The content could not be processed.', 'content_policy_violation');
    case 'balance':
      return refuse(403, 'User is locked. Reason: Exhausted balance. Top up your balance at fal.ai/dashboard/billing.');
    case 'auth':
      return refuse(401, 'Invalid authentication credentials');
    case 'invalid':
      return invalid(['body', 'prompt'], 'Value error, the prompt is too short', 'value_error');
    case 'unavailable':
      return refuse(503, 'No runner is available', 'runner_scheduling_failure');
    case 'ratelimit': {
      if (tools.countAttempt(prompt) > scenario.count) break;
      const limited = refuse(429, 'Concurrent requests limit exceeded', 'concurrent_requests_limit');
      return { ...limited, headers: { ...limited.headers, 'retry-after': '2', 'x-fal-needs-retry': '1' } };
    }
    case 'submit-500':
      begin();
      return refuse(500, 'Internal Server Error', 'internal_error');
  }
  const job = begin();
  return { status: 200, body: { ...statusOf(job), status: 'IN_QUEUE', queue_position: 0 } };
}

/** The fields that every status has. */
function statusOf({ id, application }: FalJob): Fields {
  const url = `${QUEUE_URL}/${application}/requests/${id}`;
  return {
    request_id: id,
    gateway_request_id: id,
    response_url: url,
    status_url: `${url}/status`,
    cancel_url: `${url}/cancel`,
    logs: null,
    metrics: {},
  };
}

function poll(request: VendorRequest, tools: VendorTools, falJob: FalJob): VendorReply {
  const unknown = [...request.query.keys()].find((key) => key !== 'logs');
  if (unknown !== undefined) return invalid(['query', unknown], 'Extra inputs are not permitted', 'extra_forbidden');
  const { scenario } = falJob.job;
  const failed = failedPoll(scenario?.name ?? '');
  if (failed && tools.countAttempt(`poll ${falJob.id}`) <= (scenario?.count ?? 0)) return failed;
  falJob.state = tools.poll(falJob.job);
  const base = statusOf(falJob);
  switch (falJob.state) {
    case 'queued':
      return { status: 202, body: { ...base, status: 'IN_QUEUE', queue_position: 1 } };
    case 'running':
      return { status: 202, body: { ...base, status: 'IN_PROGRESS' } };
    case 'weird':
      return { status: 202, body: { ...base, status: 'DEFROSTING' } };
    case 'failed':
    case 'cancelled': {
      const error_type = falJob.state === 'failed' ? 'runner_server_error' : 'client_cancelled';
      return { status: 200, body: { ...base, status: 'COMPLETED', error: 'The request failed', error_type } };
    }
    default:
      return { status: 200, body: { ...base, status: 'COMPLETED', metrics: { inference_time: 41.5 } } };
  }
}

function failedPoll(name: string): VendorReply | undefined {
  switch (name) {
    case 'poll500':
      return refuse(500, 'Internal Server Error', 'internal_error');
    case 'poll401':
      return refuse(401, 'Invalid authentication credentials');
    case 'poll404':
      return refuse(404, 'Request not found.');
    case 'poll429':
      return { ...refuse(429, 'Too many requests'), headers: { 'retry-after': '7' } };
    default:
      return undefined;
  }
}

/** The errors of models have a list; their usual status is 422. */
const modelErrorStatus: Readonly<Record<string, number>> = {
  internal_server_error: 500,
  downstream_service_unavailable: 500,
  generation_timeout: 504,
  downstream_service_error: 400,
};
/** The errors of the platform. */
const requestErrorStatus: Readonly<Record<string, number>> = {
  request_timeout: 504,
  startup_timeout: 504,
  client_disconnected: 499,
  client_cancelled: 499,
  bad_request: 400,
};

function readResult(tools: VendorTools, { id, job, state }: FalJob): VendorReply {
  const { scenario } = job;
  const isBroken = scenario?.name.startsWith('result-') && tools.countAttempt(`result ${id}`) <= scenario.count;
  switch (state) {
    case 'queued':
    case 'running':
    case 'weird':
      return refuse(400, 'Request is still in progress');
    case 'failed':
      return refuse(500, 'The runner failed', 'runner_server_error');
    case 'cancelled':
      return refuse(499, 'Request was cancelled', 'client_cancelled');
    case 'moderated':
      return billed(invalid(['body', 'prompt'], 'The content could not be processed.', 'content_policy_violation'));
    case 'no-url':
      return { status: 200, body: { video: null } };
  }
  if (isBroken && scenario?.name === 'result-500') return refuse(500, 'Internal Server Error', 'internal_error');
  if (isBroken && scenario?.name === 'result-early') return refuse(400, 'Request is still in progress');
  if (isBroken) return { status: 200, body: '<html><body>Just a moment…</body></html>' };
  if (scenario?.name.startsWith('error-')) return failedResult(scenario.name.slice('error-'.length).replace(/-/g, '_'));
  const video = {
    url: tools.resultUrl(job),
    content_type: 'video/mp4',
    file_name: 'output.mp4',
    file_size: RESULT.length,
    width: 640,
    height: 360,
    fps: 24,
    duration: 2,
    num_frames: 48,
  };
  return billed({ status: 200, body: { video, seed: 42 } });
}

function failedResult(code: string): VendorReply {
  const status = requestErrorStatus[code];
  if (status !== undefined) return refuse(status, 'The request failed', code);
  return invalid(['body'], 'The model failed.', code, modelErrorStatus[code]);
}

function cancel(falJob: FalJob | undefined): VendorReply {
  if (!falJob) return { status: 404, body: { status: 'NOT_FOUND' } };
  const isOver = !['queued', 'running', 'weird'].includes(falJob.state);
  if (isOver || falJob.job.cancelled) return { status: 400, body: { status: 'ALREADY_COMPLETED' } };
  falJob.job.cancelled = true;
  return { status: 202, body: { status: 'CANCELLATION_REQUESTED' } };
}

function problemOf(input: Fields, schema: Schema): VendorReply | undefined {
  const rules = new Map(Object.entries(schema).map(([name, rule]) => [name.replace('!', ''), rule]));
  for (const name of Object.keys(schema)) {
    const field = name.slice(0, -1);
    if (name.endsWith('!') && input[field] === undefined) return invalid(['body', field], 'Field required', 'missing');
  }
  for (const [name, value] of Object.entries(input)) {
    const rule = rules.get(name);
    if (rule === undefined) return invalid(['body', name], 'Extra inputs are not permitted', 'extra_forbidden');
    const type = typeProblem(value, rule);
    if (type !== undefined) return invalid(['body', name], 'Input should be a valid value', type);
  }
  return undefined;
}

function typeProblem(value: unknown, rule: Rule): string | undefined {
  if (rule === 'text') return typeof value === 'string' ? undefined : 'string_type';
  if (rule === 'boolean') return typeof value === 'boolean' ? undefined : 'bool_type';
  if (rule === 'url') return isMediaUrl(value) ? undefined : 'file_download_error';
  if (rule === 'urls') {
    if (!Array.isArray(value) || value.length === 0) return 'list_type';
    return value.every(isMediaUrl) ? undefined : 'file_download_error';
  }
  if (rule === 'texts') {
    if (!Array.isArray(value) || value.length === 0) return 'list_type';
    return value.every((each) => typeof each === 'string') ? undefined : 'string_type';
  }
  if (rule === 'named images') {
    if (!Array.isArray(value) || value.length === 0) return 'list_type';
    const problems = value.map((each) => {
      const { type, ref_name: name, image_url: url, ...others } = fieldsOf(each);
      if (!['subject', 'background'].includes(String(type)) || Object.keys(others).length > 0) return 'literal_error';
      if (typeof name !== 'string' || name === '') return 'string_type';
      return isMediaUrl(url) ? undefined : 'file_download_error';
    });
    return problems.find((problem) => problem !== undefined);
  }
  if (rule === 'seed') return isInteger(value, 0, 2 ** 32 - 1) ? undefined : 'int_type';
  if ('maxLength' in rule)
    return typeof value === 'string' && value.length <= rule.maxLength ? undefined : 'string_too_long';
  if ('maxBytes' in rule)
    return typeof value === 'string' && Buffer.byteLength(value) <= rule.maxBytes ? undefined : 'string_too_long';
  if ('from' in rule) return isInteger(value, rule.from, rule.to) ? undefined : 'int_type';
  return rule.includes(value) ? undefined : 'literal_error';
}

function isMediaUrl(value: unknown): boolean {
  return typeof value === 'string' && /^(https:\/\/|data:(image|video)\/[a-z0-9]+;base64,)/.test(value);
}

function isInteger(value: unknown, from: number, to: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to;
}

function lifecycleProblem({ headers }: VendorRequest): VendorReply | undefined {
  const text = headers['x-fal-object-lifecycle-preference'];
  if (text === undefined) return undefined;
  const { expiration_duration_seconds: seconds } = fieldsOf(typeof text === 'string' ? JSON.parse(text) : undefined);
  return isInteger(seconds, 1, 2 ** 31) ? undefined : refuse(400, 'Invalid lifecycle preference', 'bad_request');
}

/** The only parameter is the URL that is called when the job has ended. */
function queryProblem({ query }: VendorRequest): VendorReply | undefined {
  const unknown = [...query.keys()].find((name) => name !== 'fal_webhook');
  if (unknown !== undefined) return invalid(['query', unknown], 'Extra inputs are not permitted', 'extra_forbidden');
  const url = query.get('fal_webhook');
  return url === null || url.startsWith('https://') ? undefined : refuse(400, 'Invalid webhook URL', 'bad_request');
}

function billed(reply: VendorReply): VendorReply {
  return { ...reply, headers: { ...reply.headers, 'x-fal-billable-units': '5' } };
}

function notAllowed(): VendorReply {
  return refuse(405, 'Method Not Allowed');
}

/** An error of the platform. */
function refuse(status: number, detail: string, code?: string): VendorReply {
  if (code === undefined) return { status, body: { detail } };
  return { status, headers: { 'x-fal-error-type': code }, body: { detail, error_type: code } };
}

/** An error of a model. */
function invalid(loc: readonly string[], msg: string, type: string, status = 422): VendorReply {
  const url = `https://docs.fal.ai/errors#${type}`;
  return { status, headers: { 'x-fal-retryable': 'false' }, body: { detail: [{ loc, msg, type, url }] } };
}
