// The socket as a session sees it: small enough that a test, or another kind of socket, can stand in for it. Messages come by
// call and not by iteration, because a session has four sources (the caller, the upstream, timers, the operator) and must
// decide between them at once.

export interface ChannelListener {
  /** In order. Nothing comes after `closed`. */
  message(data: string | Uint8Array): void;
  pong(): void;
  /** Exactly once: the other side is gone, or the channel was closed or cut from here. */
  closed(): void;
}

export interface Channel {
  /** Begins delivery; what came before waits. */
  listen(listener: ChannelListener): void;
  /** Ignored once the channel is closing. */
  send(text: string): void;
  /** Bytes that were sent and have not left the process yet. */
  unsentBytes(): number;
  /** Stops reading, so that the other side has to wait; pongs wait too. Some messages may still come. */
  pause(): void;
  resume(): void;
  ping(): void;
  /** Says goodbye; a side that does not answer is cut off after a while. */
  close(code: number, reason: string): void;
  /** Ends the connection without a word. */
  cut(): void;
}
