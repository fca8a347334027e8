import type { VideoJson } from '../../../../lib/contract/videos';

/** The fields of a video that the console uses everywhere. A submitted video has at least the required ones. */
export type ShownVideo = Pick<
  VideoJson,
  | 'id'
  | 'status'
  | 'model'
  | 'seconds'
  | 'size'
  | 'cost'
  | 'created_at'
  | 'completed_at'
  | 'expires_at'
  | 'video_url'
  | 'duration_seconds'
  | 'fps'
  | 'error'
>;

export function isRunning(video: Pick<ShownVideo, 'status'>): boolean {
  return video.status === 'queued' || video.status === 'in_progress';
}

/** Whether the file of the video has been deleted. */
export function isExpired({ expires_at: expiresAt }: Pick<ShownVideo, 'expires_at'>, nowMs: number): boolean {
  return expiresAt !== undefined && expiresAt * 1000 <= nowMs;
}

/**
 * The URL of a finished file. A signed link of this installation becomes a path, so that it works under any host name
 * of the console; a link to a provider is unchanged.
 */
export function videoSource(video: ShownVideo): { readonly href: string; readonly own: boolean } | undefined {
  if (!video.video_url || !URL.canParse(video.video_url)) return undefined;
  const url = new URL(video.video_url);
  const own = url.pathname === `/v1/videos/${video.id}/content` && url.searchParams.has('signature');
  return own ? { href: url.pathname + url.search, own } : { href: url.href, own };
}
