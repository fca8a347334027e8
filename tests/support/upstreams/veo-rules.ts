import { createHash } from 'node:crypto';
import { fieldsOf, isObject, type Fields } from '../../../lib/domain/json';
import { sniffMedia } from '../../../lib/net/sniff-media';
import { scenarioOf, type VendorJob, type VendorReply, type VendorTools } from './fake-video-vendor';

// What the imitations of the two APIs for Veo share: the errors of Google's APIs, the refusals of a submit, and the
// validation of its body.

export const MODERATED =
  "The prompt could not be submitted. It contains words that violate Google's Responsible AI practices. Support codes: 58061214";

export const filtered = {
  raiMediaFilteredCount: 1,
  raiMediaFilteredReasons: ['We encountered an issue with your prompt, which may violate our policies.'],
};

export function error(code: number, status: string, message: string, details?: readonly Fields[]): VendorReply {
  return { status: code, body: { error: { code, message, status, ...(details && { details }) } } };
}

export const invalidKey = (service: string) =>
  error(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
      metadata: { service },
    },
  ]);

const retryInfo = (retryDelay: string) => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay });

/** The refusals of a submit: no job begins. */
export function refuse(
  prompt: string,
  tools: VendorTools,
  own: Readonly<Record<'auth' | 'balance' | 'billing' | 'unknown-model', VendorReply>>,
): VendorReply | undefined {
  const scenario = scenarioOf(prompt);
  switch (scenario?.name) {
    case 'moderated-input':
      return error(400, 'INVALID_ARGUMENT', MODERATED);
    case 'invalid':
      return error(400, 'INVALID_ARGUMENT', 'The number of seconds is not supported by this model.');
    case 'auth':
    case 'balance':
    case 'billing':
    case 'unknown-model':
      return own[scenario.name];
    case 'forbidden':
      return error(403, 'PERMISSION_DENIED', 'The caller does not have permission.');
    case 'unavailable':
      return error(503, 'UNAVAILABLE', 'The service is currently unavailable.');
    case 'ratelimit':
      if (tools.countAttempt(prompt) > scenario.count) return undefined;
      return error(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [retryInfo('34.5s')]);
    default:
      return undefined;
  }
}

/** The answer to the submit of a job with this name. */
export function accepted(name: string, { scenario }: VendorJob): VendorReply {
  switch (scenario?.name) {
    case 'submit-500':
      return error(500, 'INTERNAL', 'An internal error has occurred. Please retry.');
    case 'deadline':
      return error(504, 'DEADLINE_EXCEEDED', 'The deadline expired before the operation could complete.');
    default:
      return { status: 200, body: { name } };
  }
}

/** The answers of the scenarios of failing polls. */
const pollErrors: Readonly<Record<string, VendorReply>> = {
  poll500: error(500, 'INTERNAL', 'An internal error has occurred.'),
  poll429: error(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [retryInfo('7s')]),
  poll401: error(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'),
  poll404: error(404, 'NOT_FOUND', 'Operation not found.'),
};

/** The error that this poll gets; undefined if it gets an answer. `own` are further scenarios. */
export function pollError(job: VendorJob, own: Readonly<Record<string, VendorReply>> = {}): VendorReply | undefined {
  const failure = { ...pollErrors, ...own }[job.scenario?.name ?? ''];
  if (!failure || job.polls >= (job.scenario?.count ?? 1)) return undefined;
  job.polls += 1;
  return failure;
}

/**
 * The state of the operation of a job. `response` makes the `response` of an operation that has ended: with its files
 * (undefined is a sample without a file), and with the words of the filter.
 */
export function operationOf(
  name: string,
  job: VendorJob,
  tools: VendorTools,
  response: (samples: readonly ('file' | 'no file')[], filter?: Fields) => Fields,
): VendorReply {
  const done = (outcome: Fields): VendorReply => ({ status: 200, body: { name, done: true, ...outcome } });
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
      return done({ response: response([], filtered) });
    case 'no-url':
      return done({ response: response(['no file']) });
    case 'completed':
      switch (job.scenario?.name) {
        case 'error':
          return done({ error: { code: job.scenario.count, message: 'The operation ended with an error.' } });
        case 'error-moderated':
          return done({ error: { code: 3, message: MODERATED } });
        case 'no-samples':
          return done({ response: response([]) });
        case 'partly-filtered':
          return done({ response: response(['file'], filtered) });
        default:
          return done({ response: response(['file']) });
      }
  }
}

/** Hexadecimal digits that belong to the job. */
export function digitsOf(kind: string, { number }: VendorJob): string {
  return createHash('sha256').update(`${kind} ${number}`).digest('hex');
}

export const promptOf = (body: unknown): string => String(instanceOf(body).prompt);

const instanceOf = (body: unknown): Fields => {
  const { instances } = fieldsOf(body);
  return fieldsOf(Array.isArray(instances) ? instances[0] : undefined);
};

// The validation: each function returns the message of the first error that it finds.

/** What an API takes. */
export interface VeoRules {
  /** Fields in addition to `instances` and `parameters`. */
  readonly fields: readonly string[];
  readonly parameters: readonly string[];
  readonly resolutions: readonly string[];
  /** May images be objects of a bucket? */
  readonly takesBuckets: boolean;
  /** Checks the parameters that this API alone takes. */
  own(parameters: Fields, hasImages: boolean): string | undefined;
}

export function findInvalid(body: unknown, rules: VeoRules): string | undefined {
  if (!isObject(body)) return 'Invalid JSON payload received.';
  const { instances } = body;
  const instance = instanceOf(body);
  const parameters = fieldsOf(body.parameters);
  return (
    unknownField(body, ['instances', 'parameters', ...rules.fields]) ??
    (Array.isArray(instances) && instances.length === 1 && isObject(instances[0])
      ? undefined
      : 'Exactly one instance must be given.') ??
    (body.parameters === undefined || isObject(body.parameters) ? undefined : 'parameters must be an object.') ??
    invalidInstance(instance, rules) ??
    invalidParameters(parameters, instance, rules)
  );
}

function invalidInstance(instance: Fields, rules: VeoRules): string | undefined {
  const { prompt, image, lastFrame, referenceImages } = instance;
  const unknown = unknownField(instance, ['prompt', 'image', 'lastFrame', 'referenceImages', 'video']);
  if (unknown !== undefined) return unknown;
  if (typeof prompt !== 'string' || prompt === '') return 'A prompt is required.';
  if (lastFrame !== undefined && image === undefined) return '`lastFrame` needs `image`.';
  if (referenceImages !== undefined && image !== undefined) return '`referenceImages` and `image` exclude each other.';
  for (const picture of [image, lastFrame].filter((one) => one !== undefined)) {
    const invalid = invalidImage(picture, rules);
    if (invalid !== undefined) return invalid;
  }
  return referenceImages === undefined ? undefined : invalidReferences(referenceImages, rules);
}

function invalidReferences(references: unknown, rules: VeoRules): string | undefined {
  if (!Array.isArray(references) || references.length < 1 || references.length > 3)
    return 'Between one and three reference images are supported.';
  for (const reference of references.map(fieldsOf)) {
    const invalid = unknownField(reference, ['image', 'referenceType']) ?? invalidImage(reference.image, rules);
    if (invalid !== undefined) return invalid;
    // The official client writes it in capitals.
    if (String(reference.referenceType).toLowerCase() !== 'asset') return '`referenceType` must be asset.';
  }
  return undefined;
}

function invalidImage(image: unknown, { takesBuckets }: VeoRules): string | undefined {
  if (!isObject(image)) return 'An image must be an object.';
  if (takesBuckets && image.gcsUri !== undefined) return unknownField(image, ['gcsUri', 'mimeType']);
  const unknown = unknownField(image, ['bytesBase64Encoded', 'mimeType']);
  if (unknown !== undefined) return unknown;
  const { bytesBase64Encoded: data, mimeType } = image;
  if (typeof data !== 'string' || !/^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(data))
    return 'Base64 decoding failed for bytesBase64Encoded.';
  return sniffMedia(Buffer.from(data, 'base64')) === mimeType ? undefined : '`mimeType` is not the type of the image.';
}

function invalidParameters(given: Fields, instance: Fields, rules: VeoRules): string | undefined {
  const foreign = Object.keys(given).find((name) => !rules.parameters.includes(name));
  if (foreign !== undefined)
    return `\`${foreign}\` isn't supported by this model. Please remove it or refer to the documentation for supported usage.`;
  const { aspectRatio = '16:9', resolution = '720p', durationSeconds = 8, sampleCount = 1 } = given;
  // The documentation quotes the seconds; numbers are accepted as well.
  const seconds = typeof durationSeconds === 'string' ? Number(durationSeconds) : durationSeconds;
  const hasImages = instance.image !== undefined || instance.referenceImages !== undefined;
  if (!['16:9', '9:16'].includes(String(aspectRatio))) return '`aspectRatio` must be 16:9 or 9:16.';
  if (!rules.resolutions.includes(String(resolution))) return `Resolution ${String(resolution)} is not supported.`;
  if (![4, 6, 8].includes(Number(seconds)) || typeof seconds !== 'number') return 'The duration must be 4, 6 or 8.';
  if (resolution !== '720p' && seconds !== 8) return `Resolution ${String(resolution)} needs a duration of 8.`;
  if (instance.referenceImages !== undefined && seconds !== 8) return 'Reference images need a duration of 8.';
  if (sampleCount !== 1) return '`sampleCount` must be 1.';
  if (given.negativePrompt !== undefined && typeof given.negativePrompt !== 'string')
    return '`negativePrompt` must be a string.';
  return rules.own(given, hasImages);
}

function unknownField(object: Fields, known: readonly string[]): string | undefined {
  const unknown = Object.keys(object).find((name) => !known.includes(name));
  return unknown && `Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`;
}
