import PgBoss from 'pg-boss';
import type { Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import type { Log } from '../domain/log';
import type { Database, Db, Tx } from '../db/database';
import { jobRules, type Job, type JobHandlers, type JobKind, type JobOutcome } from './job';

// Our jobs on pg-boss: rows of the same database, so that "the state changed" and "somebody will act on it" are one commit.
// `boss.work()` is not used: it polls every two seconds and does not await its own `complete()`, so a database failure there
// would be an unhandled rejection. This loop awaits everything.

/** A worker that died is noticed after this time; no handler runs longer than HANDLER_LIMIT_MS, so a live one is never taken for dead. */
const LEASE_SECONDS = 30;
const HANDLER_LIMIT_MS = 20_000;
const MAINTENANCE_SECONDS = 10;
const SCHEMA = 'pgboss';
const RETRY_SECONDS = 2;
const IDLE_POLL_MS = 500;
/** Between two fetches while there is work, unless a nudge comes: a fetch for each job costs more than most jobs do. */
const GATHER_MS = 20;
/** After a failed fetch (the database is away) the loop asks again this much later. */
const FAULT_PAUSE_MS = 1_000;

export interface Queue {
  /** Adds a job, inside the caller's transaction; the runner of this process is nudged after the commit. */
  enqueue(tx: Tx, job: Job, inMs?: number): Promise<void>;
  /** Takes jobs until stopped. */
  run(handlers: JobHandlers): void;
  /** Takes no new jobs, waits for those in hand (aborted after `graceMs`), and closes. Unfinished ones return by their lease. */
  stop(graceMs: number): Promise<void>;
}

export interface QueueDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** No other process can work on this database: then whatever is still leased at the start belongs to the dead. */
  readonly alone: boolean;
}

export async function createQueue({ db, clock, log, alone }: QueueDeps): Promise<Queue> {
  const boss = new PgBoss({
    db: bossDb(db),
    schema: SCHEMA,
    schedule: false,
    supervise: true,
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
    archiveCompletedAfterSeconds: 3_600,
    deleteAfterHours: 24,
  });
  boss.on('error', (error) => log.warn('the job queue could not reach the database', { error: errorForLog(error) }));
  await makeQueues(db);
  await boss.start();
  if (alone) await db.query(`update ${SCHEMA}.job set state = 'retry', start_after = now() where state = 'active'`);

  const runners = new Map<JobKind, Runner>();
  const stopping = new AbortController();
  /** One for each job in hand. */
  const aborts = new Set<() => void>();

  async function insert(target: Db, job: Job, inMs: number): Promise<void> {
    const { kind, ...payload } = job;
    const subject = jobRules[kind].subject?.(payload);
    await boss.send(kind, payload, {
      db: bossDb(target),
      expireInSeconds: LEASE_SECONDS,
      // Never given up for being unlucky: only a deadline of its own ends a video or a delivery.
      retryLimit: 100_000,
      retryDelay: RETRY_SECONDS,
      // As a pause, not as an instant: the database's clock alone decides when a job is due.
      ...(inMs > 0 ? { startAfter: inMs / 1000 } : {}),
      ...(subject ? { singletonKey: subject } : {}),
    });
  }

  return {
    async enqueue(tx, job, inMs = 0) {
      await insert(tx, job, inMs);
      if (inMs === 0) tx.afterCommit(() => runners.get(job.kind)?.nudge());
    },

    run(handlers) {
      // Safe: `kind` selects the handler and the payload together; the compiler cannot follow that through a loop.
      for (const kind of Object.keys(jobRules) as JobKind[]) {
        const handle = handlers[kind] as (job: Job, signal: AbortSignal) => Promise<JobOutcome<JobKind>>;
        runners.set(kind, startRunner(kind, handle));
      }
    },

    async stop(graceMs) {
      stopping.abort();
      for (const runner of runners.values()) runner.nudge();
      const idle = Promise.all([...runners.values()].map((runner) => runner.idle()));
      const cancelGrace = clock.after(graceMs, () => aborts.forEach((abort) => abort()));
      await idle;
      cancelGrace();
      await boss.stop({ graceful: false, close: false, wait: true });
    },
  };

  interface Runner {
    nudge(): void;
    idle(): Promise<void>;
  }

  function startRunner(kind: JobKind, handle: (job: Job, signal: AbortSignal) => Promise<JobOutcome<JobKind>>): Runner {
    const { parallel } = jobRules[kind];
    const inHand = new Set<Promise<void>>();
    let wake: () => void = () => {};
    let nudged = false;

    // Without AbortSignal.any: on Node 20 each one with a signal that lives on costs memory that never comes back, and an idle
    // queue would make half a million a day.
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
        const { jobs, fault } = await fetch(free);
        if (fault !== undefined) {
          log.warn('jobs could not be fetched', { queue: kind, error: errorForLog(fault) });
          await clock.sleep(FAULT_PAUSE_MS, stopping.signal);
          continue;
        }
        for (const job of jobs) {
          const done = work(job).finally(() => inHand.delete(done));
          inHand.add(done);
        }
        await pause(jobs.length === 0 ? IDLE_POLL_MS : GATHER_MS);
      }
    })();

    /** pg-boss takes every fault of a fetch for "no jobs", so the fault is noted on its way there. */
    async function fetch(batchSize: number): Promise<{ jobs: PgBoss.Job<Record<string, unknown>>[]; fault?: unknown }> {
      let fault: unknown;
      const noting: PgBoss.Db = {
        executeSql: (text, values) =>
          db.query(text, values).catch((error: unknown) => {
            fault = error;
            throw error;
          }),
      };
      const jobs = await boss.fetch<Record<string, unknown>>(kind, { batchSize, db: noting });
      return { jobs, fault };
    }

    async function work(row: PgBoss.Job<Record<string, unknown>>): Promise<void> {
      // Safe: rows of this queue are written by `insert` above and nowhere else.
      const job = { kind, ...row.data } as Job;
      const aborting = new AbortController();
      const abort = () => aborting.abort();
      const cancelLimit = clock.after(HANDLER_LIMIT_MS, abort);
      aborts.add(abort);
      try {
        const outcome = await handle(job, aborting.signal);
        if (outcome === 'done' || !(await putBack(row.id, { ...job, ...outcome.with } as Job, outcome.againInMs))) await boss.complete(kind, row.id);
      } catch (error) {
        log.error('a job failed and will be tried again', { queue: kind, jobId: row.id, error: errorForLog(error) });
        await boss.fail(kind, row.id).catch((failError: unknown) => {
          // The database is away: the lease runs out and the job returns by itself.
          log.warn('a failed job could not be handed back', { queue: kind, jobId: row.id, error: errorForLog(failError) });
        });
      } finally {
        cancelLimit();
        aborts.delete(abort);
      }
    }

    /** False: another job about the same thing waits already. */
    async function putBack(id: string, next: Job, inMs: number): Promise<boolean> {
      const { kind: _kind, ...payload } = next;
      const subject = jobRules[kind].subject?.(payload) ?? null;
      try {
        await db.query(PUT_BACK, [kind, id, JSON.stringify(payload), inMs / 1000, subject, policyOf(kind)]);
        return true;
      } catch (error) {
        if (isUniqueViolation(error)) return false;
        throw error;
      }
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

// The row itself waits again, as young as a new one: pg-boss can only end it and insert another, which costs a transaction and
// leaves a dead row for each time that a provider was asked. One whose lease is over waits already, and is left as it is.
const PUT_BACK = `
  update ${SCHEMA}.job
  set state = 'created', data = $3, start_after = now() + $4::float8 * interval '1 second', singleton_key = $5, policy = $6,
      created_on = now(), keep_until = now() + (keep_until - start_after), started_on = null, retry_count = 0
  where name = $1 and id = $2 and state = 'active'`;

const policyOf = (kind: JobKind) => (jobRules[kind].subject ? 'short' : 'standard');

const isUniqueViolation = (error: unknown) => error instanceof Error && 'code' in error && error.code === '23505';

/** Any fixed number; one lock for all instances on a database. */
const QUEUES_LOCK = 7_285_103;

/** Makes the tables of the queue. Several instances may start at once, and pg-boss's own way of making one deadlocks with another's. */
async function makeQueues(db: Database): Promise<void> {
  await db.inTransaction(async (tx) => {
    // Making the tables may take another instance longer than a request may wait for a lock.
    await tx.query('set local lock_timeout = 0');
    await tx.query('select pg_advisory_xact_lock($1)', [QUEUES_LOCK]);
    const boss = new PgBoss({ db: bossDb(tx), schema: SCHEMA, schedule: false, supervise: false });
    await boss.start();
    // Safe: its keys are the kinds.
    for (const kind of Object.keys(jobRules) as JobKind[]) await boss.createQueue(kind, { name: kind, policy: policyOf(kind) });
    await boss.stop({ graceful: false, close: false });
  });
}

/** pg-boss's maintenance sends several statements with a BEGIN of their own; if one fails, the connection must not go back as it is. */
function bossDb(db: Db): PgBoss.Db {
  return {
    async executeSql(text, values) {
      if (values?.length || !/^\s*BEGIN\b/i.test(text)) return db.query(text, values);
      const statements = text.replace(/^\s*BEGIN\s*;/i, '').replace(/;?\s*COMMIT\s*;?\s*$/i, '');
      if (!('inTransaction' in db)) return db.query(statements);
      // Safe: only a whole database has `inTransaction`.
      return (db as Database).inTransaction((tx) => tx.query(statements));
    },
  };
}
