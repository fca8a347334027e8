import type { Database } from '../db/database';
import type { DeliveryId, VideoId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { Job } from './job';
import type { Queue } from './queue';

// Every unfinished video and every webhook that is still to be sent has a job. A job can still be lost: with the
// queue's tables after a restore, or by its age when no worker ran for two weeks. Rows without a job get a new one,
// whose handler decides what is due, including the end at the deadline.

const BATCH = 1_000;

/** One statement checks both tables: between two statements, a start job could be replaced by its check job. */
const hasNoJob = (kinds: string, field: string, id: string) => `not exists (
  select 1 from pgboss.job where name in (${kinds}) and state < 'completed' and data ->> '${field}' = ${id})`;

const SLEEPING_VIDEOS = `
  select id, receipt is not null as begun, upstream_result is not null as copying, checks from videos
  where status in ('queued', 'in_progress') and ${hasNoJob(`'video.start', 'video.check', 'video.archive'`, 'videoId', 'videos.id')} limit ${BATCH}`;

const SLEEPING_DELIVERIES = `
  select id, attempts from webhook_deliveries
  where state = 'pending' and ${hasNoJob(`'webhook.deliver'`, 'deliveryId', 'webhook_deliveries.id')} limit ${BATCH}`;

export async function wakeUp(
  { db, queue, log }: { readonly db: Database; readonly queue: Queue; readonly log: Log },
  goesOn: () => Promise<boolean>,
): Promise<void> {
  const looks: readonly [string, (row: Record<string, unknown>) => Job][] = [
    // Safe: the columns are those of the statement.
    [
      SLEEPING_VIDEOS,
      ({ id, begun, copying, checks }) =>
        copying
          ? { kind: 'video.archive', videoId: id as VideoId }
          : begun
            ? { kind: 'video.check', videoId: id as VideoId, checks: Number(checks) }
            : { kind: 'video.start', videoId: id as VideoId },
    ],
    [
      SLEEPING_DELIVERIES,
      ({ id, attempts }) => ({ kind: 'webhook.deliver', deliveryId: id as DeliveryId, attempt: Number(attempts) + 1 }),
    ],
  ];
  for (const [text, jobOf] of looks) {
    for (;;) {
      const { rows } = await db.query(text);
      await db.inTransaction(async (tx) => {
        for (const row of rows) await queue.enqueue(tx, jobOf(row));
      });
      if (rows.length > 0)
        log.warn('unfinished work without a job got a new job', {
          queue: jobOf(rows[0]!).kind,
          count: rows.length,
        });
      if (rows.length < BATCH || !(await goesOn())) break;
    }
  }
}
