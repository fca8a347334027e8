import type { Readable } from 'node:stream';
import { Pool, type Dispatcher } from 'undici';
import type { Clock } from '../../../domain/clock';
import { upstreamFailed } from '../../../domain/errors';

// The one way from a provider's folder to its upstream. A pool belongs to one origin, the one of the configuration: a path
// cannot leave it and redirects are not followed, so credentials never reach another host. Callers' own addresses do not
// come this way.

export interface Upstream {
  /**
   * Sends one request and resolves when the headers of the answer are there, whatever its status. The body must be read to
   * its end or destroyed. Rejects with a GatewayError whose outcome says what may follow, or with the reason of `signal`.
   */
  send(request: UpstreamRequest): Promise<UpstreamAnswer>;
  /**
   * The same without a stream and without a signal, which cost more than all else on the way of a short answer: what comes is
   * told to `reader`, chunk by chunk, and whoever asked can pause it and stop it.
   */
  open(request: Omit<UpstreamRequest, 'signal'>, reader: UpstreamReader): OpenAnswer;
  /** Ends every connection. */
  close(): Promise<void>;
}

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base address: `/v1/messages`. */
  readonly path: string;
  /** Without `user-agent` and `accept-encoding`, which are ours. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Until the headers of the answer are there. */
  readonly headersMs: number;
  readonly signal: AbortSignal;
}

/** After `onEnd` or `onError` nothing more is told. */
export interface UpstreamReader {
  /** Names in lower case; of repeated ones the first. */
  onHeaders(status: number, headers: Readonly<Record<string, string>>): void;
  onChunk(chunk: Buffer): void;
  onEnd(): void;
  /** A GatewayError as `send` rejects with, before the headers or behind them. */
  onError(error: unknown): void;
}

export interface OpenAnswer {
  pause(): void;
  resume(): void;
  /** Closes the connection unless the answer is over; nothing is told any more. */
  stop(): void;
}

export interface UpstreamAnswer {
  readonly status: number;
  /** Names in lower case; of repeated ones the first. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ended with an error when the request's signal aborts. */
  readonly body: Readable;
}

const CONNECT_MS = 5_000;
/** Shorter than the idle limit of the load balancers that vendors stand behind: a connection they are closing is not reused. */
const KEEP_ALIVE_MS = 20_000;

export interface UpstreamDeps {
  /** With or without a path, and with or without a slash at its end. */
  readonly baseUrl: string;
  readonly clock: Clock;
}

export function createUpstream({ baseUrl, clock }: UpstreamDeps): Upstream {
  const base = new URL(baseUrl);
  const basePath = base.pathname.replace(/\/+$/, '');
  const pool = new Pool(base.origin, {
    connect: { timeout: CONNECT_MS },
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The silence of an upstream is judged by whoever reads: only there is it known what counts as silence.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  return {
    async send({ method, path, headers, body, headersMs, signal }) {
      signal.throwIfAborted();
      // Of its own, because the deadline ends with the headers while the caller's signal goes on to guard the body.
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
        // A body that is ended before anybody reads it emits an error that nobody else listens to.
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
            // Of an answer that is sent in two parts (100, 103) the last has the status.
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

/** Names and values in turns, which costs less than an object that is joined from two. */
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

// The codes of failures before the request could have been read by anybody.
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** A failure of the connection itself, before or after the headers. */
export function transportFailed(error: unknown): Error {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  return upstreamFailed(
    { retry: 'later', started: neverConnected.has(code) ? 'no' : 'maybe' },
    `The connection failed: ${code}.`,
  );
}

/** Reads at most `maxBytes` of a body as text and lets go of the rest; what broke off counts as far as it came. */
export async function readText(body: Readable, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      // Safe: the body of an undici answer gives Buffers.
      const bytes = chunk as Buffer;
      chunks.push(bytes);
      size += bytes.length;
      if (size >= maxBytes) break;
    }
  } catch {
    // The status alone says enough.
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
