// Sound between the caller and the upstream. The session pushes, the provider pulls; what lies between is bounded by the
// session, which asks `bytes` and makes the caller wait. Fifty pieces a second for every session go through here, so a piece
// that is waited for goes from the push to the reader without a stop.

export interface AudioQueue {
  push(piece: Uint8Array): void;
  /** No more will come; what lies here is still pulled. */
  finish(): void;
  /** Bytes that nobody has pulled yet. */
  bytes(): number;
  isFinished(): boolean;
  /**
   * For one attempt at a provider. First what `again` holds, then what comes. `pass` is asked before a piece that comes is
   * handed on; false ends the iteration.
   */
  read(options: { readonly again?: readonly Uint8Array[]; pass(piece: Uint8Array): boolean | Promise<boolean> }): AudioReading;
}

export interface AudioReading extends AsyncIterable<Uint8Array> {
  /** The attempt is over: it is given nothing any more, and a piece that it waits for stays here for the next one. */
  stop(): void;
}

type Result = IteratorResult<Uint8Array, undefined>;
const over: Result = { done: true, value: undefined };

export function createAudioQueue(onPulled: () => void): AudioQueue {
  const waiting: Uint8Array[] = [];
  let bytes = 0;
  let finished = false;
  /** The reader that has nothing to do. */
  let wake: (() => void) | undefined;
  const woken = () => {
    const wakes = wake;
    wake = undefined;
    wakes?.();
  };

  return {
    push(piece) {
      waiting.push(piece);
      bytes += piece.byteLength;
      woken();
    },
    finish() {
      finished = true;
      woken();
    },
    bytes: () => bytes,
    isFinished: () => finished,
    read({ again = [], pass }) {
      const replay = [...again];
      let isStopped = false;
      // Both are made once: a reader waits fifty times a second.
      let answer: ((result: Result | Promise<Result>) => void) | undefined;
      const deliver = () => {
        const answers = answer;
        answer = undefined;
        answers?.(take() ?? over);
      };
      const wait = (resolve: NonNullable<typeof answer>) => {
        answer = resolve;
        wake = deliver;
      };

      function take(): Result | Promise<Result> | undefined {
        if (isStopped) return over;
        const old = replay.shift();
        if (old) return { done: false, value: old };
        const piece = waiting.shift();
        if (!piece) return finished ? over : undefined;
        bytes -= piece.byteLength;
        const passed = pass(piece);
        return typeof passed === 'boolean' ? handOn(piece, passed) : passed.then((may) => handOn(piece, may));
      }

      function handOn(piece: Uint8Array, may: boolean): Result {
        if (!may) isStopped = true;
        if (isStopped) return over;
        onPulled();
        return { done: false, value: piece };
      }

      function stop(): void {
        isStopped = true;
        if (wake === deliver) woken();
      }

      return {
        stop,
        [Symbol.asyncIterator]: () => ({
          next() {
            const taken = take();
            return taken ? Promise.resolve(taken) : new Promise<Result>(wait);
          },
          return() {
            stop();
            return Promise.resolve(over);
          },
        }),
      };
    },
  };
}
