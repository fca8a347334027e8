/** Resolves after `ms`; rejects with the reason of the signal when it is aborted. */
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

/** 0.5, 1, 2, 4 … seconds, at most 8, each up to a quarter shorter so that clients do not come back together. */
export function backoffMs(attempt: number): number {
  return Math.min(8_000, 500 * 2 ** attempt) * (1 - Math.random() / 4);
}
