import type { Clock } from '../domain/clock';
import { errorForLog, GatewayError, isGatewayError, upstreamFailed, type UpstreamOutcome } from '../domain/errors';
import type { Log } from '../domain/log';
import type { StartedVideo, VideoLimits, VideoOrder } from '../domain/video';
import { linkSignals } from '../io/linked-signal';
import type { Database, Tx } from '../db/database';
import { claimStarts, endAttempt, readStartState, markSubmitted, type StartClaim } from '../db/video-starts';
import { leaveQueues } from '../db/waiting-starts';
import type { VideoRow } from '../db/videos';
import type { Route } from '../routing/route';
import { providerFailureOf } from '../routing/try-routes';
import type { Router } from '../routing/router';
import type { Callbacks } from './callbacks';
import type { PublishedMedia } from './published-media';
import { snapshotRequest } from './submitted-body';
import { waitForSlot, type NoSlot, type StartSlots } from './start-slots';
import type { StartSteps } from './start-steps';
import { storeWithRetries } from './store-with-retries';

// One request to one provider to start a video. The meaning of an error depends on when it happened: before the point
// of no return nothing has begun, whatever failed (a download of media, an upload, a token); after it, an error without
// an outcome means that work may have begun.

/**
 * The time limit of the provider after the point of no return: its response is one short message. Shorter than the time
 * that a stopping process leaves to jobs (`JOB_GRACE_MS`), because an aborted request may have begun. Applies even if
 * the time limit of the job ends meanwhile.
 */
const SUBMIT_TIMEOUT_MS = 40_000;
/** How long the point of no return may wait for an unavailable database. */
const MARK_TIMEOUT_MS = 10_000;
/**
 * How long prepared media are kept in memory for a start that has lost its slot: a limit of starts per minute gives all
 * its slots anew in this time.
 */
const SLOT_WAIT_TIMEOUT_MS = 60_000;
/** Well below the time for which a slot is kept for a start whose turn it is. */
const SLOT_POLL_INTERVAL_MS = 2_000;

/** A request that the provider accepted. */
export interface Accepted {
  readonly route: Route<'video'>;
  readonly attempt: number;
  readonly submittedAt: Date;
  readonly started: StartedVideo;
}

interface NewAttempt {
  readonly video: VideoRow;
  /** One more than the video's `startAttempt`. */
  readonly attempt: number;
  readonly route: Route<'video'>;
  readonly order: VideoOrder;
}

export interface AttemptSignals {
  /** Aborts when the time of the job is over. Has no effect after the point of no return. */
  readonly signal: AbortSignal;
  /**
   * The process is stopping, so the provider would not have SUBMIT_TIMEOUT_MS for its response: nothing is submitted.
   */
  readonly stopping: AbortSignal;
}

/**
 * Makes one attempt. Resolves with undefined, having sent nothing, if the video has ended meanwhile, another runner is
 * starting it or the process is stopping; with a `NoSlot` if the account has no slot for the start. Rejects with an
 * error that has an upstream outcome, or with an error of ours.
 */
export type BeginAttempt = (attempt: NewAttempt, signals: AttemptSignals) => Promise<Accepted | NoSlot | undefined>;

export function createStartAttempts(deps: {
  db: Database;
  clock: Clock;
  log: Log;
  router: Router<'video'>;
  callbacks: Callbacks;
  publishedMedia: Pick<PublishedMedia, 'publish' | 'redact'>;
  steps: StartSteps;
  slots: Pick<StartSlots, 'needsSlot' | 'refused'>;
}): BeginAttempt {
  const { db, clock, log, router, callbacks, publishedMedia, steps, slots } = deps;

  return async function beginAttempt({ video, attempt, route, order }, { signal, stopping }) {
    const start: StartClaim = {
      id: video.id,
      attempt,
      provider: route.providerId,
      credentialId: route.credentialId ?? null,
      upstreamModel: route.binding.modelName,
      at: clock.now(),
    };
    const { limits = {} } = route.provider;
    // For the whole attempt: a limit that is learned meanwhile is for later starts.
    const slotLimits = slots.needsSlot(start, limits) ? limits : undefined;
    const claimed = await claim(video, start, slotLimits);
    if (claimed !== true) return claimed === false ? undefined : claimed;

    const call = new AbortController();
    const abort = () => call.abort();
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
    let submittedAt: Date | undefined;
    let cancelLimit = () => {};
    let failure: unknown;

    const callbackUrl = callbacks.urlFor(video.id);
    // The test provider reads media of every form itself.
    const isTest = router.isTestProvider(route.providerId);
    const submitting = async (body: unknown): Promise<void> => {
      if (submittedAt) throw new Error('A start is submitted once.');
      call.signal.throwIfAborted();
      const sent = JSON.stringify(snapshotRequest(body, publishedMedia.redact));
      try {
        submittedAt = await markWhenSlot(video, start, slotLimits, sent, { signal: call.signal, stopping });
        if (!submittedAt) throw new NotSubmittedError();
        call.signal.throwIfAborted();
      } catch (error) {
        failure = error;
        throw error;
      }
      signal.removeEventListener('abort', abort);
      cancelLimit = clock.after(SUBMIT_TIMEOUT_MS, abort);
    };

    try {
      const started = await route.provider.start(
        {
          videoId: video.id,
          order: isTest ? order : publishedMedia.publish(order, video),
          binding: route.binding,
          owner: { orgId: video.orgId, mode: video.mode },
          ...(callbackUrl !== undefined && { callbackUrl }),
          ...(video.scenario !== null && isTest ? { scenario: video.scenario } : {}),
          submitting,
        },
        { signal: call.signal, log },
      );
      return { route, attempt, submittedAt: submittedAt ?? clock.now(), started };
    } catch (error) {
      if (failure instanceof NotSubmittedError) return undefined;
      const known = failure === undefined ? withOutcome(error, submittedAt !== undefined) : failure;
      await recordFailure(video, attempt, route, known);
      if (video.scenario !== null || !isAtLimits(known)) throw known;
      return slots.refused({
        video,
        route: start,
        limits,
        beganAt: start.at,
        hadSlot: slotLimits !== undefined,
        error: known,
      });
    } finally {
      cancelLimit();
      signal.removeEventListener('abort', abort);
    }
  };

  /**
   * Stores the attempt, unless the limits of the account or the turns of other starts forbid it. Absent `limits`: it
   * needs no slot.
   */
  function claim(video: VideoRow, start: StartClaim, limits: VideoLimits | undefined): Promise<boolean | NoSlot> {
    if (!limits) return steps.claim(start);
    return withSlot(video, start, limits, undefined, (tx) => claimStarts(tx, [start]));
  }

  /**
   * Marks the point of no return and returns its time; undefined if nothing may be sent. A start that lost its slot
   * while it prepared its media waits for another slot.
   */
  async function markWhenSlot(
    video: VideoRow,
    start: StartClaim,
    limits: VideoLimits | undefined,
    sent: string,
    { signal, stopping }: AttemptSignals,
  ): Promise<Date | undefined> {
    const { id, attempt } = start;
    const untilMs = Math.min(clock.nowMs() + SLOT_WAIT_TIMEOUT_MS, video.deadlineAt.getTime());
    const either = linkSignals(signal, stopping);
    try {
      while (!stopping.aborted) {
        const markUntilMs = clock.nowMs() + MARK_TIMEOUT_MS;
        // Nothing has been sent, so a short outage of the database costs only time.
        const marked = await storeWithRetries(
          { clock, log, videoId: id },
          () => clock.nowMs() >= markUntilMs,
          async () => {
            const submittedAt = clock.now();
            const submitted = { id, attempt, submittedAt, sent };
            const isMarked = limits
              ? await withSlot(video, start, limits, start.at, (tx) => markSubmitted(tx, [submitted]))
              : await steps.mark(submitted);
            return isMarked === true ? submittedAt : isMarked;
          },
        );
        if (marked instanceof Date) return marked;
        if (marked === false) return undefined;
        if (clock.nowMs() >= untilMs) throw noSlotError(marked);
        await clock.sleep(SLOT_POLL_INTERVAL_MS, either.signal);
        signal.throwIfAborted();
      }
      return undefined;
    } finally {
      either.release();
    }
  }

  /** Changes a start that has a slot and removes it from the queue. `preparingSince` as in `waitForSlot`. */
  function withSlot(
    video: VideoRow,
    start: StartClaim,
    limits: VideoLimits,
    preparingSince: Date | undefined,
    change: (tx: Tx) => Promise<boolean[]>,
  ): Promise<boolean | NoSlot> {
    return db.inTransaction(async (tx) => {
      const noSlot = await waitForSlot(tx, start, limits, video, clock.nowMs(), preparingSince);
      if (noSlot) {
        const state = preparingSince ? await readStartState(tx, start) : 'preparing';
        if (state === 'ended') await leaveQueues(tx, video.id);
        return state === 'preparing' ? noSlot : false;
      }
      const [isChanged = false] = await change(tx);
      await leaveQueues(tx, video.id);
      return isChanged;
    });
  }

  async function recordFailure(
    video: VideoRow,
    attempt: number,
    { providerId }: Route<'video'>,
    error: unknown,
  ): Promise<void> {
    const code = isGatewayError(error) ? error.code : 'internal_error';
    log.warn('a provider did not start a video', {
      videoId: video.id,
      provider: providerId,
      attempt,
      code,
      error: errorForLog(error),
    });
    const outcome = outcomeOf(error);
    const endedAt = clock.now();
    await endAttempt(
      db,
      video.id,
      attempt,
      // An attempt that may have begun ends as `unknown`; the next run decides what that means for this provider.
      outcome?.started === 'maybe'
        ? { outcome: 'unknown', endedAt }
        : { outcome: outcome?.retry === 'never' ? 'refused' : 'failed', endedAt, code },
    );
  }
}

/** Whether the provider refused the start because of the limits of the account, or because it is overloaded. */
function isAtLimits(error: unknown): error is GatewayError {
  const failure = providerFailureOf(error);
  return failure?.kind === 'limited' && failure.outcome.started === 'no';
}

/** Returns the error of an account without a free slot. The provider has not failed, and no attempt was made. */
export function noSlotError({ retryInMs }: NoSlot): GatewayError {
  return new GatewayError(
    'concurrency_limit_exceeded',
    'The provider already works on as many videos as its limits allow.',
    {
      upstream: { retry: 'later', started: 'no', retryAfterMs: retryInMs },
    },
  );
}

export const outcomeOf = (error: unknown) => (isGatewayError(error) ? error.extra.upstream : undefined);

/** Ends an attempt whose request was not sent; a later run decides what follows. */
class NotSubmittedError extends Error {
  constructor() {
    super('this attempt is not submitted');
  }
}

/** The assumed outcome after the point of no return: work may have started. */
const MAYBE_STARTED: UpstreamOutcome = { retry: 'later', started: 'maybe' };

/**
 * Adds the upstream outcome to an error. Before the point of no return nothing has started, whatever the error says.
 */
function withOutcome(error: unknown, isSubmitted: boolean): GatewayError {
  if (!isGatewayError(error) || !error.extra.upstream) {
    return upstreamFailed(isSubmitted ? MAYBE_STARTED : { retry: 'elsewhere', started: 'no' }, errorForLog(error));
  }
  const { upstream } = error.extra;
  if (isSubmitted || upstream.started === 'no') return error;
  return new GatewayError(error.code, error.message, { ...error.extra, upstream: { ...upstream, started: 'no' } });
}
