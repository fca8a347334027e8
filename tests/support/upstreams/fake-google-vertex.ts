import { generateKeyPairSync, verify } from 'node:crypto';
import { fieldsOf } from '../../../lib/domain/json';
import {
  RESULT,
  startFakeVideoVendor,
  type FakeVideoVendor,
  type VendorJob,
  type VendorReply,
  type VendorRequest,
  type VendorTools,
} from './fake-video-vendor';
import {
  accepted,
  digitsOf,
  error,
  findInvalid,
  invalidKey,
  operationOf,
  pollError,
  promptOf,
  refuse,
  type VeoRules,
} from './veo-rules';

// Vertex AI as far as Veo uses it, with the token endpoint of Google's accounts and Cloud Storage: `:predictLongRunning`,
// `:fetchPredictOperation`, and results as objects of a bucket, or as base64 inside the answer. It takes exactly the
// documented fields and values; tokens of its service account for paths with its project, and its API key for paths
// without. Beside the scenarios of the Gemini API it has `expired-token` (the first token is refused by a submit), and for results
// inside the answer `inline-large:N` (N MB), `inline-escaped`, `inline-cut`, `inline-stall` and `inline-text` (no MP4).

export const PROJECT = 'a-project-1';
export const REGION = 'europe-west4';
export const EXPRESS_KEY = 'AQ.FakeExpress0Fake1Fake2Fake3Fake4Fake5';
const EMAIL = 'patchbay@a-project-1.iam.gserviceaccount.com';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TOKEN_SECONDS = 3_599;

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
export const PRIVATE_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** The key file of the service account. */
export const serviceAccount = ({ baseUrl }: Pick<FakeVideoVendor, 'baseUrl'>, change: object = {}): string =>
  JSON.stringify({
    type: 'service_account',
    project_id: PROJECT,
    private_key_id: '0123456789abcdef0123456789abcdef01234567',
    private_key: PRIVATE_KEY,
    client_email: EMAIL,
    token_uri: `${baseUrl}/token`,
    ...change,
  });

const rules: VeoRules = {
  fields: ['labels'],
  parameters: [
    'aspectRatio',
    'resolution',
    'durationSeconds',
    'sampleCount',
    'personGeneration',
    'negativePrompt',
    'enhancePrompt',
    'generateAudio',
    'seed',
    'storageUri',
    'compressionQuality',
    'resizeMode',
    'fps',
    'pubsubTopic',
  ],
  resolutions: ['720p', '1080p', '4k'],
  takesBuckets: true,
  own({
    personGeneration = 'allow_adult',
    generateAudio = true,
    seed = 0,
    storageUri = 'gs://a/',
    compressionQuality = 'optimized',
  }) {
    if (!['optimized', 'lossless'].includes(String(compressionQuality)))
      return '`compressionQuality` must be optimized or lossless.';
    if (!['allow_adult', 'dont_allow'].includes(String(personGeneration)))
      return `${String(personGeneration)} for personGeneration needs an approval of the project.`;
    if (typeof generateAudio !== 'boolean') return '`generateAudio` must be a boolean.';
    if (typeof seed !== 'number' || !Number.isInteger(seed) || seed < 0 || seed > 4_294_967_295)
      return '`seed` must be an unsigned integer of 32 bits.';
    return /^gs:\/\/[\w.-]+\//.test(String(storageUri)) ? undefined : '`storageUri` must be a folder of a bucket.';
  },
};

const models = ['veo-3.1-generate-001', 'veo-3.1-fast-generate-001', 'veo-3.1-lite-generate-001'];
const wrongKey = invalidKey('aiplatform.googleapis.com');
const unauthenticated = error(
  401,
  'UNAUTHENTICATED',
  'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
);

export function startFakeGoogleVertex(): Promise<FakeVideoVendor> {
  const operations = new Map<string, VendorJob>();
  const objects = new Map<string, VendorJob>();
  const tokens = new Set<string>();

  function answer(request: VendorRequest, tools: VendorTools): VendorReply {
    const { method, path, headers } = request;
    if (path === '/token') return method === 'POST' ? issueToken(request, tools) : { status: 405 };
    const [, stored] = /^\/storage\/v1\/(b\/[^/]+\/o\/[^/]+)$/.exec(path) ?? [];
    if (stored !== undefined) return download(stored, request, tools);
    const [, parent, model = '', action] =
      /^\/v1(?:beta1)?\/(projects\/[^/]+\/locations\/[^/]+\/)?publishers\/google\/models\/([^/:]+):(\w+)$/.exec(path) ??
      [];
    const isOwn = `projects/${PROJECT}/locations/${REGION}/` === parent;
    // A key names neither a project nor a region in a submit, but the name of an operation does.
    const key = headers['x-goog-api-key'];
    if (key === undefined ? !isAuthorized(request) : key !== EXPRESS_KEY)
      return key === undefined ? unauthenticated : wrongKey;
    if (method === 'POST' && action === 'predictLongRunning' && (key === undefined ? isOwn : parent === undefined))
      return submit(model, request, tools);
    if (method === 'POST' && action === 'fetchPredictOperation' && isOwn) return poll(model, request, tools);
    return error(404, 'NOT_FOUND', 'The requested URL was not found on this server.');
  }

  const isAuthorized = ({ headers }: VendorRequest) =>
    tokens.has((headers.authorization ?? '').replace(/^Bearer /, ''));

  function issueToken({ raw, headers }: VendorRequest, { baseUrl }: VendorTools): VendorReply {
    const form = new URLSearchParams(raw.toString());
    if (headers['content-type'] !== 'application/x-www-form-urlencoded' || form.get('grant_type') !== GRANT_TYPE)
      return { status: 400, body: { error: 'unsupported_grant_type', error_description: 'Invalid grant_type' } };
    if (!isAssertion(form.get('assertion') ?? '', `${baseUrl}/token`))
      return { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } };
    const token = `ya29.fake-${tokens.size + 1}`;
    tokens.add(token);
    return { status: 200, body: { access_token: token, expires_in: TOKEN_SECONDS, token_type: 'Bearer' } };
  }

  function submit(model: string, { json, headers }: VendorRequest, tools: VendorTools): VendorReply {
    if (!models.includes(model)) return notFound(model);
    const invalid = findInvalid(json, rules);
    if (invalid !== undefined) return error(400, 'INVALID_ARGUMENT', invalid);
    const prompt = promptOf(json);
    const refused = refuse(prompt, tools, {
      auth: unauthenticated,
      balance: error(403, 'PERMISSION_DENIED', 'This API method requires billing to be enabled.', [
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'BILLING_DISABLED', domain: 'googleapis.com' },
      ]),
      billing: error(400, 'FAILED_PRECONDITION', 'The project is not ready for this model.'),
      'unknown-model': notFound(model),
    });
    if (refused) return refused;
    if (prompt.includes('[[expired-token]]') && headers.authorization === 'Bearer ya29.fake-1') {
      tokens.delete('ya29.fake-1');
      // Keeps its place, so that the next token is another one.
      tokens.add('revoked');
      return unauthenticated;
    }
    const job = tools.createJob(prompt, json);
    const name = `projects/${PROJECT}/locations/${REGION}/publishers/google/models/${model}/operations/${uuidOf(job)}`;
    operations.set(name, job);
    const place = placeOf(job);
    if (place) objects.set(`b/${place.bucket}/o/${place.object}`, job);
    return accepted(name, job);
  }

  function poll(model: string, { json }: VendorRequest, tools: VendorTools): VendorReply {
    const { operationName, ...others } = fieldsOf(json);
    const name = String(operationName);
    const job = operations.get(name);
    if (Object.keys(others).length > 0) return error(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received.');
    if (!job || !name.includes(`/models/${model}/`)) return error(404, 'NOT_FOUND', 'Operation not found.');
    const failure = pollError(job, { 'poll-key': wrongKey });
    if (failure) return failure;
    const place = placeOf(job);
    const file = place
      ? { gcsUri: `gs://${place.bucket}/${place.object}`, mimeType: 'video/mp4' }
      : { bytesBase64Encoded: inlineFile(job), mimeType: 'video/mp4' };
    const reply = operationOf(name, job, tools, (samples, filter) => ({
      '@type': 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse',
      ...(samples.length > 0 && {
        videos: samples.map((sample) => (sample === 'file' ? file : { mimeType: 'video/mp4' })),
      }),
      ...filter,
    }));
    return 'videos' in fieldsOf(fieldsOf(reply.body).response) ? spoiltInline(job, reply) : reply;
  }

  function download(stored: string, request: VendorRequest, tools: VendorTools): VendorReply {
    if (!isAuthorized(request)) return unauthenticated;
    const [, bucket, , object = ''] = stored.split('/');
    const job = objects.get(`b/${bucket}/o/${decodeURIComponent(object)}`);
    if (!job || request.method !== 'GET' || request.query.get('alt') !== 'media')
      return error(404, 'NOT_FOUND', 'No such object.');
    return { status: 302, headers: { location: tools.resultUrl(job) } };
  }

  return startFakeVideoVendor(answer);
}

const notFound = (model: string) => error(404, 'NOT_FOUND', `Publisher Model \`${model}\` was not found.`);

/** Is it signed by the service account, for this URL, and for at most an hour? The clock of a test may be anywhere. */
function isAssertion(token: string, audience: string): boolean {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = fieldsOf(parse(payload));
  const [iat, exp] = [Number(claims.iat), Number(claims.exp)];
  return (
    fieldsOf(parse(header)).alg === 'RS256' &&
    claims.iss === EMAIL &&
    claims.scope === SCOPE &&
    claims.aud === audience &&
    exp > iat &&
    exp - iat <= 3_600 &&
    verify('RSA-SHA256', Buffer.from(`${header}.${payload}`), publicKey, Buffer.from(signature, 'base64url'))
  );
}

function parse(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/** Where the result of a job is stored; undefined: inside the answer. */
function placeOf(job: VendorJob): { readonly bucket: string; readonly object: string } | undefined {
  const { storageUri } = fieldsOf(fieldsOf(job.body).parameters);
  const [, bucket, folder = ''] = /^gs:\/\/([\w.-]+)\/(.*)$/.exec(String(storageUri)) ?? [];
  return bucket === undefined ? undefined : { bucket, object: `${folder}${uuidOf(job)}/sample_0.mp4` };
}

/** The bytes of a result inside the answer. */
export function inlineBytes(megabytes: number): Buffer {
  const size = megabytes * 1024 * 1024;
  const box = Buffer.alloc(8);
  box.writeUInt32BE(size);
  box.write('free', 4);
  return megabytes === 0 ? RESULT : Buffer.concat([RESULT, box, Buffer.alloc(size - 8, 7)]);
}

function inlineFile({ scenario }: VendorJob): string {
  if (scenario?.name === 'inline-text') return Buffer.from('This is no MP4 file. '.repeat(200)).toString('base64');
  return inlineBytes(scenario?.name === 'inline-large' ? scenario.count : 0).toString('base64');
}

function spoiltInline({ scenario }: VendorJob, reply: VendorReply): VendorReply {
  switch (scenario?.name) {
    case 'inline-cut':
      return { ...reply, spoil: 'cut' };
    case 'inline-stall':
      return { ...reply, spoil: 'stall' };
    case 'inline-escaped':
      // As some of Google's serialisers write it.
      return {
        ...reply,
        body: JSON.stringify(reply.body, null, 2)
          .replaceAll('=', '\\u003d')
          .replaceAll('+', '\\u002b')
          .replace(/(?<=[A-Za-z0-9+/]{9})\//g, '\\/'),
      };
    default:
      return reply;
  }
}

function uuidOf(job: VendorJob): string {
  return digitsOf('operation', job).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
