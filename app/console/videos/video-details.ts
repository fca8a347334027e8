import type { VideoStory } from '../../../lib/videos/video-details';
import { isRunning, type ShownVideo } from '../components/video/shown-video';

/** One video as `GET /console/api/videos/{id}` shows it: a video and the rest of its story. */
export type VideoDetails = ShownVideo & VideoStory;

/** Will anything about it still change by itself? */
export function isMoving(video: VideoDetails): boolean {
  return isRunning(video) || video.webhook_deliveries.some(({ state }) => state === 'pending');
}
