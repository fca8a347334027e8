import type { Channel, ChannelListener } from '../../audio/channel';

/** The client's side of a session's channel, in this process instead of behind a socket. */
export interface MemoryChannel {
  /** The session's side. */
  readonly channel: Channel;
  send(message: unknown): void;
  /** Resolves when the session is ready for more data. */
  sendBinary(data: Uint8Array): Promise<void>;
  /** Yields the messages of the session until it closes the channel. */
  messages(): AsyncGenerator<unknown, void, undefined>;
  /** Disconnects. */
  leave(): void;
}

export function createMemoryChannel(): MemoryChannel {
  const received: string[] = [];
  let listener: ChannelListener | undefined;
  let isClosed = false;
  let isPaused = false;
  let wake: (() => void) | undefined;
  const waiting: (() => void)[] = [];

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    resume();
    wake?.();
    listener?.closed();
  }

  function resume(): void {
    isPaused = false;
    for (const go of waiting.splice(0)) go();
  }

  return {
    channel: {
      listen: (given) => void (listener = given),
      send(text) {
        if (isClosed) return;
        received.push(text);
        wake?.();
      },
      unsentBytes: () => received.reduce((sum, text) => sum + text.length, 0),
      pause: () => void (isPaused = true),
      resume,
      ping: () => listener?.pong(),
      // Deferred, as with a socket: the session calls this in the middle of its own work.
      close: () => queueMicrotask(close),
      cut: close,
    },
    send(message) {
      if (!isClosed) listener?.message(JSON.stringify(message));
    },
    async sendBinary(data) {
      if (isPaused) await new Promise<void>((go) => waiting.push(go));
      if (!isClosed) listener?.message(data);
    },
    async *messages() {
      for (;;) {
        const text = received.shift();
        if (text !== undefined) yield JSON.parse(text) as unknown;
        else if (isClosed) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    leave: close,
  };
}
