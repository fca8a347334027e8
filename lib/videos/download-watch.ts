import type { Readable } from 'node:stream';
import type { Cancel, Clock } from '../domain/clock';
import { errorForLog, GatewayError } from '../domain/errors';
import type { VideoId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { Database } from '../db/database';
import { findWithdrawnVideos } from '../db/videos';
import { videoNotFound } from './not-found';

// A slow reader can keep a download open for any length of time, so a download ends within five seconds after its video
// is deleted or the organisation is suspended, even if it needs no key. One query every few seconds checks all
// downloads of this process; if the query fails, no download ends.

export interface DownloadWatch {
  /** Destroys the body if the video may no longer be read. */
  watch(video: VideoId, body: Readable): void;
}

const LOOK_INTERVAL_MS = 3_000;

export function createDownloadWatch({
  db,
  clock,
  log,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}): DownloadWatch {
  const open = new Map<Readable, VideoId>();
  let cancel: Cancel | undefined;

  function lookLater(): void {
    cancel ??= clock.after(LOOK_INTERVAL_MS, () => {
      look()
        .catch((error: unknown) =>
          log.warn('the videos of running downloads could not be checked', { error: errorForLog(error) }),
        )
        .finally(() => {
          cancel = undefined;
          if (open.size > 0) lookLater();
        });
    });
  }

  async function look(): Promise<void> {
    // All downloads may have ended since the timer was set.
    if (open.size === 0) return;
    const withdrawn = await findWithdrawnVideos(db, [...new Set(open.values())]);
    const errors = new Map(withdrawn.map(({ id, deletedAt }) => [id, deletedAt ? videoNotFound() : suspended()]));
    for (const [body, video] of open) {
      const error = errors.get(video);
      if (error) body.destroy(error);
    }
  }

  return {
    watch(video, body) {
      if (body.closed) return;
      open.set(body, video);
      body.once('close', () => open.delete(body));
      lookLater();
    },
  };
}

/** Returns the error for a person with a signed link, who may belong to another organisation or to none. */
export function suspended(): GatewayError {
  return new GatewayError(
    'organization_suspended',
    'The organisation of this video is suspended, or about to be deleted.',
  );
}
