import type { Clock } from '../domain/clock';
import { isGatewayError, type GatewayError } from '../domain/errors';
import type { VideoModel } from '../domain/model';
import type { VideoOrder } from '../domain/video';
import type { AttemptRow } from '../db/video-starts';
import type { VideoRow } from '../db/videos';
import type { ProviderHealth } from '../routing/provider-health';
import type { Route, Routes } from '../routing/route';
import { tryRoutes } from '../routing/try-routes';
import { noSlotError, type Accepted, type AttemptSignals, type BeginAttempt } from './start-attempt';
import { isOf, isRefusalForGood } from './start-candidates';
import { orderFor } from './video-request';

// One round over the candidates of a video: they are called in turn until one accepts. The result of a round without
// success contains the pause before the next round.

/**
 * The pause after a round in which no route accepted; it doubles up to a maximum. Only the deadline ends the rounds.
 */
export const ROUND_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;
/** The pause, or up to twice as long, of a video whose providers all fail and are being tried by other videos. */
const FAILING_PAUSE_MS = 15_000;

export interface Round {
  readonly video: VideoRow;
  readonly model: VideoModel;
  readonly order: VideoOrder;
  /** The attempts of earlier rounds. */
  readonly attempts: readonly AttemptRow[];
  readonly routes: Routes<'video'>;
}

/** A round in which no provider accepted. */
export interface FailedRound {
  /** The last failure, a refusal that would be the same at every provider, or an error of ours. */
  readonly error: unknown;
  /** The route that was called last. */
  readonly route: Route<'video'>;
  /** The time until the next round, in milliseconds. */
  readonly pauseMs: number;
}

/** Runs a round. Resolves with undefined if nothing was sent, as `BeginAttempt` does. */
export type TryCandidates = (round: Round, signals: AttemptSignals) => Promise<Accepted | FailedRound | undefined>;

export function createStartRounds({
  clock,
  health,
  random,
  beginAttempt,
}: {
  readonly clock: Clock;
  readonly health: ProviderHealth;
  readonly random: () => number;
  readonly beginAttempt: BeginAttempt;
}): TryCandidates {
  return async function tryCandidates({ video, model, order, attempts, routes }, signals) {
    const { signal, stopping } = signals;
    let attempt = video.startAttempt;
    let last: Route<'video'> = routes[0];
    const failures = new Map<Route<'video'>, GatewayError>();
    /** How long the start waits for a slot of these routes, unless it is called. */
    const waits = new Map<Route<'video'>, number>();
    /** Raised if a start waits for a slot, so that all waiting starts together do not try other providers too often. */
    let minPauseMs = 0;

    const begin = async (route: Route<'video'>): Promise<Accepted | undefined> => {
      last = route;
      attempt += 1;
      const begun = await beginAttempt(
        { video, attempt, route, order: orderFor(order, model, route.binding) },
        signals,
      );
      if (!begun || !('retryInMs' in begun)) return begun;
      waits.set(route, begun.retryInMs);
      minPauseMs = Math.max(minPauseMs, begun.retryElsewhereInMs);
      if (begun.refusal) throw begun.refusal;
      // No attempt was stored for a provider without a free slot.
      attempt -= 1;
      throw noSlotError(begun);
    };

    try {
      return await tryRoutes(routes, begin, {
        capability: 'video',
        workId: video.id,
        health,
        clock,
        isOver: () => stopping.aborted || clock.now() >= video.deadlineAt,
        // A provider that accepts requests but never answers would lose every video that is sent to it.
        canWait: true,
        mayBeginTwice: false,
        signal,
        onAttempt(route, _ms, failed) {
          if (isGatewayError(failed?.error)) failures.set(route, failed.error);
        },
      });
    } catch (error) {
      if (isGatewayError(error) && failures.size === 0 && error.code === 'no_provider_available')
        minPauseMs = failingPauseMs(error.extra.upstream?.retryAfterMs ?? 0, random);
      const rounds = attempts.filter((earlier) => isOf(routes[0], earlier)).length;
      return { error, route: last, pauseMs: Math.max(roundPauseMs(routes, failures, waits, rounds), minPauseMs) };
    }
  };
}

function failingPauseMs(reopensInMs: number, random: () => number): number {
  return Math.min(Math.max(reopensInMs, FAILING_PAUSE_MS), MAX_PAUSE_MS) * (1 + random());
}

/**
 * Returns the pause, at least as long as requested by the provider that can be called again first. A route that was not
 * called in this round, because its circuit is open, requests none.
 */
function roundPauseMs(
  routes: Routes<'video'>,
  failures: ReadonlyMap<Route<'video'>, GatewayError>,
  slotWaits: ReadonlyMap<Route<'video'>, number>,
  rounds: number,
): number {
  const waits = routes
    .filter((route) => !isRefusalForGood(failures.get(route)?.code))
    .map((route) => Math.max(slotWaits.get(route) ?? 0, failures.get(route)?.extra.upstream?.retryAfterMs ?? 0));
  const pause = Math.min(ROUND_PAUSE_MS * 2 ** rounds, MAX_PAUSE_MS);
  return waits.length === 0 ? pause : Math.max(pause, Math.min(...waits));
}
