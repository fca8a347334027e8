import { and, eq, gt, isNotNull, lt, or, type SQL } from 'drizzle-orm';
import type { Ledger } from '../billing/ledger';
import type { Cancel, Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import type { Log } from '../domain/log';
import type { Provider } from '../domain/provider';
import type { Database } from '../db/database';
import { auditEntries, holds, idempotencyKeys, signInLinks, videos, webhookAttempts } from '../db/schema/index';
import { removeTraces, type Traces } from '../videos/remove-traces';

// What has had its time goes away: files past their promise, keys of requests past their day, the record of webhook attempts
// past its month. Every step may run twice or in several processes at once.

const EVERY_MS = 3_600_000;
const FIRST_MS = 60_000;
const VIDEOS_AT_ONCE = 100;
const IDEMPOTENCY_MS = 24 * 3_600_000;
const ATTEMPTS_MS = 30 * 24 * 3_600_000;
const AUDIT_MS = 365 * 24 * 3_600_000;
const FAILED_MS = 30 * 24 * 3_600_000;
const MESSAGE_HOLD_MS = 2 * 3_600_000;
const HOLDS_AT_ONCE = 1_000;

export interface Housekeeping {
  start(): void;
  stop(): void;
  /** One round, now. */
  run(): Promise<void>;
}

export function createHousekeeping(deps: { db: Database; clock: Clock; log: Log; ledger: Ledger; providers: ReadonlyMap<string, Provider> }): Housekeeping {
  const { db, clock, log, ledger } = deps;
  let cancel: Cancel | undefined;

  async function run(): Promise<void> {
    const now = clock.nowMs();
    await db.orm.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, new Date(now - IDEMPOTENCY_MS)));
    await db.orm.delete(webhookAttempts).where(lt(webhookAttempts.at, new Date(now - ATTEMPTS_MS)));
    await db.orm.delete(auditEntries).where(lt(auditEntries.at, new Date(now - AUDIT_MS)));
    await db.orm.delete(signInLinks).where(lt(signInLinks.expiresAt, new Date(now)));
    await removeFilesOf(and(lt(videos.expiresAt, new Date(now)), isNotNull(videos.file)));
    await removeFilesOf(and(eq(videos.status, 'failed'), lt(videos.completedAt, new Date(now - FAILED_MS)), isNotNull(videos.receipt)));
    await removeFilesOf(and(isNotNull(videos.deletedAt), or(isNotNull(videos.file), isNotNull(videos.receipt))));
    await releaseMessagesOf(new Date(now - MESSAGE_HOLD_MS));
  }

  /** Gives back what a process that was killed held for its messages: no message runs so long, and a living process renews. */
  async function releaseMessagesOf(before: Date): Promise<void> {
    const abandoned = and(eq(holds.subjectKind, 'message'), eq(holds.state, 'open'), lt(holds.createdAt, before));
    const found = await db.orm.select({ id: holds.id }).from(holds).where(abandoned).limit(HOLDS_AT_ONCE);
    for (const { id } of found) await db.inTransaction((tx) => ledger.release(tx, id));
    if (found.length > 0) log.warn('credits held by messages of a process that ended were given back', { count: found.length });
  }

  /** What providers keep here: expired files, traces of failed videos, and of deleted ones what could not be removed at once. */
  async function removeFilesOf(which: SQL | undefined): Promise<void> {
    let removed = 0;
    let after: SQL | undefined;
    for (;;) {
      const found = await db.orm
        .select({ id: videos.id, provider: videos.provider, file: videos.file, receipt: videos.receipt })
        .from(videos)
        .where(and(which, after))
        .orderBy(videos.id)
        .limit(VIDEOS_AT_ONCE);
      // One that cannot be removed is left for the next round; it must not keep the others waiting.
      for (const traces of found) if (await isRemoved(traces)) removed += 1;
      const last = found.at(-1);
      if (!last || found.length < VIDEOS_AT_ONCE) break;
      after = gt(videos.id, last.id);
    }
    if (removed > 0) log.info('files of old videos were removed', { count: removed });
  }

  async function isRemoved(traces: Traces): Promise<boolean> {
    try {
      await removeTraces(deps, traces);
      return true;
    } catch (error) {
      log.warn('the files of an old video could not be removed', { videoId: traces.id, error: errorForLog(error) });
      return false;
    }
  }

  function schedule(ms: number): void {
    cancel = clock.after(ms, () => {
      run()
        .catch((error: unknown) => log.warn('the hourly cleaning failed and will be tried again', { error: errorForLog(error) }))
        .finally(() => {
          if (cancel) schedule(EVERY_MS);
        });
    });
  }

  return {
    start: () => schedule(FIRST_MS),
    stop() {
      cancel?.();
      cancel = undefined;
    },
    run,
  };
}
