import type { Clock } from '../domain/clock';
import { codeOf, GatewayError, isGatewayError, type UpstreamOutcome } from '../domain/errors';
import type { CredentialId } from '../domain/ids';
import type { Capability } from '../domain/model';
import type { FailureCode } from '../domain/telemetry';
import type { ProviderHealth, WithHealth } from './provider-health';

// The attempt loop: calls the routes of a request one after another until one begins to deliver. Messages, videos,
// transcriptions and speech use it, each with its own limits. The provider adapter decides what may follow a failure
// (`UpstreamOutcome`); the loop never guesses from an HTTP status. Nothing that has been delivered is ever repeated: an
// attempt resolves when the provider begins to deliver, and after that there is no failover.

const REPEAT_PAUSE_MS = 200;
const REPEAT_PAUSE_SPREAD_MS = 300;
/** The longest `Retry-After` that is waited for; beyond it, another provider is quicker. */
const MAX_REPEAT_PAUSE_MS = 2_000;
/** The pause of a provider after a rate limit without `Retry-After`. */
const COOL_DOWN_MS = 10_000;
const MAX_COOL_DOWN_MS = 300_000;

export interface AttemptOptions<R> {
  /** The capability that the routes are called for. */
  readonly capability: Capability;
  readonly health: ProviderHealth;
  readonly clock: Clock;
  /** The id of the request, the video or the session, to whose trace the calls belong. */
  readonly workId: string;
  /** Checked before every call but the first: if true, no other call begins. Absent: every route is called. */
  readonly isOver?: () => boolean;
  /**
   * The work can wait: while all circuits are open, only one call at a time is made of each route, and without one the
   * attempts reject with `no_provider_available`. Absent: all routes are called then.
   */
  readonly canWait?: boolean;
  /** Whether a call may follow one that the provider may have begun to work on. False if both could be charged. */
  readonly mayBeginTwice: boolean;
  /** When a route is called a second time. Absent: never. */
  readonly repeat?: RepeatRule | undefined;
  /** After it aborts, no route is called any more, and a failure does not count against the provider. */
  readonly signal?: AbortSignal;
  /** Called after every call of a provider, and awaited before the next one. `failed` is absent after a success. */
  readonly onAttempt?: (route: R, ms: number, failed?: FailedAttempt) => void | Promise<void>;
  /** Combines the errors of all calls into one. Absent: the last error is thrown. */
  readonly combine?: (failures: readonly [GatewayError, ...GatewayError[]]) => GatewayError;
}

export interface FailedAttempt {
  readonly code: FailureCode;
  /** The error with which the attempt was rejected. */
  readonly error: unknown;
}

/**
 * Returns the pause in milliseconds before the same route is called a second time; undefined: it is not. `routes` is
 * the number of routes.
 */
export type RepeatRule = (failure: ProviderFailure, routes: number) => number | undefined;

/** A failure that may pass soon is repeated once, after a short pause. */
export const repeatAfterPause =
  (random: () => number): RepeatRule =>
  ({ outcome }) => {
    const pauseMs = outcome.retryAfterMs ?? REPEAT_PAUSE_MS + random() * REPEAT_PAUSE_SPREAD_MS;
    return outcome.retry === 'later' && pauseMs <= MAX_REPEAT_PAUSE_MS ? pauseMs : undefined;
  };

/**
 * Connects to a provider without an alternative a second time, at once, unless the result would be the same or the
 * first attempt timed out. For speech, where a person is listening.
 */
export const reconnectIfAlone: RepeatRule = ({ kind, error: { code } }, routes) =>
  routes === 1 && kind === 'failed' && code !== 'upstream_auth_failed' && code !== 'upstream_timeout' ? 0 : undefined;

/** A failure of a provider after which another provider may succeed. */
export interface ProviderFailure {
  readonly error: GatewayError;
  readonly outcome: UpstreamOutcome;
  /**
   * `failed`: it counts against the provider · `limited`: the provider cools down · `not_offered`: the provider works,
   * but does not offer this model · `busy`: it was not called, to stay within its limits.
   */
  readonly kind: 'failed' | 'limited' | 'not_offered' | 'busy';
}

/** Returns the provider's failure; undefined for an error of the caller or of ours, which ends all attempts. */
export function providerFailureOf(error: unknown): ProviderFailure | undefined {
  const outcome = isGatewayError(error) ? error.extra.upstream : undefined;
  if (!isGatewayError(error) || !outcome || outcome.retry === 'never') return undefined;
  const { code } = error;
  if (code === 'rate_limit_exceeded' || code === 'upstream_overloaded') return { error, outcome, kind: 'limited' };
  if (code === 'concurrency_limit_exceeded') return { error, outcome, kind: 'busy' };
  return { error, outcome, kind: code === 'provider_model_not_found' ? 'not_offered' : 'failed' };
}

/** Records the failure of an answer that had already begun, and had counted as a success. */
export function recordBreak(health: ProviderHealth, route: WithHealth, error: unknown): void {
  const { healthKey } = route;
  recordCredential(health, route, error);
  const failure = providerFailureOf(error);
  if (failure?.kind === 'limited') health.coolDown(healthKey, coolDownMs(failure));
  else if (failure) health.brokeOff(healthKey);
}

/**
 * Records whether the provider accepted the credential of an organisation's own account. `error`: absent on success.
 */
export function recordCredential(
  { credentials }: Pick<ProviderHealth, 'credentials'>,
  { credentialId }: { readonly credentialId?: CredentialId | null },
  error?: unknown,
): void {
  if (credentialId === undefined || credentialId === null) return;
  if (error === undefined) credentials.accepted(credentialId);
  else if (isGatewayError(error) && error.code === 'upstream_auth_failed') credentials.refused(credentialId);
}

const coolDownMs = ({ outcome }: ProviderFailure) => Math.min(outcome.retryAfterMs ?? COOL_DOWN_MS, MAX_COOL_DOWN_MS);

/**
 * Calls the routes in their order until one begins to deliver, and resolves with its result. A route with an open
 * circuit is left out, unless all are open: a provider that may be unhealthy is better than none (see `canWait`).
 * Rejects with the error of the caller or of ours that ended the attempts, or with what `combine` makes of the
 * failures.
 *
 * `attempt` resolves when the provider begins to deliver. It may resolve with undefined if it found that there is
 * nothing to do any more, without having called the provider; this ends the attempts too.
 */
export async function tryRoutes<R extends WithHealth, T>(
  routes: readonly [R, ...R[]],
  attempt: (route: R) => Promise<T>,
  options: AttemptOptions<R>,
): Promise<T> {
  const { capability, workId, health, clock, mayBeginTwice, repeat, signal, onAttempt, combine } = options;
  const failures: GatewayError[] = [];
  const { metrics, tracing } = health.telemetry;
  const progress: Progress = { hasCalled: false, isTrial: false };

  for (const route of callable(routes, options, progress)) {
    const { healthKey, providerId } = route;
    for (let isRepeated = false; ; isRepeated = true) {
      progress.hasCalled = true;
      const startedAt = clock.nowMs();
      let result: T;
      try {
        result = await tracing.within(
          workId,
          'provider call',
          { 'patchbay.provider': providerId, 'patchbay.capability': capability },
          () => attempt(route),
        );
      } catch (thrown) {
        const error = withOwner(thrown, route);
        const hasLeft = signal?.aborted === true;
        const failure = hasLeft ? undefined : providerFailureOf(error);
        recordCredential(health, route, error);
        if (failure?.kind === 'failed') health.failed(healthKey);
        else if (failure?.kind === 'limited') health.coolDown(healthKey, coolDownMs(failure));
        if (progress.isTrial) health.release(healthKey);
        const code = hasLeft ? 'caller_left' : codeOf(error);
        const ms = clock.nowMs() - startedAt;
        // `busy` means that the provider was not called.
        if (failure?.kind !== 'busy') metrics.attemptEnded({ capability, provider: providerId, code, ms });
        const recorded = onAttempt?.(route, ms, { code, error });
        if (recorded) await recorded;
        if (!failure || (failure.outcome.started === 'maybe' && !mayBeginTwice)) throw error;
        failures.push(failure.error);
        const pauseMs = isRepeated ? undefined : repeat?.(failure, routes.length);
        if (pauseMs === undefined || options.isOver?.()) break;
        if (pauseMs > 0) await clock.sleep(pauseMs, signal);
        signal?.throwIfAborted();
        continue;
      }
      if (result === undefined) {
        if (progress.isTrial) health.release(healthKey);
        return result;
      }
      health.succeeded(healthKey);
      recordCredential(health, route);
      const ms = clock.nowMs() - startedAt;
      metrics.attemptEnded({ capability, provider: providerId, ms });
      const recorded = onAttempt?.(route, ms);
      if (recorded) await recorded;
      return result;
    }
  }
  const [first, ...others] = failures;
  if (!first) throw noneCalled(health, routes);
  throw combine ? combine([first, ...others]) : (others.at(-1) ?? first);
}

/** Returns the error if no route may be called, because trials of other work are running. */
function noneCalled(health: ProviderHealth, routes: readonly WithHealth[]): GatewayError {
  const retryAfterMs = Math.min(...routes.map(({ healthKey }) => health.reopensInMs(healthKey)));
  return new GatewayError('no_provider_available', 'The providers of this model are failing at the moment.', {
    upstream: { retry: 'later', started: 'no', retryAfterMs },
  });
}

/** Replaces the error of refused credentials if they are the organisation's own, so that its members know. */
function withOwner(error: unknown, { credentialId }: WithHealth): unknown {
  if (credentialId === undefined || !isGatewayError(error) || error.code !== 'upstream_auth_failed') return error;
  const message =
    'The provider refused the credentials of your organisation. Replace them in the console under Providers.';
  return new GatewayError(error.code, message, error.extra);
}

interface Progress {
  hasCalled: boolean;
  /** Whether the call of the last yielded route is the trial of its circuit. */
  isTrial: boolean;
}

/**
 * Yields the routes that may be called, until the attempts are over. Not nested in `tryRoutes`; see
 * docs/performance.md.
 */
function* callable<R extends WithHealth>(
  routes: readonly R[],
  { health, isOver, canWait }: AttemptOptions<R>,
  progress: Progress,
): Generator<R> {
  for (const route of routes) {
    if (progress.hasCalled && isOver?.()) return;
    const admission = health.admit(route.healthKey);
    progress.isTrial = admission === 'trial';
    if (admission !== 'no') yield route;
  }
  progress.isTrial = false;
  if (progress.hasCalled) return;
  for (const route of health.order(routes)) {
    if (progress.hasCalled && isOver?.()) return;
    const admission = canWait ? health.admit(route.healthKey, true) : 'call';
    progress.isTrial = admission === 'trial';
    if (admission !== 'no') yield route;
  }
}
