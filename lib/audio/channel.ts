// The interface between a session and its socket, small enough for a test double or another kind of socket. Messages
// arrive through callbacks rather than iteration, because a session reacts immediately to four sources: the client, the
// upstream, timers and the operator.

export interface ChannelListener {
  /** Messages arrive in order. None arrives after `closed`. */
  message(data: string | Uint8Array): void;
  pong(): void;
  /** Called exactly once: the client disconnected, or the session closed or cut the channel. */
  closed(): void;
}

export interface Channel {
  /** Starts delivery; earlier messages have been queued. */
  listen(listener: ChannelListener): void;
  /** Does nothing once the channel is closing. */
  send(text: string): void;
  /** Bytes that were sent but have not left the process yet. */
  unsentBytes(): number;
  /**
   * Stops reading, which applies backpressure to the client; pongs are delayed too. A few messages may still arrive.
   */
  pause(): void;
  resume(): void;
  ping(): void;
  /** Sends a close frame. A client that does not answer it is disconnected after a timeout. */
  close(code: number, reason: string): void;
  /** Ends the connection without a close frame. */
  cut(): void;
}
