import { Readable } from 'node:stream';

/**
 * A response body that is forwarded as it arrives. It is a Readable. A consumer that can write a chunk at once, such as
 * a socket, takes the chunks with `passTo`, past the queue of the Readable (docs/performance.md says what that saves).
 */
export class RelayBody extends Readable {
  readonly #onWanted: () => void;
  #write: ((chunk: Buffer) => boolean) | undefined;

  /**
   * `onWanted`: more chunks may be passed. `onClose`: the stream is destroyed, which also happens at its end.
   * `highWaterMark`: bytes that are wanted before there is a consumer, by default those of every stream.
   */
  constructor(onWanted: () => void, onClose: () => void, highWaterMark?: number) {
    super({
      ...(highWaterMark !== undefined && { highWaterMark }),
      read: onWanted,
      destroy(error, done) {
        onClose();
        done(error);
      },
    });
    this.#onWanted = onWanted;
  }

  /** Passes a chunk to the consumer. Returns false if it wants no more before `onWanted` is called. */
  pass(chunk: Buffer): boolean {
    // While chunks are queued, this one joins the queue, which keeps them in order.
    return this.#write && this.readableLength === 0 ? this.#write(chunk) : this.push(chunk);
  }

  /**
   * From now on chunks go to `write`, which returns false when it wants no more until `resume`. Chunks that are queued
   * already, and the end, still come as events of the Readable.
   */
  passTo(write: (chunk: Buffer) => boolean): void {
    this.#write = write;
  }

  override resume(): this {
    super.resume();
    // A Readable with an empty queue does not request more by itself.
    if (this.#write) this.#onWanted();
    return this;
  }
}
