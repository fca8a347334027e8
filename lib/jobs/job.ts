import type { Account } from '../domain/caller';
import type { AlertId, DeliveryId, UserId, VideoId } from '../domain/ids';

// The kinds of durable work. A handler may run twice for the same job (its lease can expire while it works), so every
// effect of a handler is a compare-and-set in the database.

export type Job = JobPayload & {
  /** The sampled request with which the work began, as `traceparent`. */
  readonly trace?: string;
};

type JobPayload =
  | { readonly kind: 'video.start'; readonly videoId: VideoId }
  | {
      readonly kind: 'video.check';
      readonly videoId: VideoId;
      readonly checks: number;
      /** How many checks in a row before this one could not be made. */
      readonly failures?: number;
      /** How many of these, in a row before this one, the provider refused because of the credentials. */
      readonly authFailures?: number;
      /** Whether the check has already waited for its turn among the checks of its provider. */
      readonly hasSlot?: boolean;
    }
  | { readonly kind: 'video.archive'; readonly videoId: VideoId; readonly failures?: number }
  | {
      readonly kind: 'webhook.deliver';
      readonly deliveryId: DeliveryId;
      readonly attempt: number;
    }
  | {
      readonly kind: 'alert.mail';
      readonly alertId: AlertId;
      readonly userId: UserId;
      /** When the crossing of the threshold was detected; identifies the crossing. */
      readonly crossedMs: number;
    };

export type JobKind = Job['kind'];
export type JobOf<Kind extends JobKind> = Extract<Job, { kind: Kind }>;

/** The account and the place of a job. The due jobs of a kind share the handlers fairly between them. */
export interface JobOwner extends Account {
  /** What the handler waits for: the provider of a video, the host of a webhook's receiver, or the mail server. */
  readonly place: string;
}

/** Returns the owner of a delivery. Its place is the receiver's host, so deliveries of all organisations share it. */
export function deliveryOwner({ orgId, mode, url }: Account & { readonly url: string }): JobOwner {
  return { orgId, mode, place: new URL(url).host };
}

/** Returns the ids of the video, delivery or alert that a job works for; its trace is found by them. */
export function subjectsOf(job: Job): readonly string[] {
  if ('videoId' in job) return [job.videoId];
  return 'deliveryId' in job ? [job.deliveryId] : [];
}

/** `again`: run the same job once more after this many milliseconds, with these changes to its payload. */
export type JobOutcome<Kind extends JobKind> =
  'done' | { readonly againInMs: number; readonly with?: Partial<JobOf<Kind>> };

/** One run of a job. */
export interface JobRun {
  /** How many earlier runs in a row had no outcome, because the handler threw or its process ended. */
  readonly failures: number;
  /** Aborted when the process begins to stop; the signal of the handler follows after the grace period. */
  readonly stopping: AbortSignal;
}

/** `signal` is aborted when the time limit of the job, or the grace period of a stopping process, is over. */
export type JobHandler<Kind extends JobKind> = (
  job: JobOf<Kind>,
  signal: AbortSignal,
  run: JobRun,
) => Promise<JobOutcome<Kind>>;
export type JobHandlers = { readonly [Kind in JobKind]: JobHandler<Kind> };

/** The concurrency of a kind of job in one process, and how jobs are deduplicated. */
export interface JobRule {
  /**
   * The number of handlers. A place or an organisation gets another handler only while it has no more than are free. So
   * one place gets at most half of the handlers, two places get a third each, and some are always left for others.
   */
  readonly parallel: number;
  /** The maximum number of handlers for one place. */
  readonly parallelPerPlace?: number;
  /** The time after which a handler is aborted. Absent: 20 seconds. */
  readonly timeoutMs?: number;
  /** Of several waiting jobs with the same subject only one is kept. */
  readonly isSingle?: true;
}

/** A start may read media and upload them before it submits. */
export const START_TIMEOUT_MS = 300_000;

export const jobRules: { readonly [Kind in JobKind]: JobRule } = {
  // One provider gets half of them: 200 starts a second if it answers within 400 ms.
  'video.start': { parallel: 192, timeoutMs: START_TIMEOUT_MS },
  // Almost all of its time is the wait for the provider. One chain of checks for each video: a start that ran twice
  // would otherwise begin two.
  'video.check': { parallel: 1_024, isSingle: true },
  // Copies whole files. One copy of a file is enough.
  'video.archive': { parallel: 16, timeoutMs: 1_800_000, isSingle: true },
  'webhook.deliver': { parallel: 128, parallelPerPlace: 5 },
  'alert.mail': { parallel: 4, timeoutMs: 60_000 },
};

/** Returns the id of the job's video, delivery or alert. */
export function subjectOf(job: Job): VideoId | DeliveryId | AlertId {
  if (job.kind === 'webhook.deliver') return job.deliveryId;
  return job.kind === 'alert.mail' ? job.alertId : job.videoId;
}

/** With the queue's retry delays about 25 minutes: longer than most deploys, failovers or full disks last. */
const MAX_FAILURES = 12;

/** Wraps a handler: after too many failures it is no longer called, and `giveUp` ends the subject of the job. */
export function givingUp<Kind extends JobKind>(
  handle: JobHandler<Kind>,
  giveUp: (job: JobOf<Kind>) => Promise<void>,
): JobHandler<Kind> {
  return async (job, signal, run) => {
    if (run.failures < MAX_FAILURES) return handle(job, signal, run);
    await giveUp(job);
    return 'done';
  };
}
