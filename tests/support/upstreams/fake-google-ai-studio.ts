import { asInteractionError, imitateOmni, interactionError } from './omni-rules';
import {
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

// The Gemini API as far as videos need it: `:predictLongRunning` and operations for Veo, interactions for Gemini Omni, and
// generated files. It takes exactly the documented fields and values, and only the header `x-goog-api-key`. Beside the
// shared scenarios it has
// refusals of a submit (`billing`, `forbidden`, `unknown-model`), `deadline` (the job exists, the submit is answered with
// 504), `poll-key:N` (the first N polls find the key invalid), and ends of an operation: `error:N` (with that code of gRPC), `error-moderated`, `no-samples`, `partly-filtered`.

export const KEY = 'AIzaSyFake0Fake1Fake2Fake3Fake4Fake5Fake';

const VERSION = '/v1beta';
/** Of interactions alone, in @google/genai 3.1.0; 2.32.0 orders them in the beta version too. */
const INTERACTIONS_VERSION = '/v1';
/** URLs in answers are public ones, whatever URL was called. */
const PUBLIC_ORIGIN = 'https://generativelanguage.googleapis.com';
const resolutionsByModel: Readonly<Record<string, readonly string[]>> = {
  'veo-3.1-generate-preview': ['720p', '1080p', '4k'],
  'veo-3.1-fast-generate-preview': ['720p', '1080p', '4k'],
  'veo-3.1-lite-generate-preview': ['720p', '1080p'],
  'veo-3.1-generate-001': ['720p', '1080p', '4k'],
};

const rules: Omit<VeoRules, 'resolutions'> = {
  fields: ['webhookConfig'],
  parameters: [
    'aspectRatio',
    'resolution',
    'durationSeconds',
    'sampleCount',
    'personGeneration',
    'negativePrompt',
    'enhancePrompt',
  ],
  takesBuckets: false,
  own({ personGeneration }, hasImages) {
    const persons = hasImages ? 'allow_adult' : 'allow_all';
    return (personGeneration ?? persons) === persons
      ? undefined
      : `${String(personGeneration)} for personGeneration is currently not supported.`;
  },
};

const wrongKey = invalidKey('generativelanguage.googleapis.com');

export function startFakeGoogleAiStudio(): Promise<FakeVideoVendor> {
  const operations = new Map<string, VendorJob>();
  const files = new Map<string, VendorJob>();
  const omni = imitateOmni((id, job) => void files.set(id, job));

  function answer(request: VendorRequest, tools: VendorTools): VendorReply {
    const version = [VERSION, INTERACTIONS_VERSION].find((each) => request.path.startsWith(`${each}/`));
    const path = request.path.slice((version ?? '').length + 1);
    const isInteraction = path.startsWith('interactions');
    if (version === undefined || (version === INTERACTIONS_VERSION && !isInteraction))
      return { status: 404, body: '<html>Error 404 (Not Found)!!1</html>' };
    const refusal = authenticate(request);
    if (refusal) return isInteraction ? asInteractionError(refusal) : refusal;
    if (isInteraction) return answerInteraction(path, request, tools);
    const ofOmni = omni.file(path);
    if (request.method === 'GET' && ofOmni) return ofOmni;
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

  function answerInteraction(path: string, request: VendorRequest, tools: VendorTools): VendorReply {
    if (request.method === 'POST' && path === 'interactions') return omni.submit(request, tools);
    const interaction = omni.find(path);
    if (interaction && request.method === 'GET') return omni.poll(interaction, tools);
    const running = path.endsWith('/cancel') ? omni.find(path.slice(0, -'/cancel'.length)) : undefined;
    if (running && request.method === 'POST') return omni.cancel(running);
    return interactionError(404, 'not_found', 'Interaction not found.');
  }

  function submit(model: string, { json }: VendorRequest, tools: VendorTools): VendorReply {
    const resolutions = resolutionsByModel[model];
    if (!resolutions) return notFound(model);
    const invalid = findInvalid(json, { ...rules, resolutions });
    if (invalid !== undefined) return error(400, 'INVALID_ARGUMENT', invalid);
    const prompt = promptOf(json);
    const refused = refuse(prompt, tools, {
      auth: wrongKey,
      balance: error(402, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.'),
      billing: error(400, 'FAILED_PRECONDITION', 'Please enable billing on your project in Google AI Studio.'),
      'unknown-model': notFound(model),
    });
    if (refused) return refused;
    const job = tools.createJob(prompt, json);
    const name = `models/${model}/operations/${idOf('operation', job)}`;
    operations.set(name, job);
    files.set(idOf('file', job), job);
    return accepted(name, job);
  }

  function poll(name: string, job: VendorJob, tools: VendorTools): VendorReply {
    const uri = `${PUBLIC_ORIGIN}${VERSION}/files/${idOf('file', job)}:download?alt=media`;
    return (
      pollError(job, { 'poll-key': wrongKey }) ??
      operationOf(name, job, tools, (samples, filter) => ({
        '@type': 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse',
        generateVideoResponse: {
          ...(samples.length > 0 && {
            generatedSamples: samples.map((sample) => ({ video: sample === 'file' ? { uri } : {} })),
          }),
          ...filter,
        },
      }))
    );
  }

  return startFakeVideoVendor(answer);
}

const notFound = (model: string) =>
  error(
    404,
    'NOT_FOUND',
    `models/${model} is not found for API version v1beta, or is not supported for predictLongRunning.`,
  );

function authenticate({ headers }: VendorRequest): VendorReply | undefined {
  const key = headers['x-goog-api-key'];
  if (key === undefined) return error(403, 'PERMISSION_DENIED', "Method doesn't allow unregistered callers.");
  return key === KEY ? undefined : wrongKey;
}

/** The documented form: lower case and digits. */
const idOf = (kind: string, job: VendorJob) => digitsOf(kind, job).slice(0, 12);
