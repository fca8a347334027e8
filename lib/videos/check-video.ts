import type { Clock } from '../domain/clock';
import { errorForLog, isGatewayError } from '../domain/errors';
import type { Log } from '../domain/log';
import type { Database } from '../db/database';
import { reserveCheck } from '../db/check-slots';
import { recordChecks, updateUnfinishedVideo, type VideoChange, type VideoRow } from '../db/videos';
import type { VideoId } from '../domain/ids';
import { createBatches } from '../io/batches';
import type { JobHandler } from '../jobs/job';
import type { ProviderDirectory } from '../routing/provider-directory';
import type { ProviderHealth } from '../routing/provider-health';
import { recordCredential } from '../routing/try-routes';
import type { RunningVideo, VideoProgress, VideoProvider } from '../domain/video';
import { failureDelayMs, nextCheckMs } from './check-schedule';
import type { BeginArchive } from './archive-video';
import { plausibleExpiry, type FinishVideo } from './finish-video';

// `video.check`: polls the provider for the status. A failed check does not fail the video: it is repeated at growing
// intervals, at the latest at the deadline. Only the provider's answer, credentials that stay refused, or the deadline
// ends a video.

/** Checks in a row with refused credentials, about five minutes: longer than an operator needs to replace a key. */
const MAX_AUTH_FAILURES = 5;
const MINUTE_MS = 60_000;
const MAX_RECORDS = 100;

export function createCheckVideo(deps: {
  db: Database;
  clock: Clock;
  log: Log;
  providers: Pick<ProviderDirectory, 'of'>;
  health: Pick<ProviderHealth, 'credentials'>;
  finishVideo: FinishVideo;
  /** Absent: there is no archive. */
  beginArchive?: BeginArchive;
  random: () => number;
}): JobHandler<'video.check'> {
  const { db, clock, log, providers, health, finishVideo, beginArchive, random } = deps;
  // Jobs that were claimed together begin in one turn of the event loop, so one statement writes their records.
  const records = createBatches<{ readonly id: VideoId; readonly isCounted: boolean }, VideoRow | undefined>(
    { clock, pauseMs: 0, maxItems: MAX_RECORDS },
    (checks) => recordChecks(db, checks, clock.now()),
  );

  return async function checkVideo({ videoId, checks, failures = 0, authFailures = 0, hasSlot = false }, signal) {
    // A check that waited for its slot was counted when it began to wait.
    const video = await records.add({ id: videoId, isCounted: hasSlot });
    if (!video) return 'done';
    const provider = (await providers.of(video))?.video;
    const checksPerMinute = provider?.limits?.checksPerMinute;
    if (video.provider !== null && checksPerMinute !== undefined && !hasSlot) {
      const waitMs = await reserveCheck(db, accountOf(video.provider, video), MINUTE_MS / checksPerMinute);
      if (waitMs > 0) return { againInMs: waitMs, with: { hasSlot: true } };
    }
    const running = runningOf(video, failures);
    const answer = await ask(video, running, provider, authFailures, signal);

    if (answer.status === 'completed' && beginArchive && answer.video.expiresAt !== 'kept') {
      const { expiresAt } = answer.video;
      await db.inTransaction((tx) => beginArchive(tx, video, { ...answer, expiresAt }));
      return 'done';
    }
    if (answer.status === 'completed' || answer.status === 'failed') {
      // A provider reports `completed` only when there is a file; otherwise the caller would have nothing to download.
      await db.inTransaction((tx) => finishVideo(tx, videoId, answer));
      return 'done';
    }
    const change = answer.status === 'unknown' ? {} : changeOf(video, answer, provider);
    if (Object.keys(change).length > 0) await updateUnfinishedVideo(db, videoId, change);
    // After the check and not before: the video may have become ready while this server was down.
    const leftMs = (change.deadlineAt ?? video.deadlineAt).getTime() - clock.nowMs();
    if (leftMs <= 0) {
      const finished = await db.inTransaction((tx) =>
        finishVideo(tx, videoId, {
          status: 'failed',
          code: 'upstream_timeout',
          message: deadlineSentence(video, provider),
        }),
      );
      if (finished) await provider?.cancel?.(running, { signal, log }).catch(() => undefined);
      return 'done';
    }
    if (answer.status === 'unknown') {
      const pauseMs = failureDelayMs(failures, random, answer.retryAfterMs);
      return {
        againInMs: Math.min(pauseMs, leftMs),
        with: {
          checks,
          failures: failures + 1,
          authFailures: answer.isAuthFailure ? authFailures + 1 : 0,
          hasSlot: false,
        },
      };
    }
    return {
      againInMs: Math.min(nextCheckMs(checks + 1, answer.nextInMs, provider ?? {}, random), leftMs),
      with: { checks: checks + 1, failures: 0, authFailures: 0, hasSlot: false },
    };
  };

  /** Returns the changes of the row by the provider's answer about a video that has not ended. */
  function changeOf(
    video: VideoRow,
    { status, receipt }: Extract<VideoProgress, { status: 'queued' | 'in_progress' }>,
    provider: VideoProvider | undefined,
  ): VideoChange & { readonly deadlineAt?: Date } {
    const begins = status === 'in_progress' && video.status === 'queued';
    const now = clock.now();
    return {
      ...(receipt === undefined ? {} : { receipt }),
      ...(begins ? { status, inProgressAt: now } : {}),
      // The time for which the video waited for a free worker of the provider does not count.
      ...(begins && provider?.waitTimeoutMs !== undefined
        ? { deadlineAt: new Date(now.getTime() + video.deadlineSeconds * 1000) }
        : {}),
    };
  }

  async function ask(
    video: VideoRow,
    running: RunningVideo,
    provider: VideoProvider | undefined,
    authFailures: number,
    signal: AbortSignal,
  ): Promise<VideoProgress | Unknown> {
    if (!provider) {
      log.warn('a running video belongs to a provider that is not set up', {
        videoId: video.id,
        provider: video.provider ?? '',
      });
      return { status: 'unknown' };
    }
    try {
      const progress = await provider.check(running, { signal, log });
      recordCredential(health, video);
      if (progress.status !== 'completed' || progress.video.expiresAt === 'kept') return progress;
      const expiresAt = plausibleExpiry(progress.video.expiresAt, clock.now());
      return { ...progress, video: { ...progress.video, expiresAt } };
    } catch (error) {
      recordCredential(health, video, error);
      log.warn('a video could not be checked', {
        videoId: video.id,
        provider: video.provider ?? '',
        attempt: running.failures + 1,
        error: errorForLog(error),
      });
      if (!isGatewayError(error)) return { status: 'unknown' };
      const isAuthFailure = error.code === 'upstream_auth_failed';
      if (isAuthFailure && authFailures >= MAX_AUTH_FAILURES)
        return { status: 'failed', code: 'upstream_auth_failed', message: error.message };
      const retryAfterMs = error.extra.upstream?.retryAfterMs;
      return { status: 'unknown', isAuthFailure, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    }
  }
}

/** The status could not be read. `retryAfterMs` is the delay that the provider requested. */
interface Unknown {
  readonly status: 'unknown';
  readonly isAuthFailure?: boolean;
  readonly retryAfterMs?: number;
}

/** Describes a running video for its provider. `failures` is the number of failed checks in a row. */
export function runningOf(video: VideoRow, failures = 0): RunningVideo {
  return { videoId: video.id, receipt: video.receipt, startedAt: video.startedAt ?? video.createdAt, failures };
}

function deadlineSentence(
  { status, deadlineSeconds }: VideoRow,
  { waitTimeoutMs }: Partial<VideoProvider> = {},
): string {
  if (status === 'queued' && waitTimeoutMs !== undefined)
    return `The provider did not begin the video within ${Math.round(waitTimeoutMs / 60_000)} minutes.`;
  return `The provider did not finish the video within ${Math.round(deadlineSeconds / 60)} minutes.`;
}

/** Returns the name of the account at the provider; the provider's limits apply to each account. */
function accountOf(provider: string, { credentialId }: VideoRow): string {
  return credentialId === null ? provider : `${provider} ${credentialId}`;
}
