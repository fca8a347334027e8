import type { Call } from '../../../domain/call';
import { upstreamFailed } from '../../../domain/errors';
import type { ProviderId } from '../../../domain/ids';
import type { FinishedVideo, RunningVideo, UpstreamBill, VideoProgress } from '../../../domain/video';

// Results that the polls of all video vendors have in common.

type Failed = Extract<VideoProgress, { status: 'failed' }>;

/** The reason why a video failed. */
export type VideoFailure = Pick<Failed, 'code' | 'message'>;

/** The vendor's charge, if its answer states it. */
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
/** Together with the delays after failed checks, this takes a little more than a minute. */
const MAX_CHECKS_WITHOUT_FILE = 3;
const NO_FILE: VideoFailure = {
  code: 'generation_failed',
  message: 'The provider finished the video without a file.',
};

/** Returns the failure of a video whose content the vendor refused. `media` are those that the caller may have sent. */
export function moderated(media: 'image' | 'images' | 'media'): VideoFailure {
  return {
    code: 'content_policy_violation',
    message: `The provider refused the content of this video. Change the prompt or the ${media}.`,
  };
}

/** Returns the charge of a whole number of credits, each of which costs this many billionths of a dollar. */
export function creditsBilled(credits: unknown, nanoUsdPerCredit: bigint): Billed {
  if (typeof credits !== 'number' || !Number.isSafeInteger(credits) || credits < 0) return {};
  return { bill: { nanoUsd: BigInt(credits) * nanoUsdPerCredit, units: `${credits} credits` } };
}

/**
 * Returns the progress of a job that the vendor has finished. The vendor may report that a moment before the file is
 * available, so a check without a file throws the error of a failed poll; after a few such checks the video has failed.
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

/** Returns the progress of an old job that the vendor no longer knows. */
export function lostJob(): Failed {
  return { status: 'failed', code: 'generation_failed', message: 'The provider no longer knows this video.' };
}

/** Returns the progress of a job with an unknown status, which is not logged because it may be any text. */
export function unknownStatus(provider: ProviderId, { videoId }: RunningVideo, { log }: Call): VideoProgress {
  log.warn('the upstream reported an unknown status of a video', { provider, videoId });
  return { status: 'in_progress' };
}
