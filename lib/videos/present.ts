import type { SubmittedVideoJson, VideoJson } from '../contract/videos';
import { unixSeconds } from '../domain/clock';
import { usdNumber } from '../domain/money';
import type { VideoRow } from '../db/videos';
import type { Links } from './links';

// Presents a video for every response and every webhook with one function, so that the body of a webhook is byte for
// byte what GET returns.

/** Returns the response to a submission. */
export function presentSubmitted(
  row: Pick<VideoRow, 'id' | 'model' | 'seconds' | 'size' | 'createdAt' | 'quoteNanoUsd' | 'mode'>,
): SubmittedVideoJson {
  return {
    id: row.id,
    object: 'video',
    status: 'queued',
    progress: 0,
    model: row.model,
    seconds: row.seconds,
    size: row.size,
    usage: { duration_seconds: Number(row.seconds) },
    created_at: unixSeconds(row.createdAt),
    cost: usdNumber(row.quoteNanoUsd),
    mode: row.mode,
  };
}

export function presentVideo(row: VideoRow, links: Links): VideoJson {
  const completed = row.status === 'completed';
  return {
    id: row.id,
    object: 'video',
    status: row.status,
    progress: completed ? 100 : 0,
    model: row.model,
    seconds: row.seconds,
    size: row.size,
    usage: { duration_seconds: row.durationSeconds ?? Number(row.seconds) },
    ...(row.providerJobId !== null && { provider_job_id: row.providerJobId }),
    ...(completed && { video_url: videoUrl(row, links) }),
    format: 'mp4',
    // Required for every completed video; if the provider measured no duration, this is the requested one.
    ...(completed && { duration_seconds: row.durationSeconds ?? Number(row.seconds) }),
    ...(completed && row.width !== null && { width: row.width }),
    ...(completed && row.height !== null && { height: row.height }),
    ...(completed && row.fps !== null && { fps: Math.round(row.fps) }),
    cost: usdNumber(row.costNanoUsd ?? row.quoteNanoUsd),
    mode: row.mode,
    created_at: unixSeconds(row.createdAt),
    ...(row.completedAt && { completed_at: unixSeconds(row.completedAt) }),
    ...(completed && row.expiresAt && { expires_at: unixSeconds(row.expiresAt) }),
    ...(row.status === 'failed' && {
      error: { message: row.errorMessage ?? '', code: row.errorCode ?? 'generation_failed' },
    }),
  };
}

function videoUrl(row: VideoRow, links: Links): string {
  return row.publicUrl ?? links.sign(row.id, row.expiresAt ? unixSeconds(row.expiresAt) : 0);
}
