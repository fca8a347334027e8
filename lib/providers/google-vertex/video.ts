import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import { fieldsOf, type Json } from '../../domain/json';
import type { ProviderDeps } from '../../domain/provider';
import type { VideoProvider } from '../../domain/video';
import { checkOperation, createVeo, listOf } from '../dialects/veo/video';
import { askJson, type JsonAnswer } from '../kit/http/ask-json';
import type { Upstream, UpstreamRequest } from '../kit/http/http';
import { idOf } from '../kit/video/answer-fields';
import { vendorAnswer } from '../kit/video/google-errors';
import { askInline, openInlineFile, type InlineAnswer } from '../kit/video/inline-file';
import { openKeyedFile } from '../kit/video/keyed-file';
import { UNKNOWN_ID } from '../kit/video/note';
import { factsOfRemote } from '../kit/video/probe-remote';
import { isSuccess } from '../kit/video/refusal';
import type { VertexCredential } from './credential';

// Veo on Vertex AI. An operation is polled with a POST. Its result is an object in the bucket of the operator, or,
// without a bucket, base64 inside the answer to the poll. A check reads only the beginning of such an answer; `open`
// asks for it again and decodes it while it arrives, for the archive as for a caller.

const POLL_TIMEOUT_MS = 10_000;
/** Our own choice: an object in the bucket stays until its owner deletes it. */
const OBJECT_LIFETIME_MS = 30 * 24 * 60 * 60_000;
/** Google does not say how long an operation keeps its result, so only a short time is promised. */
const INLINE_LIFETIME_MS = 60 * 60_000;
const INLINE_FIELD = 'bytesBase64Encoded';

export interface VertexVeoDeps extends Pick<ProviderDeps, 'media' | 'files' | 'probe'> {
  /** The upstream at the base URL with the version of the API. */
  readonly upstream: Upstream;
  /** Cloud Storage. */
  readonly storage: Upstream;
  readonly credential: VertexCredential;
  /** The path of the parent of the models, such as `projects/a/locations/global/`; empty for an API key. */
  readonly parent: string;
  /** The folder for results, such as `gs://bucket/videos/`; absent if they come inside the answers. */
  readonly storageUri?: string;
  readonly clock: Clock;
}

export function createVertexVeo(deps: VertexVeoDeps): VideoProvider {
  const { upstream, storage, credential, parent, storageUri, clock, media, files, probe } = deps;

  /**
   * Sends a request. If the answer refuses its access token, which may have been revoked, sends it again with another
   * token. `discard` closes the body of an answer that is not returned.
   */
  async function withToken<Answer extends { readonly status: number }>(
    request: Pick<UpstreamRequest, 'headers' | 'signal'>,
    send: (headers: UpstreamRequest['headers']) => Promise<Answer>,
    {
      isRefused = ({ status }) => status === 401,
      discard,
    }: { readonly isRefused?: (answer: Answer) => boolean; readonly discard?: (answer: Answer) => void } = {},
  ): Promise<Answer> {
    const answer = await send(request.headers);
    if (!isRefused(answer) || !credential.refused(request.headers)) return answer;
    const renewed = await credential.headers(request.signal).catch((error: unknown) => {
      discard?.(answer);
      // After an abort the refusal is returned: it says that nothing has begun, which the abort's reason does not.
      if (!request.signal.aborted) throw error;
    });
    if (!renewed) return answer;
    discard?.(answer);
    return send({ ...request.headers, ...renewed });
  }

  const objects: Pick<Upstream, 'send'> = {
    send: (request) =>
      withToken(request, (headers) => storage.send({ ...request, headers }), { discard: ({ body }) => body.stop() }),
  };

  async function fetchOperation(operation: string, { signal }: Call): Promise<InlineAnswer> {
    // The operation's name begins with the full path of the model, even if the path of the submit was shorter.
    const [model = ''] = operation.split('/operations/');
    const request: UpstreamRequest = {
      method: 'POST',
      path: `/${model}:fetchPredictOperation`,
      headers: { ...(await credential.headers(signal)), 'content-type': 'application/json' },
      body: JSON.stringify({ operationName: operation }),
      headersMs: POLL_TIMEOUT_MS,
      signal,
    };
    const { file, ...answer } = await withToken(
      request,
      (headers) => askInline(upstream, { ...request, headers }, INLINE_FIELD, clock),
      { discard: (refused) => refused.file?.destroy() },
    );
    if (!file) return answer;
    try {
      checkOperation(answer.json, operation);
    } catch (error) {
      file.destroy();
      throw error;
    }
    return { ...answer, file };
  }

  const open: VideoProvider['open'] = async (file, part, call) => {
    const reference = readFile(file);
    if ('operation' in reference)
      return openInlineFile(() => fetchOperation(reference.operation, call), part, { clock }, call);
    const headers = await credential.headers(call.signal);
    return openKeyedFile(objects, { path: objectPath(reference), headers }, part, { files, clock }, call);
  };

  return createVeo(
    {
      // The quota of a project for a model in preview. With a higher quota, videos only start later than they could.
      limits: { startsPerMinute: 10 },
      unknownOperation: `${parent}publishers/google/models/veo-3.1-generate-001/operations/${UNKNOWN_ID}`,
      parametersOf: ({ audio, seed, parameters: { quality } }) => ({
        // `allow_all` is only for projects that Google has approved for it.
        personGeneration: 'allow_adult',
        generateAudio: audio,
        ...(seed !== undefined && { seed }),
        ...(storageUri !== undefined && { storageUri }),
        ...(quality !== undefined && { compressionQuality: quality === 'high' ? 'lossless' : 'optimized' }),
      }),
      authorize: ({ signal }) => credential.headers(signal),
      submit({ path, ...submitted }, { signal }) {
        const request = { ...submitted, path: `/${parent}publishers/google/models/${path}`, signal };
        return withToken(request, (headers) => askJson(upstream, { ...request, headers }, clock), {
          isRefused: isUnauthenticated,
        });
      },
      async poll(operation, call) {
        const { file, ...answer } = await fetchOperation(operation, call);
        file?.destroy();
        return file && isSuccess(answer) ? { file: { operation } } : answer;
      },
      filesIn: ({ videos }) => listOf(videos).map((video) => objectOf(fieldsOf(video).gcsUri)),
      async finish(file, { startedAt }, call) {
        if ('operation' in readFile(file)) return { file, expiresAt: new Date(clock.nowMs() + INLINE_LIFETIME_MS) };
        return {
          file,
          expiresAt: new Date(startedAt.getTime() + OBJECT_LIFETIME_MS),
          ...(await factsOfRemote((part, probing) => open(file, part, probing), { probe, clock }, call)),
        };
      },
      open,
    },
    { clock, media },
  );
}

/**
 * Returns whether the answer to a submit says that the credentials were refused, so that nothing has begun. The 401 of
 * a proxy does not say so, and neither does one with an operation.
 */
function isUnauthenticated(answer: JsonAnswer): boolean {
  return (
    answer.status === 401 && vendorAnswer(answer).refusal !== undefined && fieldsOf(answer.json).name === undefined
  );
}

/** The reference of a file: an object in a bucket, or the operation whose answer has it. */
type VertexFile = StoredObject | { readonly operation: string };

interface StoredObject {
  readonly bucket: string;
  readonly object: string;
}

function objectOf(uri: unknown): Json | undefined {
  const [, bucket, object] = /^gs:\/\/([\w.-]+)\/(.+)$/.exec(idOf(uri) ?? '') ?? [];
  return bucket === undefined || object === undefined ? undefined : { bucket, object };
}

function objectPath({ bucket, object }: StoredObject): string {
  return `/storage/v1/b/${bucket}/o/${encodeURIComponent(object)}?alt=media`;
}

/** Parses our own reference of a file. */
function readFile(file: Json): VertexFile {
  const { bucket, object, operation } = fieldsOf(file);
  if (typeof operation === 'string') return { operation };
  if (typeof bucket === 'string' && typeof object === 'string') return { bucket, object };
  throw new Error('This is not a file reference of this provider.');
}
