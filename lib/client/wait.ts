/** Resolves after `ms` milliseconds. Rejects with the reason of the signal if it is aborted. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', stop, { once: true });

    function done() {
      signal?.removeEventListener('abort', stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    }
  });
}

/**
 * Returns 0.5, 1, 2, 4 … seconds in milliseconds, at most 8 s. Each is up to a quarter shorter at random, so that
 * clients do not retry at the same time.
 */
export function backoffMs(attempt: number): number {
  return Math.min(8_000, 500 * 2 ** attempt) * (1 - Math.random() / 4);
}
