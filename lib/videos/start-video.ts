import type { CurrentCatalog } from '../catalog/catalog';
import type { Clock } from '../domain/clock';
import { isGatewayError, type GatewayError } from '../domain/errors';
import type { Log } from '../domain/log';
import type { VideoModel } from '../domain/model';
import type { StartedVideo, VideoOrder } from '../domain/video';
import { createLru } from '../io/lru';
import type { Database } from '../db/database';
import { endAttempt, type AttemptRow, type StartingVideo } from '../db/video-starts';
import { findOrder, findVideoById, type VideoRow } from '../db/videos';
import { leaveQueues } from '../db/waiting-starts';
import type { JobHandler, JobOutcome } from '../jobs/job';
import type { Queue } from '../jobs/queue';
import type { ProviderDirectory } from '../routing/provider-directory';
import type { ProviderHealth } from '../routing/provider-health';
import type { Route, Routes } from '../routing/route';
import type { Router } from '../routing/router';
import { tryRoutes } from '../routing/try-routes';
import type { Callbacks } from './callbacks';
import { firstCheckMs } from './check-schedule';
import type { CheckSource } from './check-source';
import type { FinishVideo, VideoEndCode } from './finish-video';
import type { PublishedMedia } from './published-media';
import { modelOfEntry } from './model-of-video';
import { createStartAttempts, noSlotError, outcomeOf, type Accepted, type AttemptSignals } from './start-attempt';
import { createStartSteps } from './start-steps';
import { storeWithRetries } from './store-with-retries';
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
 * The pause after a round in which no route accepted; it doubles up to a maximum. Only the deadline ends the rounds.
 */
const ROUND_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;
/** The pause of a video whose providers are all failing, and are tried by other videos; at most twice as long. */
const FAILING_PAUSE_MS = 15_000;
/**
 * How long after the request its sender tries to store the response while the database is unavailable: longer than most
 * outages last.
 */
const STORE_TIMEOUT_MS = 900_000;
/** `STORE_TIMEOUT_MS` of a process that is stopping. */
const STOPPING_STORE_TIMEOUT_MS = 90_000;
/**
 * If there is no response this long after the request, none will come. A sender that still stores one, after an outage,
 * may find that another runner has ended the video meanwhile.
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
}): JobHandler<'video.start'> {
  const { db, clock, log, router, providers, health, finishVideo, checkSource, random } = deps;
  const steps = createStartSteps(deps);
  const beginAttempt = createStartAttempts({ ...deps, steps });
  /** The videos whose source is right. A video may wait for a free slot of its provider for many rounds. */
  const measured = createLru<string, true>(MAX_REMEMBERED);

  return async function startVideo({ videoId }, signal, { stopping }) {
    const starting = await steps.read(videoId);
    if (!starting || starting.video.receipt !== null || starting.video.completedAt !== null) {
      // A cancelled video was in a queue until now.
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
    const { model, routes } = await routesOf(starting);
    const signals = { signal, stopping };
    if (open) {
      const route = routes.find((candidate) => isOf(candidate, open));
      return settleOpen(starting, model, open, route, signals);
    }
    const [first, ...others] = health.order(routes.filter((route) => !hasRefusedForGood(route, attempts)));
    if (!first) return fail(video, 'no_provider_available', 'No provider could begin this video.');
    return runRound(starting, model, [first, ...others], signals);
  };

  async function routesOf({
    video,
    catalogEntry,
  }: StartingVideo): Promise<{ model: VideoModel | undefined; routes: Route<'video'>[] }> {
    const model = modelOfEntry(deps.catalog, video, catalogEntry);
    const routes: Route<'video'>[] = [];
    for (const { provider, upstreamModel, credentialId } of video.candidates) {
      const binding = model?.bindings.find(
        (candidate) => candidate.providerId === provider && candidate.modelName === upstreamModel,
      );
      const own = credentialId === undefined ? undefined : await providers.ownOf(credentialId);
      // Never over the installation's account instead: its work would cost credits.
      if (!model || !binding || (credentialId !== undefined && !own)) continue;
      const route = router.routeOf(model, binding, video.mode, own);
      if (route) routes.push(route);
    }
    return { model, routes };
  }

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
    return storeAccepted(video, { route, attempt: open.attempt, submittedAt: clock.now(), started: found }, signals);
  }

  async function runRound(
    starting: StartingVideo,
    model: VideoModel | undefined,
    routes: Routes<'video'>,
    signals: AttemptSignals,
  ): Promise<Outcome> {
    const { signal, stopping } = signals;
    const { video, attempts } = starting;
    const whole = await orderOf(starting);
    if (!whole || !model) return 'done';
    // Once is enough: the price depends on the length, and not on the provider.
    if (attempts.length === 0 && !measured.has(video.id)) {
      const problem = await checkSource(whole, video, { signal, log });
      if (problem) return fail(video, problem.code, problem.message);
      measured.set(video.id, true);
    }
    let attempt = video.startAttempt;
    let last: Route<'video'> = routes[0];
    const failures = new Map<Route<'video'>, GatewayError>();
    /** Other starts wait for a slot too: together they must not try the other providers too often. */
    let minPauseMs = 0;

    const begin = async (route: Route<'video'>): Promise<Accepted | undefined> => {
      last = route;
      attempt += 1;
      const order: VideoOrder = orderFor(whole, model, route.binding);
      const accepted = await beginAttempt({ video, attempt, route, order }, signals);
      if (!accepted || !('retryInMs' in accepted)) return accepted;
      // No attempt was stored for a provider without a free slot.
      attempt -= 1;
      minPauseMs = Math.max(minPauseMs, accepted.retryElsewhereInMs);
      throw noSlotError(accepted);
    };

    let accepted: Accepted | undefined;
    try {
      accepted = await tryRoutes(routes, begin, {
        capability: 'video',
        workId: video.id,
        health,
        clock,
        isOver: () => stopping.aborted || clock.now() >= video.deadlineAt,
        // A provider that accepts requests and does not answer them would lose each video that is sent to it.
        canWait: true,
        mayBeginTwice: false,
        signal,
        onAttempt(route, _ms, failed) {
          if (isGatewayError(failed?.error)) failures.set(route, failed.error);
        },
      });
    } catch (error) {
      if (isGatewayError(error) && failures.size === 0 && error.code === 'no_provider_available')
        minPauseMs = failingPauseMs(error.extra.upstream?.retryAfterMs ?? 0);
      const rounds = attempts.filter((earlier) => isOf(routes[0], earlier)).length;
      return afterRound(video, last, error, Math.max(pauseMs(routes, failures, rounds), minPauseMs));
    }
    // Otherwise the video has ended, or another runner has it: the next run sees which.
    return accepted ? storeAccepted(video, accepted, signals) : againWithin(video, ROUND_PAUSE_MS);
  }

  async function storeAccepted(
    video: VideoRow,
    { route: { provider, providerId }, attempt, submittedAt, started }: Accepted,
    { signal, stopping }: AttemptSignals,
  ): Promise<'done'> {
    // Until the acceptance is stored, only this process knows of it. The retries continue past the job's timeout and
    // during shutdown. Other runners leave the video alone for UNCONFIRMED_MS.
    const isOver = () =>
      clock.nowMs() - submittedAt.getTime() >= (stopping.aborted ? STOPPING_STORE_TIMEOUT_MS : STORE_TIMEOUT_MS);
    const store = (): Promise<boolean> => {
      const now = clock.now();
      return steps.store(
        {
          id: video.id,
          attempt,
          receipt: JSON.stringify(started.receipt),
          acceptedAt: now,
          // The work begins now, unless the provider says that it waits for a free worker of its own.
          deadlineAt: new Date(now.getTime() + (provider.waitTimeoutMs ?? video.deadlineSeconds * 1000)),
          ...(started.providerJobId === undefined ? {} : { providerJobId: started.providerJobId }),
        },
        {
          job: { kind: 'video.check', videoId: video.id, checks: 0 },
          owner: { orgId: video.orgId, mode: video.mode, place: providerId },
          inMs: firstCheckMs(provider, random),
        },
      );
    };
    if (await storeWithRetries({ clock, log, videoId: video.id }, isOver, store)) return 'done';
    const current = await findVideoById(db, video.id);
    // With a receipt, this process was paused, another runner repeated the request and stored its response; the
    // provider recognises our ids, so both have the same job. Without a receipt the video was cancelled during the
    // request, or given up during an outage: stop the job that has just started, if the provider can.
    if (!current || current.receipt === null) {
      await endAttempt(db, video.id, attempt, { outcome: 'accepted', endedAt: clock.now() });
      if (!(await isCancelled(video, started, provider, signal)))
        log.error('a video that has ended could not be stopped at its provider (orphan)', {
          videoId: video.id,
          provider: providerId,
        });
    }
    return 'done';
  }

  async function isCancelled(
    video: VideoRow,
    { receipt }: StartedVideo,
    provider: Route<'video'>['provider'],
    signal: AbortSignal,
  ): Promise<boolean> {
    try {
      const running = { videoId: video.id, receipt, startedAt: clock.now(), failures: 0 };
      const answer = await provider.cancel?.(running, { signal, log });
      return answer === 'cancelled' || answer === 'requested';
    } catch {
      return false;
    }
  }

  /** `error` ended the round: the last failure, or a refusal that no other provider would change. */
  async function afterRound(
    video: VideoRow,
    { provider, providerId }: Route<'video'>,
    error: unknown,
    pauseUntilNextMs: number,
  ): Promise<Outcome> {
    const outcome = outcomeOf(error);
    // An error of ours, such as an unavailable database: the job is run again.
    if (!outcome || !isGatewayError(error)) throw error;
    if (outcome.started === 'maybe')
      // The next run finds out with the provider, if it can be queried.
      return provider.repeatable || provider.recover
        ? { againInMs: ROUND_PAUSE_MS }
        : failUnconfirmed(video, providerId);
    if (outcome.retry === 'never') return fail(video, error.code, error.message);
    return againWithin(video, pauseUntilNextMs);
  }

  function failingPauseMs(reopensInMs: number): number {
    return Math.min(Math.max(reopensInMs, FAILING_PAUSE_MS), MAX_PAUSE_MS) * (1 + random());
  }

  /** At most until the deadline, whatever delay the provider asks for: the caller was promised an end by then. */
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

function isOf({ providerId, binding }: Route<'video'>, attempt: AttemptRow): boolean {
  return attempt.provider === providerId && attempt.upstreamModel === binding.modelName;
}

function hasRefusedForGood(route: Route<'video'>, attempts: readonly AttemptRow[]): boolean {
  return attempts.some((attempt) => isOf(route, attempt) && isRefusalForGood(attempt.code));
}

/**
 * A provider that refused the operator's credentials, or does not offer the model, would answer the same in the next
 * round.
 */
function isRefusalForGood(code: string | null | undefined): boolean {
  return code === 'upstream_auth_failed' || code === 'provider_model_not_found';
}

/**
 * At least what the provider asks for that can be called again first. A route that was not called in this round, because
 * its circuit is open, asks for nothing.
 */
function pauseMs(routes: Routes<'video'>, failures: ReadonlyMap<Route<'video'>, GatewayError>, rounds: number): number {
  const waits = routes
    .map((route) => failures.get(route))
    .filter((failure) => !isRefusalForGood(failure?.code))
    .map((failure) => failure?.extra.upstream?.retryAfterMs ?? 0);
  const pause = Math.min(ROUND_PAUSE_MS * 2 ** rounds, MAX_PAUSE_MS);
  return waits.length === 0 ? pause : Math.max(pause, Math.min(...waits));
}
