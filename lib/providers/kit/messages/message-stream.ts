import type { Call } from '../../../domain/call';
import { upstreamFailed } from '../../../domain/errors';
import type { AnswerChunk, MessagesProvider, MessagesRequest } from '../../../domain/messages';
import { watchSilence } from '../../../io/silence-timer';
import type { UpstreamAnswer } from '../http/http';
import {
  askWithThinking,
  readRefusal,
  upstreamRequest,
  type UpstreamDeps,
  type WriteRequest,
  type WrittenRequest,
} from './upstream-request';

// Runs one streaming request: send it, check the response, decode it read by read. The dialects differ only in how they
// write the request and decode the response.

/** Turns the upstream's bytes into chunks of the answer. */
export interface AnswerDecoder {
  /** Takes the bytes of one read. Returns undefined if they complete no event. */
  push(bytes: Buffer): DecodedChunk | undefined;
  /**
   * Called at the end of the upstream. Treats the rest as complete, because some upstreams omit the last blank line.
   */
  flush(): DecodedChunk | undefined;
  /** Returns the events that an answer with a stop reason still lacks. Throws a GatewayError without a stop reason. */
  finish(): AnswerChunk;
  /** Whether the stop reason is known: later errors do not concern the client. */
  readonly isComplete: boolean;
  /** Whether the last event has been returned. */
  readonly isEnded: boolean;
}

export interface DecodedChunk extends AnswerChunk {
  /** Whether at least one event other than a ping has arrived. */
  readonly isProgress: boolean;
  /** The error that ends the answer after these events. */
  readonly failure?: unknown;
}

export interface MessageStreamDeps extends UpstreamDeps {
  /** Fetches what the request needs before it can be written; absent: nothing. */
  prepare?(request: MessagesRequest, call: Call): Promise<MessagesRequest>;
  readonly write: WriteRequest<WrittenRequest & { decode(): AnswerDecoder }>;
}

/** Vendors delay the headers until the first token, which takes long after a long prompt. */
const HEADERS_MS = 120_000;
/** Some models think for minutes without output, even unrequested. */
const QUIET_MS = 300_000;
const UNTHINKING_QUIET_MS = 120_000;

export function createMessageStream(deps: MessageStreamDeps): MessagesProvider['stream'] {
  const { upstream, clock, write } = deps;

  return async function* stream(given, binding, call) {
    call.signal.throwIfAborted();
    const request = deps.prepare ? await deps.prepare(given, call) : given;
    const { body, decoder } = await askWithThinking(write, request, binding, call, async (written) => {
      const answer = await upstream.send(upstreamRequest(deps, written, HEADERS_MS, call));
      if (!isStream(answer)) throw await readRefusal(answer, deps, call);
      return { body: answer.body, decoder: written.decode() };
    });
    const quietMs = request.body.thinking?.type === 'disabled' ? UNTHINKING_QUIET_MS : QUIET_MS;
    const silence = watchSilence(clock, quietMs, () =>
      body.stop(
        upstreamFailed({ retry: 'elsewhere', started: 'maybe' }, `Silent for ${quietMs} ms.`, 'upstream_timeout'),
      ),
    );
    try {
      /** How long we have waited since the last event. The time that a slow client takes does not count. */
      let silentMs = 0;
      for (;;) {
        const since = clock.nowMs();
        silence.wait(silentMs);
        const bytes = await body.read();
        silence.rest();
        const decoded = bytes ? decoder.push(bytes) : decoder.flush();
        silentMs = decoded?.isProgress ? 0 : silentMs + clock.nowMs() - since;
        if (decoded && hasContent(decoded)) yield decoded;
        // Thrown after the events before it were delivered, so that the result does not depend on how the bytes were
        // split.
        if (decoded?.failure !== undefined) throw decoded.failure;
        if (decoder.isEnded) return;
        if (!bytes) break;
      }
    } catch (error) {
      if (call.signal.aborted || !decoder.isComplete) throw error;
    } finally {
      silence.end();
      if (decoder.isEnded) body.drain();
      else body.stop();
    }
    const last = decoder.finish();
    if (hasContent(last)) yield last;
  };
}

function hasContent({ events, bytes }: AnswerChunk): boolean {
  return events.length > 0 || (bytes !== undefined && bytes.length > 0);
}

/** Returns whether this is the start of a streaming response. */
function isStream({ status, headers }: Pick<UpstreamAnswer, 'status' | 'headers'>): boolean {
  // Some vendors omit the content type of their streams; none streams with these types.
  return status === 200 && !/json|html/.test(headers['content-type'] ?? '');
}
