import type { Log } from '../domain/log';
import { errorForLog } from '../domain/errors';
import type { Database } from '../db/database';
import { recordAnswerCut } from '../db/videos';
import { createReceiveCallback } from './callbacks';
import { createManageVideos } from './manage-videos';
import type { PublishedMedia } from './published-media';
import { createSubmitVideo } from './submit-video';
import type { createVideoContent } from './video-content';
import { createVideoDetails } from './video-details';
import { createVideoRequests } from './video-requests';
import type { Videos } from './videos';

type VideosDeps = Parameters<typeof createSubmitVideo>[0] &
  Parameters<typeof createManageVideos>[0] &
  Parameters<typeof createReceiveCallback>[0] & {
    readonly db: Database;
    readonly log: Log;
    readonly content: ReturnType<typeof createVideoContent>;
    readonly publishedMedia: PublishedMedia;
  };

/** Creates the video use cases, for the API and for the console. */
export function createVideos(deps: VideosDeps): Videos {
  const { db, log, content, publishedMedia } = deps;
  return {
    ...createManageVideos(deps),
    details: createVideoDetails(deps),
    ...createVideoRequests(deps),
    submit: createSubmitVideo(deps),
    open: content.open,
    openSigned: content.openSigned,
    openMedia: publishedMedia.open,
    publishesMedia: publishedMedia.reach.publishes,
    receiveCallback: createReceiveCallback(deps),
    recordAnswer({ id, replayed }, how) {
      // A delivered response need not be recorded, unless an earlier response to the same submission was cut off.
      if (how === 'finished' && !replayed) return;
      recordAnswerCut(db, id, how === 'closed').catch((error: unknown) =>
        log.warn('the delivery of a response could not be recorded', { videoId: id, error: errorForLog(error) }),
      );
    },
  };
}
