import { Readable } from 'node:stream';

/**
 * A response body that is forwarded as it arrives. It is a Readable for most consumers. A consumer that can write a
 * chunk immediately, such as a socket, receives the chunks through `divert`, which bypasses the stream's queue: the
 * queue costs more than everything else that is done with a short chunk.
 */
export class PassingBody extends Readable {
  readonly #onWanted: () => void;
  #write: ((chunk: Buffer) => boolean) | undefined;

  /** `onWanted`: more chunks may be passed. `onClose`: the stream is destroyed, which also happens at its end. */
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

  /** Returns false when the consumer wants no more until `onWanted`. */
  pass(chunk: Buffer): boolean {
    // After the queued chunks, to keep the order.
    return this.#write && this.readableLength === 0 ? this.#write(chunk) : this.push(chunk);
  }

  /**
   * Sends further chunks to `write`, which returns false when it has enough, as `Writable.write` does. Chunks that are
   * already queued, and the end, arrive as from any Readable, so its events must still be handled.
   */
  divert(write: (chunk: Buffer) => boolean): void {
    this.#write = write;
  }

  override resume(): this {
    super.resume();
    // A bypassed queue does not call `read` again by itself.
    if (this.#write) this.#onWanted();
    return this;
  }
}
