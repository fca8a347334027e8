import { createHash } from 'node:crypto';
import { unixSeconds } from '../../../lib/domain/clock';
import { fieldsOf } from '../../../lib/domain/json';
import {
  pollFailureOf,
  scenarioOf,
  startFakeVideoVendor,
  type FakeVideoVendor,
  type VendorJob,
  type VendorReply,
  type VendorRequest,
  type VendorTools,
} from './fake-video-vendor';

// A server with the OpenAI Videos API: create (a form or JSON), retrieve and content. It has a model for text and one for
// images, takes exactly the documented fields and values, and needs its key for the content too, which leads to another
// host. A result always has a URL here, so `nourl` is a failure without an error object.

export const KEY = 'sk-fake0videos0key0000000000000000';
export const TEXT_MODEL = 'tiny-text';
export const IMAGE_MODEL = 'tiny-image';
export const SIZES = ['1280x720', '720x1280', '1792x1024', '1024x1792'];
const SECONDS = ['4', '8', '12'];
const FILE_LIFE_SECONDS = 24 * 3_600;

/** The fields of a form, or the JSON of a request. */
export async function bodyOf({ raw, json, headers }: VendorRequest): Promise<unknown> {
  const contentType = headers['content-type'] ?? '';
  if (!contentType.startsWith('multipart/form-data')) return json;
  const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': contentType } }).formData();
  return Object.fromEntries(form);
}

export function startFakeOpenaiVideos(): Promise<FakeVideoVendor> {
  const videos = new Map<string, VendorJob>();

  async function answer(request: VendorRequest, tools: VendorTools): Promise<VendorReply> {
    const { method, path, headers, query } = request;
    if (headers.authorization !== `Bearer ${KEY}`) return invalidKey;
    if (method === 'POST' && path === '/v1/videos') return submit(await bodyOf(request), tools);
    const [, id = '', content] = /^\/v1\/videos\/(video_[0-9a-f]{32})(\/content)?$/.exec(path) ?? [];
    const job = videos.get(id);
    if (!job || method !== 'GET') return notFound;
    if (content === undefined) return poll(id, job, tools);
    if (![null, 'video'].includes(query.get('variant'))) return error(400, 'invalid_value', 'Unknown variant.');
    return job.polls >= 3 ? { status: 302, headers: { location: tools.resultUrl(job) } } : notFound;
  }

  function submit(body: unknown, tools: VendorTools): VendorReply {
    const invalid = findInvalid(body);
    if (invalid !== undefined) return error(400, 'invalid_value', invalid);
    const prompt = String(fieldsOf(body).prompt);
    const refused = refuse(prompt, tools);
    if (refused) return refused;
    const job = tools.createJob(prompt, body);
    const id = `video_${createHash('sha256').update(`video ${job.number}`).digest('hex').slice(0, 32)}`;
    videos.set(id, job);
    if (job.scenario?.name === 'submit-500') return serverError;
    return { status: 200, body: videoOf(id, job, { status: 'queued' }) };
  }

  function poll(id: string, job: VendorJob, tools: VendorTools): VendorReply {
    const failure = pollFailureOf(job, pollErrors);
    if (failure) return failure;
    const video = (change: object): VendorReply => ({ status: 200, body: videoOf(id, job, change) });
    switch (tools.poll(job)) {
      case 'queued':
        return video({ status: 'queued' });
      case 'running':
      case 'cancelled':
        return video({ status: 'in_progress', progress: 40 });
      case 'weird':
        return video({ status: 'rewinding' });
      case 'failed':
        return video({ status: 'failed', error: { code: 'video_generation_failed', message: 'It failed.' } });
      case 'moderated':
        return video({ status: 'failed', error: { code: 'moderation_blocked', message: 'Blocked by moderation.' } });
      case 'no-url':
        return video({ status: 'failed' });
      case 'completed': {
        const at = unixSeconds(job.createdAt);
        const times =
          job.scenario?.name === 'no-expiry' ? {} : { completed_at: at, expires_at: at + FILE_LIFE_SECONDS };
        return video({ status: 'completed', progress: 100, ...times });
      }
    }
  }

  return startFakeVideoVendor(answer);
}

function videoOf(id: string, { body, createdAt }: VendorJob, change: object): object {
  const { model, prompt, seconds = '4', size = '720x1280' } = fieldsOf(body);
  return {
    id,
    object: 'video',
    model,
    progress: 0,
    created_at: unixSeconds(createdAt),
    completed_at: null,
    expires_at: null,
    prompt,
    size,
    seconds,
    remixed_from_video_id: null,
    error: null,
    ...change,
  };
}

function error(status: number, code: string | null, message: string, headers = {}): VendorReply {
  const type = status === 400 ? 'invalid_request_error' : 'server_error';
  return { status, headers, body: { error: { message, type, param: null, code } } };
}

const invalidKey = error(401, 'invalid_api_key', 'Incorrect API key provided.');
const notFound = error(404, 'not_found', 'The video does not exist.');
const serverError = error(500, null, 'The server had an error while processing your request.');

function refuse(prompt: string, tools: VendorTools): VendorReply | undefined {
  const scenario = scenarioOf(prompt);
  switch (scenario?.name) {
    case 'moderated-input':
      return error(400, 'moderation_blocked', 'Your request was blocked by our moderation system.');
    case 'invalid':
      return error(400, 'invalid_value', 'The seconds are not supported.');
    case 'auth':
      return invalidKey;
    case 'balance':
      return error(429, 'insufficient_quota', 'You exceeded your current quota.');
    case 'credits':
      return error(402, 'insufficient_credits', 'The credits do not suffice.');
    case 'unavailable':
      return error(503, 'no_provider_available', 'No provider is available.');
    case 'server-503':
      return error(503, null, 'The server is overloaded.');
    case 'unknown-model':
      return error(404, 'model_not_found', 'The model does not exist.');
    case 'ratelimit':
      if (tools.countAttempt(prompt) > scenario.count) return undefined;
      return error(429, 'rate_limit_exceeded', 'Rate limit reached.', { 'retry-after': '3' });
    default:
      return undefined;
  }
}

const pollErrors: Readonly<Record<string, VendorReply>> = {
  poll401: invalidKey,
  poll404: notFound,
  poll429: error(429, 'rate_limit_exceeded', 'Rate limit reached.', { 'retry-after': '7' }),
  poll500: serverError,
};

/** The message of the first error. */
function findInvalid(body: unknown): string | undefined {
  const { model, prompt, seconds = '4', size = '720x1280', input_reference: nested, ...others } = fieldsOf(body);
  const { 'input_reference[image_url]': image = fieldsOf(nested).image_url, ...unknown } = others;
  const [name] = Object.keys(unknown);
  if (name !== undefined) return `Unknown parameter: '${name}'.`;
  if (model !== (image === undefined ? TEXT_MODEL : IMAGE_MODEL)) return 'The model does not make such a video.';
  if (typeof prompt !== 'string' || prompt === '') return 'A prompt is required.';
  if (typeof seconds !== 'string' || !SECONDS.includes(seconds)) return 'The seconds must be 4, 8 or 12, as text.';
  if (typeof size !== 'string' || !SIZES.includes(size)) return 'The size is not supported.';
  if (image !== undefined && !/^(?:https:\/\/|data:image\/[a-z]+;base64,)./.test(String(image)))
    return 'The image must be an https URL or a data URL.';
  return undefined;
}
