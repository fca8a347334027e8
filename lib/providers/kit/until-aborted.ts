/**
 * The same pieces until the signal aborts, even while one is being waited for; then the source is told to end, and nobody
 * waits for its answer, because a source that is waiting itself gives none.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let giveUp: () => void = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined);
  });
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    while (!signal.aborted) {
      const next = iterator.next();
      // If the race is lost, nobody else hears of its failure.
      next.catch(() => {});
      const result = await Promise.race([next, aborted]);
      if (result === undefined || result.done) return;
      yield result.value;
    }
  } finally {
    signal.removeEventListener('abort', giveUp);
    if (signal.aborted) iterator.return?.().catch(() => {});
  }
}
