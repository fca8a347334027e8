import { claimCrossings, listOwners } from '../db/alerts';
import type { Database } from '../db/database';
import type { Clock } from '../domain/clock';
import type { Log } from '../domain/log';
import type { Queue } from '../jobs/queue';
import { alertPeriods } from './alert-periods';

/**
 * How long after midnight yesterday's final spending is still compared: checks run once a minute, and a process may be
 * down.
 */
const LATE_MS = 300_000;

/**
 * Finds thresholds that were crossed. Enqueues an e-mail to each owner in the transaction that claims the crossing, so
 * that only one of several processes sends it, and no crash in between can lose it.
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
    // If an alert is crossed in both periods, only the newer crossing counts.
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
