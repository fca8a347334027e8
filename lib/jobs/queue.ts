import { setMaxListeners } from 'node:events';
import type { Cancel, Clock } from '../domain/clock';
import type { Log } from '../domain/log';
import { noTelemetry, type Telemetry } from '../domain/telemetry';
import type { Database, Tx } from '../db/database';
import type { PartialInsert } from '../db/sql';
import { createJobEnds } from './job-ends';
import { jobRules, subjectsOf, type Job, type JobHandlers, type JobKind, type JobOwner } from './job';
import { createLeases, returnLeasedJobs, watchLeases } from './leases';
import { startRunner, type Handle, type Runner } from './runner';
import { insertJob, jobInsert, jobsInsert, MAKE_DUE, RUN_NEXT, type NewJob } from './statements';

// Durable jobs in a table of the same database, so that a state change and the job that follows it are one commit.

export interface Queue {
  /** Adds a job in the caller's transaction; this process's runner is nudged after the commit. */
  enqueue(tx: Tx, job: Job, owner: JobOwner, inMs?: number): Promise<void>;
  /** Returns an insert of a job that becomes a part of the caller's statement; call `nudge` after the commit. */
  insertOf(job: Job, owner: JobOwner, inMs?: number): PartialInsert;
  /**
   * Returns an insert of jobs that becomes a part of the caller's statement; each is inserted only if that statement
   * has a row with its subject as `id`. Not for jobs that must run at once: they get their turn a moment later than
   * with `insertOf`.
   */
  insertAllOf(jobs: readonly NewJob[]): PartialInsert;
  /** Looks for jobs of this kind now instead of at the next poll. */
  nudge(kind: JobKind): void;
  /**
   * Makes the waiting job with this subject due now. If the job is running, its next run is due as soon as this one
   * ends, because it may have read the state of the subject before a change. Does nothing if there is no such job. With
   * `gapMs` it is due at the earliest that long after the end of its last run, or, while it is running, after this
   * call.
   */
  makeDue(kind: JobKind, subject: string, gapMs?: number): Promise<void>;
  /** As `makeDue`, but the job does not wait behind the due jobs of its organisation. */
  runNext(kind: JobKind, subject: string): Promise<void>;
  /** Claims and runs jobs until `stop`. */
  run(handlers: JobHandlers): void;
  /**
   * Stops claiming jobs; running jobs are aborted after `graceMs`. Other calls still work. Safe to repeat: only the
   * first call has an effect.
   */
  drain(graceMs: number): void;
  /**
   * Calls `drain`, waits for the running jobs, and closes. Unfinished jobs become available again when their lease
   * expires.
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
  /** Whether this process makes jobs of dead processes available again; false in a process that runs no jobs. */
  readonly maintains?: boolean;
  readonly telemetry?: Telemetry;
}

export async function createQueue({
  db,
  clock,
  log,
  exclusive,
  maintains = true,
  telemetry = noTelemetry,
}: QueueDeps): Promise<Queue> {
  if (exclusive) await returnLeasedJobs(db, 'all');
  const endWatch = maintains ? watchLeases({ db, clock, log }) : undefined;
  const leases = createLeases({ db, clock });
  const ends = createJobEnds({ db, clock });
  const runners = new Map<JobKind, Runner>();
  const stopping = new AbortController();
  // No limit: every running job adds a listener, and Node would warn of a leak from the eleventh on.
  setMaxListeners(0, stopping.signal);
  const aborts = new Set<() => void>();
  let cancelGrace: Cancel = () => {};

  function drain(graceMs: number): void {
    if (stopping.signal.aborted) return;
    stopping.abort();
    ends.hurry();
    for (const runner of runners.values()) runner.nudge();
    cancelGrace = clock.after(graceMs, () => aborts.forEach((abort) => abort()));
  }

  /** Adds the trace of the sampled request, if the current job works for the same video or delivery. */
  function traced(job: Job): Job {
    const trace = job.trace ?? telemetry.tracing.origin(subjectsOf(job)[0]);
    return trace === undefined ? job : { ...job, trace };
  }

  const nudge = (kind: JobKind) => runners.get(kind)?.nudge();

  return {
    async enqueue(tx, job, owner, inMs = 0) {
      await insertJob(tx, traced(job), owner, inMs);
      if (inMs === 0) tx.afterCommit(() => nudge(job.kind));
    },

    insertOf: (job, owner, inMs = 0) => jobInsert(traced(job), owner, inMs),
    insertAllOf: (jobs) => jobsInsert(jobs.map((each) => ({ ...each, job: traced(each.job) }))),
    nudge,

    async makeDue(kind, subject, gapMs = 0) {
      const { rowCount } = await db.query(MAKE_DUE, [kind, subject, gapMs]);
      if (rowCount) nudge(kind);
    },

    async runNext(kind, subject) {
      const { rowCount } = await db.query(RUN_NEXT, [kind, subject]);
      if (rowCount) nudge(kind);
    },

    run(handlers) {
      const deps = { db, clock, log, telemetry, leases, ends, stopping: stopping.signal, aborts };
      // Safe: `kind` selects the handler and the payload together; the compiler cannot follow that through a loop.
      for (const kind of Object.keys(jobRules) as JobKind[])
        runners.set(kind, startRunner(deps, kind, handlers[kind] as Handle));
    },

    drain,

    async stop(graceMs) {
      drain(graceMs);
      await Promise.all([...runners.values()].map((runner) => runner.idle()));
      cancelGrace();
      leases.stop();
      await endWatch?.();
    },
  };
}
