import type { VideoDetails } from '../../../lib/contract/videos';
import { isRunning } from '../components/video/shown-video';

/** Whether the video can still change without user action. */
export function isMoving(video: VideoDetails): boolean {
  return isRunning(video) || video.webhook_deliveries.some(({ state }) => state === 'pending');
}
