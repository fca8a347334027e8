import { GatewayError } from '../../domain/errors';
import type { Clock } from '../../domain/clock';
import type { MessageAttempt } from '../../db/schema/index';
import type { ProviderHealth } from '../../routing/provider-health';
import type { Route, Routes } from '../../routing/route';
import { tryRoutes, type RepeatRule } from '../../routing/try-routes';

// The limits of failover for messages, and the one error of several failed attempts.

const MAX_CALLS = 3;
const BUDGET_MS = 60_000;

export interface Attempts {
  readonly requestId: string;
  readonly clock: Clock;
  readonly health: ProviderHealth;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Undefined for a client that retries by itself: attempts would multiply. */
  readonly repeat: RepeatRule | undefined;
  /** Every provider call is recorded here, also those of a request that fails. */
  readonly made: MessageAttempt[];
}

/** Returns the result of the first attempt that succeeds. Rejects with the error for the client when none does. */
export function attempt<T>(
  routes: Routes<'messages'>,
  { requestId, clock, health, signal, repeat, made }: Attempts,
  ask: (route: Route<'messages'>) => Promise<T>,
): Promise<T> {
  const startedAt = clock.nowMs();
  const deadline = startedAt + BUDGET_MS;
  return tryRoutes(routes, ask, {
    capability: 'messages',
    workId: requestId,
    clock,
    health,
    signal,
    repeat,
    isOver: () => made.length >= MAX_CALLS || clock.nowMs() >= deadline,
    // Nothing has been delivered yet, and the client pays only for the answer that it gets.
    mayBeginTwice: true,
    onAttempt(route, ms, failed) {
      const call = { provider: route.providerId, upstreamModel: route.binding.modelName, ms };
      const base = made.length === 0 ? call : { ...call, startMs: clock.nowMs() - ms - startedAt };
      made.push(failed ? { ...base, code: failed.code } : base);
    },
    combine: (failures) => combineFailures(failures, new Set(made.map(({ provider }) => provider)).size),
  });
}

/**
 * Reduces several failures to one client error: the one that helps the client most. It never says which provider
 * failed.
 */
function combineFailures(failures: readonly [GatewayError, ...GatewayError[]], providers: number): GatewayError {
  const last = failures.at(-1) ?? failures[0];
  const limited = failures.filter(({ code }) => code === 'rate_limit_exceeded');
  const longest = limited
    .toSorted((one, other) => (one.extra.retryAfterSeconds ?? 0) - (other.extra.retryAfterSeconds ?? 0))
    .at(-1);
  if (longest) return longest;
  const overloaded = failures.find(({ code }) => code === 'upstream_overloaded');
  if (overloaded) return overloaded;
  if (failures.every(({ code }) => code === 'upstream_timeout')) return last;
  const notFound = failures.find(({ code }) => code === 'provider_model_not_found');
  if (notFound) return notFound;
  if (failures.length === 1) return last;
  const failed = providers === 1 ? 'The provider' : 'All providers of this model';
  return new GatewayError(
    'upstream_invalid_response',
    `${failed} failed (${failures.length} attempts). Try again in a moment.`,
    { detail: last.extra.detail ?? last.code },
  );
}
