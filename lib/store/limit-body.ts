import { addAbortSignal, pipeline, Transform, type Readable } from 'node:stream';
import { GatewayError } from '../domain/errors';

/** A body that counts its bytes. */
export interface LimitedBody {
  readonly body: Readable;
  /** Bytes that have passed so far. */
  bytes(): number;
}

/**
 * Passes a stream on until it is longer than `maxBytes` (`media_too_large`) or the signal aborts; then it fails, and its
 * source is destroyed. A source that ends before it is complete makes it fail, too.
 */
export function limitBody(source: Readable, maxBytes: number, signal: AbortSignal): LimitedBody {
  let bytes = 0;
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

function tooLarge(maxBytes: number): GatewayError {
  // It would be as large the next time.
  return new GatewayError('media_too_large', `The file is larger than ${maxBytes} bytes.`, {
    upstream: { retry: 'never', started: 'no' },
  });
}
