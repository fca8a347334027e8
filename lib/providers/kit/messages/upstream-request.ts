import type { Call } from '../../../domain/call';
import type { Clock } from '../../../domain/clock';
import { isGatewayError, upstreamFailed } from '../../../domain/errors';
import type { MessagesBinding, MessagesRequest } from '../../../domain/messages';
import { readText, type Upstream, type UpstreamAnswer, type UpstreamRequest } from '../http/http';
import { parseErrorBody, retryAfterMs, upstreamRefusal } from '../http/upstream-error';

// One request for a message: its headers, its error responses, and the second request without the thinking of earlier
// turns. The same for streaming and non-streaming answers.

/** A request without its credentials. */
export interface WrittenRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

export interface UpstreamDeps {
  readonly upstream: Upstream;
  readonly clock: Clock;
  /** Path below the upstream's base URL. */
  readonly path: string;
  readonly credentials: Readonly<Record<string, string>>;
  /** The HTTP status for each error code of the vendor, where the vendor responds with 200 or a different status. */
  readonly statusOfCode?: Readonly<Record<string, number>>;
}

/** Writes the request; `withoutThinking` after the upstream has rejected the thinking of earlier turns. */
export type WriteRequest<Written extends WrittenRequest = WrittenRequest> = (
  request: MessagesRequest,
  binding: MessagesBinding,
  withoutThinking: boolean,
) => Written;

const MAX_ERROR_BYTES = 64 * 1024;
/** The time limit for an error body; after it, the part that has arrived is used. */
const ERROR_BODY_TIMEOUT_MS = 60_000;

/** Returns the upstream request for a written one; `headersMs` is the timeout until the response headers. */
export function upstreamRequest(
  { path, credentials }: Pick<UpstreamDeps, 'path' | 'credentials'>,
  { headers: own, body }: WrittenRequest,
  headersMs: number,
  { signal }: Call,
): UpstreamRequest {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  // Loops, because this runs for every message: merging objects takes a microsecond each.
  for (const name in own) headers[name] = own[name] ?? '';
  for (const name in credentials) headers[name] = credentials[name] ?? '';
  return { method: 'POST', path, headers, body, headersMs, signal };
}

/**
 * Sends the request, and once more without the thinking of earlier turns if the upstream rejects it: it may come from
 * another provider, or a client changed it.
 */
export async function askWithThinking<T, Written extends WrittenRequest>(
  write: WriteRequest<Written>,
  request: MessagesRequest,
  binding: MessagesBinding,
  call: Call,
  ask: (written: Written) => Promise<T>,
): Promise<T> {
  try {
    return await ask(write(request, binding, false));
  } catch (error) {
    if (!isThinkingRefused(error, request, binding)) throw error;
    call.log.info('thinking of earlier turns was refused and is left out');
    return ask(write(request, binding, true));
  }
}

/** Creates the error for a response with an error status. Throws the reason of the call's signal if it aborts. */
export async function readRefusal(
  answer: UpstreamAnswer,
  deps: Pick<UpstreamDeps, 'clock' | 'statusOfCode'>,
  { signal }: Call,
): Promise<Error> {
  const cancelTimer = deps.clock.after(ERROR_BODY_TIMEOUT_MS, () => answer.body.stop());
  const text = await readText(answer.body, MAX_ERROR_BYTES);
  cancelTimer();
  signal.throwIfAborted();
  return refusalOf(answer, text, deps);
}

/** Like `readRefusal`, for a body that was already read. */
export function refusalOf(
  answer: Pick<UpstreamAnswer, 'status' | 'headers'>,
  text: string,
  deps: Pick<UpstreamDeps, 'clock' | 'statusOfCode'>,
): Error {
  const refusal = parseErrorBody(text);
  const status =
    deps.statusOfCode?.[refusal.code ?? ''] ?? (answer.status === 200 ? statusIn(refusal.code) : answer.status);
  if (status < 300)
    return upstreamFailed(
      { retry: 'later', started: 'maybe' },
      `The upstream answered ${answer.status} without a stream.`,
    );
  return upstreamRefusal({ ...refusal, status, retryAfterMs: retryAfterMs(answer.headers, deps.clock.now()) });
}

/** Some vendors respond with 200 and put the intended status into the error code. */
function statusIn(code: string | undefined): number {
  const status = Number(code);
  return status >= 400 && status < 600 ? status : 200;
}

/** Returns whether the upstream rejected the request because of thinking that can be omitted. */
function isThinkingRefused(error: unknown, request: MessagesRequest, binding: MessagesBinding): boolean {
  return (
    isGatewayError(error) &&
    error.code === 'upstream_rejected' &&
    isAboutThinking(error.message) &&
    hasThinking(request, binding)
  );
}

function isAboutThinking(message: string): boolean {
  // An invalid thinking parameter is the client's error.
  return /signature|thinking|reasoning_content/i.test(message) && !/^thinking\.|budget_tokens/.test(message);
}

/** Returns whether the history contains thinking, or turns for which this upstream requires thinking. */
function hasThinking({ body }: MessagesRequest, { thinkingReplay }: MessagesBinding): boolean {
  const types = ['thinking', 'redacted_thinking', ...(thinkingReplay ? ['tool_use'] : [])];
  return body.messages.some(
    ({ content }) => typeof content !== 'string' && content.some(({ type }) => types.includes(type)),
  );
}
