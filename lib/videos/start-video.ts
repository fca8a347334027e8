import type { Catalog } from '../catalog/catalog';
import type { Clock } from '../domain/clock';
import { errorForLog, isGatewayError, type UpstreamOutcome } from '../domain/errors';
import type { Log } from '../domain/log';
import type { Database, Tx } from '../db/database';
import {
  claimStart,
  endAttempt,
  findOrder,
  findVideoById,
  insertAttempt,
  listAttempts,
  storeStart,
  type AttemptEnd,
  type VideoRow,
} from '../db/videos';
import type { JobHandler, JobOutcome } from '../jobs/job';
import type { Queue } from '../jobs/queue';
import type { ProviderHealth } from '../routing/provider-health';
import type { Route, Router } from '../routing/router';
import { checkDelayMs } from './check-schedule';
import type { FinishVideo, VideoEndCode } from './finish-video';
import { keptRequest } from './request-snapshot';

// `video.start`: asks a provider to start the video. The attempt is stored before the request is sent, so that after a
// crash we know that the provider may have received it. A provider that recognises our video id gets the request again;
// any other does not, because a second start could be charged twice.
//
//   choosing ──store the attempt──▶ asking ──accepted──▶ started: the receipt is stored, `video.check` is scheduled
//      ▲                              │
//      │                              ├──refused──▶ failed
//      ├──next route, or a pause──────┼──failed, nothing has started
//      │                              │
//      └──the same provider again─────┴──no answer, may have started ──no provider recognises it──▶ failed: unconfirmed
//
// The deadline ends `choosing` with a failure. Each step may run twice; only the stored attempts decide what follows.

/**
 * The pause after a round in which no route accepted; it doubles up to a maximum. Only the deadline ends the rounds.
 */
const ROUND_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;
const STORE_PAUSE_MS = 500;
/**
 * How long after the request its sender may still store the response (the database was unavailable, or the process was
 * paused).
 */
const STORE_LIMIT_MS = 90_000;
/** If there is no response this long after the request, none will come. */
const UNCONFIRMED_MS = 120_000;

type Outcome = JobOutcome<'video.start'>;

export function createStartVideo(deps: {
  db: Database;
  clock: Clock;
  log: Log;
  catalog: Catalog;
  router: Router;
  health: ProviderHealth;
  queue: Queue;
  finishVideo: FinishVideo;
  random: () => number;
}): JobHandler<'video.start'> {
  const { db, clock, log, catalog, router, health, queue, finishVideo, random } = deps;

  return async function startVideo({ videoId }, signal) {
    for (;;) {
      const video = await findVideoById(db, videoId);
      if (!video || video.receipt !== null || video.completedAt !== null) return 'done';
      if (clock.now() >= video.deadlineAt) {
        return fail(video, 'upstream_timeout', 'No provider took the video before its deadline.');
      }
      const routes = routesOf(video);
      const next = await nextRoute(video, routes);
      if (next === 'unconfirmed') {
        log.error('a provider may have started a video that we cannot confirm (possible orphan)', {
          videoId,
          provider: video.provider ?? '',
        });
        return fail(video, 'upstream_unconfirmed', 'The provider could not confirm that it has begun this video.');
      }
      if (!next) return fail(video, 'no_provider_available', 'No provider could begin this video.');
      if ('waitMs' in next) return { againInMs: Math.min(next.waitMs, video.deadlineAt.getTime() - clock.nowMs()) };
      const outcome = await ask(video, next, routes, signal);
      if (outcome !== 'next') return outcome;
    }
  };

  function routesOf(video: VideoRow): Route[] {
    const model = catalog.find(video.model);
    const bindings = model?.capability === 'video' ? model.bindings : [];
    return video.candidates.flatMap(({ provider, upstreamModel }) => {
      const binding = bindings.find(
        (candidate) => candidate.providerId === provider && candidate.modelName === upstreamModel,
      );
      const route = binding && router.route(binding, video.mode);
      return route ? [route] : [];
    });
  }

  /**
   * The provider to call next; `unconfirmed` when an earlier request has no known outcome and must not be repeated;
   * `waitMs` while its outcome may still arrive.
   */
  async function nextRoute(
    video: VideoRow,
    routes: readonly Route[],
  ): Promise<Route | 'unconfirmed' | { readonly waitMs: number } | undefined> {
    const attempts = await listAttempts(db, video.id);
    // Not only the last attempt: a later refusal does not undo what an earlier attempt with a lost response may have
    // started.
    const open = attempts.find(({ outcome }) => outcome === 'unknown');
    if (open) {
      const same = routes.find((route) => route.provider.id === open.provider);
      if (same?.provider.video.repeatable) return same;
      const waitMs = open.endedAt === null ? open.startedAt.getTime() + UNCONFIRMED_MS - clock.nowMs() : 0;
      return waitMs > 0 ? { waitMs } : 'unconfirmed';
    }
    return routes[attempts.length % Math.max(routes.length, 1)];
  }

  async function ask(
    video: VideoRow,
    { provider, binding }: Route,
    routes: readonly Route[],
    signal: AbortSignal,
  ): Promise<Outcome | 'next'> {
    const attempt = video.startAttempt + 1;
    const askedAt = clock.now();
    const order = await findOrder(db, video.id);
    if (!order) return 'done';
    const claimed = await db.inTransaction(async (tx) => {
      if (!(await claimStart(tx, video, attempt, provider.id, binding.modelName))) return false;
      await insertAttempt(tx, {
        videoId: video.id,
        attempt,
        provider: provider.id,
        upstreamModel: binding.modelName,
        startedAt: askedAt,
      });
      return true;
    });
    if (!claimed) return 'done';

    let sent: Pick<AttemptEnd, 'sent'> = {};
    let started: { receipt: VideoRow['receipt']; providerJobId?: string };
    try {
      started = await provider.video.start(
        {
          videoId: video.id,
          order,
          binding,
          owner: { orgId: video.orgId, mode: video.mode },
          ...(video.scenario !== null && router.isTestProvider(provider.id) ? { scenario: video.scenario } : {}),
          recordSent: (body) => {
            sent = { sent: keptRequest(body) };
          },
        },
        { signal, log },
      );
    } catch (error) {
      return afterFailure(video, { attempt, ...sent }, { provider, binding }, routes, error);
    }

    health.succeeded(provider.id);
    const stored = await untilStored(video, askedAt, async (tx) => {
      const now = clock.now();
      const begun = await storeStart(tx, video.id, {
        receipt: started.receipt,
        startedAt: now,
        ...(started.providerJobId === undefined ? {} : { providerJobId: started.providerJobId }),
      });
      if (!begun) return false;
      await endAttempt(tx, video.id, attempt, { outcome: 'accepted', endedAt: now, ...sent });
      await queue.enqueue(
        tx,
        { kind: 'video.check', videoId: video.id, checks: 0 },
        checkDelayMs(0, provider.video, random),
      );
      return true;
    });
    if (stored) return 'done';
    const current = await findVideoById(db, video.id);
    // With a receipt, this process was paused, another runner repeated the request and stored its response; the
    // provider recognises our ids, so both have the same job. Without a receipt the video was cancelled during the
    // request: stop the job that has just started, if the provider can.
    if (!current || current.receipt === null) {
      await endAttempt(db, video.id, attempt, { outcome: 'accepted', endedAt: clock.now(), ...sent });
      await provider.video
        .cancel?.(started.receipt, { signal, log })
        .catch(() =>
          log.warn('a cancelled video could not be stopped upstream', { videoId: video.id, provider: provider.id }),
        );
    }
    return 'done';
  }

  /**
   * Stores the provider's acceptance, with retries. Until it is stored, only this process knows of it: a short database
   * outage must not turn a running video into a possible orphan. The retries continue past the job's timeout and during
   * shutdown; other runners do not touch the video for longer than that.
   */
  async function untilStored<T>(video: VideoRow, askedAt: Date, store: (tx: Tx) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await db.inTransaction(store);
      } catch (error) {
        if (clock.nowMs() >= askedAt.getTime() + STORE_LIMIT_MS) throw error;
        log.warn('the start of a video could not be stored yet', { videoId: video.id, error: errorForLog(error) });
        await clock.sleep(STORE_PAUSE_MS);
      }
    }
  }

  async function afterFailure(
    video: VideoRow,
    { attempt, ...sent }: { readonly attempt: number } & Pick<AttemptEnd, 'sent'>,
    { provider }: Route,
    routes: readonly Route[],
    error: unknown,
  ): Promise<Outcome | 'next'> {
    const outcome = outcomeOf(error);
    const code = isGatewayError(error) ? error.code : 'internal_error';
    log.warn('a provider did not start a video', {
      videoId: video.id,
      provider: provider.id,
      attempt,
      code,
      error: errorForLog(error),
    });
    if (outcome.retry !== 'never') health.failed(provider.id);

    if (outcome.started === 'maybe') {
      // The attempt stays `unknown` and ends; the next round decides what that means for this provider.
      await endAttempt(db, video.id, attempt, { outcome: 'unknown', endedAt: clock.now(), ...sent });
      return provider.video.repeatable ? { againInMs: ROUND_PAUSE_MS } : 'next';
    }
    await endAttempt(db, video.id, attempt, {
      outcome: outcome.retry === 'never' ? 'refused' : 'failed',
      endedAt: clock.now(),
      code,
      ...sent,
    });
    if (outcome.retry === 'never') {
      return fail(video, code, isGatewayError(error) ? error.message : 'The provider refused this video.');
    }
    const roundOver = attempt % Math.max(routes.length, 1) === 0;
    if (!roundOver) return 'next';
    const rounds = attempt / Math.max(routes.length, 1);
    const pauseMs = Math.max(outcome.retryAfterMs ?? 0, Math.min(ROUND_PAUSE_MS * 2 ** (rounds - 1), MAX_PAUSE_MS));
    // At most until the deadline, whatever delay the provider asks for: the caller was promised an end by then.
    return { againInMs: Math.min(pauseMs, Math.max(video.deadlineAt.getTime() - clock.nowMs(), 0)) };
  }

  async function fail(video: VideoRow, code: VideoEndCode, message: string): Promise<'done'> {
    await db.inTransaction((tx) => finishVideo(tx, video.id, { status: 'failed', code, message }));
    return 'done';
  }
}

/** An error that does not say what happened upstream counts as the worst case: work may have started. */
function outcomeOf(error: unknown): UpstreamOutcome {
  return (isGatewayError(error) ? error.extra.upstream : undefined) ?? { retry: 'later', started: 'maybe' };
}
