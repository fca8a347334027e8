import { Readable } from 'node:stream';
import type { Clock } from '../../domain/clock';
import type { MessageEvent } from '../../domain/messages';
import { createKeepAlive, type KeepAlive } from './keep-alive';

// An answer on its way to the caller as server-sent events. One batch of events is one write. Nothing is read from the
// provider while the caller is slow, so that a thousand slow readers cost no memory.

export interface EventStreamSource {
  readonly clock: Clock;
  /** Nothing has been said for so long that the first byte must not wait any longer. */
  readonly isLate: boolean;
  /** The next batch; undefined at the end. Rejections are told by `onError`. */
  next(): Promise<readonly MessageEvent[] | undefined>;
  /** The last event for the caller, of an answer that failed. */
  onError(error: unknown): string;
  /** Once, when the answer is over in whichever way. */
  onEnd(how: 'finished' | 'closed'): void;
}

export interface EventStream {
  readonly stream: Readable;
  /** Ends it with this error, at once and also when the caller does not read. */
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
        // Nothing follows it: the end goes out with it, in the same write.
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
    // A caller who has left is the reason for the error, and does not read it.
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
