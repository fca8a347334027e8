import type { Readable } from 'node:stream';
import type { Clock } from '../../../domain/clock';
import { isGatewayError, upstreamFailed } from '../../../domain/errors';
import { transportFailed, type UpstreamAnswer } from './http';
import { createSseReader, SseOverflow, type SseEvent } from './sse';

// The events of an upstream's answer, one batch for each read, so that one read can become one write.

export interface EventReading {
  readonly clock: Clock;
  /** The longest silence. Only our waiting counts, never the time that a slow caller takes. */
  readonly quietMs: number;
  /** Does this event end the silence? A ping does not: it says that the connection lives, not that the model works. */
  isProgress(event: SseEvent): boolean;
  readonly signal: AbortSignal;
  /** Has everything that matters come? Then the rest is let run out, so that the connection can be used again. */
  isOver?(): boolean;
}

/**
 * The events until the upstream ends; the caller judges whether that end was the right one. Rejects with `upstream_timeout`
 * after a silence, and otherwise as `Upstream.send` does. Ending the iteration closes the connection.
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
      // Safe: the body of an undici answer gives Buffers.
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

/** Behind its last event an upstream should end at once; one that does not is cut off. */
const DRAIN_TIMEOUT_MS = 1_000;

function runOut(body: Readable, clock: Clock): void {
  if (body.closed) return;
  const cancel = clock.after(DRAIN_TIMEOUT_MS, () => body.destroy());
  body.once('close', cancel).resume();
}
