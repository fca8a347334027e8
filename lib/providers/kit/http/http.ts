import { Readable } from 'node:stream';
import { Client, Pool, type Dispatcher } from 'undici';
import type { Cancel, Clock } from '../../../domain/clock';
import { connectionFailed, upstreamFailed, type UpstreamOutcome } from '../../../domain/errors';
import { createConnector } from '../../../io/undici-connector';
import { parseUrl } from '../../../domain/url';

// The only HTTP client of a provider adapter. A pool belongs to one origin, that of the configuration: a path cannot
// leave it and redirects are not followed, so credentials never reach another host. URLs of clients are fetched
// elsewhere.

export interface Upstream {
  /**
   * Sends one request. Resolves when the response headers arrive, whatever the status. The body must be read to its end
   * or stopped. Rejects with a GatewayError whose outcome says what may follow, or with the reason of `signal`.
   */
  send(request: UpstreamRequest): Promise<UpstreamAnswer>;
  /**
   * Returns the path and query, below the base URL, of an absolute URL that the upstream returned, for the `path` of a
   * request. The origin is dropped: a URL of another origin is requested at the configured one, so that credentials
   * cannot reach another host. Throws a GatewayError for text that is not a URL.
   */
  pathOf(url: string): string;
  /** Closes every connection. */
  close(): Promise<void>;
}

export interface UpstreamRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the base URL, such as `/v1/messages`. */
  readonly path: string;
  /** The headers, except `user-agent` and `accept-encoding`, which are set here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /**
   * Sends the request on a connection of its own, for requests that begin paid work: an upstream may close a connection
   * at the moment in which it is reused, and then it is unknown whether the request was read.
   */
  readonly ownConnection?: true;
  /** Timeout until the response headers. */
  readonly headersMs: number;
  /** Aborts the request and the body of its response. */
  readonly signal: AbortSignal;
}

export interface UpstreamAnswer {
  readonly status: number;
  /** Names in lower case; the first of repeated ones. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: UpstreamBody;
}

/** Not a Readable, because that costs more than everything else that is done with a short answer. */
export interface UpstreamBody {
  /**
   * Resolves with the bytes that have arrived since the last call, as soon as there are any; undefined at the end. One
   * call at a time. While nothing is read, the upstream is slowed down. Rejects as `Upstream.send` does.
   */
  read(): Promise<Buffer | undefined>;
  /** Closes the connection unless the response is complete. A pending or later read rejects with `reason`. */
  stop(reason?: Error): void;
  /**
   * Discards the rest, so that the connection can be used again; after its last event an upstream should end at once,
   * and is cut off after DRAIN_TIMEOUT_MS.
   */
  drain(): void;
}

const CONNECT_MS = 5_000;
/**
 * Shorter than the idle timeout of vendors' load balancers, so that a connection that they are closing is not reused.
 */
const KEEP_ALIVE_MS = 20_000;
const DRAIN_TIMEOUT_MS = 1_000;
/** The upstream is paused when this many bytes are unread. One read of a socket is at most as long. */
const MAX_UNREAD_BYTES = 64 * 1024;

export interface UpstreamDeps {
  /** With or without a path or a trailing slash. */
  readonly baseUrl: string;
  readonly clock: Clock;
}

export function createUpstream({ baseUrl, clock }: UpstreamDeps): Upstream {
  const base = new URL(baseUrl);
  const basePath = base.pathname.replace(/\/+$/, '');
  const options = {
    connect: createConnector({ timeout: CONNECT_MS }),
    keepAliveTimeout: KEEP_ALIVE_MS,
    // No timeouts here: only the reader knows what counts as silence.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const pool = new Pool(base.origin, options);
  const own = new Set<Client>();

  /** Opens a connection for one request. */
  function connectAnew(): Client {
    const client = new Client(base.origin, options);
    own.add(client);
    return client.on('disconnect', () => own.delete(client)).on('connectionError', () => own.delete(client));
  }

  return {
    send: ({ method, path, headers, body, headersMs, signal, ownConnection = false }) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const dispatcher = ownConnection ? connectAnew() : pool;
        dispatcher.dispatch(
          {
            method,
            path: basePath + path,
            headers: sentHeaders(headers),
            body: body ?? null,
            ...(ownConnection && { reset: true }),
          },
          new ResponseReader(base.host, clock, headersMs, signal, resolve, reject),
        );
      }),
    pathOf(text) {
      const url = parseUrl(text);
      if (!url || !/^https?:$/.test(url.protocol))
        throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'The upstream returned an invalid URL.');
      return pathBelow(basePath, url.pathname) + url.search;
    },
    close: async () => {
      await Promise.all([pool, ...own].map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/**
 * Removes from the path the longest end of the base path with which it begins. Behind a proxy at `/google/v1beta`, the
 * upstream still returns `/v1beta/…`.
 */
function pathBelow(basePath: string, path: string): string {
  const segments = basePath.split('/').slice(1);
  for (const from of segments.keys()) {
    const end = `/${segments.slice(from).join('/')}`;
    if (path === end || path.startsWith(`${end}/`)) return path.slice(end.length);
  }
  return path;
}

// One response from the request to the last byte:
//
//   waiting ──headers──▶ open ──last byte──▶ ended
//      └────────────────────┴──error, timeout, abort or stop──▶ failed
//
class ResponseReader implements Dispatcher.DispatchHandler, UpstreamBody {
  readonly #host: string;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #resolve: (answer: UpstreamAnswer) => void;
  readonly #reject: (error: unknown) => void;
  readonly #onAbort = () => {
    this.#unread = [];
    this.#fail(this.#signal.reason);
  };
  #state: 'waiting' | 'open' | 'ended' | 'failed' = 'waiting';
  #failure: unknown;
  #controller: Dispatcher.DispatchController | undefined;
  #cancelTimer: Cancel;
  #unread: Buffer[] = [];
  #unreadBytes = 0;
  #isPaused = false;
  #isDraining = false;
  #reader: { resolve(bytes: Buffer | undefined): void; reject(error: unknown): void } | undefined;

  constructor(
    host: string,
    clock: Clock,
    headersMs: number,
    signal: AbortSignal,
    resolve: (answer: UpstreamAnswer) => void,
    reject: (error: unknown) => void,
  ) {
    this.#host = host;
    this.#clock = clock;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#cancelTimer = clock.after(headersMs, () => this.#fail(lateHeaders(headersMs)));
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#state === 'failed') controller.abort(unwanted());
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // Informational responses (100, 103) precede the one with the final status.
    if (this.#state !== 'waiting' || status < 200) return;
    this.#cancelTimer();
    this.#state = 'open';
    this.#resolve({ status, headers: firstValues(headers), body: this });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#state !== 'open' || this.#isDraining) return;
    if (this.#reader) {
      const { resolve } = this.#reader;
      this.#reader = undefined;
      return resolve(chunk);
    }
    this.#unread.push(chunk);
    this.#unreadBytes += chunk.length;
    if (this.#unreadBytes < MAX_UNREAD_BYTES || this.#isPaused) return;
    this.#isPaused = true;
    controller.pause();
  }

  onResponseEnd(): void {
    if (this.#state !== 'open') return;
    this.#state = 'ended';
    this.#release();
    this.#reader?.resolve(undefined);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // A request starts when its connection is made and encrypted. Before that, nothing of it was sent.
    this.#fail(transportFailed(error, this.#host, this.#controller ? 'maybe' : 'no'));
  }

  read(): Promise<Buffer | undefined> {
    if (this.#unread.length > 0) return Promise.resolve(this.#takeUnread());
    if (this.#state === 'ended') return Promise.resolve(undefined);
    if (this.#state === 'failed') return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
    });
  }

  stop(reason?: Error): void {
    if (this.#state !== 'open') return;
    this.#unread = [];
    this.#fail(reason ?? unwanted());
  }

  drain(): void {
    if (this.#state !== 'open') return;
    this.#isDraining = true;
    this.#takeUnread();
    this.#cancelTimer = this.#clock.after(DRAIN_TIMEOUT_MS, () => this.stop());
  }

  #takeUnread(): Buffer {
    const [first] = this.#unread;
    const bytes = first && this.#unread.length === 1 ? first : Buffer.concat(this.#unread, this.#unreadBytes);
    this.#unread = [];
    this.#unreadBytes = 0;
    if (this.#isPaused) {
      this.#isPaused = false;
      this.#controller?.resume();
    }
    return bytes;
  }

  #fail(error: unknown): void {
    if (this.#state === 'ended' || this.#state === 'failed') return;
    const isWaiting = this.#state === 'waiting';
    this.#state = 'failed';
    this.#failure = error;
    this.#release();
    this.#controller?.abort(unwanted());
    if (isWaiting) this.#reject(error);
    else this.#reader?.reject(error);
  }

  #release(): void {
    this.#cancelTimer();
    this.#signal.removeEventListener('abort', this.#onAbort);
  }
}

function unwanted(): Error {
  return new Error('the answer is no longer needed');
}

/** Returns a flat list of names and values, which is cheaper than merging two objects. */
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

/** Creates the error for a failure of the connection, before or after the headers. */
function transportFailed(error: unknown, host: string, started: UpstreamOutcome['started']): Error {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  return connectionFailed({ retry: 'later', started }, code, `The connection to ${host} failed: ${code}.`);
}

/** Returns the body as a Readable, for example for the content of a file. Destroying it closes the connection. */
export function readableOf(body: UpstreamBody): Readable {
  const readable = new Readable({
    read() {
      body.read().then(
        (bytes) => readable.push(bytes ?? null),
        (error: Error) => readable.destroy(error),
      );
    },
    destroy(error, done) {
      body.stop();
      done(error);
    },
  });
  return readable;
}

/**
 * Reads at most `maxBytes` of a body as text and discards the rest. If the body breaks off, returns what has arrived.
 */
export async function readText(body: UpstreamBody, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for (let bytes = await body.read(); bytes; bytes = await body.read()) {
      chunks.push(bytes);
      size += bytes.length;
      if (size >= maxBytes) break;
    }
  } catch {
    // The status alone is sufficient.
  }
  body.stop();
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
