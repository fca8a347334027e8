import type { VideoStory } from '../../../lib/videos/video-details';
import { isRunning, type ShownVideo } from '../components/video/shown-video';

/** One job as `GET /console/api/videos/{id}` shows it: a video and the rest of its story. */
export type ShownJob = ShownVideo & VideoStory;

/** Will anything about it still change by itself? */
export function isMoving(job: ShownJob): boolean {
  return isRunning(job) || job.webhook_deliveries.some(({ state }) => state === 'pending');
}
