import type { Readable } from 'node:stream';
import { newId } from '../domain/ids';
import type { BodyShare } from '../limits/body-budget';

// A request and a response as handlers see them: plain values, so that the same handler runs directly behind the custom
// server and behind a Next route file through `toWeb` (docs/decisions/one-handler-two-mounts.md).

export interface GatewayRequest {
  readonly method: string;
  /** Path without the query, as sent (still percent-encoded). */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names; repeated headers joined by a comma, as Node does. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The socket's peer, or the client address from a trusted proxy. */
  readonly remoteAddress: string;
  /**
   * Aborts when the client disconnects before the end of the response. The next request of the connection may have the
   * same signal, so a listener must be removed when its work has ended.
   */
  readonly signal: AbortSignal;
  /** Aborts `signal`, for a handler that ends its own work early. */
  abort(reason: unknown): void;
  /** Sets where the bytes of the body are counted. Called before the handler. */
  countBody(open: () => BodyShare): void;
  /**
   * Reads the whole body, at most `maxBytes`; rejects with `request_too_large`, and as `BodyShare.grow` throws. May be
   * called once.
   */
  readBody(maxBytes: number): Promise<Buffer>;
}

export interface GatewayResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: no body. A stream is destroyed when the client disconnects. */
  readonly body?: Buffer | string | Readable | undefined;
  /**
   * Called once when the response ends: `finished` if the last byte was handed to the network, `closed` if the client
   * disconnected first. Called only by the custom server, because a Next route cannot know.
   */
  readonly onEnd?: ((how: 'finished' | 'closed') => void) | undefined;
}

export function isStream(body: Buffer | string | Readable): body is Readable {
  return typeof body !== 'string' && !Buffer.isBuffer(body);
}

const HARMLESS = /^[\w-]{8,64}$/;

/** Returns the client's own request id if it is safe in a header and a log; otherwise a new one. */
export function requestIdOf(header: string | undefined): string {
  return header !== undefined && HARMLESS.test(header) ? header : newId('request');
}
