import type { Log } from './log';

/** Passed to every call of a provider. */
export interface Call {
  readonly signal: AbortSignal;
  readonly log: Log;
}
