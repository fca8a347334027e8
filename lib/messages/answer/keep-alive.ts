import type { Readable } from 'node:stream';
import type { Clock } from '../../domain/clock';

// Clients and load balancers close silent connections, the strictest after 20 s. A stream without events for
// PING_AFTER_MS therefore sends a ping. `touch` runs for every event, so it only records the time.

const PING_AFTER_MS = 10_000;
const PING = 'event: ping\ndata: {"type": "ping"}\n\n';
/** A ping before `message_start` would violate the event order; an SSE comment keeps the connection open instead. */
const COMMENT = ': keepalive\n\n';

export interface KeepAlive {
  /** Records that something was sent just now. */
  touch(): void;
  /** Sends a ping now, for a client that has waited long enough for its first byte. */
  ping(): void;
  stop(): void;
}

/** Starts immediately. `hasStarted` returns whether `message_start` was sent. */
export function createKeepAlive(clock: Clock, stream: Readable, hasStarted: () => boolean): KeepAlive {
  let touchedAtMs = clock.nowMs();
  let cancel = watch(PING_AFTER_MS);

  function watch(ms: number) {
    return clock.after(ms, () => {
      const silentMs = clock.nowMs() - touchedAtMs;
      if (silentMs < PING_AFTER_MS) cancel = watch(PING_AFTER_MS - silentMs);
      else {
        ping();
        cancel = watch(PING_AFTER_MS);
      }
    });
  }

  function ping(): void {
    // If the client is not reading, events are already buffered and a ping would not help.
    if (stream.readableLength === 0) stream.push(hasStarted() ? PING : COMMENT);
    touchedAtMs = clock.nowMs();
  }

  return {
    touch() {
      touchedAtMs = clock.nowMs();
    },
    ping,
    stop: () => cancel(),
  };
}
