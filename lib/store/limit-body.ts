import { addAbortSignal, pipeline, Transform, type Readable } from 'node:stream';
import { GatewayError } from '../domain/errors';

/** A body that counts its bytes. */
export interface LimitedBody {
  readonly body: Readable;
  /** Returns the bytes of the file that have passed so far, including those before the body. */
  bytes(): number;
}

/**
 * Passes a stream on. Fails, and destroys the source, if the file is longer than `maxBytes` (`media_too_large`) or the
 * signal aborts. Fails too if the source ends before it is complete. `start` is the offset of the stream in the file.
 */
export function limitBody(source: Readable, maxBytes: number, signal: AbortSignal, start = 0): LimitedBody {
  let bytes = start;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(tooLarge(maxBytes));
      else done(null, chunk);
    },
  });
  // No error handling here: a failure of either stream reaches the reader of `counted`.
  pipeline(source, counted, () => {});
  return { body: addAbortSignal(signal, counted), bytes: () => bytes };
}

export function isTooLarge(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'media_too_large';
}

function tooLarge(maxBytes: number): GatewayError {
  // Not retried: the file would be as large the next time.
  return new GatewayError('media_too_large', `The file is larger than ${maxBytes} bytes.`, {
    upstream: { retry: 'never', started: 'no' },
  });
}
