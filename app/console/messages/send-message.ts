import { createCollector } from '../../../lib/messages/answer/collect';
import type { MessageEvent } from '../../../lib/domain/messages';
import { ApiError, ConnectionError } from '../../../lib/client/errors';
import { fieldsOf, isObject } from '../../../lib/domain/json';
import type { Message } from '../../../lib/domain/messages';
import type { Mode } from '../../../lib/domain/video';
import { createSseReader } from '../../../lib/io/sse';
import { openRequest } from '../console-api';
import { apiPaths } from '../api-paths';
import type { Block, Failure, RawEvent, Step } from './conversation';
import type { RequestBody } from './request';

// Sends one request and reports the answer as it grows.

/** The fields of a step that change while it runs. */
export type StepPart = Partial<Omit<Step, 'id' | 'modelId' | 'results'>>;

/** The maximum number of events of a stream that are kept. The rest is not shown. */
export const MAX_RAW_EVENTS = 5_000;

/**
 * Resolves when the answer has ended, whether it succeeded or not; the last report has the final state. While text
 * arrives, `report` is called at most once per frame.
 */
export async function sendMessage(
  body: RequestBody,
  { mode, requestId, signal, report, onEvent }: SendOptions,
): Promise<void> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  let facts: StepPart = { requestId };
  const collector = createCollector();
  let firstTokenMs: number | undefined;
  let hasStarted = false;

  const answer = (): StepPart => (hasStarted ? { ...facts, ...partOf(collector.message(''), firstTokenMs) } : facts);

  try {
    const response = await openRequest(apiPaths.messages(mode), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': requestId },
      body: JSON.stringify(body),
      signal,
    });
    facts = { ...facts, ...factsOf(response.headers) };
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      const text = await response.text();
      onEvent({ event: 'response', data: text });
      firstTokenMs = elapsed();
      // Safe: a response of this endpoint with status 200 is a message.
      const message = JSON.parse(text) as Message;
      report({ ...facts, ...partOf(message, firstTokenMs), state: 'done', totalMs: elapsed() });
      return;
    }
    let failure: Failure | undefined;
    const frame = createFrame(() => report(answer()));
    try {
      for await (const { name, data } of eventsOf(response)) {
        onEvent({ event: name, data });
        const event: unknown = JSON.parse(data);
        if (!isObject(event)) continue;
        if (event['type'] === 'error') {
          const { message } = fieldsOf(event['error']);
          failure = { message: String(message), requestId };
          continue;
        }
        if (event['type'] === 'message_start') hasStarted = true;
        if (event['type'] === 'content_block_start') firstTokenMs ??= elapsed();
        collector.add(event as unknown as MessageEvent); // Safe: the gateway sends well-formed events only.
        frame.request();
      }
    } finally {
      frame.cancel();
    }
    const isWhole = answer().stopReason !== undefined;
    failure ??= isWhole ? undefined : { message: 'The connection was lost before the end of the answer. Try again.' };
    report({ ...answer(), totalMs: elapsed(), state: failure ? 'failed' : 'done', ...(failure && { failure }) });
  } catch (error) {
    if (signal.aborted) report({ ...answer(), state: 'stopped', totalMs: elapsed() });
    else report({ ...answer(), state: 'failed', totalMs: elapsed(), failure: failureOf(error) });
  }
}

export interface SendOptions {
  readonly mode: Mode;
  readonly requestId: string;
  readonly signal: AbortSignal;
  report(part: StepPart): void;
  onEvent(event: RawEvent): void;
}

function failureOf(error: unknown): Failure {
  if (error instanceof ConnectionError) return { message: error.message };
  if (!(error instanceof ApiError))
    return { message: 'The connection was lost before the end of the answer. Try again.' };
  const { message, requestId, status, code } = error;
  return { message, status, ...(requestId !== undefined && { requestId }), ...(code !== undefined && { code }) };
}

function factsOf(headers: Headers): StepPart {
  const provider = headers.get('x-patchbay-provider');
  const ignored = headers.get('x-ignored-params');
  return { ...(provider && { provider }), ...(ignored && { ignored }) };
}

function partOf({ content, stop_reason: stopReason, usage }: Message, firstTokenMs: number | undefined): StepPart {
  const input = usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
  return {
    blocks: content as unknown as readonly Block[], // Safe: the blocks of an answer are JSON.
    usage: { input, output: usage.output_tokens },
    ...(stopReason !== null && { stopReason }),
    ...(firstTokenMs !== undefined && { firstTokenMs }),
  };
}

async function* eventsOf(response: Response) {
  const reader = createSseReader();
  const bytes = response.body?.getReader();
  if (!bytes) return;
  for (let part = await bytes.read(); !part.done; part = await bytes.read()) yield* reader.push(part.value);
  yield* reader.end();
}

/** Calls `run` in the next frame, once for any number of requests before it. */
function createFrame(run: () => void): { request(): void; cancel(): void } {
  let handle: number | undefined;
  return {
    request() {
      handle ??= requestAnimationFrame(() => {
        handle = undefined;
        run();
      });
    },
    cancel() {
      if (handle !== undefined) cancelAnimationFrame(handle);
    },
  };
}
