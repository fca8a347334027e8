import type { Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import type { VideoId } from '../domain/ids';
import type { Log } from '../domain/log';

const PAUSE_MS = 500;

/**
 * Repeats a failing write until it succeeds or the time is over, for what only this process knows: a short outage of
 * the database must not lose it. Rejects with the last error.
 */
export async function storeWithRetries<T>(
  { clock, log, videoId }: { readonly clock: Clock; readonly log: Log; readonly videoId: VideoId },
  untilMs: number,
  store: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (clock.nowMs() >= untilMs) throw error;
      log.warn('the start of a video could not be stored yet', { videoId, error: errorForLog(error) });
      await clock.sleep(PAUSE_MS);
    }
  }
}
