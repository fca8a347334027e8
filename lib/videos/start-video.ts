import type { CurrentCatalog } from '../catalog/catalog';
import type { Clock } from '../domain/clock';
import { isGatewayError } from '../domain/errors';
import type { Log } from '../domain/log';
import type { VideoModel } from '../domain/model';
import type { VideoOrder } from '../domain/video';
import { createLru } from '../io/lru';
import type { Database } from '../db/database';
import { endAttempt, type AttemptRow, type StartingVideo } from '../db/video-starts';
import { findOrder, type VideoRow } from '../db/videos';
import { leaveQueues } from '../db/waiting-starts';
import type { JobHandler, JobOutcome } from '../jobs/job';
import type { Queue } from '../jobs/queue';
import type { ProviderDirectory } from '../routing/provider-directory';
import type { ProviderHealth } from '../routing/provider-health';
import type { Route, Routes } from '../routing/route';
import type { Router } from '../routing/router';
import type { Callbacks } from './callbacks';
import type { CheckSource } from './check-source';
import type { FinishVideo, VideoEndCode } from './finish-video';
import type { PublishedMedia } from './published-media';
import { createStartAttempts, outcomeOf, type Accepted, type AttemptSignals } from './start-attempt';
import { hasRefusedForGood, isOf, readCandidates } from './start-candidates';
import { createStartRounds, ROUND_PAUSE_MS, type FailedRound } from './start-round';
import type { StartSlots } from './start-slots';
import { createStartSteps } from './start-steps';
import { createStoreAccepted } from './store-accepted';
import { orderFor } from './video-request';

// `video.start`: asks a provider to start the video. One run of the job is one round over the candidates; after a round
// in which none accepted, the job waits. Each attempt is stored before it begins, and once more at its point of no
// return (`VideoStart.submitting`), so that after a crash we know whether the provider may have received the request.
// If it may have, only a provider that recognises our video id is called again: a second start could be charged twice.
//
// Before the first attempt, the length of the source of an edit is measured, because the price was fixed from it.
//
//   choosing ──store the attempt──▶ preparing ──submitting──▶ asking ──accepted──▶ started: the receipt is stored,
//      ▲                               │                        │                  `video.check` is scheduled
//      │                               │                        ├──refused──▶ failed
//      ├──next route, or a pause───────┴────────────────────────┼──failed, nothing has started
//      │                                                        │
//      └──the same provider again, or found by our id───────────┴──no answer──no provider recognises it──▶ failed:
//                                                                                                       unconfirmed
//
// The deadline ends `choosing` with a failure. Each step may run twice; only the stored attempts decide what follows.

/**
 * If there is no response this long after the request, none is expected. A sender that stores one even later, after an
 * outage, may find that another runner has ended the video meanwhile.
 */
const UNCONFIRMED_MS = 120_000;
const MAX_REMEMBERED = 10_000;

type Outcome = JobOutcome<'video.start'>;

export function createStartVideo(deps: {
  db: Database;
  clock: Clock;
  log: Log;
  catalog: CurrentCatalog;
  router: Router<'video'>;
  providers: Pick<ProviderDirectory, 'of' | 'ownOf'>;
  health: ProviderHealth;
  queue: Queue;
  finishVideo: FinishVideo;
  checkSource: CheckSource;
  callbacks: Callbacks;
  publishedMedia: Pick<PublishedMedia, 'publish' | 'redact'>;
  random: () => number;
  slots: Pick<StartSlots, 'needsSlot' | 'refused'>;
}): JobHandler<'video.start'> {
  const { db, clock, log, health, finishVideo, checkSource } = deps;
  const steps = createStartSteps(deps);
  const tryCandidates = createStartRounds({ ...deps, beginAttempt: createStartAttempts({ ...deps, steps }) });
  const storeAccepted = createStoreAccepted({ ...deps, steps });
  /** Videos whose source has the stated length, so that it is measured once even if the video waits for many rounds. */
  const measured = createLru<string, true>(MAX_REMEMBERED);

  return async function startVideo({ videoId }, signal, { stopping }) {
    const starting = await steps.read(videoId);
    if (!starting || starting.video.receipt !== null || starting.video.completedAt !== null) {
      // A video that was cancelled while it waited may still be in a queue.
      await leaveQueues(db, videoId);
      return 'done';
    }
    const { video, attempts } = starting;
    // Not only the last attempt: a later refusal does not undo what an earlier attempt with a lost response may have
    // started.
    const open = attempts.find(({ outcome }) => outcome === 'unknown');
    if (clock.now() >= video.deadlineAt) {
      return open
        ? failUnconfirmed(video, open.provider)
        : fail(video, 'upstream_timeout', 'No provider took the video before its deadline.');
    }
    const { model, routes } = await readCandidates(deps, starting);
    const signals = { signal, stopping };
    if (open) {
      const route = routes.find((candidate) => isOf(candidate, open));
      return settleOpen(starting, model, open, route, signals);
    }
    const [first, ...others] = health.order(routes.filter((route) => !hasRefusedForGood(route, attempts)));
    if (!first)
      return fail(video, 'no_provider_available', 'No provider that could make this video is available any more.');
    return runRound(starting, model, [first, ...others], signals);
  };

  async function orderOf({ video, order }: StartingVideo): Promise<VideoOrder | undefined> {
    return order ?? (await findOrder(db, video.id));
  }

  /** Decides what follows an attempt whose response we do not have. */
  async function settleOpen(
    starting: StartingVideo,
    model: VideoModel | undefined,
    open: AttemptRow,
    route: Route<'video'> | undefined,
    signals: AttemptSignals,
  ): Promise<Outcome> {
    const { video } = starting;
    if (route?.provider.repeatable) return runRound(starting, model, [route], signals);
    const { signal } = signals;
    const submittedAt = open.submittedAt ?? open.startedAt;
    // Another process may still be waiting for the response.
    const waitMs = open.endedAt === null ? submittedAt.getTime() + UNCONFIRMED_MS - clock.nowMs() : 0;
    if (waitMs > 0) return againWithin(video, waitMs);
    if (!route?.provider.recover || !model) return failUnconfirmed(video, open.provider);
    const order = await orderOf(starting);
    if (!order) return 'done';
    const found = await route.provider.recover(
      {
        videoId: video.id,
        order: orderFor(order, model, route.binding),
        binding: route.binding,
        owner: { orgId: video.orgId, mode: video.mode },
        submittedAt,
        sent: open.sent,
      },
      { signal, log },
    );
    if (found === undefined) return againWithin(video, ROUND_PAUSE_MS);
    if (found === 'not_started') {
      await endAttempt(db, video.id, open.attempt, {
        outcome: 'failed',
        endedAt: clock.now(),
        code: 'upstream_timeout',
      });
      return { againInMs: 0 };
    }
    return accept(video, { route, attempt: open.attempt, submittedAt: clock.now(), started: found }, signals);
  }

  async function runRound(
    starting: StartingVideo,
    model: VideoModel | undefined,
    routes: Routes<'video'>,
    signals: AttemptSignals,
  ): Promise<Outcome> {
    const { video, attempts } = starting;
    const order = await orderOf(starting);
    if (!order || !model) return 'done';
    // Measured only once: the price depends on the length and not on the provider.
    if (attempts.length === 0 && !measured.has(video.id)) {
      const problem = await checkSource(order, video, { signal: signals.signal, log });
      if (problem) return fail(video, problem.code, problem.message);
      measured.set(video.id, true);
    }
    const round = await tryCandidates({ video, model, order, attempts, routes }, signals);
    // The video has ended, or another runner has it; the next run finds out.
    if (!round) return againWithin(video, ROUND_PAUSE_MS);
    return 'error' in round ? afterFailedRound(video, round) : accept(video, round, signals);
  }

  async function accept(video: VideoRow, accepted: Accepted, signals: AttemptSignals): Promise<'done'> {
    await storeAccepted(video, accepted, signals);
    return 'done';
  }

  async function afterFailedRound(
    video: VideoRow,
    { error, route: { provider, providerId }, pauseMs }: FailedRound,
  ): Promise<Outcome> {
    const outcome = outcomeOf(error);
    // An error of ours, such as an unavailable database: the job is run again.
    if (!outcome || !isGatewayError(error)) throw error;
    if (outcome.started === 'maybe')
      // If the provider can be asked, the next run asks it.
      return provider.repeatable || provider.recover
        ? { againInMs: ROUND_PAUSE_MS }
        : failUnconfirmed(video, providerId);
    if (outcome.retry === 'never') return fail(video, error.code, error.message);
    return againWithin(video, pauseMs);
  }

  /** Runs again after `ms`, but no later than the deadline, by which the caller was promised an end. */
  function againWithin(video: VideoRow, ms: number): Outcome {
    return { againInMs: Math.min(ms, Math.max(video.deadlineAt.getTime() - clock.nowMs(), 0)) };
  }

  function failUnconfirmed(video: VideoRow, provider: string): Promise<'done'> {
    log.error('a provider may have started a video that we cannot confirm (possible orphan)', {
      videoId: video.id,
      provider,
    });
    return fail(video, 'upstream_unconfirmed', 'The provider could not confirm that it has begun this video.');
  }

  async function fail(video: VideoRow, code: VideoEndCode, message: string): Promise<'done'> {
    await db.inTransaction((tx) => finishVideo(tx, video.id, { status: 'failed', code, message }));
    await leaveQueues(db, video.id);
    return 'done';
  }
}
