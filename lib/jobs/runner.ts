import type { Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import type { Log } from '../domain/log';
import type { Telemetry, EndedJobReport } from '../domain/telemetry';
import type { Db } from '../db/database';
import { createFairClaimer } from './fair-claimer';
import { jobRules, subjectsOf, type Job, type JobKind, type JobOutcome, type JobRun } from './job';
import type { JobEnds } from './job-ends';
import type { Leases } from './leases';
import type { ClaimedJob } from './claimed-job';

// Claims and runs the jobs of one kind. Every step is awaited, so that no database error goes unhandled.

const HANDLER_TIMEOUT_MS = 20_000;
/** The delay after the first failure; it doubles up to a maximum. */
const RETRY_MS = 2_000;
const MAX_RETRY_MS = 300_000;
const IDLE_POLL_INTERVAL_MS = 500;
/**
 * The pause between two claims while there is work; a nudge ends it early. One claim per job would cost more than most
 * jobs themselves.
 */
const GATHER_MS = 20;
/** The pause after a failed claim (the database is unavailable). */
const FAULT_PAUSE_MS = 1_000;

export type Handle = (job: Job, signal: AbortSignal, run: JobRun) => Promise<JobOutcome<JobKind>>;

export interface Runner {
  /** Ends the current pause: there may be a job to claim. */
  nudge(): void;
  /** Resolves when it has stopped and its jobs have ended. */
  idle(): Promise<void>;
}

export interface RunnerDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly leases: Leases;
  readonly ends: JobEnds;
  /** When it aborts, no more jobs are claimed. */
  readonly stopping: AbortSignal;
  /** One function per running handler, which aborts it. */
  readonly aborts: Set<() => void>;
}

/** Claims and runs the jobs of one kind, until it is stopped. */
export function startRunner(
  { db, clock, log, telemetry: { metrics, tracing }, leases, ends, stopping, aborts }: RunnerDeps,
  kind: JobKind,
  handle: Handle,
): Runner {
  const { timeoutMs = HANDLER_TIMEOUT_MS } = jobRules[kind];
  const claimer = createFairClaimer(db, kind);
  const inHand = new Set<Promise<void>>();
  /** Whether jobs are waiting for a handler that is in use. */
  let waitsForHandler = false;
  /** Whether a job has ended since the last claim began; that claim may not have seen the free handler. */
  let hasEnded = false;
  /** Whether the next claim is likely to find jobs. */
  let isLikely = true;
  let wake: () => void = () => {};
  let isNudged = false;

  const nudge = () => {
    isNudged = true;
    wake();
  };

  // Without AbortSignal.any: on Node 20 each call with a long-lived signal leaks memory, and an idle queue makes half
  // a million calls a day.
  const pause = async (ms: number) => {
    const woken = new AbortController();
    wake = () => woken.abort();
    if (!isNudged) await clock.sleep(ms, woken.signal);
    isLikely = isNudged || ms < IDLE_POLL_INTERVAL_MS;
    isNudged = false;
  };

  const loop = (async () => {
    while (!stopping.aborted) {
      hasEnded = false;
      const claimed = await claimer.claim(isLikely).catch((error: unknown) => {
        log.warn('jobs could not be fetched', { queue: kind, error: errorForLog(error) });
      });
      if (!claimed) {
        await clock.sleep(FAULT_PAUSE_MS, stopping);
        continue;
      }
      for (const job of claimed.jobs) {
        const done = tracing
          .job(kind, [...subjectsOf(job.job), String(job.id)], job.job.trace, () => work(job))
          .finally(() => {
            inHand.delete(done);
            claimer.release(job);
            hasEnded = true;
            if (waitsForHandler) nudge();
          });
        inHand.add(done);
      }
      const hasClaimed = claimed.jobs.length > 0;
      waitsForHandler = !hasClaimed && claimed.hasLine && inHand.size > 0;
      // Jobs in line but none claimed and none running here: another process claimed the chosen ones first, so try
      // again.
      const isBusy = hasClaimed || (claimed.hasLine && (hasEnded || inHand.size === 0));
      await pause(isBusy ? GATHER_MS : Math.min(Math.max(claimed.nextInMs, GATHER_MS), IDLE_POLL_INTERVAL_MS));
      waitsForHandler = false;
    }
  })();

  async function work(claimed: ClaimedJob): Promise<void> {
    const { job, failures } = claimed;
    const jobId = String(claimed.id);
    const startedAt = clock.nowMs();
    let result: EndedJobReport['result'] = 'failed';
    const aborting = new AbortController();
    const abort = () => aborting.abort();
    const cancelLimit = clock.after(timeoutMs, abort);
    aborts.add(abort);
    try {
      const outcome = await keepingLease(claimed, () => handle(job, aborting.signal, { failures, stopping }));
      result = outcome === 'done' ? 'done' : 'again';
      const isLeased =
        outcome === 'done'
          ? await ends.complete(claimed)
          : await ends.putBack(claimed, { ...job, ...outcome.with } as Job, outcome.againInMs);
      if (!isLeased)
        log.warn('a job finished after its lease had expired; another runner may have run it too', {
          queue: kind,
          jobId,
        });
    } catch (error) {
      log.error('a job failed and will be tried again', {
        queue: kind,
        jobId,
        attempt: failures + 1,
        error: errorForLog(error),
      });
      await ends.retry(claimed, Math.min(RETRY_MS * 2 ** failures, MAX_RETRY_MS)).catch((retryError: unknown) => {
        // The database is unavailable: the lease expires and the job becomes available again.
        log.warn('a failed job could not be requeued', { queue: kind, jobId, error: errorForLog(retryError) });
      });
    } finally {
      cancelLimit();
      aborts.delete(abort);
      metrics.jobEnded({ kind, result, ms: clock.nowMs() - startedAt });
    }
  }

  /** Keeps the lease of the job while `run` works. Settles as `run` does. */
  async function keepingLease<T>(claimed: ClaimedJob, run: () => Promise<T>): Promise<T> {
    leases.keep(claimed);
    try {
      return await run();
    } finally {
      await leases.release(claimed);
    }
  }

  return {
    nudge,
    async idle() {
      await loop;
      await Promise.all(inHand);
    },
  };
}
