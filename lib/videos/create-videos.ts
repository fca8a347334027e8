import type { Log } from '../domain/log';
import { errorForLog } from '../domain/errors';
import type { Database } from '../db/database';
import { noteAnswerCut } from '../db/videos';
import { createManageVideos } from './manage-videos';
import { createSubmitVideo } from './submit-video';
import type { createVideoContent } from './video-content';
import { createVideoDetails } from './video-details';
import { createVideoRequests } from './video-requests';
import type { Videos } from './videos';

type VideosDeps = Parameters<typeof createSubmitVideo>[0] &
  Parameters<typeof createManageVideos>[0] & {
    readonly db: Database;
    readonly log: Log;
    readonly content: ReturnType<typeof createVideoContent>;
  };

/** The video use cases, for the API and for the console. */
export function createVideos(deps: VideosDeps): Videos {
  const { db, log, content } = deps;
  return {
    ...createManageVideos(deps),
    details: createVideoDetails(deps),
    ...createVideoRequests(deps),
    submit: createSubmitVideo(deps),
    open: content.open,
    openSigned: content.openSigned,
    noteAnswer({ id, replayed }, how) {
      // A delivered response changes nothing, unless an earlier response to the same submission was cut off.
      if (how === 'finished' && !replayed) return;
      noteAnswerCut(db, id, how === 'closed').catch((error: unknown) =>
        log.warn('how an answer ended could not be noted', { videoId: id, error: errorForLog(error) }),
      );
    },
  };
}
