import type { VideoStatus } from '../../../../lib/domain/video';

/** A video as `/v1/videos` shows it: the fields that the console reads. */
export interface ShownVideo {
  readonly id: string;
  readonly status: VideoStatus;
  readonly model: string;
  readonly seconds: string;
  readonly size: string;
  /** Dollars; the held price while it runs, 0 when it failed. */
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

/** As the list of `/console/api/videos` shows it, with what a person recognises it by. */
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

/** `Console` for what a person did here, without a key. */
export function keyNameOf({ id, name }: FoundVideo['key']): string {
  return name ?? (id === 'console' ? 'Console' : 'Deleted key');
}

export function isRunning(video: Pick<ShownVideo, 'status'>): boolean {
  return video.status === 'queued' || video.status === 'in_progress';
}

/**
 * Where a finished file is: a signed link of this installation as a path, so that the page plays it from wherever the console
 * was opened; a provider's own link as it is.
 */
export function videoSource(video: ShownVideo): { readonly href: string; readonly own: boolean } | undefined {
  if (!video.video_url || !URL.canParse(video.video_url)) return undefined;
  const url = new URL(video.video_url);
  const own = url.pathname === `/v1/videos/${video.id}/content` && url.searchParams.has('signature');
  return own ? { href: url.pathname + url.search, own } : { href: url.href, own };
}
