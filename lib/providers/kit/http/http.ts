import type { Readable } from 'node:stream';
import { Pool, type Dispatcher } from 'undici';
import type { Clock } from '../../../domain/clock';
import { upstreamFailed } from '../../../domain/errors';

// The only HTTP client of a provider adapter. A pool belongs to one origin, that of the configuration: a path cannot
// leave it and redirects are not followed, so credentials never reach another host. URLs of clients are fetched
// elsewhere.

export interface Upstream {
  /**
   * Sends one request. Resolves when the response headers arrive, whatever the status. The body must be read to its end
   * or destroyed. Rejects with a GatewayError whose outcome says what may follow, or with the reason of `signal`.
   */
  send(request: UpstreamRequest): Promise<UpstreamAnswer>;
  /**
   * Like `send`, without a Readable and an AbortSignal, which dominate the cost of a short answer: chunks are passed to
   * `reader`, and the caller can pause and stop them.
   */
  open(request: Omit<UpstreamRequest, 'signal'>, reader: UpstreamReader): OpenAnswer;
  /** Closes every connection. */
  close(): Promise<void>;
}

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST';
  /** Path below the base URL, such as `/v1/messages`. */
  readonly path: string;
  /** Without `user-agent` and `accept-encoding`, which are set here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Timeout until the response headers. */
  readonly headersMs: number;
  readonly signal: AbortSignal;
}

/** No callback follows `onEnd` or `onError`. */
export interface UpstreamReader {
  /** Names in lower case; the first of repeated ones. */
  onHeaders(status: number, headers: Readonly<Record<string, string>>): void;
  onChunk(chunk: Buffer): void;
  onEnd(): void;
  /** A GatewayError as `send` rejects with, before or after the headers. */
  onError(error: unknown): void;
}

export interface OpenAnswer {
  pause(): void;
  resume(): void;
  /** Closes the connection unless the response is complete; no callback follows. */
  stop(): void;
}

export interface UpstreamAnswer {
  readonly status: number;
  /** Names in lower case; the first of repeated ones. */
  readonly headers: Readonly<Record<string, string>>;
  /** Destroyed with an error when the request's signal aborts. */
  readonly body: Readable;
}

const CONNECT_MS = 5_000;
/**
 * Shorter than the idle timeout of vendors' load balancers, so that a connection that they are closing is not reused.
 */
const KEEP_ALIVE_MS = 20_000;

export interface UpstreamDeps {
  /** With or without a path or a trailing slash. */
  readonly baseUrl: string;
  readonly clock: Clock;
}

export function createUpstream({ baseUrl, clock }: UpstreamDeps): Upstream {
  const base = new URL(baseUrl);
  const basePath = base.pathname.replace(/\/+$/, '');
  const pool = new Pool(base.origin, {
    connect: { timeout: CONNECT_MS },
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Only the reader knows what counts as silence, so it applies the timeouts.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  return {
    async send({ method, path, headers, body, headersMs, signal }) {
      signal.throwIfAborted();
      // A separate controller: the deadline ends with the headers, while the client's signal continues to guard the
      // body.
      const controller = new AbortController();
      let isLate = false;
      const cancelDeadline = clock.after(headersMs, () => {
        isLate = true;
        controller.abort();
      });
      const follow = () => controller.abort(signal.reason);
      signal.addEventListener('abort', follow, { once: true });
      try {
        const answer = await pool.request({
          method,
          path: basePath + path,
          headers: sentHeaders(headers),
          body: body ?? null,
          signal: controller.signal,
        });
        // A body that is destroyed before it is read emits an error; without a listener it would end the process.
        answer.body.on('error', () => {});
        answer.body.once('close', () => signal.removeEventListener('abort', follow));
        return { status: answer.statusCode, headers: firstValues(answer.headers), body: answer.body };
      } catch (error) {
        signal.removeEventListener('abort', follow);
        if (signal.aborted) throw signal.reason;
        if (isLate) throw lateHeaders(headersMs);
        throw transportFailed(error);
      } finally {
        cancelDeadline();
      }
    },

    open({ method, path, headers, body, headersMs }, reader) {
      let controller: Dispatcher.DispatchController | undefined;
      let isOver = false;
      let isPaused = false;
      const finish = () => {
        cancelDeadline();
        isOver = true;
        controller?.abort(new Error('the answer is not wanted any more'));
      };
      const fail = (error: unknown) => {
        if (isOver) return;
        finish();
        reader.onError(error);
      };
      const cancelDeadline = clock.after(headersMs, () => fail(lateHeaders(headersMs)));
      pool.dispatch(
        { method, path: basePath + path, headers: sentHeaders(headers), body: body ?? null },
        {
          onRequestStart(started) {
            controller = started;
            if (isOver) controller.abort(new Error('the answer is not wanted any more'));
            else if (isPaused) controller.pause();
          },
          onResponseStart(_controller, status, received) {
            // Informational responses (100, 103) precede the one with the final status.
            if (isOver || status < 200) return;
            cancelDeadline();
            reader.onHeaders(status, firstValues(received));
          },
          onResponseData(_controller, chunk) {
            if (!isOver) reader.onChunk(chunk);
          },
          onResponseEnd() {
            if (isOver) return;
            isOver = true;
            reader.onEnd();
          },
          onResponseError: (_controller, error) => fail(transportFailed(error)),
        },
      );
      return {
        pause() {
          isPaused = true;
          if (!isOver) controller?.pause();
        },
        resume() {
          isPaused = false;
          if (!isOver) controller?.resume();
        },
        stop() {
          if (!isOver) finish();
        },
      };
    },

    close: () => pool.destroy(),
  };
}

/** A flat list of names and values is cheaper than an object merged from two. */
function sentHeaders(headers: Readonly<Record<string, string>>): string[] {
  const sent = ['user-agent', 'Patchbay', 'accept-encoding', 'identity'];
  for (const name in headers) sent.push(name, headers[name] ?? '');
  return sent;
}

function lateHeaders(headersMs: number): Error {
  return upstreamFailed(
    { retry: 'elsewhere', started: 'maybe' },
    `No answer within ${headersMs} ms.`,
    'upstream_timeout',
  );
}

// Error codes of failures before the upstream could have read the request.
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Creates the error for a failure of the connection, before or after the headers. */
export function transportFailed(error: unknown): Error {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  return upstreamFailed(
    { retry: 'later', started: neverConnected.has(code) ? 'no' : 'maybe' },
    `The connection failed: ${code}.`,
  );
}

/**
 * Reads at most `maxBytes` of a body as text and discards the rest. If the body breaks off, returns what has arrived.
 */
export async function readText(body: Readable, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      // Safe: the body of an undici response yields Buffers.
      const bytes = chunk as Buffer;
      chunks.push(bytes);
      size += bytes.length;
      if (size >= maxBytes) break;
    }
  } catch {
    // The status alone is sufficient.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8');
}

function firstValues(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const first: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    const text = typeof value === 'object' ? value[0] : value;
    if (text !== undefined) first[name] = text;
  }
  return first;
}
