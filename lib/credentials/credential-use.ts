import type { Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import type { CredentialId } from '../domain/ids';
import type { Log } from '../domain/log';
import { createLru } from '../io/lru';
import type { Db } from '../db/database';
import { recordAcceptance, recordRefusal } from '../db/provider-credentials';
import type { CredentialUse } from '../routing/provider-health';

// Stores which credentials of organisations are refused by their providers during use, so that the console can show it.

/** Repeated results are written once a minute, so another process learns within a minute that a refusal has ended. */
const REPEAT_MS = 60_000;
const MAX_CREDENTIALS = 20_000;

interface Result {
  readonly said: 'accepted' | 'refused';
  readonly atMs: number;
}

export function createCredentialUse({ db, clock, log }: { db: Db; clock: Clock; log: Log }): CredentialUse {
  const last = createLru<CredentialId, Result>(MAX_CREDENTIALS);
  /** Results to be written; only the last one of each credential. */
  const waiting = new Map<CredentialId, Result>();
  let isWriting = false;

  function record(id: CredentialId, said: Result['said']): void {
    const known = last.get(id);
    const atMs = clock.nowMs();
    if (known?.said === said && atMs >= known.atMs && atMs - known.atMs < REPEAT_MS) return;
    last.set(id, { said, atMs });
    waiting.set(id, { said, atMs });
    if (!isWriting) void writeAll();
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    // Results that are added in the meantime are included.
    for (const [id, { said, atMs }] of waiting) {
      waiting.delete(id);
      try {
        await (said === 'refused' ? recordRefusal(db, id, new Date(atMs)) : recordAcceptance(db, id));
      } catch (error) {
        // After a failure the next call writes it again.
        last.delete(id);
        log.warn('the state of a provider credential could not be stored', { error: errorForLog(error) });
      }
    }
    isWriting = false;
  }

  return {
    accepted: (id) => record(id, 'accepted'),
    refused: (id) => record(id, 'refused'),
  };
}
