import type { Clock } from '../domain/clock';
import type { Log } from '../domain/log';
import type { StartedVideo } from '../domain/video';
import type { Database } from '../db/database';
import { endAttempt } from '../db/video-starts';
import { findVideoById, type VideoRow } from '../db/videos';
import type { Route } from '../routing/route';
import { firstCheckMs } from './check-schedule';
import type { Accepted, AttemptSignals } from './start-attempt';
import type { StartSteps } from './start-steps';
import { storeWithRetries } from './store-with-retries';

// Stores that a provider has accepted a video. Until it is stored, only this process knows it, so the write is repeated
// during an outage of the database.

/**
 * How long after the request its sender keeps trying to store the response while the database is unavailable: longer
 * than most outages last.
 */
const STORE_TIMEOUT_MS = 900_000;
/** `STORE_TIMEOUT_MS` of a process that is stopping. */
const STOPPING_STORE_TIMEOUT_MS = 90_000;

/** Stores the receipt and schedules `video.check`, or stops the provider's job if the video has ended meanwhile. */
export type StoreAccepted = (video: VideoRow, accepted: Accepted, signals: AttemptSignals) => Promise<void>;

export function createStoreAccepted({
  db,
  clock,
  log,
  random,
  steps,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  readonly steps: Pick<StartSteps, 'store'>;
}): StoreAccepted {
  return async function storeAccepted(
    video,
    { route: { provider, providerId }, attempt, submittedAt, started },
    { signal, stopping },
  ) {
    // The retries continue past the job's timeout and during shutdown. Other runners leave the video alone for
    // `UNCONFIRMED_MS` (start-video.ts).
    const isOver = () =>
      clock.nowMs() - submittedAt.getTime() >= (stopping.aborted ? STOPPING_STORE_TIMEOUT_MS : STORE_TIMEOUT_MS);
    const store = (): Promise<boolean> => {
      const now = clock.now();
      return steps.store(
        {
          id: video.id,
          attempt,
          receipt: JSON.stringify(started.receipt),
          acceptedAt: now,
          // The work begins now, unless the provider says that it waits for a free worker of its own.
          deadlineAt: new Date(now.getTime() + (provider.waitTimeoutMs ?? video.deadlineSeconds * 1000)),
          ...(started.providerJobId === undefined ? {} : { providerJobId: started.providerJobId }),
        },
        {
          job: { kind: 'video.check', videoId: video.id, checks: 0 },
          owner: { orgId: video.orgId, mode: video.mode, place: providerId },
          inMs: firstCheckMs(provider, random),
        },
      );
    };
    if (await storeWithRetries({ clock, log, videoId: video.id }, isOver, store)) return;
    const current = await findVideoById(db, video.id);
    // There is a receipt: this process was paused, and another runner repeated the request and stored its response. The
    // provider recognises our ids, so both responses are about the same job.
    if (current && current.receipt !== null) return;
    // There is none: the video was cancelled during the request, or given up during an outage. Stop the job that has
    // just started, if the provider supports it.
    await endAttempt(db, video.id, attempt, { outcome: 'accepted', endedAt: clock.now() });
    if (await isCancelled(video, started, provider, signal)) return;
    log.error('a video that has ended could not be stopped at its provider (orphan)', {
      videoId: video.id,
      provider: providerId,
    });
  };

  async function isCancelled(
    video: VideoRow,
    { receipt }: StartedVideo,
    provider: Route<'video'>['provider'],
    signal: AbortSignal,
  ): Promise<boolean> {
    try {
      const running = { videoId: video.id, receipt, startedAt: clock.now(), failures: 0 };
      const answer = await provider.cancel?.(running, { signal, log });
      return answer === 'cancelled' || answer === 'requested';
    } catch {
      return false;
    }
  }
}
