import { Client } from 'undici';
import type { Clock } from '../../../domain/clock';
import { isGatewayError, upstreamFailed } from '../../../domain/errors';
import type { GatewayError } from '../../../domain/errors';
import { linkSignals } from '../../../io/linked-signal';
import { createConnector } from '../../../io/undici-connector';
import { refusedByStatus } from './socket';

// A small HTTP request to an upstream before its socket is opened, for example for the socket's URL or a voice id.

interface JsonRequest {
  readonly method: 'GET' | 'POST';
  /** A URL from the configuration. Redirects are not followed, so that the key reaches no other host. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

const ANSWER_MS = 5_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Resolves with the parsed body of a 2xx response. Rejects with a GatewayError for anything else; nothing has started
 * upstream.
 */
export async function requestJson(ask: JsonRequest, deps: { readonly clock: Clock }): Promise<unknown> {
  const late = new AbortController();
  const either = linkSignals(ask.signal, late.signal);
  const cancel = deps.clock.after(ANSWER_MS, () => late.abort());
  const { origin, pathname, search } = new URL(ask.url);
  // A connection of its own, because a session makes one such request and the next one comes after any idle timeout.
  const client = new Client(origin, { connect: createConnector({ timeout: ANSWER_MS }) });
  try {
    const answer = await client.request({
      method: ask.method,
      path: pathname + search,
      headers: {
        accept: 'application/json',
        ...(ask.body !== undefined && { 'content-type': 'application/json' }),
        ...ask.headers,
      },
      body: ask.body === undefined ? null : JSON.stringify(ask.body),
      signal: either.signal,
    });
    // A destroyed body emits an error; without a listener it would end the process.
    answer.body.on('error', () => {});
    if (answer.statusCode < 200 || answer.statusCode > 299) {
      answer.body.destroy();
      throw refusedByStatus('request', answer, deps.clock.now());
    }
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of answer.body) {
      // Safe: undici's body yields Buffers.
      parts.push(part as Buffer);
      bytes += (part as Buffer).byteLength;
      if (bytes > MAX_ANSWER_BYTES) throw failed('The answer is too large.', 'upstream_invalid_response');
    }
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch (error) {
    if (isGatewayError(error) || ask.signal.aborted) throw error;
    if (late.signal.aborted) throw failed('There was no answer in time.', 'upstream_timeout');
    throw failed(
      error instanceof SyntaxError ? 'The answer is not JSON.' : 'The request failed.',
      'upstream_invalid_response',
    );
  } finally {
    cancel();
    either.release();
    void client.destroy();
  }
}

const failed = (detail: string, code: 'upstream_invalid_response' | 'upstream_timeout'): GatewayError =>
  upstreamFailed({ retry: 'elsewhere', started: 'no' }, detail, code);
