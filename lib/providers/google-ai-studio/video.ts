import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import type { Content, ContentPart } from '../../domain/files';
import { fieldsOf, type Json } from '../../domain/json';
import type { ProviderDeps } from '../../domain/provider';
import type { VideoProvider } from '../../domain/video';
import { askJson, type JsonAnswer } from '../kit/http/ask-json';
import type { Upstream } from '../kit/http/http';
import { openKeyedFile } from '../kit/video/keyed-file';
import { withMedia, writeMarker, writeMedia } from '../kit/video/order-media';
import { probeRemote } from '../kit/video/probe-remote';
import { laterPoll, pollFailure, submitRefusal } from '../kit/video/refusal';
import { LOST, operationName, readOperation } from './operation';
import { refusalRules, vendorAnswer } from './refusal';
import { makeRequest } from './request';

// Veo on the Gemini API. A submit begins an operation, which is polled by its name. The file of the result needs the key
// and leads to another host, which must not get it. The API cannot cancel, takes no id of ours, and reports neither the
// facts of a video nor what it charges.

const SUBMIT_TIMEOUT_MS = 30_000;
const POLL_TIMEOUT_MS = 10_000;
/** A new operation is not known everywhere at once. */
const NEW_OPERATION_MS = 60_000;
/** ai.google.dev: videos are kept for two days. The acceptance precedes the file, and an hour is left as a reserve. */
const FILE_LIFE_MS = 47 * 60 * 60_000;
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
const images = { image: [{ form: 'base64', maxBytes: MAX_IMAGE_BYTES }] } as const;

export interface VeoDeps extends Pick<ProviderDeps, 'clock' | 'media' | 'files' | 'probe'> {
  /** At the base URL with the path of the API's version. */
  readonly upstream: Upstream;
  readonly key: string;
}

export function createVeo({ upstream, key, clock, media, files, probe }: VeoDeps): VideoProvider {
  const credentials = { 'x-goog-api-key': key };

  function submit(modelName: string, body: Uint8Array, call: Call): Promise<JsonAnswer> {
    const path = `/models/${modelName}:predictLongRunning`;
    const headers = { ...credentials, 'content-type': 'application/json' };
    const request = {
      method: 'POST',
      path,
      headers,
      body,
      ownConnection: true,
      headersMs: SUBMIT_TIMEOUT_MS,
      signal: call.signal,
    } as const;
    return askJson(upstream, request, clock);
  }

  async function poll(operation: string, call: Call): Promise<JsonAnswer> {
    const path = `/${operation}`;
    const request = {
      method: 'GET',
      path,
      headers: credentials,
      headersMs: POLL_TIMEOUT_MS,
      signal: call.signal,
    } as const;
    try {
      return await askJson(upstream, request, clock);
    } catch (error) {
      throw laterPoll(error);
    }
  }

  function openPath(path: string, part: ContentPart, call: Call): Promise<Content> {
    return openKeyedFile(upstream, { path, headers: credentials }, part, { files, clock }, call);
  }

  return {
    // A video takes at least half a minute, and Google asks for ten seconds between two polls.
    pace: { firstMs: 10_000, minMs: 10_000 },
    // The quota of a paid account. An account with a lower one is answered with 429, and its videos wait.
    limits: { startsPerMinute: 50 },
    unknownJob: { operation: 'models/veo-3.1-generate-preview/operations/unknown' },

    start: (start, call) =>
      withMedia(start, images, media, call, async (byRole) => {
        await start.submitting(makeRequest(start.order, byRole, writeMarker));
        // As bytes, so that the text, which may have 80 MB, is not held until the answer comes.
        const body = Buffer.from(JSON.stringify(makeRequest(start.order, byRole, writeMedia)));
        const answer = await submit(start.binding.modelName, body, call);
        const operation = answer.status === 200 ? operationName(answer.json) : undefined;
        if (operation === undefined) throw submitRefusal(vendorAnswer(answer), refusalRules, clock.now());
        return { receipt: { operation }, providerJobId: operation };
      }),

    async check({ receipt, startedAt }, call) {
      const answer = await poll(textOf(receipt, 'operation'), call);
      const operation = answer.status === 200 ? readOperation(answer.json) : undefined;
      if (operation === undefined) {
        const refused = vendorAnswer(answer);
        if (refused.refusal?.code === 'NOT_FOUND' && ageMs(startedAt, clock) >= NEW_OPERATION_MS) return LOST;
        throw pollFailure(refused, refusalRules, clock.now());
      }
      if (operation.status !== 'completed') return operation;
      const path = upstream.pathOf(operation.uri);
      const facts = await probeRemote((part, probing) => openPath(path, part, probing), { probe, clock }, call);
      return {
        status: 'completed',
        video: {
          file: { path },
          expiresAt: new Date(startedAt.getTime() + FILE_LIFE_MS),
          ...(facts && {
            width: facts.width,
            height: facts.height,
            fps: facts.fps,
            durationSeconds: facts.durationSeconds,
          }),
        },
      };
    },

    open: (file, part, call) => openPath(textOf(file, 'path'), part, call),
  };
}

const ageMs = (since: Date, clock: Clock): number => clock.nowMs() - since.getTime();

/** Of our own receipt or reference of a file. */
function textOf(note: Json, field: 'operation' | 'path'): string {
  const text = fieldsOf(note)[field];
  if (typeof text !== 'string') throw new Error(`This is no note of this provider: ${field} is missing.`);
  return text;
}
