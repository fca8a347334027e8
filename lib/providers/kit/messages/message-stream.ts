import type { Clock } from '../../../domain/clock';
import { isGatewayError, upstreamFailed } from '../../../domain/errors';
import type { MessageEvent, MessagesBinding, MessagesProvider, MessagesRequest } from '../../../domain/messages';
import type { Call } from '../../../domain/call';
import { readText, type Upstream, type UpstreamAnswer } from '../http/http';
import type { SseEvent } from '../http/sse';
import { readEvents } from '../http/sse-stream';
import { parseErrorBody, retryAfterMs, upstreamRefusal } from '../http/upstream-error';

// Runs one streaming request: send it, check the response, translate its events read by read. The dialects differ only
// in how they write the request and translate the events.

/** Translates the upstream's events into well-formed message events. */
export interface AnswerTranslator {
  /**
   * Takes one event as the upstream sent it. Throws a GatewayError for an upstream error and for an event that cannot
   * be repaired.
   */
  push(event: unknown): void;
  /** The upstream sent `[DONE]`. */
  done(): void;
  /** The upstream closed the stream. Throws if the answer is incomplete. */
  end(): void;
  /** Returns the events since the last call. */
  take(): MessageEvent[];
  /** The stop reason is known: later errors do not concern the client. */
  readonly isComplete: boolean;
  readonly isEnded: boolean;
}

/** The request without credentials, and the translator for its response. */
export interface WrittenRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
  translate(): AnswerTranslator;
}

export interface MessageStreamDeps {
  readonly upstream: Upstream;
  readonly clock: Clock;
  /** Path below the upstream's base URL. */
  readonly path: string;
  readonly credentials: Readonly<Record<string, string>>;
  /** Fetches what the request needs before it can be written; absent: nothing. */
  prepare?(request: MessagesRequest, call: Call): Promise<MessagesRequest>;
  /** Writes the request; `withoutThinking` after the upstream has rejected the thinking of earlier turns. */
  write(request: MessagesRequest, binding: MessagesBinding, withoutThinking: boolean): WrittenRequest;
  /** The HTTP status for each error code of the vendor, where the vendor responds with 200 or a different status. */
  readonly statusOfCode?: Readonly<Record<string, number>>;
}

/** Vendors delay the headers until the first token, which takes long after a long prompt. */
export const HEADERS_MS = 120_000;
/** Some models think for minutes without output, even unrequested. */
const QUIET_MS = 300_000;
const UNTHINKING_QUIET_MS = 120_000;
export const MAX_ERROR_BYTES = 64 * 1024;

/** Sends a JSON request; `headersMs` is the timeout until the response headers. */
export function askUpstream(
  deps: Pick<MessageStreamDeps, 'upstream' | 'credentials'>,
  path: string,
  { headers, body }: Pick<WrittenRequest, 'headers' | 'body'>,
  headersMs: number,
  call: Call,
): Promise<UpstreamAnswer> {
  return deps.upstream.send({
    method: 'POST',
    path,
    headers: headersFor(headers, deps.credentials),
    body,
    headersMs,
    signal: call.signal,
  });
}

/** The headers of a JSON request. */
export function headersFor(
  own: Readonly<Record<string, string>>,
  credentials: Readonly<Record<string, string>>,
): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  // A loop, because this runs for every message: merging objects takes a microsecond each.
  for (const name in own) headers[name] = own[name] ?? '';
  for (const name in credentials) headers[name] = credentials[name] ?? '';
  return headers;
}

/** Creates the error for a response with an error status. */
export async function readRefusal(
  answer: UpstreamAnswer,
  deps: Pick<MessageStreamDeps, 'clock' | 'statusOfCode'>,
  call: Call,
): Promise<Error> {
  const text = await readText(answer.body, MAX_ERROR_BYTES);
  call.signal.throwIfAborted();
  return refusalOf(answer, text, deps);
}

/** Like `readRefusal`, for a body that was already read. */
export function refusalOf(
  answer: Pick<UpstreamAnswer, 'status' | 'headers'>,
  text: string,
  deps: Pick<MessageStreamDeps, 'clock' | 'statusOfCode'>,
): Error {
  const told = parseErrorBody(text);
  const status = deps.statusOfCode?.[told.code ?? ''] ?? (answer.status === 200 ? statusIn(told.code) : answer.status);
  if (status < 300)
    return upstreamFailed(
      { retry: 'later', started: 'maybe' },
      `The upstream answered ${answer.status} without a stream.`,
    );
  return upstreamRefusal({ ...told, status, retryAfterMs: retryAfterMs(answer.headers, deps.clock.now()) });
}

/** Some vendors respond with 200 and put the intended status into the error code. */
function statusIn(code: string | undefined): number {
  const status = Number(code);
  return status >= 400 && status < 600 ? status : 200;
}

/**
 * Sends the request, and once more without the thinking of earlier turns if the upstream rejects it: it may come from
 * another provider, or a client changed it.
 */
export async function askWithThinking<T, R extends { readonly headers: Readonly<Record<string, string>> }>(
  deps: { write(request: MessagesRequest, binding: MessagesBinding, withoutThinking: boolean): R },
  request: MessagesRequest,
  binding: MessagesBinding,
  call: Pick<Call, 'log'>,
  ask: (written: R) => Promise<T>,
): Promise<T> {
  try {
    return await ask(deps.write(request, binding, false));
  } catch (error) {
    if (!isThinkingRefused(error, request, binding)) throw error;
    call.log.info('thinking of earlier turns were refused and are left out');
    return ask(deps.write(request, binding, true));
  }
}

/** Returns whether the upstream rejected the request because of thinking that can be omitted. */
export function isThinkingRefused(error: unknown, request: MessagesRequest, binding: MessagesBinding): boolean {
  return (
    isGatewayError(error) &&
    error.code === 'upstream_rejected' &&
    isAboutThinking(error.message) &&
    hasThinking(request, binding)
  );
}

/** Returns how long an answer to this request may be silent, in milliseconds. */
export function quietMsOf({ body }: MessagesRequest): number {
  return body.thinking?.type === 'disabled' ? UNTHINKING_QUIET_MS : QUIET_MS;
}

export function createMessageStream(deps: MessageStreamDeps): MessagesProvider['stream'] {
  const begin = (request: MessagesRequest, binding: MessagesBinding, call: Call) =>
    askWithThinking(deps, request, binding, call, async (written) => {
      const answer = await askUpstream(deps, deps.path, written, HEADERS_MS, call);
      if (!isStream(answer)) throw await readRefusal(answer, deps, call);
      return { answer, translator: written.translate() };
    });

  return async function* stream(given, binding, call) {
    call.signal.throwIfAborted();
    const request = deps.prepare ? await deps.prepare(given, call) : given;
    const { answer, translator } = await begin(request, binding, call);
    const quietMs = quietMsOf(request);
    try {
      for await (const events of readEvents(answer, {
        clock: deps.clock,
        quietMs,
        isProgress,
        signal: call.signal,
        isOver: () => translator.isEnded,
      })) {
        const failure = failureOf(() => {
          for (const event of events) pushEvent(translator, event);
        });
        const [first, ...others] = translator.take();
        if (first) yield [first, ...others];
        // After the events before it: the client gets the same result, wherever the upstream's bytes were split.
        if (failure) throw failure.reason;
        if (translator.isEnded) return;
      }
    } catch (error) {
      if (call.signal.aborted || !translator.isComplete) throw error;
    }
    translator.end();
    const [first, ...others] = translator.take();
    if (first) yield [first, ...others];
  };
}

function failureOf(work: () => void): { readonly reason: unknown } | undefined {
  try {
    work();
    return undefined;
  } catch (reason) {
    return { reason };
  }
}

/** Returns whether this is the start of a streaming response. */
export function isStream({ status, headers }: Pick<UpstreamAnswer, 'status' | 'headers'>): boolean {
  // Some vendors omit the content type of their streams; none streams with these types.
  return status === 200 && !/json|html/.test(headers['content-type'] ?? '');
}

function pushEvent(translator: AnswerTranslator, { name, data }: SseEvent): void {
  if (data === '[DONE]') return translator.done();
  if (name === 'done' || data === '') return;
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'An event is not JSON.');
  }
  translator.push(event);
}

function isProgress({ name, data }: SseEvent): boolean {
  return name !== 'ping' && !/^\{\s*"type"\s*:\s*"ping"/.test(data);
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
