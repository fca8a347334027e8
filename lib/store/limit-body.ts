import { addAbortSignal, pipeline, Transform, type Readable } from 'node:stream';
import { GatewayError } from '../domain/errors';

/** A body that counts its bytes. */
export interface LimitedBody {
  readonly body: Readable;
  /** Bytes of the file that have passed so far, with those before the body. */
  bytes(): number;
}

/**
 * Passes a stream on until the file is longer than `maxBytes` (`media_too_large`) or the signal aborts; then it fails,
 * and its source is destroyed. A source that ends before it is complete makes it fail, too. `start` is the place of the
 * stream in the file.
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
  // The failure of either stream reaches the reader of `counted`.
  pipeline(source, counted, () => {});
  return { body: addAbortSignal(signal, counted), bytes: () => bytes };
}

export function isTooLarge(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'media_too_large';
}

function tooLarge(maxBytes: number): GatewayError {
  // It would be as large the next time.
  return new GatewayError('media_too_large', `The file is larger than ${maxBytes} bytes.`, {
    upstream: { retry: 'never', started: 'no' },
  });
}
