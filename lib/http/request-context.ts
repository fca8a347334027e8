import type { Readable } from 'node:stream';
import type { HangUp } from '../domain/call';

// What a handler sees of HTTP: plain values, so that the same handler serves the custom server directly and a Next route file
// through `toWeb` (docs/decisions/one-handler-two-mounts.md).

export interface GatewayRequest {
  readonly method: string;
  /** Path without the query, as sent (still percent-encoded). */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names; repeated headers joined by a comma, as Node does. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The peer, or what a trusted proxy said of it. */
  readonly remoteAddress: string;
  /** That the caller has left, before the answer's end. */
  readonly hangUp: HangUp;
  /** The whole body, at most `maxBytes`; rejects with `request_too_large`. May be called once. */
  readBody(maxBytes: number): Promise<Buffer>;
}

export interface GatewayResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: no body. A stream is destroyed when the caller hangs up. */
  readonly body?: Buffer | string | Readable | undefined;
  /**
   * Told once, when the answer is out: `finished` if the last byte was handed to the network, else `closed` (the caller
   * hung up first). The direct mount only; a Next route cannot know.
   */
  readonly onEnd?: ((how: 'finished' | 'closed') => void) | undefined;
}
