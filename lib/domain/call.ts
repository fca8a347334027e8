import type { Log } from './log';

/** Passed to every call of a provider. */
export interface Call {
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** A caller's disconnect. Most listeners only need a callback; the AbortSignal is created lazily for the few that need one. */
export interface HangUp {
  /** The caller has left. */
  readonly happened: boolean;
  /** Calls `run` once when the caller leaves, at once if that was before. What is returned ends it. */
  follow(run: () => void): () => void;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
}
