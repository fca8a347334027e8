import { Readable } from 'node:stream';

/**
 * The body of an answer that is passed on as it comes. To most it is the Readable that it extends; who can write a chunk at
 * once, as a socket can, takes the chunks by `divert` past the stream's queue, which costs a short chunk more than all else
 * that is done with it.
 */
export class PassingBody extends Readable {
  readonly #onWanted: () => void;
  #write: ((chunk: Buffer) => boolean) | undefined;

  /** `onWanted`: more may be passed, again. `onClose`: the stream is destroyed, at its end too. */
  constructor(onWanted: () => void, onClose: () => void) {
    super({
      read: onWanted,
      destroy(error, done) {
        onClose();
        done(error);
      },
    });
    this.#onWanted = onWanted;
  }

  /** False: no more until it is wanted. */
  pass(chunk: Buffer): boolean {
    // Behind what waits in the queue, so that the order stays.
    return this.#write && this.readableLength === 0 ? this.#write(chunk) : this.push(chunk);
  }

  /**
   * From now on chunks go to `write`, which returns false when it has enough, as `Writable.write` does. What waits already, and
   * the end, come as they come from any Readable; so `resume` and its events are still to be listened to.
   */
  divert(write: (chunk: Buffer) => boolean): void {
    this.#write = write;
  }

  override resume(): this {
    super.resume();
    // A queue that was passed by does not ask for more.
    if (this.#write) this.#onWanted();
    return this;
  }
}
