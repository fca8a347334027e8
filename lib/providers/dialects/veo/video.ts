import type { Call } from '../../../domain/call';
import type { Clock } from '../../../domain/clock';
import { fieldsOf, type Json } from '../../../domain/json';
import type { ProviderDeps } from '../../../domain/provider';
import type { FinishedVideo, RunningVideo, VideoOrder, VideoProvider } from '../../../domain/video';
import type { JsonAnswer } from '../../kit/http/ask-json';
import type { UpstreamRequest } from '../../kit/http/http';
import { refusalRules, vendorAnswer } from '../../kit/video/google-errors';
import { withMedia, writeMarker, writeMedia } from '../../kit/video/order-media';
import { isSuccess, laterPoll, pollFailure, submitRefusal } from '../../kit/video/refusal';
import { checkJobId, isLost } from '../../kit/video/vendor-job';
import { LOST, operationName, readOperation, type FilesIn } from './operation';
import { makeRequest, type OwnParameters } from './request';

// Veo, which Google offers in two APIs: the Gemini API and Vertex AI. In both, a submit begins an operation, which is
// polled by its name. Neither can cancel, takes an id of ours, or reports the facts of a video or what it charges.

/** The differences between the two APIs. */
export interface VeoApi extends Pick<VideoProvider, 'limits' | 'open'> {
  /** The name of an operation that does not exist. */
  readonly unknownOperation: string;
  parametersOf(order: VideoOrder): OwnParameters;
  /** Returns the credentials of a submit, as headers. Rejects with an outcome that nothing has started. */
  authorize(call: Call): Promise<Credentials>;
  /** Sends the submit. Resolves with the answer, whatever its status. Rejects as `Upstream.send` does. */
  submit(request: VeoSubmit, call: Call): Promise<JsonAnswer>;
  /**
   * Resolves with the answer, or with the reference of the file if the answer is the file itself. Rejects as `submit`, and
   * if the answer with the file names another operation.
   */
  poll(operation: string, call: Call): Promise<JsonAnswer | { readonly file: Json }>;
  readonly filesIn: FilesIn;
  /** Returns the finished video with this file. */
  finish(file: Json, running: RunningVideo, call: Call): Promise<FinishedVideo>;
}

type Credentials = Readonly<Record<string, string>>;

/** `path` is that of the method below the model, such as `veo-3.1-generate-001:predictLongRunning`. */
export interface VeoSubmit extends Pick<
  UpstreamRequest,
  'method' | 'headers' | 'body' | 'ownConnection' | 'headersMs'
> {
  readonly path: string;
}

const SUBMIT_TIMEOUT_MS = 30_000;
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
const images = { image: [{ form: 'base64', maxBytes: MAX_IMAGE_BYTES }] } as const;

export function createVeo(
  api: VeoApi,
  { clock, media }: { readonly clock: Clock; readonly media: ProviderDeps['media'] },
): VideoProvider {
  return {
    // A video takes at least half a minute, and Google asks for ten seconds between two polls.
    pace: { firstMs: 10_000, minMs: 10_000 },
    ...(api.limits && { limits: api.limits }),
    unknownJob: { operation: api.unknownOperation },

    start: (start, call) =>
      withMedia(start, images, media, call, async (byRole) => {
        const own = api.parametersOf(start.order);
        const credentials = await api.authorize(call);
        await start.submitting(makeRequest(start.order, byRole, own, writeMarker));
        const answer = await api.submit(
          {
            method: 'POST',
            path: `${start.binding.modelName}:predictLongRunning`,
            headers: { ...credentials, 'content-type': 'application/json' },
            // Sent as bytes, so that the text, which may have 80 MB, is not held in memory until the answer arrives.
            body: Buffer.from(JSON.stringify(makeRequest(start.order, byRole, own, writeMedia))),
            ownConnection: true,
            headersMs: SUBMIT_TIMEOUT_MS,
          },
          call,
        );
        const operation = isSuccess(answer) ? operationName(answer.json) : undefined;
        if (operation === undefined) throw submitRefusal(vendorAnswer(answer), refusalRules, clock.now());
        // Only the id, because the rest of the name may contain the operator's project.
        return { receipt: { operation }, providerJobId: jobIdIn(operation) };
      }),

    async check(running, call) {
      const answer = await api.poll(operationOf(running.receipt), call).catch((error: unknown) => {
        throw laterPoll(error);
      });
      if ('file' in answer) return { status: 'completed', video: await api.finish(answer.file, running, call) };
      checkOperation(answer.json, operationOf(running.receipt));
      const operation = isSuccess(answer) ? readOperation(answer.json, api.filesIn) : undefined;
      if (operation === undefined) {
        const refused = vendorAnswer(answer);
        if (refused.refusal?.code === 'NOT_FOUND' && isLost(running, clock)) return LOST;
        throw pollFailure(refused, refusalRules, clock.now());
      }
      if (operation.status !== 'completed') return operation;
      return { status: 'completed', video: await api.finish(operation.file, running, call) };
    },

    open: api.open,
  };
}

/** Throws for an answer about another operation than the requested one; see `checkJobId`. */
export function checkOperation(json: unknown, operation: string): void {
  // Only the last part of the name is compared: the path before it may have another form.
  checkJobId(jobIdIn(fieldsOf(json).name), jobIdIn(operation));
}

/** Returns the id in the name of an operation. */
function jobIdIn(name: string): string;
function jobIdIn(name: unknown): string | undefined;
function jobIdIn(name: unknown): string | undefined {
  return typeof name === 'string' ? name.slice(name.lastIndexOf('/') + 1) : undefined;
}

/** Returns the name of the operation in a receipt that we have written. */
function operationOf(receipt: Json): string {
  const { operation } = fieldsOf(receipt);
  if (typeof operation !== 'string') throw new Error('This is not a receipt of an operation.');
  return operation;
}

/** Returns the value of a field if it is a list; otherwise an empty list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
