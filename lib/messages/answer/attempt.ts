import type { Clock } from '../../domain/clock';
import { GatewayError, isGatewayError, type UpstreamOutcome } from '../../domain/errors';
import type { MessageAttempt } from '../../db/schema/index';
import type { CircuitBreaker } from '../../routing/circuit-breaker';
import type { MessagesRoute } from '../../routing/messages-router';

// The failover loop over providers, up to the first delivered content. The provider adapter decides what may follow a
// failure (`UpstreamOutcome`); the loop never guesses from an HTTP status.

const MAX_CALLS = 3;
const BUDGET_MS = 60_000;
const PAUSE_MS = 200;
const PAUSE_SPREAD_MS = 300;
/** A longer `Retry-After` is not waited for: another provider is quicker. */
const MAX_PAUSE_MS = 2_000;
const COOL_DOWN_MS = 10_000;
const MAX_COOL_DOWN_MS = 300_000;

export interface Attempts {
  readonly clock: Clock;
  readonly breaker: CircuitBreaker;
  readonly random: () => number;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** False for a client that retries by itself: attempts would multiply. */
  readonly mayRepeat: boolean;
  /** Every provider call is recorded here, also those of a request that fails. */
  readonly made: MessageAttempt[];
}

/** Returns the result of the first attempt that succeeds. Rejects with the error for the client when none does. */
export async function attempt<T>(
  routes: readonly MessagesRoute[],
  deps: Attempts,
  ask: (route: MessagesRoute) => Promise<T>,
): Promise<T> {
  const { clock, breaker, random, signal, mayRepeat, made } = deps;
  const deadline = clock.nowMs() + BUDGET_MS;
  const failures: GatewayError[] = [];
  const isOver = () => made.length >= MAX_CALLS || clock.nowMs() >= deadline;

  for (const route of availableRoutes(routes, breaker, made)) {
    if (isOver()) break;
    for (let repeated = false; ; repeated = true) {
      const startedAt = performance.now();
      const note = (code?: string) => {
        const base = {
          provider: route.providerId,
          upstreamModel: route.binding.modelName,
          ms: Math.round(performance.now() - startedAt),
        };
        made.push(code === undefined ? base : { ...base, code });
      };
      try {
        const result = await ask(route);
        note();
        breaker.succeeded(route.circuit);
        return result;
      } catch (error) {
        note(signal.aborted ? 'caller_left' : isGatewayError(error) ? error.code : 'internal_error');
        // The client disconnected; this says nothing about the provider's health.
        if (signal.aborted || !isGatewayError(error) || !error.extra.upstream) throw error;
        const outcome = error.extra.upstream;
        if (outcome.retry === 'never') throw error;
        recordFailure(error, outcome, route, breaker);
        failures.push(error);
        const pauseMs = outcome.retryAfterMs ?? PAUSE_MS + random() * PAUSE_SPREAD_MS;
        const again = outcome.retry === 'later' && mayRepeat && !repeated && pauseMs <= MAX_PAUSE_MS;
        if (!again || isOver()) break;
        await clock.sleep(pauseMs, signal);
        signal.throwIfAborted();
      }
    }
  }
  throw toClientError(failures);
}

/**
 * Yields the routes whose circuit is closed. If none is closed, yields the one that reopens soonest: a provider that
 * may be unhealthy is better than no provider.
 */
function* availableRoutes(
  routes: readonly MessagesRoute[],
  breaker: CircuitBreaker,
  made: readonly MessageAttempt[],
): Generator<MessagesRoute> {
  for (const route of routes) if (breaker.admits(route.circuit)) yield route;
  if (made.length > 0) return;
  const [nearest] = routes.toSorted((one, other) => breaker.waitMs(one.circuit) - breaker.waitMs(other.circuit));
  if (nearest) yield nearest;
}

function recordFailure(
  error: GatewayError,
  outcome: UpstreamOutcome,
  { circuit }: MessagesRoute,
  breaker: CircuitBreaker,
): void {
  if (error.code === 'rate_limit_exceeded' || error.code === 'upstream_overloaded')
    breaker.coolDown(circuit, Math.min(outcome.retryAfterMs ?? COOL_DOWN_MS, MAX_COOL_DOWN_MS));
  else if (error.code !== 'provider_model_not_found') breaker.failed(circuit);
}

/**
 * Reduces several failures to one client error: the one that helps the client most. It never says which provider
 * failed.
 */
function toClientError(failures: readonly GatewayError[]): GatewayError {
  const last = failures.at(-1);
  // At least one provider was called, and none answered.
  if (!last) throw new Error('No provider was asked.');
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
  return new GatewayError(
    'upstream_invalid_response',
    `All providers of this model failed (${failures.length} attempts). Try again in a moment.`,
    { detail: last.extra.detail ?? last.code },
  );
}
