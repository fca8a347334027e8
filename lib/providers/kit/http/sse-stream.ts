import type { Readable } from 'node:stream';
import type { Clock } from '../../../domain/clock';
import { isGatewayError, upstreamFailed } from '../../../domain/errors';
import { transportFailed, type UpstreamAnswer } from './http';
import { createSseReader, SseOverflow, type SseEvent } from './sse';

// Reads the events of an upstream's response, one batch per read, so that one read can become one write.

export interface EventReading {
  readonly clock: Clock;
  /** The silence timeout. Measures only the time that we wait, not the time that a slow client takes. */
  readonly quietMs: number;
  /**
   * Returns whether this event resets the silence timeout. A ping does not: it proves that the connection works, not
   * that the model does.
   */
  isProgress(event: SseEvent): boolean;
  readonly signal: AbortSignal;
  /**
   * Returns whether everything relevant has arrived. The rest is then drained, so that the connection can be reused.
   */
  isOver?(): boolean;
}

/**
 * Yields the events until the upstream ends; the caller decides whether that end was the right one. Rejects with
 * `upstream_timeout` after a silence, and otherwise as `Upstream.send` does. Ending the iteration closes the
 * connection.
 */
export async function* readEvents(answer: UpstreamAnswer, reading: EventReading): AsyncGenerator<readonly SseEvent[]> {
  const { clock, quietMs, signal } = reading;
  const { body } = answer;
  const reader = createSseReader();
  let waitedMs = 0;
  try {
    const chunks = body[Symbol.asyncIterator]();
    for (;;) {
      const since = clock.nowMs();
      const cancel = clock.after(quietMs - waitedMs, () => {
        body.destroy(
          upstreamFailed({ retry: 'elsewhere', started: 'maybe' }, `Silent for ${quietMs} ms.`, 'upstream_timeout'),
        );
      });
      const next = await chunks.next().finally(cancel);
      // Safe: the body of an undici response yields Buffers.
      const events = next.done ? reader.end() : reader.push(next.value as Buffer);
      waitedMs = events.some((event) => reading.isProgress(event))
        ? 0
        : Math.min(quietMs, waitedMs + clock.nowMs() - since);
      if (events.length > 0) yield events;
      if (next.done) return;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (isGatewayError(error)) throw error;
    if (error instanceof SseOverflow) throw upstreamFailed({ retry: 'elsewhere', started: 'maybe' }, error.message);
    throw transportFailed(error);
  } finally {
    body.on('error', () => {});
    if (reading.isOver?.() && !signal.aborted) runOut(body, clock);
    else body.destroy();
  }
}

/** After its last event an upstream should close immediately; otherwise it is cut off. */
const DRAIN_TIMEOUT_MS = 1_000;

function runOut(body: Readable, clock: Clock): void {
  if (body.closed) return;
  const cancel = clock.after(DRAIN_TIMEOUT_MS, () => body.destroy());
  body.once('close', cancel).resume();
}
