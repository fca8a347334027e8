import type { VideoStory } from '../../../lib/videos/video-details';
import { isRunning, type ShownVideo } from '../components/video/shown-video';

/** One video as `GET /console/api/videos/{id}` returns it. */
export type VideoDetails = ShownVideo & VideoStory;

/** Whether the video can still change without user action. */
export function isMoving(video: VideoDetails): boolean {
  return isRunning(video) || video.webhook_deliveries.some(({ state }) => state === 'pending');
}
