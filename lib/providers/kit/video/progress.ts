import type { Call } from '../../../domain/call';
import { upstreamFailed } from '../../../domain/errors';
import type { ProviderId } from '../../../domain/ids';
import type { FinishedVideo, RunningVideo, UpstreamBill, VideoProgress } from '../../../domain/video';

// What the polls of all video vendors report alike.

type Failed = Extract<VideoProgress, { status: 'failed' }>;

/** Why a video failed. */
export type VideoFailure = Pick<Failed, 'code' | 'message'>;

/** What the vendor charges, if its answer says so. */
export interface Billed {
  readonly bill?: UpstreamBill;
}

export const CANCELLED: VideoFailure = { code: 'cancelled', message: 'The video was cancelled at the provider.' };
export const NOT_GENERATED: VideoFailure = {
  code: 'generation_failed',
  message: 'The provider could not generate this video.',
};
export const REQUEST_REJECTED: VideoFailure = {
  code: 'upstream_rejected',
  message: 'The provider rejected the request as invalid. Change the prompt, the media or the parameters.',
};
export const ACCOUNT_REFUSED: VideoFailure = {
  code: 'upstream_auth_failed',
  message: 'The provider refused the account of this installation while it made the video. Tell the operator.',
};
export const TIMED_OUT: VideoFailure = {
  code: 'upstream_timeout',
  message: 'The provider did not finish the video within its own time limit. Try again.',
};
/** With the delays after failed checks, a bit more than a minute. */
const MAX_CHECKS_WITHOUT_FILE = 3;
const NO_FILE: VideoFailure = {
  code: 'generation_failed',
  message: 'The provider finished the video without a file.',
};

/** The failure of a video whose content the vendor refused. `media` are those that the caller may have sent. */
export function moderated(media: 'image' | 'images' | 'media'): VideoFailure {
  return {
    code: 'content_policy_violation',
    message: `The provider refused the content of this video. Change the prompt or the ${media}.`,
  };
}

/** The charge of a whole number of credits, each of which costs this many billionths of a dollar. */
export function creditsBilled(credits: unknown, nanoUsdPerCredit: bigint): Billed {
  if (typeof credits !== 'number' || !Number.isSafeInteger(credits) || credits < 0) return {};
  return { bill: { nanoUsd: BigInt(credits) * nanoUsdPerCredit, units: `${credits} credits` } };
}

/**
 * The progress of a job that the vendor has finished. An answer without a file may come a moment before the file, so the
 * check is repeated a few times before the video has failed: rejects with the outcome of a failed poll until then.
 */
export function endOf(
  video: FinishedVideo | undefined,
  { failures }: Pick<RunningVideo, 'failures'>,
  billed: Billed = {},
): VideoProgress {
  if (video) return { status: 'completed', video, ...billed };
  if (failures < MAX_CHECKS_WITHOUT_FILE)
    throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'The finished job has no file yet.');
  return { status: 'failed', ...NO_FILE, ...billed };
}

/** The progress of an old job that the vendor no longer knows. */
export function lostJob(): Failed {
  return { status: 'failed', code: 'generation_failed', message: 'The provider no longer knows this video.' };
}

/** The progress of a job with an unknown status. The status may be text of the vendor, so it is not logged. */
export function unknownStatus(provider: ProviderId, { videoId }: RunningVideo, { log }: Call): VideoProgress {
  log.warn('the upstream reported an unknown status of a video', { provider, videoId });
  return { status: 'in_progress' };
}
