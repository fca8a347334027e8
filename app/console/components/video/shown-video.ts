import type { VideoStatus } from '../../../../lib/domain/video';

/** The fields of a `/v1/videos` video that the console reads. */
export interface ShownVideo {
  readonly id: string;
  readonly status: VideoStatus;
  readonly model: string;
  readonly seconds: string;
  readonly size: string;
  /** Dollars. The held amount while the video runs, 0 if it failed. */
  readonly cost: number;
  /** Unix seconds. */
  readonly created_at: number;
  readonly completed_at?: number;
  readonly expires_at?: number;
  readonly video_url?: string;
  readonly duration_seconds?: number;
  readonly fps?: number;
  readonly error?: { readonly message: string; readonly code?: string };
}

/** An entry of the list `/console/api/videos`. */
export interface FoundVideo extends ShownVideo {
  readonly prompt?: string;
  readonly request_id: string;
  readonly key: { readonly id: string; readonly name?: string };
  readonly provider?: string;
}

export interface FoundVideos {
  readonly data: readonly FoundVideo[];
  readonly last_id: string | null;
  readonly has_more: boolean;
}

/** The name of the key, or `Console` for videos created in the console. */
export function keyNameOf({ id, name }: FoundVideo['key']): string {
  return name ?? (id === 'console' ? 'Console' : 'Deleted key');
}

export function isRunning(video: Pick<ShownVideo, 'status'>): boolean {
  return video.status === 'queued' || video.status === 'in_progress';
}

/**
 * The URL of a finished file. A signed link of this installation becomes a path, so that it works under whatever host
 * name the console was opened; a link of a provider is unchanged.
 */
export function videoSource(video: ShownVideo): { readonly href: string; readonly own: boolean } | undefined {
  if (!video.video_url || !URL.canParse(video.video_url)) return undefined;
  const url = new URL(video.video_url);
  const own = url.pathname === `/v1/videos/${video.id}/content` && url.searchParams.has('signature');
  return own ? { href: url.pathname + url.search, own } : { href: url.href, own };
}
