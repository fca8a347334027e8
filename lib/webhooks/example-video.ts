import type { VideoJson } from '../contract/videos';
import { unixSeconds } from '../domain/clock';
import { newId } from '../domain/ids';
import type { Mode } from '../domain/video';

/** Returns the body of a test: an invented completed video with every field that a receiver may rely on. */
export function exampleVideo(now: Date, mode: Mode): VideoJson {
  const completedAt = unixSeconds(now);
  const id = newId('video');
  return {
    id,
    object: 'video',
    status: 'completed',
    progress: 100,
    model: 'sandbox-t2v',
    seconds: '5',
    size: '1280x720',
    usage: { duration_seconds: 5 },
    video_url: `https://example.com/${id}.mp4`,
    format: 'mp4',
    duration_seconds: 5,
    width: 1280,
    height: 720,
    fps: 24,
    cost: 0.05,
    mode,
    created_at: completedAt - 60,
    completed_at: completedAt,
    expires_at: completedAt + 30 * 86_400,
  };
}
