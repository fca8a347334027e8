/**
 * The same pieces until the signal aborts, even while one is being waited for; then the source is told to end, and nobody
 * waits for its answer, because a source that is waiting itself gives none.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let giveUp: (() => void) | undefined;
  const onAbort = () => giveUp?.();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    while (!signal.aborted) {
      // Not a race with one promise of the abort: that promise would gather a reaction for every piece of a long session.
      const result = await new Promise<IteratorResult<T> | undefined>((resolve, reject) => {
        giveUp = () => resolve(undefined);
        iterator.next().then(resolve, reject);
      });
      if (result === undefined || result.done) return;
      yield result.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (signal.aborted) iterator.return?.().catch(() => {});
  }
}
