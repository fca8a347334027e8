import type { Readable } from 'node:stream';
import type { Clock } from '../../domain/clock';

// Client tools and balancers give up on silence, the shortest of them after 20 s. So a stream that says nothing for a while
// says at least that it lives. It is touched with every event, so touching only notes the time.

const PING_AFTER_MS = 10_000;
const PING = 'event: ping\ndata: {"type": "ping"}\n\n';
/** Before `message_start` a ping would be out of order; a comment keeps the line open. */
const COMMENT = ': keepalive\n\n';

export interface KeepAlive {
  /** Something was said just now. */
  touch(): void;
  /** Says now that the stream lives, for a caller who has waited long enough for the first byte. */
  ping(): void;
  stop(): void;
}

/** Begins at once. `hasStarted`: has `message_start` gone out? */
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
    // A caller who does not read is not silent for want of events.
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
