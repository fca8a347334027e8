import { claimCrossings, listOwners } from '../db/alerts';
import type { Database } from '../db/database';
import type { Clock } from '../domain/clock';
import type { Log } from '../domain/log';
import type { Queue } from '../jobs/queue';
import { alertPeriods } from './alert-periods';

/**
 * Yesterday's final spending is still compared for this long after midnight: checks run once a minute, and a process
 * may be down.
 */
const LATE_MS = 300_000;

/**
 * Looks for thresholds that were crossed, and enqueues an e-mail to each owner in the transaction that claims the
 * crossing: of several processes one sends it, and no crash between the two can lose it.
 */
export async function checkAlerts({
  db,
  clock,
  log,
  queue,
  canMail,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly queue: Queue;
  readonly canMail: boolean;
}): Promise<void> {
  const now = clock.now();
  await db.inTransaction(async (tx) => {
    const [before, current] = [alertPeriods(now.getTime() - LATE_MS), alertPeriods(now.getTime())];
    const late = before.day === current.day ? [] : await claimCrossings(tx, before, now, { past: true });
    // An alert that is crossed in both has only the newer crossing.
    const crossings = new Map([...late, ...(await claimCrossings(tx, current, now))].map((each) => [each.id, each]));
    for (const { id, orgId } of crossings.values()) {
      log.info('an alert was crossed', { orgId, alertId: id });
      if (!canMail) continue;
      for (const owner of await listOwners(tx, orgId))
        await queue.enqueue(
          tx,
          { kind: 'alert.mail', alertId: id, userId: owner.id, crossedMs: now.getTime() },
          { orgId, mode: 'live', place: 'mail' },
        );
    }
  });
}
