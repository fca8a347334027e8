import type { Call } from '../../../domain/call';
import type { Clock } from '../../../domain/clock';
import { upstreamFailed } from '../../../domain/errors';
import type { ProviderDeps } from '../../../domain/provider';
import type { RunningVideo } from '../../../domain/video';
import type { VendorApi, VendorRequest } from '../http/vendor-api';
import { idOf } from './answer-fields';
import { laterPoll } from './refusal';

// The requests about the job of a video: the one that begins it, and later ones.

/** The dependencies of a video vendor's adapter. */
export interface VendorVideoDeps<Answer> extends Pick<ProviderDeps, 'clock' | 'media' | 'files' | 'probe'> {
  readonly api: VendorApi<Answer>;
}

const SUBMIT_TIMEOUT_MS = 30_000;
/** A new job may be unknown to polls for this long. */
const NEW_JOB_MS = 60_000;
/** Together with the delays after failed checks, this takes half a minute. */
const MIN_FAILURES_OF_LOST_JOB = 2;

/**
 * Sends the one request that can begin paid work, on a connection of its own. Rejects as `VendorApi.send` does; the
 * outcome says whether work may have begun.
 */
export function submitJob<Answer>(
  api: VendorApi<Answer>,
  request: Pick<VendorRequest, 'path' | 'headers'> & { readonly body: string },
  call: Call,
): Promise<Answer> {
  return api.send({ ...request, method: 'POST', ownConnection: true, headersMs: SUBMIT_TIMEOUT_MS }, call);
}

/** Sends a request about a job that has begun. Rejects with the outcome of a failed poll if there is no answer. */
export async function askAboutJob<Answer>(api: VendorApi<Answer>, request: VendorRequest, call: Call): Promise<Answer> {
  try {
    return await api.send(request, call);
  } catch (error) {
    throw laterPoll(error);
  }
}

/**
 * Throws for an answer about another job than the requested one, whose file may belong to another caller. The check is
 * repeated later. An answer without an id of a job is accepted.
 */
export function checkJobId(answered: unknown, jobId: string): void {
  const id = idOf(answered);
  if (id !== undefined && id !== jobId)
    throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'The upstream answered about another job.');
}

/**
 * Returns whether a job that the vendor does not know is lost. A young job may be unknown although it exists, and so
 * may one that was unknown only once: one server of a vendor may be behind the others.
 */
export function isLost(running: Pick<RunningVideo, 'startedAt' | 'failures'>, clock: Clock): boolean {
  return isOldJob(running, clock) && running.failures >= MIN_FAILURES_OF_LOST_JOB;
}

/** Returns whether the job is so old that every poll would find it. A younger one may be unknown although it exists. */
export function isOldJob({ startedAt }: Pick<RunningVideo, 'startedAt'>, clock: Clock): boolean {
  return clock.nowMs() - startedAt.getTime() > NEW_JOB_MS;
}
