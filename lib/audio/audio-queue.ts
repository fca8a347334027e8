import type { AudioSource } from '../domain/transcription';

// The audio between the client and the upstream. The session pushes and the provider pulls. The session bounds the
// queue: it checks `bytes` and applies backpressure to the client. Fifty pieces per second and session pass through. So
// a piece that a reader waits for goes synchronously from the push to the reader, and the queue's state is contiguous
// in memory: with hundreds of sessions, each access to another object is a cache miss.

export interface AudioQueue {
  push(piece: Uint8Array): void;
  /** No more audio will come; queued audio can still be pulled. */
  finish(): void;
  /** Bytes that have not been pulled yet. */
  bytes(): number;
  isFinished(): boolean;
  /**
   * Starts the reading of one provider attempt: first the pieces of `again`, then the queue. `pass` is called before a
   * queued piece is handed on; if it returns false, the reading ends.
   */
  read(options: ReadOptions): AudioReading;
}

interface ReadOptions {
  readonly again?: readonly Uint8Array[];
  pass(piece: Uint8Array): boolean | Promise<boolean>;
}

export interface AudioReading extends Required<AudioSource> {
  /** Ends the attempt's reading. A piece that it waits for stays in the queue for the next attempt. */
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
  /** The reading that waits for a piece. */
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

  /** Returns the next piece, or undefined if the queue is empty. */
  pull(): Uint8Array | undefined {
    const piece = this.#waiting.shift();
    if (piece) this.#bytes -= piece.byteLength;
    return piece;
  }

  pulled(): void {
    this.#onPulled();
  }

  /** Waits until a piece arrives or the reading is stopped. */
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

/** The result of a pull: a piece (perhaps later), no piece now, or the end. */
type Found = Uint8Array | 'none' | 'over';

type Result = IteratorResult<Uint8Array, undefined>;
const over: Result = { done: true, value: undefined };
const resultOf = (found: Found): Result => (typeof found === 'string' ? over : { done: false, value: found });

class Reading implements AudioReading {
  readonly #queue: Queue;
  readonly #again: Uint8Array[];
  readonly #pass: ReadOptions['pass'];
  #isStopped = false;
  /** Resumes the waiting reader. */
  #resume: (() => void) | undefined;

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
    this.#resume?.();
  }

  flow(take: (piece: Uint8Array) => Promise<void> | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      // Created once rather than per piece: a reader waits fifty times per second.
      const later = (found: Found) => deliver(found) && resume();
      const resume = () => {
        try {
          for (;;) {
            const found = this.#find();
            if (found instanceof Promise) return void found.then(later).catch(reject);
            if (!deliver(found)) return;
          }
        } catch (error) {
          reject(error);
        }
      };
      /** Returns whether the reader can continue immediately. */
      const deliver = (found: Found): boolean => {
        if (found === 'over') resolve();
        else if (found === 'none') this.#queue.wait(this);
        else {
          const taking = take(found);
          if (!taking) return true;
          taking.then(resume, reject);
        }
        return false;
      };
      this.#resume = resume;
      resume();
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
          // Called only when there is a piece or the reading is over.
          this.#resume = () => resolve(result() ?? over);
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
