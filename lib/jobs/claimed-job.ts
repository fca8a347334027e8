import type { Job, JobKind, JobOwner } from './job';

/** A job that this process has claimed from the queue. */
export interface ClaimedJob {
  readonly id: number;
  /** Unique for each time that the job was claimed: with the id, it names the lease. */
  readonly run: number;
  readonly job: Job;
  readonly owner: JobOwner;
  /** How many times in a row it was claimed before without an outcome. */
  readonly failures: number;
}

/** A row of the list of claimed jobs that a claiming statement returns. */
export interface ClaimedRow {
  readonly id: number;
  readonly run: number;
  readonly payload: object;
  readonly org_id: string;
  readonly mode: string;
  readonly place: string;
  readonly failures: number;
}

export function claimedJobOf(
  kind: JobKind,
  { id, run, payload, org_id, mode, place, failures }: ClaimedRow,
): ClaimedJob {
  // Safe: only `enqueue` and `putBack` write rows of the queue.
  return { id, run, failures, job: { kind, ...payload }, owner: { orgId: org_id, mode, place } } as ClaimedJob;
}
