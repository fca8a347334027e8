import type { Clock } from '../../../domain/clock';
import { upstreamFailed } from '../../../domain/errors';
import type { MessageEvent, MessagesBinding, MessagesProvider, MessagesRequest } from '../../../domain/messages';
import type { Call } from '../../../domain/provider';
import { readText, type Upstream, type UpstreamAnswer } from '../../kit/http';
import type { SseEvent } from '../../kit/sse';
import { readEvents } from '../../kit/sse-stream';
import { parseErrorBody, retryAfterMs, upstreamRefusal } from '../../kit/upstream-error';
import { createEventSanitiser, type SanitiserOptions } from './sanitiser';

// A provider whose upstream speaks the same language as our callers. What differs between the vendor and those who imitate
// it is how the request is written (`native-request.ts`, `compatible-request.ts`); the answer is read in one way.

/** What goes upstream, credentials apart. */
export interface DialectRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

export interface MessagesDialect {
  readonly upstream: Upstream;
  readonly clock: Clock;
  /** Below the upstream's base address. */
  readonly path: string;
  readonly credentials: Readonly<Record<string, string>>;
  /** Writes the request; `withoutThoughts` after the upstream has refused the thoughts of earlier turns. */
  write(request: MessagesRequest, binding: MessagesBinding, withoutThoughts: boolean): DialectRequest;
  readonly answer: Pick<SanitiserOptions, 'native' | 'sign' | 'packToolId'>;
  /** The status that an error code of the vendor stands for, where it answers 200 or another one. */
  readonly statusOfCode?: Readonly<Record<string, number>>;
  /** Absent: the upstream does not count. */
  readonly count?: { readonly path: string; write(request: MessagesRequest, binding: MessagesBinding): DialectRequest };
}

/** Vendors hold the headers back until the first token, which comes late after a long prompt. */
const HEADERS_MS = 120_000;
const QUIET_MS = 120_000;
/** Some think for minutes without a word. */
const THINKING_QUIET_MS = 300_000;
/** Client tools count all the time; the local estimate is at hand. */
const COUNT_MS = 3_000;
const MAX_ERROR_BYTES = 64 * 1024;

export function createMessagesProvider(dialect: MessagesDialect): MessagesProvider {
  const { upstream, clock, count } = dialect;

  async function ask(path: string, { headers, body }: DialectRequest, headersMs: number, call: Call): Promise<UpstreamAnswer> {
    return upstream.send({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', ...headers, ...dialect.credentials },
      body,
      headersMs,
      signal: call.signal,
    });
  }

  /** Why it is no stream of events; undefined when it is one. */
  async function refusalOf(answer: UpstreamAnswer, call: Call): Promise<Error | undefined> {
    const isEvents = answer.status === 200 && !/json|html/.test(answer.headers['content-type'] ?? '');
    if (isEvents) return undefined;
    const told = parseErrorBody(await readText(answer.body, MAX_ERROR_BYTES));
    call.signal.throwIfAborted();
    const status = dialect.statusOfCode?.[told.code ?? ''] ?? answer.status;
    if (status < 300) return upstreamFailed({ retry: 'later', started: 'maybe' }, `The upstream answered ${answer.status} without a stream.`);
    return upstreamRefusal({ ...told, status, retryAfterMs: retryAfterMs(answer.headers, clock.now()) });
  }

  /** Resolves with a stream of events. A refusal because of earlier thoughts is answered once by leaving them out. */
  async function begin(request: MessagesRequest, binding: MessagesBinding, call: Call): Promise<UpstreamAnswer> {
    const first = await ask(dialect.path, dialect.write(request, binding, false), HEADERS_MS, call);
    const refusal = await refusalOf(first, call);
    if (!refusal) return first;
    if (first.status !== 400 || !/signature|thinking/i.test(refusal.message) || !hasThoughts(request)) throw refusal;
    call.log.info('thoughts of earlier turns were refused and are left out', { status: first.status });
    const second = await ask(dialect.path, dialect.write(request, binding, true), HEADERS_MS, call);
    const again = await refusalOf(second, call);
    if (again) throw again;
    return second;
  }

  async function* stream(request: MessagesRequest, binding: MessagesBinding, call: Call): AsyncGenerator<readonly [MessageEvent, ...MessageEvent[]]> {
    const answer = await begin(request, binding, call);
    const sanitiser = createEventSanitiser({
      ...dialect.answer,
      messageId: request.messageId,
      modelName: binding.modelName,
      estimatedInputTokens: request.estimatedInputTokens,
    });
    const { thinking } = request.body;
    const quietMs = thinking && thinking.type !== 'disabled' ? THINKING_QUIET_MS : QUIET_MS;
    for await (const events of readEvents(answer, { clock, quietMs, isProgress, signal: call.signal })) {
      let failure: unknown;
      try {
        for (const event of events) pushEvent(sanitiser.push, event);
      } catch (error) {
        failure = error;
      }
      const [firstEvent, ...others] = sanitiser.take();
      if (firstEvent) yield [firstEvent, ...others];
      // After what came before it: the caller gets the same, wherever the upstream's bytes were cut.
      if (failure !== undefined) throw failure;
      if (sanitiser.isEnded) return;
    }
    sanitiser.end();
    const [firstEvent, ...others] = sanitiser.take();
    if (firstEvent) yield [firstEvent, ...others];
  }

  const native = dialect.answer.native ? { native: true as const } : {};
  if (!count) return { ...native, stream };
  return {
    ...native,
    stream,
    async countTokens(request, binding, call) {
      const answer = await ask(count.path, count.write(request, binding), COUNT_MS, call);
      const text = await readText(answer.body, MAX_ERROR_BYTES);
      if (answer.status !== 200) throw upstreamRefusal({ ...parseErrorBody(text), status: answer.status, retryAfterMs: retryAfterMs(answer.headers, clock.now()) });
      return parseCount(text);
    },
  };
}

function pushEvent(push: (event: unknown) => void, { name, data }: SseEvent): void {
  // The marks of another dialect's end, which some imitators send too.
  if (data === '[DONE]' || name === 'done' || data === '') return;
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'An event is not JSON.');
  }
  push(event);
}

function isProgress({ name, data }: SseEvent): boolean {
  return name !== 'ping' && !/^\{\s*"type"\s*:\s*"ping"/.test(data);
}

function hasThoughts({ body }: MessagesRequest): boolean {
  return body.messages.some(({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'thinking' || type === 'redacted_thinking'));
}

function parseCount(text: string): number {
  try {
    const value: unknown = JSON.parse(text);
    const tokens = typeof value === 'object' && value !== null && 'input_tokens' in value ? value.input_tokens : undefined;
    if (typeof tokens === 'number' && Number.isInteger(tokens) && tokens >= 0) return tokens;
  } catch {
    // The same as any other answer that is no count.
  }
  throw upstreamFailed({ retry: 'later', started: 'no' }, 'The count is not a number.');
}
