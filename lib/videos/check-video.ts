import type { Clock } from '../domain/clock';
import { errorForLog, isGatewayError } from '../domain/errors';
import type { Log } from '../domain/log';
import type { Database } from '../db/database';
import { recordCheck, updateUnfinishedVideo, type VideoRow } from '../db/videos';
import type { JobHandler } from '../jobs/job';
import type { Provider } from '../domain/provider';
import type { VideoProgress, VideoProvider } from '../domain/video';
import { checkDelayMs, failureDelayMs } from './check-schedule';
import type { FinishVideo } from './finish-video';

// `video.check`: polls the provider for the status. A failed check does not fail the video: it is repeated at growing
// intervals, at the latest at the deadline. Only the provider's answer or the deadline ends a video.

export function createCheckVideo(deps: {
  db: Database;
  clock: Clock;
  log: Log;
  providers: ReadonlyMap<string, Provider>;
  finishVideo: FinishVideo;
  random: () => number;
}): JobHandler<'video.check'> {
  const { db, clock, log, providers, finishVideo, random } = deps;

  return async function checkVideo({ videoId, checks, failures = 0 }, signal) {
    const video = await recordCheck(db, videoId, clock.now());
    if (!video) return 'done';
    const provider = video.provider === null ? undefined : providers.get(video.provider)?.video;
    const answer = await ask(video, provider, failures, signal);

    if (answer.status === 'completed' || answer.status === 'failed') {
      // A provider reports `completed` only when there is a file; otherwise the caller would have nothing to download.
      await db.inTransaction((tx) => finishVideo(tx, videoId, answer));
      return 'done';
    }
    // After the check and not before: the video may have become ready while this server was down.
    const leftMs = video.deadlineAt.getTime() - clock.nowMs();
    if (leftMs <= 0) {
      const finished = await db.inTransaction((tx) =>
        finishVideo(tx, videoId, { status: 'failed', code: 'upstream_timeout', message: deadlineSentence(video) }),
      );
      if (finished) await provider?.cancel?.(video.receipt, { signal, log }).catch(() => undefined);
      return 'done';
    }
    if (answer.status === 'unknown') {
      const pauseMs = answer.retryAfterMs ?? (provider?.checkEveryMs ?? 0) + failureDelayMs(failures, random);
      return { againInMs: Math.min(pauseMs, leftMs), with: { checks, failures: failures + 1 } };
    }
    if (answer.status === 'in_progress' && video.status === 'queued')
      await updateUnfinishedVideo(db, videoId, { status: 'in_progress', inProgressAt: clock.now() });
    return {
      againInMs: Math.min(checkDelayMs(checks + 1, provider ?? {}, random), leftMs),
      with: { checks: checks + 1, failures: 0 },
    };
  };

  async function ask(
    video: VideoRow,
    provider: VideoProvider | undefined,
    failures: number,
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
      return await provider.check(video.receipt, { signal, log });
    } catch (error) {
      log.warn('a video could not be checked', {
        videoId: video.id,
        provider: video.provider ?? '',
        attempt: failures + 1,
        error: errorForLog(error),
      });
      const retryAfterMs = isGatewayError(error) ? error.extra.upstream?.retryAfterMs : undefined;
      return { status: 'unknown', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    }
  }
}

/** The status could not be read. `retryAfterMs` is the delay that the provider asked for. */
interface Unknown {
  readonly status: 'unknown';
  readonly retryAfterMs?: number;
}

function deadlineSentence(video: VideoRow): string {
  const minutes = Math.round((video.deadlineAt.getTime() - video.createdAt.getTime()) / 60_000);
  return `The provider did not finish the video within ${minutes} minutes.`;
}
