import type { Clock } from '../../../domain/clock';
import { upstreamFailed } from '../../../domain/errors';
import type { HangUp } from '../../../domain/call';
import type { OpenAnswer, Upstream, UpstreamAnswer, UpstreamRequest } from './http';

// Sends one request and reads the complete response.

export interface BufferedUpstreamAnswer extends Pick<UpstreamAnswer, 'status' | 'headers'> {
  readonly bytes: Buffer;
}

/** A buffered answer is complete when its headers arrive; only the transfer remains. */
const BODY_MS = 60_000;
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Resolves with the response, whatever its status. Rejects as `Upstream.send` does, and if the response is too large or
 * stalls.
 */
export function fetchBuffered(
  upstream: Upstream,
  request: Omit<UpstreamRequest, 'signal'>,
  { clock, hangUp }: { readonly clock: Clock; readonly hangUp: HangUp },
): Promise<BufferedUpstreamAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let head: Pick<UpstreamAnswer, 'status' | 'headers'> | undefined;
    let open: OpenAnswer | undefined;
    let cancelTimer = () => {};
    let unfollow = () => {};

    const over = () => {
      cancelTimer();
      unfollow();
    };
    const give = (error: unknown) => {
      over();
      open?.stop();
      reject(error);
    };
    const onDisconnect = () => give(hangUp.signal.reason);
    if (hangUp.happened) return onDisconnect();
    unfollow = hangUp.follow(onDisconnect);
    open = upstream.open(request, {
      onHeaders(status, headers) {
        head = { status, headers };
        cancelTimer = clock.after(BODY_MS, () =>
          give(
            upstreamFailed(
              { retry: 'elsewhere', started: 'maybe' },
              `The answer stopped for ${BODY_MS} ms.`,
              'upstream_timeout',
            ),
          ),
        );
      },
      onChunk(chunk) {
        chunks.push(chunk);
        length += chunk.length;
        if (length > MAX_BYTES)
          give(
            upstreamFailed({ retry: 'elsewhere', started: 'maybe' }, `The answer is longer than ${MAX_BYTES} bytes.`),
          );
      },
      onEnd() {
        over();
        const [first] = chunks;
        // Safe: a response that ends has had its headers.
        const { status, headers } = head!;
        resolve({ status, headers, bytes: chunks.length === 1 && first ? first : Buffer.concat(chunks, length) });
      },
      onError(error) {
        over();
        reject(error);
      },
    });
  });
}
