import type { Clock } from '../../../domain/clock';
import { isGatewayError, upstreamFailed } from '../../../domain/errors';
import type { MessageEvent, MessagesBinding, MessagesProvider, MessagesRequest } from '../../../domain/messages';
import type { Call } from '../../../domain/call';
import { readText, type Upstream, type UpstreamAnswer } from '../http/http';
import type { SseEvent } from '../http/sse';
import { readEvents } from '../http/sse-stream';
import { parseErrorBody, retryAfterMs, upstreamRefusal } from '../http/upstream-error';

// One message from an upstream that streams: ask, judge the answer, translate its events read by read. The dialects differ
// in what they write and how they translate, not in this.

/** Turns the upstream's events into ours, in our order. */
export interface AnswerTranslator {
  /** Takes one event as the upstream wrote it. Throws a GatewayError for the upstream's error and for what cannot be mended. */
  push(event: unknown): void;
  /** The upstream said `[DONE]`. */
  done(): void;
  /** The upstream ended. Throws when its answer had not. */
  end(): void;
  /** The events since the last call. */
  take(): MessageEvent[];
  /** The reason of the end is known: what goes wrong from here on does not concern the caller. */
  readonly isWhole: boolean;
  readonly isEnded: boolean;
}

/** What goes upstream, credentials apart, and who reads what comes back. */
export interface WrittenRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
  translate(): AnswerTranslator;
}

export interface MessageStreamDeps {
  readonly upstream: Upstream;
  readonly clock: Clock;
  /** Below the upstream's base address. */
  readonly path: string;
  readonly credentials: Readonly<Record<string, string>>;
  /** What must be fetched before the request can be written; absent: nothing. */
  prepare?(request: MessagesRequest, call: Call): Promise<MessagesRequest>;
  /** Writes the request; `withoutThinking` after the upstream has refused the thinking of earlier turns. */
  write(request: MessagesRequest, binding: MessagesBinding, withoutThinking: boolean): WrittenRequest;
  /** The status that an error code of the vendor stands for, where it answers 200 or another one. */
  readonly statusOfCode?: Readonly<Record<string, number>>;
}

/** Vendors hold the headers back until the first token, which comes late after a long prompt. */
export const HEADERS_MS = 120_000;
/** Some think for minutes without a word, also unasked. */
const QUIET_MS = 300_000;
const UNTHINKING_QUIET_MS = 120_000;
export const MAX_ERROR_BYTES = 64 * 1024;

/** Sends a request in JSON; `headersMs` until the headers of the answer are there. */
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

/** Of a request in JSON. */
export function headersFor(
  own: Readonly<Record<string, string>>,
  credentials: Readonly<Record<string, string>>,
): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  // By hand, because every message has some: joining objects costs a microsecond each.
  for (const name in own) headers[name] = own[name] ?? '';
  for (const name in credentials) headers[name] = credentials[name] ?? '';
  return headers;
}

/** The refusal that an answer with an error status is. */
export async function readRefusal(
  answer: UpstreamAnswer,
  deps: Pick<MessageStreamDeps, 'clock' | 'statusOfCode'>,
  call: Call,
): Promise<Error> {
  const text = await readText(answer.body, MAX_ERROR_BYTES);
  call.signal.throwIfAborted();
  return refusalOf(answer, text, deps);
}

/** The same of a body that was read already. */
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

/** Some answer 200 and write the status that they mean into the code. */
function statusIn(code: string | undefined): number {
  const status = Number(code);
  return status >= 400 && status < 600 ? status : 200;
}

/**
 * Asks, and once more without the thinking of earlier turns when the upstream refused it: it may be another
 * provider's, or were changed by a client.
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

/** Did the upstream refuse the request because of thinking that can be left out? */
export function isThinkingRefused(error: unknown, request: MessagesRequest, binding: MessagesBinding): boolean {
  return (
    isGatewayError(error) &&
    error.code === 'upstream_rejected' &&
    isAboutThinking(error.message) &&
    hasThinking(request, binding)
  );
}

/** For how long an answer to this request may be silent, in milliseconds. */
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
        // After what came before it: the caller gets the same, wherever the upstream's bytes were cut.
        if (failure) throw failure.reason;
        if (translator.isEnded) return;
      }
    } catch (error) {
      if (call.signal.aborted || !translator.isWhole) throw error;
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

/** Is this the beginning of an answer that streams? */
export function isStream({ status, headers }: Pick<UpstreamAnswer, 'status' | 'headers'>): boolean {
  // Some leave the type of their streams out; none streams under these.
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
  // A wrong wish to think is the caller's own to mend.
  return /signature|thinking|reasoning_content/i.test(message) && !/^thinking\.|budget_tokens/.test(message);
}

/** Has the history thinking, or turns that an upstream of this kind wants thinking for? */
function hasThinking({ body }: MessagesRequest, { thinkingReplay }: MessagesBinding): boolean {
  const types = ['thinking', 'redacted_thinking', ...(thinkingReplay ? ['tool_use'] : [])];
  return body.messages.some(
    ({ content }) => typeof content !== 'string' && content.some(({ type }) => types.includes(type)),
  );
}
