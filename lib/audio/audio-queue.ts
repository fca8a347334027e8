import type { SoundSource } from '../domain/transcription';

// Sound between the caller and the upstream. The session pushes, the provider pulls; what lies between is bounded by the
// session, which asks `bytes` and makes the caller wait. Fifty pieces a second for every session go through here, so a piece
// that is waited for goes from the push to the reader without a stop, and what is looked at for it lies together: with
// hundreds of sessions each look at another object is a wait for the memory.

export interface AudioQueue {
  push(piece: Uint8Array): void;
  /** No more will come; what lies here is still pulled. */
  finish(): void;
  /** Bytes that nobody has pulled yet. */
  bytes(): number;
  isFinished(): boolean;
  /**
   * For one attempt at a provider. First what `again` holds, then what comes. `pass` is asked before a piece that comes is
   * handed on; false ends the reading.
   */
  read(options: ReadOptions): AudioReading;
}

interface ReadOptions {
  readonly again?: readonly Uint8Array[];
  pass(piece: Uint8Array): boolean | Promise<boolean>;
}

export interface AudioReading extends Required<SoundSource> {
  /** The attempt is over: it is given nothing any more, and a piece that it waits for stays here for the next one. */
  stop(): void;
}

export function createAudioQueue(onPulled: () => void): AudioQueue {
  return new Queue(onPulled);
}

class Queue implements AudioQueue {
  readonly #onPulled: () => void;
  readonly #waiting: Uint8Array[] = [];
  #bytes = 0;
  #isFinished = false;
  /** The reading that has nothing to do. */
  #idle: Reading | undefined;

  constructor(onPulled: () => void) {
    this.#onPulled = onPulled;
  }

  push(piece: Uint8Array): void {
    this.#waiting.push(piece);
    this.#bytes += piece.byteLength;
    this.#wake();
  }

  finish(): void {
    this.#isFinished = true;
    this.#wake();
  }

  bytes(): number {
    return this.#bytes;
  }

  isFinished(): boolean {
    return this.#isFinished;
  }

  read({ again = [], pass }: ReadOptions): AudioReading {
    return new Reading(this, [...again], pass);
  }

  /** The next piece; undefined: none is here. */
  pull(): Uint8Array | undefined {
    const piece = this.#waiting.shift();
    if (piece) this.#bytes -= piece.byteLength;
    return piece;
  }

  pulled(): void {
    this.#onPulled();
  }

  /** Until something has come, or the reading is stopped. */
  wait(reading: Reading): void {
    this.#idle = reading;
  }

  stopWaiting(reading: Reading): void {
    if (this.#idle === reading) this.#wake();
  }

  #wake(): void {
    const idle = this.#idle;
    this.#idle = undefined;
    idle?.wake();
  }
}

/** What a reading finds: a piece, perhaps later; or that there is none now, or none any more. */
type Found = Uint8Array | 'none' | 'over';

type Result = IteratorResult<Uint8Array, undefined>;
const over: Result = { done: true, value: undefined };
const resultOf = (found: Found): Result => (typeof found === 'string' ? over : { done: false, value: found });

class Reading implements AudioReading {
  readonly #queue: Queue;
  readonly #again: Uint8Array[];
  readonly #pass: ReadOptions['pass'];
  #isStopped = false;
  /** Goes on with whoever reads. */
  #goOn: (() => void) | undefined;

  constructor(queue: Queue, again: Uint8Array[], pass: ReadOptions['pass']) {
    this.#queue = queue;
    this.#again = again;
    this.#pass = pass;
  }

  stop(): void {
    this.#isStopped = true;
    this.#queue.stopWaiting(this);
  }

  wake(): void {
    this.#goOn?.();
  }

  flow(take: (piece: Uint8Array) => Promise<void> | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      // Made once, and not with every piece: a reader waits fifty times a second.
      const later = (found: Found) => handOn(found) && goOn();
      const goOn = () => {
        try {
          for (;;) {
            const found = this.#find();
            if (found instanceof Promise) return void found.then(later).catch(reject);
            if (!handOn(found)) return;
          }
        } catch (error) {
          reject(error);
        }
      };
      /** Is there more to do now? */
      const handOn = (found: Found): boolean => {
        if (found === 'over') resolve();
        else if (found === 'none') this.#queue.wait(this);
        else {
          const taking = take(found);
          if (!taking) return true;
          taking.then(goOn, reject);
        }
        return false;
      };
      this.#goOn = goOn;
      goOn();
    });
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    const result = (): Result | Promise<Result> | undefined => {
      const found = this.#find();
      if (found instanceof Promise) return found.then(resultOf);
      return found === 'none' ? undefined : resultOf(found);
    };
    return {
      next: () => {
        const now = result();
        if (now) return Promise.resolve(now);
        return new Promise((resolve) => {
          // Nobody wakes it for nothing.
          this.#goOn = () => resolve(result() ?? over);
          this.#queue.wait(this);
        });
      },
      return: () => {
        this.stop();
        return Promise.resolve(over);
      },
    };
  }

  #find(): Found | Promise<Found> {
    if (this.#isStopped) return 'over';
    const old = this.#again.shift();
    if (old) return old;
    const piece = this.#queue.pull();
    if (!piece) return this.#queue.isFinished() ? 'over' : 'none';
    const passed = this.#pass(piece);
    return typeof passed === 'boolean' ? this.#passed(piece, passed) : passed.then((may) => this.#passed(piece, may));
  }

  #passed(piece: Uint8Array, may: boolean): Found {
    if (!may) this.#isStopped = true;
    if (this.#isStopped) return 'over';
    this.#queue.pulled();
    return piece;
  }
}
