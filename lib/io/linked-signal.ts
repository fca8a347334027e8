// Combines several signals, for work that must end with the first of them. Not AbortSignal.any: on Node 20 every
// combined signal leaks memory at its sources for as long as they live, and a session makes thousands.

export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Must be called when the work is done; otherwise the listeners stay. */
  release(): void;
}

export function linkSignals(...sources: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController();
  function release(): void {
    for (const source of sources) source.removeEventListener('abort', follow);
  }
  function follow(this: AbortSignal): void {
    release();
    controller.abort(this.reason);
  }
  for (const source of sources) {
    if (source.aborted) {
      release();
      controller.abort(source.reason);
      break;
    }
    source.addEventListener('abort', follow, { once: true });
  }
  return { signal: controller.signal, release };
}
