import type { Clock } from '../domain/clock';
import { bindingKey } from '../domain/binding';
import type { CredentialId, ProviderId } from '../domain/ids';
import { noTelemetry, type Telemetry } from '../domain/telemetry';

// A circuit breaker for each provider, model and credential. It pauses calls to a provider that fails, so that callers
// do not wait for a provider that has just failed for others. The same rule applies to every capability:
//
//   closed ── 5 failures in a row, or more than half of 20 within 30 s ──▶ open
//   open ── its pause is over ──▶ half-open: one trial call at a time
//   half-open ── the trial succeeds ──▶ closed        half-open ── the trial fails ──▶ open, for longer
//
// A call succeeds when the provider has begun to deliver: the first content, the first audio, an accepted video. Only
// failures of the provider count, not errors of the caller or disconnects. A rate limit is not a failure: the provider
// cools down, which only moves it behind the others. Kept in memory, per process. See docs/architecture.md, "Failover".

const MAX_FAILURES_IN_ROW = 5;
const WINDOW_MS = 30_000;
/** With this many results in the window, the circuit also opens if more than half of them are failures. */
const WINDOW_RESULTS = 20;
/** The first pause. Each further pause is longer by as much, unless the circuit was closed for MAX_PAUSE_MS. */
const PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 300_000;
/** A trial that has reported nothing for this long no longer prevents another. */
const TRIAL_TIMEOUT_MS = 60_000;

/**
 * `call`: the circuit is closed · `trial`: half-open, and the call is the trial · `no`: open, or a trial is running.
 */
export type Admission = 'call' | 'trial' | 'no';

export interface WithHealth {
  /** The binding's provider, or in test mode the test provider. */
  readonly providerId: ProviderId;
  /** Its health is recorded under this key; see `healthKeyOf`. */
  readonly healthKey: string;
  /** The credential of the organisation's own account at the provider; absent: the installation's. */
  readonly credentialId?: CredentialId;
}

/** Receives what calls say about the credentials of organisations' own accounts. Never throws. */
export interface CredentialUse {
  /** A call with it has worked. */
  accepted(id: CredentialId): void;
  /** The provider refused it. */
  refused(id: CredentialId): void;
}

export interface ProviderHealth {
  readonly credentials: CredentialUse;
  readonly telemetry: Telemetry;
  /**
   * Returns whether this route may be called now. A `trial` must be followed by `succeeded` or `release`. With
   * `isEarly` the pause need not be over, so that a provider without an alternative is tried by one call at a time.
   */
  admit(key: string, isEarly?: boolean): Admission;
  /** Milliseconds until the pause of an open circuit ends; 0: it is not open. */
  reopensInMs(key: string): number;
  /** Ends a trial that did not succeed. */
  release(key: string): void;
  succeeded(key: string): void;
  failed(key: string): void;
  /** An answer broke off after it had counted as a success; it now counts as a failure instead. */
  brokeOff(key: string): void;
  /** The provider requested a pause of this many milliseconds. */
  coolDown(key: string, ms: number): void;
  /**
   * Sorts routes: healthy ones first, of which preferred ones lead; then those that cool down; then those with an open
   * circuit, by the time until they may be tried again. Otherwise keeps the order. Drops no route.
   */
  order<R extends WithHealth>(routes: readonly R[], isPreferred?: (route: R) => boolean): readonly R[];
  /** Lists the routes that are not healthy now, in this process. */
  list(): readonly UnhealthyRoute[];
}

export interface UnhealthyRoute {
  /** See `healthKeyOf`. */
  readonly key: string;
  /** `open`: not called · `half_open`: the next call is a trial · `cooling`: the provider asked for a pause. */
  readonly state: 'open' | 'half_open' | 'cooling';
  /** Unix milliseconds at which the pause ends; absent for `half_open`. */
  readonly untilMs?: number;
}

/** Returns the id of the provider in such a key; no part of a key has a space. */
export function providerOfHealthKey(key: string): ProviderId {
  return key.split(' ', 1)[0] ?? key;
}

/** Returns the key of a binding's health with one credential. Absent: the installation's credential at the provider. */
export function healthKeyOf(binding: Parameters<typeof bindingKey>[0], credential?: CredentialId): string {
  return credential === undefined ? bindingKey(binding) : `${bindingKey(binding)} ${credential}`;
}

interface Circuit {
  /** The results in the window, newest last. */
  results: { readonly atMs: number; readonly isFailure: boolean }[];
  isClosed: boolean;
  /** The end of the last pause; 0 before the first. Open until then, half-open afterwards. */
  pausedUntilMs: number;
  pauseMs: number;
  /** The time until which the running trial prevents another one; 0 if no trial is running. */
  trialUntilMs: number;
  coolUntilMs: number;
}

/** `credentials`: absent where no organisation has an account of its own. */
export function createProviderHealth({
  clock,
  credentials = { accepted() {}, refused() {} },
  telemetry = noTelemetry,
}: {
  clock: Clock;
  credentials?: CredentialUse;
  telemetry?: Telemetry;
}): ProviderHealth {
  /** Only keys that have failed or cooled down: without an entry the circuit is closed. */
  const circuits = new Map<string, Circuit>();

  function circuitOf(key: string): Circuit {
    let circuit = circuits.get(key);
    if (!circuit) {
      circuit = { results: [], isClosed: true, pausedUntilMs: 0, pauseMs: 0, trialUntilMs: 0, coolUntilMs: 0 };
      circuits.set(key, circuit);
    }
    return circuit;
  }

  function add(circuit: Circuit, isFailure: boolean): void {
    circuit.results.push({ atMs: clock.nowMs(), isFailure });
    if (circuit.results.length > WINDOW_RESULTS) circuit.results.shift();
  }

  function fail(circuit: Circuit): void {
    add(circuit, true);
    const now = clock.nowMs();
    // This call began before the pause, or was made during it for lack of another provider.
    if (!circuit.isClosed && circuit.pausedUntilMs > now) return;
    if (!circuit.isClosed || isFailing(circuit, now)) open(circuit, now);
  }

  function isFailing({ results }: Circuit, now: number): boolean {
    const inRow = results.length - 1 - results.findLastIndex(({ isFailure }) => !isFailure);
    if (inRow >= MAX_FAILURES_IN_ROW) return true;
    const recent = results.filter(({ atMs }) => atMs > now - WINDOW_MS);
    return recent.length >= WINDOW_RESULTS && recent.filter(({ isFailure }) => isFailure).length * 2 > recent.length;
  }

  function open(circuit: Circuit, now: number): void {
    const isFirst = now - circuit.pausedUntilMs >= MAX_PAUSE_MS;
    circuit.pauseMs = isFirst ? PAUSE_MS : Math.min(circuit.pauseMs + PAUSE_MS, MAX_PAUSE_MS);
    circuit.pausedUntilMs = now + circuit.pauseMs;
    circuit.isClosed = false;
    circuit.trialUntilMs = 0;
  }

  /** Returns the milliseconds until a call would be admitted; 0 if it would be now. */
  function waitMs(circuit: Circuit | undefined, now: number): number {
    if (!circuit || circuit.isClosed) return 0;
    return Math.max(0, circuit.pausedUntilMs - now, circuit.trialUntilMs - now);
  }

  return {
    credentials,
    telemetry,
    admit(key, isEarly = false) {
      const circuit = circuits.get(key);
      if (!circuit || circuit.isClosed) return 'call';
      const now = clock.nowMs();
      if (isEarly ? circuit.trialUntilMs > now : waitMs(circuit, now) > 0) return 'no';
      circuit.trialUntilMs = now + TRIAL_TIMEOUT_MS;
      return 'trial';
    },
    reopensInMs(key) {
      const circuit = circuits.get(key);
      return circuit && !circuit.isClosed ? Math.max(0, circuit.pausedUntilMs - clock.nowMs()) : 0;
    },
    release(key) {
      const circuit = circuits.get(key);
      if (circuit) circuit.trialUntilMs = 0;
    },
    succeeded(key) {
      const circuit = circuits.get(key);
      if (!circuit) return;
      circuit.isClosed = true;
      circuit.trialUntilMs = 0;
      circuit.coolUntilMs = 0;
      add(circuit, false);
      if (circuit.results.every(({ isFailure }) => !isFailure)) circuits.delete(key);
    },
    failed: (key) => fail(circuitOf(key)),
    brokeOff(key) {
      const circuit = circuitOf(key);
      const success = circuit.results.findLastIndex(({ isFailure }) => !isFailure);
      if (success >= 0) circuit.results.splice(success, 1);
      fail(circuit);
    },
    coolDown(key, ms) {
      const circuit = circuitOf(key);
      circuit.coolUntilMs = clock.nowMs() + ms;
      // The provider has answered, so the trial is over, and the next call may be another one.
      circuit.trialUntilMs = 0;
    },
    order(routes, isPreferred) {
      if (circuits.size === 0 && !isPreferred) return routes;
      const now = clock.nowMs();
      const rank = (route: (typeof routes)[number]) => {
        const circuit = circuits.get(route.healthKey);
        const wait = waitMs(circuit, now);
        if (wait > 0) return 1 + wait;
        if (circuit && circuit.coolUntilMs > now) return 1;
        return isPreferred?.(route) ? -1 : 0;
      };
      return routes.toSorted((one, other) => rank(one) - rank(other));
    },
    list() {
      const now = clock.nowMs();
      return [...circuits].flatMap(([key, circuit]): UnhealthyRoute[] => {
        if (!circuit.isClosed) {
          if (circuit.pausedUntilMs > now) return [{ key, state: 'open', untilMs: circuit.pausedUntilMs }];
          return [{ key, state: 'half_open' }];
        }
        return circuit.coolUntilMs > now ? [{ key, state: 'cooling', untilMs: circuit.coolUntilMs }] : [];
      });
    },
  };
}
