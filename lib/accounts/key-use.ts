import type { Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import type { KeyId } from '../domain/ids';
import type { Log } from '../domain/log';
import { createLru } from '../io/lru';
import type { Db } from '../db/database';
import { touchKeys } from '../db/keys';

// Records when keys were last used, exact to a minute: at most one write per key and minute, many keys in one
// statement, and no request waits for it.

export interface KeyUse {
  note(keyId: KeyId): void;
  /** Writes the pending times; later uses are no longer recorded. */
  close(): Promise<void>;
}

const ONCE_IN_MS = 60_000;
const GATHER_MS = 1_000;
const MAX_REMEMBERED = 20_000;

export function createKeyUse({ db, clock, log }: { db: Db; clock: Clock; log: Log }): KeyUse {
  const notedAtMs = createLru<KeyId, number>(MAX_REMEMBERED);
  let pending = new Map<KeyId, Date>();
  let writing: Promise<void> = Promise.resolve();
  let cancelTimer: (() => void) | undefined;
  let closed = false;

  function flush(): Promise<void> {
    cancelTimer?.();
    cancelTimer = undefined;
    const uses = pending;
    pending = new Map();
    if (uses.size > 0) writing = writing.then(() => write(uses));
    return writing;
  }

  async function write(uses: ReadonlyMap<KeyId, Date>): Promise<void> {
    try {
      await touchKeys(db, uses);
    } catch (error) {
      // No request fails because of it. The next use of each key tries to write again.
      for (const keyId of uses.keys()) notedAtMs.delete(keyId);
      log.warn('the last use of keys could not be written', { count: uses.size, error: errorForLog(error) });
    }
  }

  return {
    note(keyId) {
      if (closed) return;
      const now = clock.now();
      const before = notedAtMs.get(keyId);
      if (before !== undefined && now.getTime() - before < ONCE_IN_MS) return;
      notedAtMs.set(keyId, now.getTime());
      pending.set(keyId, now);
      cancelTimer ??= clock.after(GATHER_MS, () => void flush());
    },
    close() {
      closed = true;
      return flush();
    },
  };
}
