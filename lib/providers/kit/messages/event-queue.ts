// A queue of events from several sources (socket messages, worker results, timers) for one reader.

export interface EventQueue<Event> extends AsyncIterable<Event> {
  /** Does nothing after the end. */
  push(event: Event): void;
  /** Ends the iteration after the queued events. */
  finish(): void;
  /** Rejects the iteration after the queued events. */
  fail(error: unknown): void;
  /** The number of unread events. */
  waiting(): number;
}

/** Creates a queue for one reader. It is unbounded, so the producer must bound its input. */
export function createEventQueue<Event>(): EventQueue<Event> {
  const events: Event[] = [];
  let end: { readonly error?: unknown } | undefined;
  let wake: (() => void) | undefined;
  const woken = () => {
    wake?.();
    wake = undefined;
  };
  return {
    push(event) {
      if (end) return;
      events.push(event);
      woken();
    },
    finish() {
      end ??= {};
      woken();
    },
    fail(error) {
      end ??= { error };
      woken();
    },
    waiting: () => events.length,
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const event = events.shift();
        if (event !== undefined) yield event;
        else if (end) {
          if ('error' in end) throw end.error;
          return;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
  };
}
