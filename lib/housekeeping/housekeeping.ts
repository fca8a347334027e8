import { and, asc, eq, inArray, isNotNull, lt, ne, notExists, or, sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Ledger } from '../billing/ledger';
import { utcDay, type Clock } from '../domain/clock';
import { codeOf, errorForLog } from '../domain/errors';
import type { MediaStore } from '../domain/files';
import type { Log } from '../domain/log';
import type { ProviderDirectory } from '../routing/provider-directory';
import type { Retention } from '../domain/retention';
import type { VideoStatus } from '../domain/video';
import { removeUnusedChores } from '../db/chores';
import type { Database } from '../db/database';
import { deleteSome } from '../db/delete-some';
import { isBeyond } from '../db/page';
import { eraseRemovedCredentials } from '../db/provider-credentials';
import { deleteOldWork } from '../db/retention';
import { vacuumHotTables } from '../db/vacuum';
import {
  auditEntries,
  holds,
  idempotencyKeys,
  invitations,
  spending,
  spendWindows,
  startLimits,
  messageContents,
  sessionContents,
  messages,
  signInLinks,
  usageDurations,
  videoAttempts,
  videos,
  webhookDeliveries,
} from '../db/schema/index';
import { removeTraces, type Traces } from '../videos/delete-provider-artifacts';
import { KEEP_IDEMPOTENCY_MS } from '../videos/submit-video';
import { checkAlerts } from '../alerts/check-alerts';
import { eraseOrganizations } from './erase-organizations';
import { createChores, type Chore } from './chores';
import type { Queue } from '../jobs/queue';
import { wakeUp } from '../jobs/wake-up';

// Deletes data whose retention time is over and repairs what was left behind, money first. Every chore works in small
// steps until nothing is left, fails independently, and may run twice or in several processes at once.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const VACUUM_MS = 10 * MINUTE_MS;
const BATCH = 1_000;
const VIDEOS_AT_ONCE = 100;
const FAILED_MS = 30 * DAY_MS;
/** How long an expired invitation is kept; until then it can be sent again. */
const EXPIRED_INVITATION_MS = 30 * DAY_MS;
const MESSAGE_HOLD_MS = 2 * HOUR_MS;
/** Prompt and request of a failed video are kept for at most a day. */
const MAX_FAILED_INPUT_DAYS = 1;
/** The longest period of a key's spend limit. */
const MAX_PERIOD_DAYS = 31;

type GoesOn = () => Promise<boolean>;
type TimeOfVideo = typeof videos.expiresAt | typeof videos.completedAt | typeof videos.deletedAt;

export interface HousekeepingDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly ledger: Ledger;
  readonly queue: Queue;
  readonly providers: Pick<ProviderDirectory, 'of'>;
  readonly store?: MediaStore;
  readonly retention: Retention;
  /** The id of this process's data directory. */
  readonly readDirectoryId: () => Promise<string>;
  /** Whether this installation can send e-mails. */
  readonly canMail: boolean;
  /** Whether the database is the embedded one, which does not vacuum itself. */
  readonly isEmbedded: boolean;
  /** Encrypts the stored secrets again with the current master key; present only during a rotation of the key. */
  readonly resealSecrets?: Chore['run'];
}

export function createHousekeeping(deps: HousekeepingDeps) {
  const { db, clock, log, ledger, retention } = deps;
  const ago = (ms: number) => new Date(clock.nowMs() - ms);
  const daysAgo = (days: number) => ago(days * DAY_MS);
  const hourly = (name: string, run: Chore['run']): Chore => ({ name, everyMs: HOUR_MS, run });
  const hourlyOfFiles = (name: string, run: Chore['run']): Chore => ({ ...hourly(name, run), inEachDirectory: true });

  return createChores(deps, [
    { name: 'abandoned holds', everyMs: 5 * MINUTE_MS, run: releaseMessages },
    ...(deps.resealSecrets ? [hourly('secrets of another master key', deps.resealSecrets)] : []),
    ...(deps.isEmbedded ? [{ name: 'vacuum', everyMs: VACUUM_MS, run: () => vacuumHotTables(db) }] : []),
    { name: 'alerts', everyMs: MINUTE_MS, run: () => checkAlerts(deps) },
    { name: 'wake-up', everyMs: MINUTE_MS, run: (goesOn) => wakeUp(deps, goesOn) },
    hourly('idempotency keys', (goesOn) =>
      removeRows(idempotencyKeys, lt(idempotencyKeys.createdAt, ago(KEEP_IDEMPOTENCY_MS)), goesOn),
    ),
    // The attempts of a delivery are deleted with it.
    hourly('webhooks', (goesOn) =>
      removeRows(webhookDeliveries, lt(webhookDeliveries.finishedAt, daysAgo(retention.webhookDays)), goesOn),
    ),
    hourly('audit entries', (goesOn) =>
      removeRows(auditEntries, lt(auditEntries.at, daysAgo(retention.auditDays)), goesOn),
    ),
    hourly('sign-in links', (goesOn) => removeRows(signInLinks, lt(signInLinks.expiresAt, clock.now()), goesOn)),
    hourly('learned limits', (goesOn) => removeRows(startLimits, lt(startLimits.earliestAt, daysAgo(1)), goesOn)),
    hourly('ended minutes of spending', (goesOn) =>
      removeRows(spendWindows, lt(spendWindows.endsAt, ago(HOUR_MS)), goesOn),
    ),
    hourly('expired invitations', (goesOn) =>
      removeRows(invitations, lt(invitations.expiresAt, ago(EXPIRED_INVITATION_MS)), goesOn),
    ),
    // Runs before the chores that remove files: erasing an organisation leaves the files of its videos to them.
    hourly('deleted organisations', (goesOn) => eraseOrganizations(deps, goesOn)),
    hourlyOfFiles('expired files', (goesOn) =>
      removeFilesOf(videos.expiresAt, and(lt(videos.expiresAt, clock.now()), isNotNull(videos.file)), goesOn),
    ),
    hourlyOfFiles('traces of failed videos', (goesOn) =>
      removeFilesOf(
        videos.completedAt,
        and(eq(videos.status, 'failed'), lt(videos.completedAt, ago(FAILED_MS)), isNotNull(videos.receipt)),
        goesOn,
      ),
    ),
    hourlyOfFiles('traces of deleted videos', (goesOn) =>
      removeFilesOf(
        videos.deletedAt,
        and(isNotNull(videos.deletedAt), or(isNotNull(videos.file), isNotNull(videos.receipt))),
        goesOn,
      ),
    ),
    hourly('unfinished files of the archive', async () => deps.store?.tidy?.()),
    hourly('removed provider credentials', async () => {
      await eraseRemovedCredentials(db, clock.now());
    }),
    hourly('inputs of failed videos', (goesOn) =>
      forgetInputs('failed', daysAgo(Math.min(retention.inputDays, MAX_FAILED_INPUT_DAYS)), goesOn),
    ),
    hourly('inputs of completed videos', (goesOn) => forgetInputs('completed', daysAgo(retention.inputDays), goesOn)),
    hourly('conversations of messages', (goesOn) =>
      removeRows(messageContents, lt(messageContents.expiresAt, clock.now()), goesOn),
    ),
    hourly('texts of speech', (goesOn) =>
      removeRows(sessionContents, lt(sessionContents.expiresAt, clock.now()), goesOn),
    ),
    hourly('old work', removeOldWork),
    hourly('old messages', removeOldMessages),
    hourly('old spending of keys', (goesOn) => {
      // A row is dated by the first day of its period, which is up to a month before its last spending.
      const before = utcDay(clock.nowMs() - (retention.usageDays + MAX_PERIOD_DAYS) * DAY_MS);
      return removeRows(spending, sql`${ne(spending.period, 'total')} and ${lt(spending.period, before)}`, goesOn);
    }),
    hourly('chores of unused directories', () => removeUnusedChores(db)),
    hourly('old durations', (goesOn) =>
      removeRows(usageDurations, lt(usageDurations.day, utcDay(clock.nowMs() - retention.usageDays * DAY_MS)), goesOn),
    ),
  ]);

  async function removeOldWork(goesOn: GoesOn): Promise<void> {
    while ((await deleteOldWork(db, daysAgo(retention.usageDays), BATCH)) === BATCH) if (!(await goesOn())) return;
  }

  /**
   * Messages are deleted after the hold that they were charged to, so that a hold is never without some of its
   * messages.
   */
  async function removeOldMessages(goesOn: GoesOn): Promise<void> {
    const hold = db.orm.select({ id: holds.id }).from(holds).where(eq(holds.id, messages.holdId));
    const isOld = sql`${lt(messages.createdAt, daysAgo(retention.usageDays))} and ${notExists(hold)}`;
    await removeRows(messages, isOld, goesOn);
  }

  /**
   * Releases the holds of message requests whose process was killed. A message never runs this long, and a running
   * process renews its holds.
   */
  async function releaseMessages(goesOn: GoesOn): Promise<void> {
    const abandoned = and(
      eq(holds.subjectKind, 'message'),
      eq(holds.state, 'open'),
      lt(holds.createdAt, ago(MESSAGE_HOLD_MS)),
    );
    let released = 0;
    let after: SQL | undefined;
    for (;;) {
      const found = await db.orm
        .select({ id: holds.id, createdAt: holds.createdAt })
        .from(holds)
        .where(and(abandoned, after))
        .orderBy(holds.createdAt, holds.id)
        .limit(BATCH);
      let inHand = 0;
      for (const { id } of found) {
        if (!(await goesOn())) break;
        inHand += 1;
        if (await isReleased(id)) released += 1;
      }
      const last = found.at(-1);
      if (!last || found.length < BATCH || inHand < found.length) break;
      // Moves past the holds that could not be released.
      after = isBeyond('asc', holds.createdAt, holds.id, { time: last.createdAt, id: last.id });
    }
    if (released > 0) log.warn('credits held by messages of a process that ended were given back', { count: released });
  }

  async function isReleased(id: (typeof holds.$inferSelect)['id']): Promise<boolean> {
    try {
      return await db.inTransaction((tx) => ledger.release(tx, id));
    } catch (error) {
      log.error('credits held by a message of a process that ended could not be given back', {
        error: errorForLog(error),
      });
      return false;
    }
  }

  async function removeRows(table: PgTable, which: SQL, goesOn: GoesOn): Promise<void> {
    while (await deleteSome(db, table, which, BATCH)) if (!(await goesOn())) return;
  }

  /** Deletes the requests of videos that ended before a time, and the requests to their providers. */
  async function forgetInputs(status: VideoStatus, before: Date, goesOn: GoesOn): Promise<void> {
    // The same condition as that of the index `videos_requests`, so that the index is used.
    const hasInputs = sql`(${isNotNull(videos.order)} or ${isNotNull(videos.request)}) and ${isNotNull(videos.completedAt)}`;
    for (;;) {
      const found = await db.orm
        .select({ id: videos.id })
        .from(videos)
        .where(and(eq(videos.status, status), lt(videos.completedAt, before), hasInputs))
        .limit(BATCH);
      const ids = found.map(({ id }) => id);
      await db.inTransaction(async (tx) => {
        // Videos before their attempts, as `eraseVideo` does: the other way round, the two could wait for each other.
        await tx.orm.update(videos).set({ order: null, request: null }).where(inArray(videos.id, ids));
        await tx.orm.update(videoAttempts).set({ sent: null }).where(inArray(videoAttempts.videoId, ids));
      });
      if (found.length < BATCH || !(await goesOn())) return;
    }
  }

  /**
   * Deletes the files that providers or the archive store: expired files, files of failed videos, and files whose
   * removal failed when their video was deleted.
   */
  async function removeFilesOf(time: TimeOfVideo, which: SQL | undefined, goesOn: GoesOn): Promise<void> {
    let removed = 0;
    let after: SQL | undefined;
    for (;;) {
      const found = await db.orm
        .select({
          id: videos.id,
          provider: videos.provider,
          file: videos.file,
          receipt: videos.receipt,
          archiveKey: videos.archiveKey,
          credentialId: videos.credentialId,
          time,
        })
        .from(videos)
        .where(and(which, after))
        .orderBy(asc(time), asc(videos.id))
        .limit(VIDEOS_AT_ONCE);
      let inHand = 0;
      for (const traces of found) {
        if (!(await goesOn())) break;
        inHand += 1;
        // A failed removal is retried in the next round and does not delay the others.
        if (await isRemoved(traces)) removed += 1;
      }
      const last = found.at(-1);
      if (!last?.time || found.length < VIDEOS_AT_ONCE || inHand < found.length) break;
      after = isBeyond('asc', time, videos.id, { time: last.time, id: last.id });
    }
    if (removed > 0) log.info('files of old videos were removed', { count: removed });
  }

  async function isRemoved(traces: Traces): Promise<boolean> {
    try {
      await removeTraces(deps, traces);
      return true;
    } catch (error) {
      // A process of that machine removes them.
      if (codeOf(error) === 'video_on_other_machine') return false;
      log.warn('the files of an old video could not be removed', { videoId: traces.id, error: errorForLog(error) });
      return false;
    }
  }
}
