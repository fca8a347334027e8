import { sql } from 'drizzle-orm';
import type { Ledger } from '../billing/ledger';
import type { Clock } from '../domain/clock';
import type { ErrorCode } from '../domain/error-rules';
import type { VideoId } from '../domain/ids';
import type { Log } from '../domain/log';
import { noTelemetry, type Telemetry } from '../domain/telemetry';
import type { FinishedVideo, UpstreamBill, VideoFailureCode } from '../domain/video';
import type { Tx } from '../db/database';
import { videos } from '../db/schema/index';
import { addEndedVideo } from '../db/usage-days';
import { orderWithoutInlineMedia, updateUnfinishedVideo, type VideoChange, type VideoRow } from '../db/videos';
import type { ScheduleWebhooks } from '../webhooks/schedule-webhooks';
import type { Links } from './links';
import { presentVideo } from './present';

// Ends a video in one transaction: the row changes state if the transition is allowed, the hold is captured or
// released, the daily sums count it, and its webhooks are scheduled with exactly the body that GET returns from now on.
// A second run does nothing.

/** How long a file that is kept on this machine or in the archive can be downloaded. */
const KEEP_MS = 30 * 24 * 3_600_000;
/** How long a file is offered whose provider states an expiry before its completion: it may still be there. */
const OVERDUE_KEEP_MS = 60 * 60 * 1_000;
/** Limits that no provider's file exceeds: pixels, frames per second, seconds, and the time until its deletion. */
const MAX_SIDE = 65_536;
const MAX_FPS = 1_000;
const MAX_DURATION_SECONDS = 86_400;
const MAX_LIFETIME_MS = 10 * 365 * 24 * 3_600_000;
/** No video costs us more than $1,000,000, and no provider needs a longer text to state the cost in its own units. */
const MAX_BILL_NANO_USD = 1_000_000_000_000_000n;
const MAX_UNITS_CHARS = 100;

export type VideoEnd =
  | {
      readonly status: 'completed';
      readonly video: FinishedVideo;
      readonly bill?: UpstreamBill;
      /** The key of the file in the archive; absent if the file stays with its provider. */
      readonly archiveKey?: string;
    }
  /** `message` is shown to the caller. */
  | {
      readonly status: 'failed';
      readonly code: VideoEndCode;
      readonly message: string;
      readonly bill?: UpstreamBill;
    };

/** The code of a failed video; if a provider refused to start it, the error code of the refusal. */
export type VideoEndCode = VideoFailureCode | ErrorCode;

/** Returns the finished row, or undefined if the video was already finished. */
export type FinishVideo = (tx: Tx, id: VideoId, end: VideoEnd) => Promise<VideoRow | undefined>;

export function createFinishVideo(deps: {
  ledger: Ledger;
  links: Links;
  clock: Clock;
  log: Log;
  scheduleWebhooks: ScheduleWebhooks;
  telemetry?: Telemetry;
}): FinishVideo {
  const { ledger, links, clock, log, scheduleWebhooks, telemetry: { metrics } = noTelemetry } = deps;
  return async function finishVideo(tx, id, end) {
    const now = clock.now();
    const row = await updateUnfinishedVideo(tx, id, {
      status: end.status,
      completedAt: now,
      upstreamResult: null,
      order: orderWithoutInlineMedia,
      ...outcomeOf(end, now),
      ...billOf(end),
    });
    if (!row) return undefined;
    // The same time for both, so that the daily sums count the video on the day on which its hold was resolved.
    if (end.status === 'completed') await ledger.capture(tx, row.holdId, undefined, now);
    else await ledger.release(tx, row.holdId, now);
    await addEndedVideo(tx, id, now);
    await scheduleWebhooks(tx, {
      orgId: row.orgId,
      mode: row.mode,
      videoId: row.id,
      event: end.status === 'completed' ? 'video.completed' : 'video.failed',
      requestedUrl: row.webhookUrl,
      body: () => JSON.stringify(presentVideo(row, links)),
    });
    const ms = now.getTime() - row.createdAt.getTime();
    log.info('a video finished', { videoId: id, code: end.status === 'failed' ? end.code : end.status, ms });
    tx.afterCommit(() =>
      metrics.videoEnded({
        model: row.model,
        ...(row.provider !== null && { provider: row.provider }),
        mode: row.mode,
        ms,
        ...(end.status === 'failed' ? { code: end.code } : { seconds: Number(row.seconds) }),
      }),
    );
    return row;
  };
}

function outcomeOf(end: VideoEnd, now: Date): VideoChange {
  if (end.status === 'failed') {
    return { costNanoUsd: 0n, errorCode: end.code, errorMessage: withoutCharge(end.message.trim()) };
  }
  const { archiveKey } = end;
  const { file, publicUrl, bytes, expiresAt } = end.video;
  const keptUntil = new Date(now.getTime() + KEEP_MS);
  return {
    // The quoted price, whichever provider made the video and however long it took.
    costNanoUsd: sql`${videos.quoteNanoUsd}`,
    file,
    archiveKey: archiveKey ?? null,
    // Not for an archived file: the provider's link expires earlier than the file in the archive.
    ...(publicUrl === undefined || archiveKey !== undefined ? {} : { publicUrl }),
    ...plausibleFacts(end.video),
    ...(bytes === undefined ? {} : { fileBytes: bytes }),
    expiresAt: expiresAt === 'kept' || archiveKey !== undefined ? keptUntil : expiresAt,
  };
}

/** Keeps only possible facts of a file. The database would refuse impossible ones, and with them the whole update. */
function plausibleFacts({ width, height, fps, durationSeconds }: FinishedVideo): VideoChange {
  return {
    ...(isUpTo(MAX_SIDE, width) && { width: Math.round(width) }),
    ...(isUpTo(MAX_SIDE, height) && { height: Math.round(height) }),
    ...(isUpTo(MAX_FPS, fps) && { fps }),
    ...(isUpTo(MAX_DURATION_SECONDS, durationSeconds) && { durationSeconds }),
  };
}

function isUpTo(max: number, value: number | undefined): value is number {
  return value !== undefined && value > 0 && value <= max;
}

/**
 * Returns the time at which the provider deletes a file that is ready now; corrects an impossible time. For a check.
 */
export function plausibleExpiry(expiresAt: Date, now: Date): Date {
  const lifetimeMs = expiresAt.getTime() - now.getTime();
  if (lifetimeMs <= 0 && lifetimeMs > -MAX_LIFETIME_MS) return new Date(now.getTime() + OVERDUE_KEEP_MS);
  return Math.abs(lifetimeMs) < MAX_LIFETIME_MS ? expiresAt : new Date(now.getTime() + KEEP_MS);
}

/**
 * Returns the columns of the upstream's charge. It is recorded for failed videos too, because it is our loss. An
 * impossible charge is left out: the database would refuse it, and with it the end of the video.
 */
export function billOf({ bill: { nanoUsd, units } = {} }: { readonly bill?: UpstreamBill }): VideoChange {
  return {
    ...(nanoUsd === undefined || nanoUsd > MAX_BILL_NANO_USD ? {} : { upstreamNanoUsd: nanoUsd }),
    ...(units === undefined || units.length > MAX_UNITS_CHARS ? {} : { upstreamUnits: units }),
  };
}

const NOT_CHARGED = 'You were not charged.';
const END_OF_SENTENCE = /[.!?…。！？]["'”’)\]]*$/;

/**
 * Appends to a failure's message that the caller was not charged. Adds a full stop if the vendor's message has none.
 */
function withoutCharge(message: string): string {
  if (message.endsWith(NOT_CHARGED)) return message;
  return `${message}${END_OF_SENTENCE.test(message) ? '' : '.'} ${NOT_CHARGED}`;
}
