import type { Clock } from '../../../domain/clock';
import { upstreamFailed } from '../../../domain/errors';
import type { Upstream, UpstreamAnswer, UpstreamRequest } from './http';

// Sends one request and reads the complete response.

export interface BufferedUpstreamAnswer extends Pick<UpstreamAnswer, 'status' | 'headers'> {
  readonly bytes: Buffer;
}

/** A buffered answer is complete when its headers arrive; only the transfer remains. */
const BODY_TIMEOUT_MS = 60_000;
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Resolves with the response, whatever its status. Rejects as `Upstream.send` does, and if the body has more than
 * `maxBytes` (by default 16 MiB) or takes longer than a minute. `filter` returns what is kept of each chunk of the
 * body; only that counts.
 */
export async function fetchBuffered(
  upstream: Upstream,
  request: UpstreamRequest,
  clock: Clock,
  maxBytes = MAX_BYTES,
  filter: (chunk: Buffer) => readonly Buffer[] = (chunk) => [chunk],
): Promise<BufferedUpstreamAnswer> {
  const { status, headers, body } = await upstream.send(request);
  const cancelTimer = clock.after(BODY_TIMEOUT_MS, () =>
    body.stop(
      upstreamFailed(
        { retry: 'elsewhere', started: 'maybe' },
        `The answer stopped for ${BODY_TIMEOUT_MS} ms.`,
        'upstream_timeout',
      ),
    ),
  );
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    for (let bytes = await body.read(); bytes; bytes = await body.read()) {
      for (const kept of filter(bytes)) {
        chunks.push(kept);
        length += kept.length;
      }
      if (length > maxBytes)
        throw upstreamFailed({ retry: 'elsewhere', started: 'maybe' }, `The answer is longer than ${maxBytes} bytes.`);
    }
    const [first] = chunks;
    return { status, headers, bytes: chunks.length === 1 && first ? first : Buffer.concat(chunks, length) };
  } finally {
    cancelTimer();
    body.stop();
  }
}
