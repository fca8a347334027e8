import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import type { RawData } from 'ws';
import type { Clock } from '../../../domain/clock';
import { connectionFailed, upstreamFailed } from '../../../domain/errors';
import type { GatewayError } from '../../../domain/errors';
import { parseRetryAfter } from '../../../io/retry-after';

// Turns a `ws` socket into a stream: messages in order, none lost at the end, none buffered without bound. The socket
// object is returned immediately and connects in the background, so that it can be closed at any time.

export interface SocketTarget {
  /** `wss://…`, from the configuration or already validated. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type FailureCode = 'upstream_invalid_response' | 'upstream_auth_failed' | 'upstream_timeout';

/** How the peer closed the socket. */
export interface SocketEnd {
  readonly code: number;
  readonly reason: string;
}

export interface UpstreamSocket {
  /**
   * Resolves to true when messages can be sent, to false if we closed it first. Rejects if the connection was refused.
   */
  readonly opened: Promise<boolean>;
  /**
   * The peer's messages, for one reader, once. Ends after the last message when either side closes the socket. Rejects
   * with the error given to `fail`, or if the connection failed.
   */
  readonly messages: AsyncIterable<string | Buffer>;
  /**
   * Like iterating `messages`, without a promise per message: calls `take` with each message, and waits for the promise
   * that `take` returns, if any. Settles as the iteration would end; rejects with what `take` threw.
   */
  flow(take: (message: string | Buffer) => Promise<void> | undefined): Promise<void>;
  /** Set when the peer has closed or the connection broke (code 1006). */
  readonly end: SocketEnd | undefined;
  /** Open, and neither side has started to close. */
  readonly isOpen: boolean;
  /**
   * Returns undefined while the backlog is small, and on a closed socket. Otherwise returns a promise that resolves,
   * never rejects, when the message is sent or the socket is closed.
   */
  send(message: string | Uint8Array): Promise<void> | undefined;
  /** Closes with code 1000 after pending messages; a peer that does not answer is cut off. Safe to repeat. */
  close(): void;
  /** Terminates the connection; the reader gets this error after the messages that have arrived. */
  fail(error: unknown): void;
}

/** Unread bytes at which the peer is paused, and at which it is resumed. */
const READ_HIGH = 256 * 1024;
const READ_LOW = 64 * 1024;
/** Unsent bytes at which `send` returns a promise. */
const WRITE_HIGH = 64 * 1024;
/** How long a peer may take to answer a close frame. */
const CLOSE_MS = 2_000;
/** Keeps the connection open through proxies and detects a dead peer within two pings. */
const PING_MS = 30_000;
const MAX_RETRY_AFTER_MS = 3_600_000;
/** Far above what any upstream sends in one message. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

const abnormal: SocketEnd = { code: 1006, reason: '' };

/** Opens a WebSocket to a vendor. Failures are reported by the socket that it returns. */
export function connectSocket(target: SocketTarget, deps: { readonly clock: Clock }): UpstreamSocket {
  let socket: WebSocket;
  try {
    // Without compression: it costs 245 KB per session and gains nothing on audio.
    socket = new WebSocket(target.url, {
      headers: { ...target.headers },
      perMessageDeflate: false,
      maxPayload: MAX_MESSAGE_BYTES,
    });
  } catch (error) {
    // A header contains characters that cannot be sent, such as a line break in a key.
    // Safe: `ws` and Node throw errors.
    return unopened(neverOpened(error as Error, target));
  }
  const waiting: { readonly data: string | Buffer; readonly bytes: number }[] = [];
  let waitingBytes = 0;
  let isPaused = false;
  let isOver = false;
  let isClosedHere = false;
  let end: SocketEnd | undefined;
  let failure: { readonly error: unknown } | undefined;
  let wake: (() => void) | undefined;
  let cancelCut: (() => void) | undefined;
  let cancelPing: (() => void) | undefined;
  let isAlive = true;
  let hasOpened = false;

  let resolveOpened: (isOpen: boolean) => void;
  let rejectOpened: (error: unknown) => void;
  const opened = new Promise<boolean>((resolve, reject) => {
    resolveOpened = resolve;
    rejectOpened = reject;
  });
  // A caller that only reads gets the error from `messages`.
  opened.catch(() => {});

  function finish(): void {
    isOver = true;
    cancelPing?.();
    if (failure) rejectOpened(failure.error);
    else resolveOpened(false);
    wake?.();
  }

  function cut(): void {
    // A paused stream would never report its end.
    if (isPaused) socket.resume();
    socket.terminate();
  }

  function ping(): void {
    cancelPing = deps.clock.after(PING_MS, () => {
      // While paused we do not receive pongs.
      if (!isAlive && !isPaused)
        return fail(
          upstreamFailed(
            { retry: 'elsewhere', started: 'maybe' },
            'The socket does not answer a ping.',
            'upstream_timeout',
          ),
        );
      isAlive = false;
      socket.ping();
      ping();
    });
  }

  function fail(error: unknown): void {
    if (isOver) return;
    isClosedHere = true;
    failure ??= { error };
    cut();
    finish();
  }

  socket.on('open', () => {
    hasOpened = true;
    resolveOpened(true);
    if (!isOver) ping();
  });
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.on('message', (data: RawData, isBinary: boolean) => {
    isAlive = true;
    if (isOver) return;
    const bytes = Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
    waiting.push({ data: isBinary ? bytes : bytes.toString('utf8'), bytes: bytes.byteLength });
    waitingBytes += bytes.byteLength;
    if (waitingBytes > READ_HIGH && !isPaused) {
      isPaused = true;
      socket.pause();
    }
    wake?.();
  });
  socket.on('unexpected-response', (_request, response) => {
    failure ??= { error: refusedByStatus('upgrade', response, deps.clock.now()) };
    response.destroy();
    socket.terminate();
    finish();
  });
  // Every error is followed by a close event, which handles it; without a listener the error would end the process.
  socket.on('error', (error) => {
    if (!hasOpened && !isOver) {
      failure ??= { error: neverOpened(error, target) };
      finish();
    }
  });
  socket.on('close', (code, reason) => {
    cancelCut?.();
    if (!isClosedHere) end = code === 1006 ? abnormal : { code, reason: reason.toString('utf8') };
    finish();
  });

  /** Returns the next message if one has arrived. */
  function pull(): string | Buffer | undefined {
    const message = waiting.shift();
    if (message === undefined) return undefined;
    waitingBytes -= message.bytes;
    if (isPaused && waitingBytes < READ_LOW) {
      isPaused = false;
      socket.resume();
    }
    return message.data;
  }

  async function* read(): AsyncGenerator<string | Buffer> {
    for (;;) {
      const message = pull();
      if (message !== undefined) {
        yield message;
      } else if (failure) {
        throw failure.error;
      } else if (isOver) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = undefined;
      }
    }
  }

  function flow(take: (message: string | Buffer) => Promise<void> | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const goOn = () => {
        wake = undefined;
        try {
          for (;;) {
            const message = pull();
            if (message === undefined) {
              if (failure) reject(failure.error);
              else if (isOver) resolve();
              else wake = goOn;
              return;
            }
            const taking = take(message);
            if (taking) return void taking.then(goOn, reject);
          }
        } catch (error) {
          reject(error);
        }
      };
      goOn();
    });
  }

  return {
    opened,
    messages: read(),
    flow,
    get end() {
      return end;
    },
    get isOpen() {
      return socket.readyState === WebSocket.OPEN && !isOver;
    },
    send(message) {
      if (socket.readyState !== WebSocket.OPEN || isOver) return undefined;
      if (socket.bufferedAmount <= WRITE_HIGH) {
        socket.send(message);
        return undefined;
      }
      return new Promise((resolve) => {
        // The callback is also called, with an error, if the socket closes first.
        socket.send(message, () => resolve());
      });
    },
    close() {
      if (isClosedHere || isOver) return;
      isClosedHere = true;
      if (socket.readyState === WebSocket.CONNECTING) cut();
      else {
        if (isPaused) socket.resume();
        socket.close(1000);
        cancelCut = deps.clock.after(CLOSE_MS, cut);
      }
      finish();
    },
    fail,
  };
}

/** Returns the error for a socket that could not be opened. */
function neverOpened(error: Error, { url }: SocketTarget): GatewayError {
  const code =
    'code' in error && typeof error.code === 'string' && /^[A-Z_0-9]+$/.test(error.code) ? error.code : error.name;
  return connectionFailed(
    { retry: 'elsewhere', started: 'no' },
    code,
    `The socket to ${new URL(url).host} could not be opened: ${code}.`,
  );
}

/** Returns a socket that has failed before it was connected. */
function unopened(error: GatewayError): UpstreamSocket {
  const opened = Promise.reject<boolean>(error);
  opened.catch(() => {});
  return {
    opened,
    messages: { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject<never>(error) }) },
    flow: () => Promise.reject(error),
    end: undefined,
    isOpen: false,
    send: () => undefined,
    close() {},
    fail() {},
  };
}

/**
 * Returns the error for an answer that refuses a request, or the upgrade to a socket, by its HTTP status. Nothing has
 * started upstream.
 */
export function refusedByStatus(
  what: 'request' | 'upgrade',
  answer: Pick<IncomingMessage, 'headers' | 'statusCode'>,
  now: Date,
): GatewayError {
  const { statusCode: status = 0 } = answer;
  const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], now, MAX_RETRY_AFTER_MS);
  const outcome = { retry: 'elsewhere', started: 'no', ...(retryAfterMs !== undefined && { retryAfterMs }) } as const;
  return upstreamFailed(outcome, `The ${what} was answered with ${status}.`, failureOfStatus(status));
}

/** Returns the public error code for a status of an upstream, over HTTP or in a message. */
export function failureOfStatus(status: number): FailureCode {
  if (status === 401 || status === 402 || status === 403) return 'upstream_auth_failed';
  return status === 408 || status === 504 ? 'upstream_timeout' : 'upstream_invalid_response';
}

/** Describes a socket's end for the log: the code, and the reason only if it is a single word such as `NET-0001`. */
export function describeEnd(end: SocketEnd | undefined): string {
  if (!end) return 'The socket ended.';
  return `The socket was closed with ${end.code}${/^[A-Za-z0-9_-]{1,40}$/.test(end.reason) ? ` ${end.reason}` : ''}.`;
}
