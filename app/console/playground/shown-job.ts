import type { ShownVideo } from '../components/video/shown-video';
import { apiPaths } from '../paths';
import type { Mode } from '../../../lib/domain/video';
import { videoSource } from '../components/video/shown-video';

/** A video of the list, with what the console's list knows beside it. */
export interface ShownJob extends ShownVideo {
  readonly prompt?: string;
  readonly provider?: string;
  readonly width?: number;
  readonly height?: number;
  readonly error?: { readonly message: string; readonly code?: string };
}

export interface ShownJobs {
  readonly data: readonly ShownJob[];
}

/** Where the page plays a finished file from: its own link, or through the console what lies at a provider. */
export function playableAt(job: ShownJob, mode: Mode): string | undefined {
  if (job.status !== 'completed') return undefined;
  const source = videoSource(job);
  return source?.own ? source.href : apiPaths.videoContent(job.id, mode);
}

/** `WIDTHxHEIGHT` as numbers; the measured ones where the file was measured. */
export function pixelsOfJob({ size, width, height }: ShownJob): readonly [number, number] {
  const [wide = 16, high = 9] = size.split('x').map(Number);
  return [width ?? wide, height ?? high];
}

export function isExpired({ expires_at: expiresAt }: ShownJob, nowMs: number): boolean {
  return expiresAt !== undefined && expiresAt * 1000 <= nowMs;
}
