import type { Db } from '../../lib/db/database';

// What tests read and change in the table of the job queue.

/** `active`: a process runs it, or has died while it did. */
export async function listJobs(db: Db): Promise<{ kind: string; state: 'active' | 'waiting'; payload: unknown }[]> {
  const { rows } = await db.query(
    `select kind, case when leased_until is null then 'waiting' else 'active' end as state, payload from jobs order by id`,
  );
  // Safe: the columns are those of the statement.
  return rows as unknown as Awaited<ReturnType<typeof listJobs>>;
}

/**
 * The number of jobs that are due or running, and the ids of those that are running. What is due within a tenth of a
 * second counts too: so short a wait, such as that for a free slot of a check, takes real time and no time of the test.
 */
export async function countDueJobs(db: Db): Promise<{ due: number; running: string }> {
  const { rows } = await db.query(
    `select count(*)::int as due, coalesce(string_agg(id::text, ' ' order by id) filter (where leased_until is not null), '') as running
     from jobs where leased_until is not null or due_at <= now() + interval '100 milliseconds'`,
  );
  // Safe: the columns are those of the statement.
  return rows[0] as unknown as { due: number; running: string };
}

/** Lets time pass for the waiting jobs: the clock of the database alone decides when they are due. */
export async function passJobTime(db: Db, ms: number): Promise<void> {
  await db.query(
    `update jobs set due_at = due_at - $1::float8 * interval '1 millisecond' where leased_until is null and due_at > now()`,
    [ms],
  );
}

/** Takes the leases from their runners, as if these had been paused: other runners can take the jobs at once. */
export async function loseLeases(db: Db, subject?: string): Promise<void> {
  await db.query(
    `update jobs set leased_until = null, due_at = now() where leased_until is not null and subject = coalesce($1, subject)`,
    [subject ?? null],
  );
}

/** A second chain of checks of a video, which a lost lease can lead to. */
export async function addSecondCheck(db: Db, videoId: string): Promise<void> {
  await db.query(
    `insert into jobs (kind, mode, org_id, place, payload, subject, due_at)
     select 'video.check', mode, org_id, provider, $2, id || ' again', now() from videos where id = $1`,
    [videoId, JSON.stringify({ videoId, checks: 0 })],
  );
}
