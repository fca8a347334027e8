import type { Database } from '../db/database';
import type { VideoId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { FinishVideo } from './finish-video';

// Ends a video whose job fails on our side repeatedly, for example because its file cannot be stored. The video fails
// without a charge and is not retried forever.

export function createGiveUpVideo({
  db,
  log,
  finishVideo,
}: {
  readonly db: Database;
  readonly log: Log;
  readonly finishVideo: FinishVideo;
}) {
  return async function giveUpVideo({ videoId }: { readonly videoId: VideoId }): Promise<void> {
    log.error('a video was given up, because its job failed too often', { videoId });
    await db.inTransaction((tx) =>
      finishVideo(tx, videoId, {
        status: 'failed',
        code: 'internal_error',
        message: 'The video could not be finished because of an error on our side.',
      }),
    );
  };
}
