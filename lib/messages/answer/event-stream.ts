import { Readable } from 'node:stream';
import type { Clock } from '../../domain/clock';
import type { MessageEvent } from '../../domain/messages';
import { createKeepAlive, type KeepAlive } from './keep-alive';

// Sends an answer to the client as server-sent events. One batch of events is one write. While the client reads slowly
// nothing is read from the provider, so slow clients cost no memory.

export interface EventStreamSource {
  readonly clock: Clock;
  /** The commit timeout elapsed without content: send the first byte now. */
  readonly isLate: boolean;
  /** The next batch; undefined at the end. A rejection is passed to `onError`. */
  next(): Promise<readonly MessageEvent[] | undefined>;
  /** Returns the error event that ends a failed answer. */
  onError(error: unknown): string;
  /** Called exactly once when the answer is over, however it ended. */
  onEnd(how: 'finished' | 'closed'): void;
}

export interface EventStream {
  readonly stream: Readable;
  /** Ends the stream with this error immediately, even while the client is not reading. */
  fail(error: unknown): void;
}

export function createEventStream(source: EventStreamSource): EventStream {
  let isPulling = false;
  let hasStarted = false;
  let isOver = false;
  let keepAlive: KeepAlive | undefined;

  const over = (how: 'finished' | 'closed') => {
    if (isOver) return;
    isOver = true;
    keepAlive?.stop();
    source.onEnd(how);
  };
  const stream = new Readable({
    read: () => void pull(),
    destroy(error, done) {
      over('closed');
      done(error);
    },
  });

  async function pull(): Promise<void> {
    if (isPulling) return;
    isPulling = true;
    if (!keepAlive) {
      keepAlive = createKeepAlive(source.clock, stream, () => hasStarted);
      if (source.isLate) keepAlive.ping();
    }
    keepAlive.touch();
    try {
      for (;;) {
        const batch = await source.next();
        if (stream.destroyed || isOver) return;
        if (!batch) return finish();
        hasStarted = true;
        keepAlive.touch();
        const hasRoom = stream.push(eventsText(batch));
        // `message_stop` is the last event, so the end of the stream goes out in the same write.
        if (batch.at(-1)?.type === 'message_stop') return finish();
        if (!hasRoom) return;
      }
    } catch (error) {
      fail(error);
    } finally {
      isPulling = false;
    }
  }

  function fail(error: unknown): void {
    // The stream failed because the client disconnected; there is no one to send the error to.
    if (isOver) return;
    stream.push(source.onError(error));
    finish();
  }

  function finish(): void {
    over('finished');
    stream.push(null);
  }

  return { stream, fail };
}

/** Serializes events to their wire form. */
function eventsText(batch: readonly MessageEvent[]): string {
  let text = '';
  for (const event of batch) text += `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  return text;
}

/** The error event of an answer that failed after it had started; `body` is one line of JSON. */
export function errorEventText(body: string): string {
  return `event: error\ndata: ${body}\n\n`;
}
