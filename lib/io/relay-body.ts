import { Readable } from 'node:stream';

/** A response body that is forwarded as it arrives. */
export class PassingBody extends Readable {
  /** `onWanted`: more chunks may be passed. `onClose`: the stream is destroyed, which also happens at its end. */
  constructor(onWanted: () => void, onClose: () => void) {
    super({
      read: onWanted,
      destroy(error, done) {
        onClose();
        done(error);
      },
    });
  }

  /** Returns false when the consumer wants no more until `onWanted`. */
  pass(chunk: Buffer): boolean {
    return this.push(chunk);
  }
}
