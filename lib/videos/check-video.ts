import type { Clock } from '../domain/clock';
import { errorForLog, isGatewayError } from '../domain/errors';
import type { Log } from '../domain/log';
import type { Database } from '../db/database';
import { findVideoById, updateUnfinishedVideo, type VideoRow } from '../db/videos';
import type { JobHandler } from '../jobs/job';
import type { Provider } from '../domain/provider';
import { checkDelayMs, faultDelayMs } from './check-schedule';
import type { FinishVideo } from './finish-video';

// `video.check`: asks the provider how far it is. Not to find out is not a failure: the question is put again, more slowly,
// until the deadline, and only the provider's own word or the deadline ends a video.

export function createCheckVideo(deps: {
  db: Database;
  clock: Clock;
  log: Log;
  providers: ReadonlyMap<string, Provider>;
  finishVideo: FinishVideo;
  random: () => number;
}): JobHandler<'video.check'> {
  const { db, clock, log, providers, finishVideo, random } = deps;

  return async function checkVideo({ videoId, checks, faults = 0 }, signal) {
    const video = await findVideoById(db, videoId);
    if (!video || video.receipt === null || video.completedAt !== null) return 'done';
    const provider = video.provider === null ? undefined : providers.get(video.provider)?.video;
    if (clock.now() >= video.deadlineAt) {
      const finished = await db.inTransaction((tx) => finishVideo(tx, videoId, { status: 'failed', code: 'upstream_timeout', message: deadlineSentence(video) }));
      if (finished) await provider?.cancel?.(video.receipt, { signal, log }).catch(() => undefined);
      return 'done';
    }
    if (!provider) {
      log.warn('a running video belongs to a provider that is not set up', { videoId, provider: video.provider ?? '' });
      return { againInMs: faultDelayMs(faults, random), with: { checks, faults: faults + 1 } };
    }

    let progress: Awaited<ReturnType<typeof provider.check>>;
    try {
      progress = await provider.check(video.receipt, { signal, log });
    } catch (error) {
      log.warn('a video could not be checked', { videoId, provider: video.provider ?? '', attempt: faults + 1, error: errorForLog(error) });
      const asked = isGatewayError(error) ? error.extra.upstream?.retryAfterMs : undefined;
      return { againInMs: asked ?? (provider.checkEveryMs ?? 0) + faultDelayMs(faults, random), with: { checks, faults: faults + 1 } };
    }

    if (progress.status === 'completed' || progress.status === 'failed') {
      // A `completed` without the file would leave the caller with nothing to fetch; providers judge that themselves.
      const end = progress;
      await db.inTransaction((tx) => finishVideo(tx, videoId, end));
      return 'done';
    }
    if (progress.status === 'in_progress' && video.status === 'queued') await updateUnfinishedVideo(db, videoId, { status: 'in_progress' });
    return { againInMs: checkDelayMs(checks + 1, provider, random), with: { checks: checks + 1, faults: 0 } };
  };
}

function deadlineSentence(video: VideoRow): string {
  const minutes = Math.round((video.deadlineAt.getTime() - video.createdAt.getTime()) / 60_000);
  return `The provider did not finish the video within ${minutes} minutes.`;
}
