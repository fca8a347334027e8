import type { Log } from '../domain/log';
import type { Database } from '../db/database';
import { createReceiveCallback } from './callbacks';
import { createManageVideos } from './manage-videos';
import type { PublishedMedia } from './published-media';
import { createRecordAnswer, createSubmitVideo } from './submit-video';
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
  const { content, publishedMedia } = deps;
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
    recordAnswer: createRecordAnswer(deps),
  };
}
