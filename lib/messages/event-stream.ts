import { Readable } from 'node:stream';
import type { Cancel, Clock } from '../domain/clock';
import type { MessageEvent } from '../domain/messages';

// An answer on its way to the caller as server-sent events. One batch of events is one write. Nothing is read from the
// provider while the caller is slow, so that a thousand slow readers cost no memory.

/** Client tools and balancers give up on silence; the shortest of their limits is 20 s. */
const PING_AFTER_MS = 10_000;
const PING = 'event: ping\ndata: {"type": "ping"}\n\n';
/** Before `message_start` a ping would be out of order; a comment keeps the line open. */
const COMMENT = ': keepalive\n\n';

export interface EventStreamSource {
  readonly clock: Clock;
  /** The next batch; undefined at the end. Rejections are told by `onError`. */
  next(): Promise<readonly MessageEvent[] | undefined>;
  /** The last event for the caller, of an answer that failed; undefined when nobody is left to read it. */
  onError(error: unknown): string | undefined;
  /** Once, when the answer is over in whichever way. */
  onEnd(how: 'finished' | 'closed'): void;
}

export function createEventStream(source: EventStreamSource): Readable {
  const { clock } = source;
  let isPulling = false;
  let hasStarted = false;
  let isOver = false;
  let cancelPing: Cancel | undefined;

  const over = (how: 'finished' | 'closed') => {
    if (isOver) return;
    isOver = true;
    cancelPing?.();
    source.onEnd(how);
  };
  const stream = new Readable({
    read: () => void pull(),
    destroy(error, done) {
      over('closed');
      done(error);
    },
  });

  function awaitSilence(): void {
    cancelPing?.();
    cancelPing = clock.after(PING_AFTER_MS, () => {
      if (isOver) return;
      // A caller who does not read is not silent for want of events.
      if (stream.readableLength === 0) stream.push(hasStarted ? PING : COMMENT);
      awaitSilence();
    });
  }

  async function pull(): Promise<void> {
    if (isPulling) return;
    isPulling = true;
    awaitSilence();
    try {
      for (;;) {
        const batch = await source.next();
        if (stream.destroyed) return;
        if (!batch) return finish();
        hasStarted = true;
        const isLast = batch.at(-1)?.type === 'message_stop';
        if (!isLast) awaitSilence();
        const hasRoom = stream.push(eventsText(batch));
        // Nothing follows it: the end goes out with it, in the same write.
        if (isLast) return finish();
        if (!hasRoom) return;
      }
    } catch (error) {
      const last = source.onError(error);
      if (stream.destroyed) return;
      if (last !== undefined) stream.push(last);
      finish();
    } finally {
      isPulling = false;
    }
  }

  function finish(): void {
    over('finished');
    stream.push(null);
  }

  return stream;
}

/** Events as they stand on the wire. */
function eventsText(batch: readonly MessageEvent[]): string {
  let text = '';
  for (const event of batch) text += `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  return text;
}

/** The last event of an answer that failed after it had begun; `body` is one line of JSON. */
export function errorEventText(body: string): string {
  return `event: error\ndata: ${body}\n\n`;
}
