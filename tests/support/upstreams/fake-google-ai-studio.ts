import { createHash } from 'node:crypto';
import { fieldsOf, isObject, type Fields } from '../../../lib/domain/json';
import { sniffMedia } from '../../../lib/net/sniff-media';
import {
  scenarioOf,
  startFakeVideoVendor,
  type FakeVideoVendor,
  type VendorJob,
  type VendorReply,
  type VendorRequest,
  type VendorTools,
} from './fake-video-vendor';

// The Gemini API as far as Veo uses it: `:predictLongRunning`, operations, and the download of generated files. It takes
// exactly the documented fields and values, and only the header `x-goog-api-key`. Beside the shared scenarios it has
// refusals of a submit (`billing`, `forbidden`, `unknown-model`), `deadline` (the job exists, the submit is answered with
// 504), `poll-key:N` (the first N polls find the key invalid), and ends of an operation: `error:N` (with that code of gRPC), `error-moderated`, `no-samples`, `partly-filtered`.

export const KEY = 'AIzaSyFake0Fake1Fake2Fake3Fake4Fake5Fake';

const VERSION = '/v1beta';
/** Addresses in answers are public ones, whatever address was called. */
const PUBLIC_ORIGIN = 'https://generativelanguage.googleapis.com';
const resolutionsByModel: Readonly<Record<string, readonly string[]>> = {
  'veo-3.1-generate-preview': ['720p', '1080p', '4k'],
  'veo-3.1-fast-generate-preview': ['720p', '1080p', '4k'],
  'veo-3.1-lite-generate-preview': ['720p', '1080p'],
  'veo-3.1-generate-001': ['720p', '1080p', '4k'],
};

export function startFakeGoogleAiStudio(): Promise<FakeVideoVendor> {
  const operations = new Map<string, VendorJob>();
  const files = new Map<string, VendorJob>();

  function answer(request: VendorRequest, tools: VendorTools): VendorReply {
    if (!request.path.startsWith(`${VERSION}/`)) return { status: 404, body: '<html>Error 404 (Not Found)!!1</html>' };
    const path = request.path.slice(VERSION.length + 1);
    const refusal = authenticate(request);
    if (refusal) return refusal;
    const [, model] = /^models\/([^/]+):predictLongRunning$/.exec(path) ?? [];
    if (request.method === 'POST' && model !== undefined) return submit(model, request, tools);
    const operation = operations.get(path);
    if (request.method === 'GET' && operation) return poll(path, operation, tools);
    const [, file = ''] = /^files\/([a-z0-9]+):download$/.exec(path) ?? [];
    const job = files.get(file);
    if (request.method === 'GET' && job && request.query.get('alt') === 'media')
      return { status: 302, headers: { location: tools.resultUrl(job) } };
    return error(404, 'NOT_FOUND', 'Requested entity was not found.');
  }

  function submit(model: string, { json }: VendorRequest, tools: VendorTools): VendorReply {
    const resolutions = resolutionsByModel[model];
    if (!resolutions) return notFound(model);
    const invalid = findInvalid(json, resolutions);
    if (invalid !== undefined) return error(400, 'INVALID_ARGUMENT', invalid);
    const prompt = String(instanceOf(json).prompt);
    const scenario = scenarioOf(prompt);
    const refused = refuse(model, prompt, tools);
    if (refused) return refused;

    const job = tools.createJob(prompt, json);
    const name = `models/${model}/operations/${idOf('operation', job)}`;
    operations.set(name, job);
    files.set(idOf('file', job), job);
    switch (scenario?.name) {
      case 'submit-500':
        return error(500, 'INTERNAL', 'An internal error has occurred. Please retry.');
      case 'deadline':
        return error(504, 'DEADLINE_EXCEEDED', 'The deadline expired before the operation could complete.');
      default:
        return { status: 200, body: { name } };
    }
  }

  function poll(name: string, job: VendorJob, tools: VendorTools): VendorReply {
    const { scenario } = job;
    const failure = pollFailures[scenario?.name ?? ''];
    if (failure && job.polls < (scenario?.count ?? 1)) {
      job.polls += 1;
      return failure;
    }
    const done = (outcome: Fields): VendorReply => ({ status: 200, body: { name, done: true, ...outcome } });
    const response = (generateVideoResponse: Fields): VendorReply =>
      done({
        response: {
          '@type': 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse',
          generateVideoResponse,
        },
      });
    const filtered = {
      raiMediaFilteredCount: 1,
      raiMediaFilteredReasons: ['We encountered an issue with your prompt, which may violate our policies.'],
    };
    const sample = { video: { uri: `${PUBLIC_ORIGIN}${VERSION}/files/${idOf('file', job)}:download?alt=media` } };
    switch (tools.poll(job)) {
      case 'queued':
      case 'running':
      case 'cancelled':
        return { status: 200, body: { name } };
      case 'weird':
        return { status: 200, body: { name, metadata: { state: 'REWINDING' }, done: false } };
      case 'failed':
        return done({ error: { code: 13, message: 'Video generation failed due to an internal server issue.' } });
      case 'moderated':
        return response(filtered);
      case 'no-url':
        return response({ generatedSamples: [{ video: {} }] });
      case 'completed':
        switch (scenario?.name) {
          case 'error':
            return done({ error: { code: scenario.count, message: 'The operation ended with an error.' } });
          case 'error-moderated':
            return done({ error: { code: 3, message: MODERATED } });
          case 'no-samples':
            return response({});
          case 'partly-filtered':
            return response({ generatedSamples: [sample], ...filtered });
          default:
            return response({ generatedSamples: [sample] });
        }
    }
  }

  return startFakeVideoVendor(answer);
}

const MODERATED =
  "The prompt could not be submitted. It contains words that violate Google's Responsible AI practices. Support codes: 58061214";

function error(code: number, status: string, message: string, details?: readonly Fields[]): VendorReply {
  return { status: code, body: { error: { code, message, status, ...(details && { details }) } } };
}

const invalidKey = error(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
  {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'API_KEY_INVALID',
    domain: 'googleapis.com',
    metadata: { service: 'generativelanguage.googleapis.com' },
  },
]);

const notFound = (model: string) =>
  error(
    404,
    'NOT_FOUND',
    `models/${model} is not found for API version v1beta, or is not supported for predictLongRunning.`,
  );

function authenticate({ headers }: VendorRequest): VendorReply | undefined {
  const key = headers['x-goog-api-key'];
  if (key === undefined) return error(403, 'PERMISSION_DENIED', "Method doesn't allow unregistered callers.");
  return key === KEY ? undefined : invalidKey;
}

/** The refusals of a submit: no job begins. */
function refuse(model: string, prompt: string, tools: VendorTools): VendorReply | undefined {
  const scenario = scenarioOf(prompt);
  switch (scenario?.name) {
    case 'moderated-input':
      return error(400, 'INVALID_ARGUMENT', MODERATED);
    case 'invalid':
      return error(400, 'INVALID_ARGUMENT', 'The number of seconds is not supported by this model.');
    case 'auth':
      return invalidKey;
    case 'forbidden':
      return error(403, 'PERMISSION_DENIED', 'The caller does not have permission.');
    case 'billing':
      return error(400, 'FAILED_PRECONDITION', 'Please enable billing on your project in Google AI Studio.');
    case 'balance':
      return error(402, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.');
    case 'unavailable':
      return error(503, 'UNAVAILABLE', 'The service is currently unavailable.');
    case 'unknown-model':
      return notFound(model);
    case 'ratelimit': {
      if (tools.countAttempt(prompt) > scenario.count) return undefined;
      const pause = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' };
      return error(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [pause]);
    }
    default:
      return undefined;
  }
}

const pollFailures: Readonly<Record<string, VendorReply>> = {
  poll500: error(500, 'INTERNAL', 'An internal error has occurred.'),
  poll429: error(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' },
  ]),
  poll401: error(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'),
  'poll-key': invalidKey,
  poll404: error(404, 'NOT_FOUND', 'Operation not found.'),
};

/** The documented form: lower case and digits. */
function idOf(kind: string, { number }: VendorJob): string {
  return createHash('sha256').update(`${kind} ${number}`).digest('hex').slice(0, 12);
}

const instanceOf = (body: unknown): Fields => {
  const { instances } = fieldsOf(body);
  return fieldsOf(Array.isArray(instances) ? instances[0] : undefined);
};

// The validation: each function returns the message of the first error that it finds.

function findInvalid(body: unknown, resolutions: readonly string[]): string | undefined {
  if (!isObject(body)) return 'Invalid JSON payload received.';
  const { instances } = body;
  const instance = instanceOf(body);
  const parameters = fieldsOf(body.parameters);
  return (
    unknownField(body, ['instances', 'parameters', 'webhookConfig']) ??
    (Array.isArray(instances) && instances.length === 1 && isObject(instances[0])
      ? undefined
      : 'Exactly one instance must be given.') ??
    (body.parameters === undefined || isObject(body.parameters) ? undefined : 'parameters must be an object.') ??
    invalidInstance(instance) ??
    invalidParameters(parameters, instance, resolutions)
  );
}

function invalidInstance(instance: Fields): string | undefined {
  const { prompt, image, lastFrame, referenceImages } = instance;
  const unknown = unknownField(instance, ['prompt', 'image', 'lastFrame', 'referenceImages', 'video']);
  if (unknown !== undefined) return unknown;
  if (typeof prompt !== 'string' || prompt === '') return 'A prompt is required.';
  if (lastFrame !== undefined && image === undefined) return '`lastFrame` needs `image`.';
  if (referenceImages !== undefined && image !== undefined) return '`referenceImages` and `image` exclude each other.';
  for (const picture of [image, lastFrame].filter((one) => one !== undefined)) {
    const invalid = invalidImage(picture);
    if (invalid !== undefined) return invalid;
  }
  return referenceImages === undefined ? undefined : invalidReferences(referenceImages);
}

function invalidReferences(references: unknown): string | undefined {
  if (!Array.isArray(references) || references.length < 1 || references.length > 3)
    return 'Between one and three reference images are supported.';
  for (const reference of references.map(fieldsOf)) {
    const invalid = unknownField(reference, ['image', 'referenceType']) ?? invalidImage(reference.image);
    if (invalid !== undefined) return invalid;
    // The official client writes it in capitals.
    if (String(reference.referenceType).toLowerCase() !== 'asset') return '`referenceType` must be asset.';
  }
  return undefined;
}

function invalidImage(image: unknown): string | undefined {
  if (!isObject(image)) return 'An image must be an object.';
  const unknown = unknownField(image, ['bytesBase64Encoded', 'mimeType']);
  if (unknown !== undefined) return unknown;
  const { bytesBase64Encoded: data, mimeType } = image;
  if (typeof data !== 'string' || !/^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(data))
    return 'Base64 decoding failed for bytesBase64Encoded.';
  return sniffMedia(Buffer.from(data, 'base64')) === mimeType ? undefined : '`mimeType` is not the type of the image.';
}

function invalidParameters(given: Fields, instance: Fields, resolutions: readonly string[]): string | undefined {
  const allowed = ['aspectRatio', 'resolution', 'durationSeconds', 'sampleCount', 'personGeneration', 'negativePrompt'];
  const foreign = Object.keys(given).find((name) => ![...allowed, 'enhancePrompt'].includes(name));
  if (foreign !== undefined)
    return `\`${foreign}\` isn't supported by this model. Please remove it or refer to the Gemini API documentation for supported usage.`;
  const { aspectRatio = '16:9', resolution = '720p', durationSeconds = 8, sampleCount = 1 } = given;
  // The documentation quotes the seconds; numbers are accepted as well.
  const seconds = typeof durationSeconds === 'string' ? Number(durationSeconds) : durationSeconds;
  const hasImages = instance.image !== undefined || instance.referenceImages !== undefined;
  const persons = hasImages ? 'allow_adult' : 'allow_all';
  if (!['16:9', '9:16'].includes(String(aspectRatio))) return '`aspectRatio` must be 16:9 or 9:16.';
  if (!resolutions.includes(String(resolution))) return `Resolution ${String(resolution)} is not supported.`;
  if (![4, 6, 8].includes(Number(seconds)) || typeof seconds !== 'number') return 'The duration must be 4, 6 or 8.';
  if (resolution !== '720p' && seconds !== 8) return `Resolution ${String(resolution)} needs a duration of 8.`;
  if (instance.referenceImages !== undefined && seconds !== 8) return 'Reference images need a duration of 8.';
  if (sampleCount !== 1) return '`sampleCount` must be 1.';
  if ((given.personGeneration ?? persons) !== persons)
    return `${String(given.personGeneration)} for personGeneration is currently not supported.`;
  if (given.negativePrompt !== undefined && typeof given.negativePrompt !== 'string')
    return '`negativePrompt` must be a string.';
  return undefined;
}

function unknownField(object: Fields, known: readonly string[]): string | undefined {
  const unknown = Object.keys(object).find((name) => !known.includes(name));
  return unknown && `Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`;
}
