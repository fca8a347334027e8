import type { Job, JobKind, JobOwner } from './job';

/** A job that this process has taken from the queue. */
export interface TakenJob {
  readonly id: number;
  /** Unique for each time that the job was taken: with the id, it names the lease. */
  readonly run: number;
  readonly job: Job;
  readonly owner: JobOwner;
  /** How many times in a row it was taken before without an outcome. */
  readonly failures: number;
}

/** A row of the list that the statements which take jobs return. */
export interface TakenRow {
  readonly id: number;
  readonly run: number;
  readonly payload: object;
  readonly org_id: string;
  readonly mode: string;
  readonly place: string;
  readonly failures: number;
}

export function takenJobOf(kind: JobKind, { id, run, payload, org_id, mode, place, failures }: TakenRow): TakenJob {
  // Safe: only `enqueue` and `putBack` write rows of the queue.
  return { id, run, failures, job: { kind, ...payload }, owner: { orgId: org_id, mode, place } } as TakenJob;
}
