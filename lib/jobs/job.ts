import type { DeliveryId, VideoId } from '../domain/ids';

// The kinds of work that survive a restart. A handler may run twice for the same job (a lease can be lost while it works),
// so every effect of a handler is a compare-and-set in the database.

export type Job =
  | { readonly kind: 'video.start'; readonly videoId: VideoId }
  | { readonly kind: 'video.check'; readonly videoId: VideoId; readonly checks: number; readonly failures?: number }
  | {
      readonly kind: 'webhook.deliver';
      readonly deliveryId: DeliveryId;
      readonly attempt: number;
      readonly turnedAway?: number;
    };

export type JobKind = Job['kind'];
export type JobOf<Kind extends JobKind> = Extract<Job, { kind: Kind }>;

/** `again`: the same job once more, after so many milliseconds, with these changes to its payload. */
export type JobOutcome<Kind extends JobKind> =
  'done' | { readonly againInMs: number; readonly with?: Partial<JobOf<Kind>> };

/** `failures`: how often in a row this job was taken up before and came to no outcome, because its handler threw or its process ended. */
export type JobHandler<Kind extends JobKind> = (
  job: JobOf<Kind>,
  signal: AbortSignal,
  failures: number,
) => Promise<JobOutcome<Kind>>;
export type JobHandlers = { readonly [Kind in JobKind]: JobHandler<Kind> };

/** What of a job goes on in parallel in one process, and how its jobs may meet. */
export interface JobRule {
  readonly parallel: number;
  /** Of several waiting jobs about the same thing only one stays. */
  readonly subject?: (payload: Record<string, unknown>) => string;
}

export const jobRules: { readonly [Kind in JobKind]: JobRule } = {
  'video.start': { parallel: 16 },
  // One chain of checks a video: a start that ran twice would otherwise begin two.
  'video.check': { parallel: 64, subject: (payload) => String(payload.videoId) },
  'webhook.deliver': { parallel: 64 },
};

/** With the pauses of the queue some 25 minutes: longer than a deploy, a failover or a full disk usually lasts. */
const MAX_FAILURES = 12;

/** A handler that is not called any more after it has failed so often; `giveUp` then ends what the job is about. */
export function givingUp<Kind extends JobKind>(
  handle: JobHandler<Kind>,
  giveUp: (job: JobOf<Kind>) => Promise<void>,
): JobHandler<Kind> {
  return async (job, signal, failures) => {
    if (failures < MAX_FAILURES) return handle(job, signal, failures);
    await giveUp(job);
    return 'done';
  };
}
