import { isRefusedValue } from '../domain/database-failure';
import type { Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import type { VideoId } from '../domain/ids';
import type { Log } from '../domain/log';

/** The first pause; it doubles up to a maximum. */
const PAUSE_MS = 500;
const MAX_PAUSE_MS = 2_000;

/**
 * Repeats a failing write until it succeeds or `isOver` returns true. For facts that only this process knows, which an
 * outage of the database must not lose. Rejects with the last error, and at once if the database refuses a value.
 */
export async function storeWithRetries<T>(
  { clock, log, videoId }: { readonly clock: Clock; readonly log: Log; readonly videoId: VideoId },
  isOver: () => boolean,
  store: () => Promise<T>,
): Promise<T> {
  for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      return await store();
    } catch (error) {
      if (isOver() || isRefusedValue(error)) throw error;
      log.warn('the start of a video could not be stored yet', { videoId, error: errorForLog(error) });
      await clock.sleep(pauseMs);
    }
  }
}
