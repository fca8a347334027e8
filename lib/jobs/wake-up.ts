import type { Database } from '../db/database';
import { IS_UNFINISHED } from '../db/videos';
import type { DeliveryId, VideoId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { Account } from '../domain/caller';
import { deliveryOwner, type Job, type JobOwner } from './job';
import type { Queue } from './queue';

// Every unfinished video and every pending webhook delivery has a job. A job can still be lost, by a restore of only
// some tables or by a mistake of an operator. Rows without a job get a new one; its handler decides what to do,
// including to end the work if its deadline has passed.

const BATCH = 1_000;

interface Owned {
  readonly job: Job;
  readonly owner: JobOwner;
}

// Safe: the columns are those of the statements.
const accountOf = ({ org_id: orgId, mode }: Record<string, unknown>) => ({ orgId, mode }) as Account;

/** One statement checks both tables: between two statements, a start job could be replaced by its check job. */
const hasNoJob = (kinds: string, id: string) => `not exists (
  select from jobs where jobs.subject = ${id} and jobs.kind in (${kinds}))`;

const SLEEPING_VIDEOS = `
  select id, org_id, mode, coalesce(provider, candidates -> 0 ->> 'provider') as place,
    receipt is not null as begun, upstream_result is not null as copying, checks from videos
  where ${IS_UNFINISHED} and ${hasNoJob(`'video.start', 'video.check', 'video.archive'`, 'videos.id')} limit ${BATCH}`;

const SLEEPING_DELIVERIES = `
  select id, org_id, mode, url, attempts from webhook_deliveries
  where state = 'pending' and ${hasNoJob(`'webhook.deliver'`, 'webhook_deliveries.id')} limit ${BATCH}`;

export async function wakeUp(
  { db, queue, log }: { readonly db: Database; readonly queue: Queue; readonly log: Log },
  goesOn: () => Promise<boolean>,
): Promise<void> {
  const looks: readonly [string, (row: Record<string, unknown>) => Owned][] = [
    // Safe: the columns are those of the statement.
    [
      SLEEPING_VIDEOS,
      ({ id, begun, copying, checks, place, ...row }) => ({
        owner: { ...accountOf(row), place: String(place) },
        job: copying
          ? { kind: 'video.archive', videoId: id as VideoId }
          : begun
            ? { kind: 'video.check', videoId: id as VideoId, checks: Number(checks) }
            : { kind: 'video.start', videoId: id as VideoId },
      }),
    ],
    [
      SLEEPING_DELIVERIES,
      ({ id, attempts, url, ...row }) => ({
        owner: deliveryOwner({ ...accountOf(row), url: String(url) }),
        job: { kind: 'webhook.deliver', deliveryId: id as DeliveryId, attempt: Number(attempts) + 1 },
      }),
    ],
  ];
  for (const [text, ownedOf] of looks) {
    for (;;) {
      const { rows } = await db.query(text);
      await db.inTransaction(async (tx) => {
        for (const { job, owner } of rows.map(ownedOf)) await queue.enqueue(tx, job, owner);
      });
      if (rows.length > 0)
        log.warn('unfinished work without a job got a new job', {
          queue: ownedOf(rows[0]!).job.kind,
          count: rows.length,
        });
      if (rows.length < BATCH || !(await goesOn())) break;
    }
  }
}
