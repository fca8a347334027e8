import type { Clock } from '../../../domain/clock';
import { untilAborted } from '../../../io/until-aborted';

// One token for all requests to a vendor, replaced shortly before it expires.

export interface IssuedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

export interface TokenCache {
  /**
   * Resolves with a token that is valid for at least two minutes. Rejects as `issue` does; the next call then requests
   * a token again. Rejects with the reason of the signal if it aborts; other callers continue to wait.
   */
  get(signal?: AbortSignal): Promise<string>;
  /** Call it when the vendor has refused this token: the next call asks for another one. */
  drop(token: string): void;
}

/**
 * The maximum time between getting a token and the vendor's check of it: a start of a video with slow media may wait
 * more than a minute for its slot in between.
 */
const SPARE_MS = 120_000;

/** Creates a cache. `issue` makes or requests a token; callers that arrive meanwhile share its result. */
export function createTokenCache({
  clock,
  issue,
}: {
  readonly clock: Clock;
  issue(): Promise<IssuedToken>;
}): TokenCache {
  let current: IssuedToken | undefined;
  let pending: Promise<IssuedToken> | undefined;

  async function renew(): Promise<IssuedToken> {
    try {
      return (current = await issue());
    } finally {
      pending = undefined;
    }
  }

  return {
    async get(signal) {
      if (current && current.expiresAt.getTime() - SPARE_MS > clock.nowMs()) return current.token;
      pending ??= renew();
      return (await (signal ? untilAborted(pending, signal) : pending)).token;
    },
    drop(token) {
      if (current?.token === token) current = undefined;
    },
  };
}
