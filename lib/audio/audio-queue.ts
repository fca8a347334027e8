// Sound between the caller and the upstream. The session pushes, the provider pulls; what lies between is bounded by the
// session, which asks `bytes` and makes the caller wait.

export interface AudioQueue {
  push(piece: Uint8Array): void;
  /** No more will come; what lies here is still pulled. */
  finish(): void;
  /** Bytes that nobody has pulled yet. */
  bytes(): number;
  isFinished(): boolean;
  /**
   * For one attempt at a provider, which ends it by its signal. `pass` is asked before a piece is handed on, with its length;
   * false ends the iteration.
   */
  pieces(pass: (bytes: number) => boolean | Promise<boolean>, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

export function createAudioQueue(onPulled: () => void): AudioQueue {
  const waiting: Uint8Array[] = [];
  let bytes = 0;
  let finished = false;
  let wake: (() => void) | undefined;
  const woken = () => {
    const wakes = wake;
    wake = undefined;
    wakes?.();
  };

  return {
    push(piece) {
      waiting.push(piece);
      bytes += piece.byteLength;
      woken();
    },
    finish() {
      finished = true;
      woken();
    },
    bytes: () => bytes,
    isFinished: () => finished,
    async *pieces(pass, signal) {
      signal.addEventListener('abort', woken, { once: true });
      try {
        while (!signal.aborted) {
          const piece = waiting.shift();
          if (!piece) {
            if (finished) return;
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
            continue;
          }
          bytes -= piece.byteLength;
          const passed = pass(piece.byteLength);
          if (passed !== true && !(await passed)) return;
          onPulled();
          yield piece;
        }
      } finally {
        signal.removeEventListener('abort', woken);
      }
    },
  };
}
