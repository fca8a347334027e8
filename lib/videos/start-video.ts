import type { Catalog } from '../catalog/catalog';
import type { Clock } from '../domain/clock';
import { errorForLog, isGatewayError, upstreamFailed, type UpstreamOutcome } from '../domain/errors';
import type { ProviderId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { VideoProvider } from '../domain/video';
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
import type { Route, Routes } from '../routing/route';
import type { Router } from '../routing/router';
import { tryRoutes } from '../routing/try-routes';
import { checkDelayMs } from './check-schedule';
import type { FinishVideo, VideoEndCode } from './finish-video';
import { keptRequest } from './request-snapshot';

// `video.start`: asks a provider to start the video. One run of the job is one round over the candidates; after a round
// in which none accepted, the job waits. Each attempt is stored before its request is sent, so that after a crash we know
// that the provider may have received it. A provider that recognises our video id gets the request again; any other does
// not, because a second start could be charged twice.
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

/** A request that the provider accepted. */
interface Accepted {
  readonly route: Route<'video'>;
  readonly attempt: number;
  readonly askedAt: Date;
  readonly started: Awaited<ReturnType<VideoProvider['start']>>;
  readonly sent: Pick<AttemptEnd, 'sent'>;
}

export function createStartVideo(deps: {
  db: Database;
  clock: Clock;
  log: Log;
  catalog: Catalog;
  router: Router<'video'>;
  health: ProviderHealth;
  queue: Queue;
  finishVideo: FinishVideo;
  random: () => number;
}): JobHandler<'video.start'> {
  const { db, clock, log, catalog, router, health, queue, finishVideo, random } = deps;

  return async function startVideo({ videoId }, signal) {
    const video = await findVideoById(db, videoId);
    if (!video || video.receipt !== null || video.completedAt !== null) return 'done';
    if (clock.now() >= video.deadlineAt) {
      return fail(video, 'upstream_timeout', 'No provider took the video before its deadline.');
    }
    const attempts = await listAttempts(db, videoId);
    // Not only the last attempt: a later refusal does not undo what an earlier attempt with a lost response may have
    // started.
    const open = attempts.find(({ outcome }) => outcome === 'unknown');
    const routes = routesOf(video);
    const same = open && routes.find(({ providerId }) => providerId === open.provider);
    if (open && !same?.provider.repeatable) {
      const waitMs = open.endedAt === null ? open.startedAt.getTime() + UNCONFIRMED_MS - clock.nowMs() : 0;
      return waitMs > 0 ? againWithin(video, waitMs) : failUnconfirmed(video, open.provider);
    }
    const [first, ...others] = same ? [same] : health.order(routes);
    if (!first) return fail(video, 'no_provider_available', 'No provider could begin this video.');
    const rounds = attempts.filter(({ provider }) => provider === first.providerId).length;
    return runRound(video, [first, ...others], rounds, signal);
  };

  function routesOf(video: VideoRow): Route<'video'>[] {
    const model = catalog.find(video.model);
    const bindings = model?.capability === 'video' ? model.bindings : [];
    return video.candidates.flatMap(({ provider, upstreamModel }) => {
      const binding = bindings.find(
        (candidate) => candidate.providerId === provider && candidate.modelName === upstreamModel,
      );
      const route = binding && router.routeOf(binding, video.mode);
      return route ? [route] : [];
    });
  }

  /** `rounds` is the number of rounds before this one. */
  async function runRound(
    video: VideoRow,
    routes: Routes<'video'>,
    rounds: number,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const order = await findOrder(db, video.id);
    if (!order) return 'done';
    let attempt = video.startAttempt;
    let last: Route<'video'> = routes[0];

    /** Resolves to undefined if the video has ended meanwhile, or another runner is starting it. */
    const submit = async (route: Route<'video'>): Promise<Accepted | undefined> => {
      const { provider, providerId, binding } = route;
      const askedAt = clock.now();
      attempt += 1;
      last = route;
      if (!(await claim(video, attempt, route, askedAt))) return undefined;
      let sent: Pick<AttemptEnd, 'sent'> = {};
      try {
        const started = await provider.start(
          {
            videoId: video.id,
            order,
            binding,
            owner: { orgId: video.orgId, mode: video.mode },
            ...(video.scenario !== null && router.isTestProvider(providerId) ? { scenario: video.scenario } : {}),
            recordSent: (body) => {
              sent = { sent: keptRequest(body) };
            },
          },
          { signal, log },
        );
        return { route, attempt, askedAt, started, sent };
      } catch (error) {
        await endFailed(video, { attempt, providerId, sent }, error);
        throw startError(error);
      }
    };

    let accepted: Accepted | undefined;
    try {
      accepted = await tryRoutes(routes, submit, {
        health,
        clock,
        isOver: () => clock.now() >= video.deadlineAt,
        mayBeginTwice: false,
      });
    } catch (error) {
      return afterRound(video, last, rounds, error);
    }
    return accepted ? storeAccepted(video, accepted, signal) : 'done';
  }

  async function claim(
    video: VideoRow,
    attempt: number,
    { providerId, binding }: Route<'video'>,
    askedAt: Date,
  ): Promise<boolean> {
    return db.inTransaction(async (tx) => {
      if (!(await claimStart(tx, video, attempt, providerId, binding.modelName))) return false;
      await insertAttempt(tx, {
        videoId: video.id,
        attempt,
        provider: providerId,
        upstreamModel: binding.modelName,
        startedAt: askedAt,
      });
      return true;
    });
  }

  async function storeAccepted(
    video: VideoRow,
    { route: { provider, providerId }, attempt, askedAt, started, sent }: Accepted,
    signal: AbortSignal,
  ): Promise<'done'> {
    const stored = await untilStored(video, askedAt, async (tx) => {
      const now = clock.now();
      const begun = await storeStart(tx, video.id, {
        receipt: started.receipt,
        startedAt: now,
        ...(started.providerJobId === undefined ? {} : { providerJobId: started.providerJobId }),
      });
      if (!begun) return false;
      await endAttempt(tx, video.id, attempt, { outcome: 'accepted', endedAt: now, ...sent });
      await queue.enqueue(tx, { kind: 'video.check', videoId: video.id, checks: 0 }, checkDelayMs(0, provider, random));
      return true;
    });
    if (stored) return 'done';
    const current = await findVideoById(db, video.id);
    // With a receipt, this process was paused, another runner repeated the request and stored its response; the
    // provider recognises our ids, so both have the same job. Without a receipt the video was cancelled during the
    // request: stop the job that has just started, if the provider can.
    if (!current || current.receipt === null) {
      await endAttempt(db, video.id, attempt, { outcome: 'accepted', endedAt: clock.now(), ...sent });
      await provider
        .cancel?.(started.receipt, { signal, log })
        .catch(() =>
          log.warn('a cancelled video could not be stopped upstream', { videoId: video.id, provider: providerId }),
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

  async function endFailed(
    video: VideoRow,
    { attempt, providerId, sent }: { attempt: number; providerId: ProviderId; sent: Pick<AttemptEnd, 'sent'> },
    error: unknown,
  ): Promise<void> {
    const { retry, started } = outcomeOf(error) ?? UNKNOWN_OUTCOME;
    const code = isGatewayError(error) ? error.code : 'internal_error';
    log.warn('a provider did not start a video', {
      videoId: video.id,
      provider: providerId,
      attempt,
      code,
      error: errorForLog(error),
    });
    const endedAt = clock.now();
    await endAttempt(
      db,
      video.id,
      attempt,
      // An attempt that may have begun ends as `unknown`; the next run decides what that means for this provider.
      started === 'maybe'
        ? { outcome: 'unknown', endedAt, ...sent }
        : { outcome: retry === 'never' ? 'refused' : 'failed', endedAt, code, ...sent },
    );
  }

  /** `error` ended the round: the last failure, or a refusal that no other provider would change. */
  async function afterRound(
    video: VideoRow,
    { provider, providerId }: Route<'video'>,
    rounds: number,
    error: unknown,
  ): Promise<Outcome> {
    const outcome = outcomeOf(error);
    // An error of ours, such as an unavailable database: the job is run again.
    if (!outcome || !isGatewayError(error)) throw error;
    if (outcome.started === 'maybe')
      return provider.repeatable ? { againInMs: ROUND_PAUSE_MS } : failUnconfirmed(video, providerId);
    if (outcome.retry === 'never') return fail(video, error.code, error.message);
    const pauseMs = Math.min(ROUND_PAUSE_MS * 2 ** rounds, MAX_PAUSE_MS);
    return againWithin(video, Math.max(outcome.retryAfterMs ?? 0, pauseMs));
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
    return 'done';
  }
}

const outcomeOf = (error: unknown) => (isGatewayError(error) ? error.extra.upstream : undefined);

/** A provider's error that does not say what happened upstream counts as the worst case: work may have started. */
const UNKNOWN_OUTCOME: UpstreamOutcome = { retry: 'later', started: 'maybe' };

const startError = (error: unknown) => (outcomeOf(error) ? error : upstreamFailed(UNKNOWN_OUTCOME, errorForLog(error)));
