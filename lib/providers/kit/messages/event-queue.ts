// Events that several sources produce and one iteration reads: messages of a socket, results of workers, timers.

export interface EventQueue<Event> extends AsyncIterable<Event> {
  /** Ignored after the end. */
  push(event: Event): void;
  /** What was pushed is still read, then the iteration ends. */
  finish(): void;
  /** What was pushed is still read, then the iteration rejects. */
  fail(error: unknown): void;
  /** Events that nobody has read yet. */
  waiting(): number;
}

/** One reader; unbounded, so the producer must be bounded by what it reads. */
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
