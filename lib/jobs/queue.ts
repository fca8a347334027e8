import PgBoss from 'pg-boss';
import type { Cancel, Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import type { Log } from '../domain/log';
import type { Database, Db, Tx } from '../db/database';
import { jobRules, type Job, type JobHandlers, type JobKind, type JobOutcome, type JobRun } from './job';

// Our jobs on pg-boss: rows of the same database, so that a state change and the job that follows it are one commit.
// `boss.work()` is not used: it polls every two seconds and does not await its own `complete()`, so a database failure
// there would be an unhandled rejection. This loop awaits everything.

/**
 * A dead worker is detected after this time. A running handler renews its lease, but a process can be paused for longer,
 * and then two runners have the same row; so a runner completes or requeues a row only while it still has the lease.
 */
const LEASE_SECONDS = 30;
const RENEW_MS = 10_000;
const HANDLER_LIMIT_MS = 20_000;
const MAINTENANCE_SECONDS = 10;
const SCHEMA = 'pgboss';
/** The delay after the first failure; it doubles up to a maximum. */
const RETRY_SECONDS = 2;
const MAX_RETRY_SECONDS = 300;
/** pg-boss scans finished jobs every MAINTENANCE_SECONDS, so they are archived soon. */
const ARCHIVE_SECONDS = 60;
const IDLE_POLL_MS = 500;
/**
 * The pause between two fetches while there is work, unless a nudge comes. A fetch for each job would cost more than
 * most jobs do.
 */
const GATHER_MS = 20;
/** The pause after a failed fetch (the database is unavailable). */
const FAULT_PAUSE_MS = 1_000;

export interface Queue {
  /** Adds a job in the caller's transaction; this process's runner is nudged after the commit. */
  enqueue(tx: Tx, job: Job, inMs?: number): Promise<void>;
  /**
   * Makes the waiting job with this subject due now. If the job is running, its next run is due as soon as this one
   * ends, because it may have read the state of the subject before a change. Does nothing if there is no such job. With
   * `gapMs` it is due at the earliest so long after the end of its last run, or, while it is running, after this call.
   */
  hasten(kind: JobKind, subject: string, gapMs?: number): Promise<void>;
  /** Fetches and runs jobs until `stop`. */
  run(handlers: JobHandlers): void;
  /**
   * Fetches no more jobs; those that are running are aborted after `graceMs`. Other calls still work. Safe to repeat: only
   * the first call counts.
   */
  drain(graceMs: number): void;
  /**
   * `drain`, waits for the running jobs, and closes. Unfinished jobs become available again when their lease expires.
   */
  stop(graceMs: number): Promise<void>;
}

export interface QueueDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * True if no other process can use this database: then every lease at the start belongs to a process that has ended.
   */
  readonly exclusive: boolean;
  /** Whether this process returns the jobs of dead runners and removes old ones; false where it runs no jobs. */
  readonly maintains?: boolean;
}

export async function createQueue({ db, clock, log, exclusive, maintains = true }: QueueDeps): Promise<Queue> {
  const boss = new PgBoss({
    db: bossDb(db),
    schema: SCHEMA,
    schedule: false,
    supervise: maintains,
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
    archiveCompletedAfterSeconds: ARCHIVE_SECONDS,
    deleteAfterHours: 24,
  });
  boss.on('error', (error) => log.warn('the job queue could not reach the database', { error: errorForLog(error) }));
  await makeQueues(db);
  await boss.start();
  if (exclusive) await db.query(`update ${SCHEMA}.job set state = 'retry', start_after = now() where state = 'active'`);

  const runners = new Map<JobKind, Runner>();
  const stopping = new AbortController();
  /** One for each running job. */
  const aborts = new Set<() => void>();
  let cancelGrace: Cancel = () => {};

  function drain(graceMs: number): void {
    if (stopping.signal.aborted) return;
    stopping.abort();
    for (const runner of runners.values()) runner.nudge();
    cancelGrace = clock.after(graceMs, () => aborts.forEach((abort) => abort()));
  }

  async function insert(target: Db, job: Job, inMs: number): Promise<void> {
    const { kind, ...payload } = job;
    const subject = jobRules[kind].subject?.(payload);
    await boss.send(kind, payload, {
      db: bossDb(target),
      expireInSeconds: LEASE_SECONDS,
      // pg-boss must not fail a job for good: the handler ends it, at its deadline or after too many failures.
      retryLimit: 100_000,
      retryDelay: RETRY_SECONDS,
      // As an interval and not as a timestamp: only the database's clock decides when a job is due.
      ...(inMs > 0 ? { startAfter: inMs / 1000 } : {}),
      ...(subject ? { singletonKey: subject } : {}),
    });
  }

  return {
    async enqueue(tx, job, inMs = 0) {
      await insert(tx, job, inMs);
      if (inMs === 0) tx.afterCommit(() => runners.get(job.kind)?.nudge());
    },

    async hasten(kind, subject, gapMs = 0) {
      const { rowCount } = await db.query(HASTEN, [kind, subject, gapMs / 1000]);
      if (rowCount) runners.get(kind)?.nudge();
    },

    run(handlers) {
      // Safe: `kind` selects the handler and the payload together; the compiler cannot follow that through a loop.
      for (const kind of Object.keys(jobRules) as JobKind[]) {
        const handle = handlers[kind] as Handle;
        runners.set(kind, startRunner(kind, handle));
      }
    },

    drain,

    async stop(graceMs) {
      drain(graceMs);
      await Promise.all([...runners.values()].map((runner) => runner.idle()));
      cancelGrace();
      await boss.stop({ graceful: false, close: false, wait: true });
    },
  };

  type Handle = (job: Job, signal: AbortSignal, run: JobRun) => Promise<JobOutcome<JobKind>>;

  interface Runner {
    nudge(): void;
    idle(): Promise<void>;
  }

  function startRunner(kind: JobKind, handle: Handle): Runner {
    const { parallel, limitMs = HANDLER_LIMIT_MS } = jobRules[kind];
    const inHand = new Set<Promise<void>>();
    let wake: () => void = () => {};
    let nudged = false;

    // Without AbortSignal.any: on Node 20 each call with a long-lived signal leaks memory, and an idle queue makes half
    // a million calls a day.
    const pause = async (ms: number) => {
      const woken = new AbortController();
      wake = () => woken.abort();
      if (!nudged) await clock.sleep(ms, woken.signal);
      nudged = false;
    };

    const loop = (async () => {
      while (!stopping.signal.aborted) {
        const free = parallel - inHand.size;
        if (free === 0) {
          await Promise.race(inHand);
          continue;
        }
        const taken = await take(free).catch((error: unknown) => {
          log.warn('jobs could not be fetched', { queue: kind, error: errorForLog(error) });
        });
        if (!taken) {
          await clock.sleep(FAULT_PAUSE_MS, stopping.signal);
          continue;
        }
        for (const job of taken) {
          const done = work(job).finally(() => inHand.delete(done));
          inHand.add(done);
        }
        await pause(taken.length === 0 ? IDLE_POLL_MS : GATHER_MS);
      }
    })();

    async function take(atMost: number): Promise<TakenJob[]> {
      const { rows } = await db.query(TAKE, [kind, atMost]);
      // Safe: the columns are those of the statement, and only `insert` above writes rows of this queue.
      return rows.map(
        ({ id, data, failures, lease }) =>
          ({ id, job: { kind, ...(data as object) }, failures, takenAt: lease, lease }) as TakenJob,
      );
    }

    async function work(taken: TakenJob): Promise<void> {
      const { id, job, failures } = taken;
      const aborting = new AbortController();
      const abort = () => aborting.abort();
      const cancelLimit = clock.after(limitMs, abort);
      aborts.add(abort);
      try {
        const run = { failures, stopping: stopping.signal };
        const outcome = await withLease(taken, () => handle(job, aborting.signal, run));
        const isLeased =
          outcome === 'done'
            ? await complete(taken)
            : await putBack(taken, { ...job, ...outcome.with } as Job, outcome.againInMs);
        if (!isLeased)
          log.warn('a job finished after its lease had expired; another runner may have run it too', {
            queue: kind,
            jobId: id,
          });
      } catch (error) {
        log.error('a job failed and will be tried again', {
          queue: kind,
          jobId: id,
          attempt: failures + 1,
          error: errorForLog(error),
        });
        const pauseSeconds = Math.min(RETRY_SECONDS * 2 ** failures, MAX_RETRY_SECONDS);
        await change(RETRY, taken, pauseSeconds).catch((retryError: unknown) => {
          // The database is unavailable: the lease expires and the job becomes available again.
          log.warn('a failed job could not be requeued', { queue: kind, jobId: id, error: errorForLog(retryError) });
        });
      } finally {
        cancelLimit();
        aborts.delete(abort);
      }
    }

    /** Renews the lease while `run` works; a lost lease is not renewed. Settles as `run` does. */
    async function withLease<T>(taken: TakenJob, run: () => Promise<T>): Promise<T> {
      let renewal = Promise.resolve();
      let isOver = false;
      let cancelTimer = clock.after(RENEW_MS, renew);
      function renew(): void {
        renewal = renewOnce();
      }
      async function renewOnce(): Promise<void> {
        try {
          const { rows } = await db.query(RENEW, [kind, taken.id, taken.lease]);
          const [row] = rows;
          if (!row) return;
          taken.lease = String(row.lease);
        } catch {
          // The database is unavailable for a moment; a lease lasts for three renewals.
        }
        if (!isOver) cancelTimer = clock.after(RENEW_MS, renew);
      }
      try {
        return await run();
      } finally {
        isOver = true;
        cancelTimer();
        // Its statement must not follow those that end the job.
        await renewal;
      }
    }

    /** False if the lease was lost; nothing was changed then. */
    async function change(text: string, { id, lease }: TakenJob, ...values: unknown[]): Promise<boolean> {
      const { rowCount } = await db.query(text, [kind, id, lease, ...values]);
      return rowCount === 1;
    }

    const complete = (taken: TakenJob) => change(COMPLETE, taken);

    /**
     * False if the lease was lost. The job still continues: another runner has it, or it is inserted again if no row is
     * left.
     */
    async function putBack(taken: TakenJob, next: Job, inMs: number): Promise<boolean> {
      const { kind: _kind, ...payload } = next;
      const subject = jobRules[kind].subject?.(payload) ?? null;
      try {
        if (await change(PUT_BACK, taken, JSON.stringify(payload), inMs / 1000, subject, policyOf(kind), taken.takenAt))
          return true;
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        // Another job with the same subject is already waiting.
        return complete(taken);
      }
      const { rows } = await db.query(
        `select 1 from ${SCHEMA}.job where name = $1 and id = $2 and state < 'completed'`,
        [kind, taken.id],
      );
      if (rows.length === 0) await insert(db, next, inMs);
      return false;
    }

    return {
      nudge() {
        nudged = true;
        wake();
      },
      async idle() {
        await loop;
        await Promise.all(inHand);
      },
    };
  }
}

interface TakenJob {
  readonly id: string;
  readonly job: Job;
  /** How many times in a row it was taken before without an outcome. */
  readonly failures: number;
  /** The time of this fetch as text from the database, in microseconds. */
  readonly takenAt: string;
  /**
   * The time of this fetch, or of its last renewal, as text from the database (in microseconds), unique for each fetch
   * of a row.
   */
  lease: string;
}

// Not pg-boss's own statement: that sorts all due jobs to take a few, and does not return the lease.
const TAKE = `
  with next as (
    select id from ${SCHEMA}.job where name = $1 and state < 'active' and start_after <= now()
    order by start_after limit $2 for update skip locked
  )
  update ${SCHEMA}.job as job
  set state = 'active', started_on = now(), retry_count = case when job.started_on is null then job.retry_count else job.retry_count + 1 end
  from next where job.name = $1 and job.id = next.id
  returning job.id, job.data, job.retry_count as failures, job.started_on::text as lease`;

const IS_LEASED = `name = $1 and id = $2 and state = 'active' and started_on = $3::timestamptz`;

const RENEW = `update ${SCHEMA}.job set started_on = clock_timestamp() where ${IS_LEASED} returning started_on::text as lease`;

const COMPLETE = `update ${SCHEMA}.job set state = 'completed', completed_on = now() where ${IS_LEASED}`;

// Each of the two conditions has a partial index. A job that failed keeps its pause. The creation time of a waiting job is
// the end of its last run (see PUT_BACK).
const HASTEN = `
  update ${SCHEMA}.job set start_after = case state
    when 'active' then greatest(now() + $3::float8 * interval '1 second', start_after)
    else least(start_after, greatest(now(), created_on + $3::float8 * interval '1 second')) end
  where name = $1 and (
    (state = 'created' and policy = 'short' and coalesce(singleton_key, '') = $2) or (state = 'active' and singleton_key = $2)
  )`;

const RETRY = `update ${SCHEMA}.job set state = 'retry', start_after = now() + $4::float8 * interval '1 second' where ${IS_LEASED}`;

// Requeues the same row with a new creation time. pg-boss can only complete it and insert another, which costs a
// transaction and leaves a dead row for every check of a provider. A row that became due after it was fetched was hastened.
const PUT_BACK = `
  update ${SCHEMA}.job
  set state = 'created', data = $4, singleton_key = $6, policy = $7,
      start_after = case when start_after > $8::timestamptz then greatest(now(), start_after) else now() + $5::float8 * interval '1 second' end,
      created_on = now(), keep_until = now() + (keep_until - start_after), started_on = null, retry_count = 0
  where ${IS_LEASED}`;

const policyOf = (kind: JobKind) => (jobRules[kind].subject ? 'short' : 'standard');

const isUniqueViolation = (error: unknown) => error instanceof Error && 'code' in error && error.code === '23505';

/** An arbitrary fixed number: one lock for all instances on a database. */
const QUEUES_LOCK = 7_285_103;

/** Indexes for the queries that pg-boss's maintenance runs every few seconds. */
const maintenanceIndexes = {
  job_active: `(started_on) where state = 'active'`,
  job_over: `(completed_on) where completed_on is not null`,
  job_kept: `(keep_until) where state < 'active'`,
};

/**
 * Creates the tables of the queue. Several instances may start at once, and pg-boss's own migration deadlocks with
 * another's.
 */
async function makeQueues(db: Database): Promise<void> {
  await db.inTransaction(async (tx) => {
    // Another instance may take longer to create the tables than the lock timeout of requests.
    await tx.query('set local lock_timeout = 0');
    await tx.query('select pg_advisory_xact_lock($1)', [QUEUES_LOCK]);
    const boss = new PgBoss({ db: bossDb(tx), schema: SCHEMA, schedule: false, supervise: false });
    await boss.start();
    // Safe: its keys are the kinds.
    for (const kind of Object.keys(jobRules) as JobKind[])
      await boss.createQueue(kind, { name: kind, policy: policyOf(kind) });
    await boss.stop({ graceful: false, close: false });
    for (const [name, on] of Object.entries(maintenanceIndexes)) {
      // Checked first: even `create index if not exists` waits for all transactions that write jobs.
      const { rows } = await tx.query('select to_regclass($1) as made', [`${SCHEMA}.${name}`]);
      if (rows[0]?.made === null) await tx.query(`create index ${name} on ${SCHEMA}.job ${on}`);
    }
  });
}

/**
 * pg-boss's maintenance sends several statements with their own BEGIN. If one fails, the connection must be rolled back
 * before it returns to the pool.
 */
function bossDb(db: Db): PgBoss.Db {
  return {
    async executeSql(text, values) {
      if (values?.length || !/^\s*BEGIN\b/i.test(text)) return db.query(text, values);
      const statements = text.replace(/^\s*BEGIN\s*;/i, '').replace(/;?\s*COMMIT\s*;?\s*$/i, '');
      if (!('inTransaction' in db)) return db.query(statements);
      // Safe: only a Database has `inTransaction`.
      return (db as Database).inTransaction((tx) => tx.query(statements));
    },
  };
}
