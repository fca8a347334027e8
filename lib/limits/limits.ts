import { GatewayError } from '../domain/errors';
import type { Caller } from '../domain/caller';
import type { Clock } from '../domain/clock';
import {
  limitNames,
  limitRules,
  limitSentence,
  priceAboveLimit,
  withOverrides,
  type LimitName,
  type LimitOverrides,
  type LimitScope,
  type LimitValues,
  type LinkLimitScope,
  type OwnLimits,
  type RateName,
} from '../domain/limits';
import type { OrgId, VideoId } from '../domain/ids';
import type { NanoUsd } from '../domain/money';
import type { Mode } from '../domain/video';
import { MIB, type BodyBudget, type BodyShare } from './body-budget';
import type { Levels } from './levels';
import { createBeginTurns, type LoadMonitor } from './overload';
import type { Taken, WindowCounters } from './window-counters';

// The limits between tenants, applied to every request of a key in one place (`lib/http/endpoint.ts`, and
// `server/sockets` for sockets). The narrowest limit is checked first: a request that its key may not send must not use
// up what the organisation has. docs/decisions/limits.md says why they are counted as they are.

/** Which limits a route is subject to, besides the requests per second. */
export interface Demand {
  /** Whether the route submits a video. */
  readonly submits?: true | undefined;
  /** Whether the response may stay open, as a stream or a socket. */
  readonly stays?: true | undefined;
  /** Whether the route starts work that costs credits or memory; such requests are refused while overloaded. */
  readonly startsWork?: true | undefined;
}

/** The properties of a caller that limits depend on. */
export type LimitedCaller = Pick<Caller, 'orgId' | 'keyId' | 'mode' | 'limits'>;

/** The organisation and the video whose limits apply to requests with a signed link. */
export interface LinkOwner {
  readonly orgId: OrgId;
  readonly mode: Mode;
  readonly videoId: VideoId;
  /** The limits of the organisation. */
  readonly limits: LimitOverrides | null;
}

export interface Admission {
  /** The error with which the request is refused; absent if it is admitted. */
  readonly error?: GatewayError;
  /** `RateLimit-Policy`, `RateLimit` and `x-ratelimit-…-requests`, for the response or the refusal. */
  readonly headers: Readonly<Record<string, string>>;
  /** Call it once, when the response has ended or the socket is closed. */
  release(): void;
}

/** One limit of a key or its organisation, and its current use. Spending is in billionths of a dollar. */
export interface LimitUse {
  readonly name: LimitName;
  readonly scope: Exclude<LimitScope, 'installation'>;
  readonly limit: number;
  readonly used: number;
  /** When the window ends, in Unix milliseconds; absent if it is empty, and for a limit that is not a rate. */
  readonly resetsAtMs?: number;
}

export interface Limits {
  /**
   * Counts a request. Returns synchronously, unless other requests of its organisation begin before it or the shared
   * store is needed.
   */
  admit(caller: LimitedCaller, demand: Demand): Admission | Promise<Admission>;
  /**
   * Counts a request by a signed link, for its video and its organisation; call the result once, when its download has
   * ended. Rejects with `rate_limit_exceeded` or `concurrency_limit_exceeded`.
   */
  admitLink(owner: LinkOwner): Promise<() => void>;
  /** Opens a reservation for the body of a request; without a caller, only the limit of this process applies. */
  openBody(caller: LimitedCaller | undefined): BodyShare;
  /** Counts something besides requests. Throws `rate_limit_exceeded`. */
  count(caller: LimitedCaller, name: RateName, points: number): void | Promise<void>;
  /**
   * Counts a price that is about to be charged. Rejects with `rate_limit_exceeded`, and counts nothing, if it exceeds
   * the limit. Resolves with a function that takes the price back, for work that was not begun.
   */
  spend(caller: LimitedCaller, amount: NanoUsd): Promise<() => void>;
  /** Counts the amount that was charged for admitted work. */
  spent(caller: LimitedCaller, amount: NanoUsd): void;
  /** Whether this process answered requests of several organisations within the last second. */
  isShared(): boolean;
  /** The limits of running videos, narrowest first. The ledger applies them, where the holds of the videos are. */
  runningVideos(caller: LimitedCaller): readonly { readonly scope: LimitScope; readonly max: number }[];
  /** The limits of a key and its organisation with their current use, except the limit of running videos. */
  use(caller: LimitedCaller): Promise<readonly LimitUse[]>;
}

export interface LimitsDeps {
  readonly windows: WindowCounters;
  /** Count the spending per minute; default: `windows`. */
  readonly spendWindows?: WindowCounters | undefined;
  readonly levels: Levels;
  readonly bodies: BodyBudget;
  readonly load: Pick<LoadMonitor, 'isOverloaded'>;
  /** The configured limits. */
  readonly configured: Readonly<Record<LimitScope, LimitValues>>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

interface Check<Scope extends LimitScope | LinkLimitScope = LimitScope> {
  readonly limit: LimitName;
  readonly scope: Scope;
  /** The name of its counter. */
  readonly name: string;
  readonly max: number;
  /** 0 for a limit that is not a rate. */
  readonly windowMs: number;
  /**
   * How much one request adds. 0 for spending, which is counted when it is charged: a request only checks whether the
   * limit is reached.
   */
  readonly points: number;
}

/** The rates that a request counts towards, narrowest first, and their value of the header `RateLimit-Policy`. */
interface Rates {
  readonly checks: readonly Check[];
  readonly policy: string;
}

/** The limits of one caller, narrowest first. */
interface Resolved {
  readonly checks: Readonly<Record<LimitName, readonly Check[]>>;
  /** Without the installation's limit, which the body budget applies itself. */
  readonly bodies: readonly Check[];
  readonly reading: Rates;
  readonly working: Rates;
  readonly submitting: Rates;
}

const NO_HEADERS: Readonly<Record<string, string>> = {};
const NOTHING = () => undefined;
/** The share of the installation's limits for test requests, so that test traffic is refused before live traffic. */
const TEST_SHARE = 0.8;
/** The share of its organisation's limits for signed links that one video may use. */
const VIDEO_SHARE = 1 / 2;

export function createLimits({
  windows,
  spendWindows = windows,
  levels,
  bodies,
  load,
  configured,
  clock,
}: LimitsDeps): Limits {
  const turns = createBeginTurns();
  // Cached by the object that a cached key holds, so that its limits are resolved only once.
  const resolvedOf = new WeakMap<OwnLimits, Resolved>();

  const windowsOf = ({ limit }: Check) => (limit === 'spend_per_minute' ? spendWindows : windows);

  function resolve(caller: LimitedCaller): Resolved {
    const known = caller.limits && resolvedOf.get(caller.limits);
    if (known) return known;
    const resolved = resolveFor(caller, configured);
    if (caller.limits) resolvedOf.set(caller.limits, resolved);
    return resolved;
  }

  function admit(caller: LimitedCaller, demand: Demand): Admission | Promise<Admission> {
    const turn = turns.wait(caller.orgId);
    return turn ? turn.then(() => admitNow(caller, demand)) : admitNow(caller, demand);
  }

  function admitNow(caller: LimitedCaller, demand: Demand): Admission | Promise<Admission> {
    if (demand.startsWork && load.isOverloaded(caller.mode))
      return { error: overloaded(), headers: NO_HEADERS, release: NOTHING };
    const { checks, reading, working, submitting } = resolve(caller);
    const rates = demand.submits ? submitting : demand.startsWork ? working : reading;
    return countRates(rates.checks, 0, demand.stays ? checks.open_streams : [], new RateHeaders(rates.policy));
  }

  /** Counts the rates one after another, synchronously as long as no counter waits for the store; then the streams. */
  function countRates(
    list: readonly Check[],
    from: number,
    streams: readonly Check[],
    headers: RateHeaders,
  ): Admission | Promise<Admission> {
    for (let at = from; at < list.length; at += 1) {
      const check = list[at];
      if (!check) break;
      const taken = windowsOf(check).take(check);
      if (taken instanceof Promise)
        return taken.then((each) => refusal(check, each, headers) ?? countRates(list, at + 1, streams, headers));
      const refused = refusal(check, taken, headers);
      if (refused) return refused;
    }
    return streams.length === 0 ? { headers: headers.all(), release: NOTHING } : stay(streams, 0, headers);
  }

  /** Takes the open streams one after another; a refusal releases those before it. */
  function stay(list: readonly Check[], from: number, headers: RateHeaders): Admission | Promise<Admission> {
    for (let at = from; at < list.length; at += 1) {
      const check = list[at];
      if (!check) break;
      const taken = levels.take(check.name, check.max);
      if (taken instanceof Promise)
        return taken.then((allowed) => (allowed ? stay(list, at + 1, headers) : refuse(check, at)));
      if (!taken) return refuse(check, at);
    }
    return { headers: headers.all(), release: () => release(list) };

    function refuse({ scope, max }: Check, at: number): Admission {
      release(list.slice(0, at));
      return {
        error: new GatewayError('concurrency_limit_exceeded', limitSentence('open_streams', scope, max)),
        headers: headers.all(),
        release: NOTHING,
      };
    }
  }

  async function admitLink(owner: LinkOwner): Promise<() => void> {
    for (const check of linkChecks('link_requests_per_second', owner, configured)) {
      const taken = await windows.take(check);
      if (!taken.allowed) throw exceeded(check, taken);
    }
    const held: Check<LinkLimitScope>[] = [];
    for (const check of linkChecks('open_links', owner, configured)) {
      if (await levels.take(check.name, check.max)) held.push(check);
      else {
        release(held);
        throw new GatewayError('concurrency_limit_exceeded', limitSentence('open_links', check.scope, check.max));
      }
    }
    return () => release(held);
  }

  function release(list: readonly Pick<Check, 'name'>[]): void {
    for (const { name } of list) levels.release(name);
  }

  function refusal(check: Check, taken: Taken, headers: RateHeaders): Admission | undefined {
    headers.add(check, taken);
    return taken.allowed ? undefined : { error: exceeded(check, taken), headers: headers.all(), release: NOTHING };
  }

  async function useOf(check: Check): Promise<LimitUse | undefined> {
    const { limit: name, scope, name: counter, max, windowMs } = check;
    if (scope === 'installation') return undefined;
    const use = { name, scope, limit: max };
    if (name === 'running_videos') return { ...use, used: 0 };
    if (name === 'body_mebibytes') return { ...use, used: bodies.used(counter) / MIB };
    if (windowMs === 0) return { ...use, used: await levels.read(counter) };
    const window = await windowsOf(check).read(counter);
    if (!window) return { ...use, used: 0 };
    // Refused requests are counted too; what was charged may exceed the limit.
    const used = name === 'spend_per_minute' ? window.count : Math.min(window.count, max);
    return { ...use, used, resetsAtMs: clock.nowMs() + window.endsInMs };
  }

  return {
    admit,
    admitLink,

    openBody(caller) {
      return caller ? bodies.open(caller.mode, resolve(caller).bodies) : bodies.open('live', []);
    },

    count(caller, name, points) {
      return countFrom(resolve(caller).checks[name], 0);

      function countFrom(list: readonly Check[], from: number): void | Promise<void> {
        for (let at = from; at < list.length; at += 1) {
          const check = list[at];
          if (!check) break;
          const taken = windows.take({ ...check, points });
          if (taken instanceof Promise)
            return taken.then((each) => {
              if (!each.allowed) throw exceeded(check, each);
              return countFrom(list, at + 1);
            });
          if (!taken.allowed) throw exceeded(check, taken);
        }
      }
    },

    async spend(caller, amount) {
      const points = Number(amount);
      const taken: { readonly name: string; readonly endsAtMs: number }[] = [];
      // Only in the window that counted it: if that has ended, the next window never counted this price.
      const takeBack = () => {
        for (const { name, endsAtMs } of taken) if (clock.nowMs() < endsAtMs) spendWindows.takeBack(name, points);
      };
      for (const check of resolve(caller).checks.spend_per_minute) {
        const result = await spendWindows.take({ ...check, points });
        if (!result.allowed) {
          takeBack();
          throw points > check.max ? neverAllowed(check, points) : exceeded(check, result);
        }
        taken.push({ name: check.name, endsAtMs: clock.nowMs() + result.endsInMs });
      }
      return takeBack;
    },

    spent(caller, amount) {
      for (const { name, windowMs } of resolve(caller).checks.spend_per_minute)
        // Already charged, so it is counted even beyond the limit.
        void spendWindows.take({ name, windowMs, max: Number.MAX_SAFE_INTEGER, points: Number(amount) });
    },

    isShared: turns.isShared,

    runningVideos: (caller) => resolve(caller).checks.running_videos,

    async use(caller) {
      const { checks } = resolve(caller);
      const uses = limitNames.flatMap((name) => checks[name]).map(useOf);
      return (await Promise.all(uses)).filter((use) => use !== undefined);
    },
  };
}

function resolveFor(
  { orgId, keyId, mode, limits }: LimitedCaller,
  configured: Readonly<Record<LimitScope, LimitValues>>,
): Resolved {
  const scopes: readonly (readonly [LimitScope, LimitValues, string])[] = [
    ['key', withOverrides(configured.key, limits?.key), `${keyId} ${orgId} ${mode}`],
    ['organization', withOverrides(configured.organization, limits?.organization), `${orgId} ${mode}`],
    ['installation', configured.installation, 'all'],
  ];
  const checksOf = (limit: LimitName): readonly Check[] =>
    scopes.flatMap(([scope, values, owner]) => {
      const value = values[limit];
      if (value === undefined) return [];
      const max = maxOf(scope, mode, value);
      const rule = limitRules[limit];
      return [
        {
          limit,
          scope,
          name: `${limit} ${owner}`,
          max,
          windowMs: 'windowMs' in rule ? rule.windowMs : 0,
          points: limit === 'spend_per_minute' ? 0 : 1,
        },
      ];
    });
  // Safe: there is an entry for each name.
  const checks = Object.fromEntries(limitNames.map((limit) => [limit, checksOf(limit)])) as Resolved['checks'];
  const { requests_per_second: requests, submits_per_minute: submits, spend_per_minute: spending } = checks;
  return {
    checks,
    bodies: checks.body_mebibytes.filter(({ scope }) => scope !== 'installation'),
    reading: ratesOf(requests),
    working: ratesOf([...requests, ...spending]),
    submitting: ratesOf([...requests, ...submits, ...spending]),
  };
}

/**
 * Returns the limits of a signed link, narrowest first. One video may use only a share of its organisation's limit, so
 * that a link that was published leaves the rest to the others.
 */
function linkChecks(
  limit: 'link_requests_per_second' | 'open_links',
  { orgId, mode, videoId, limits }: LinkOwner,
  configured: Readonly<Record<LimitScope, LimitValues>>,
): Check<LinkLimitScope>[] {
  const rule = limitRules[limit];
  const check = (scope: LinkLimitScope, owner: string, max: number): Check<LinkLimitScope> => ({
    limit,
    scope,
    name: `${limit} ${owner}`,
    max,
    windowMs: 'windowMs' in rule ? rule.windowMs : 0,
    points: 1,
  });
  const ofOrganization = withOverrides(configured.organization, limits)[limit];
  const ofAll = maxOf('installation', mode, configured.installation[limit]);
  return [
    ...(ofOrganization === undefined
      ? []
      : [
          check('video', videoId, Math.ceil(ofOrganization * VIDEO_SHARE)),
          check('organization', `${orgId} ${mode}`, ofOrganization),
        ]),
    ...(ofAll === undefined ? [] : [check('installation', 'all', ofAll)]),
  ];
}

/** Returns the limit for this mode: in test mode, an installation's limit is a share of the configured value. */
function maxOf<Value extends number | undefined>(scope: LimitScope, mode: Mode, value: Value): Value | number {
  if (value === undefined || scope !== 'installation' || mode !== 'test') return value;
  return Math.max(1, Math.floor(value * TEST_SHARE));
}

function ratesOf(checks: readonly Check[]): Rates {
  const policy = checks
    .filter(isShown)
    .map((check) => `"${shownName(check)}";q=${check.max};w=${check.windowMs / 1_000}`)
    .join(', ');
  return { checks, policy };
}

/** Installation limits are not shown, because other tenants use them too; spending is not a number of requests. */
function isShown({ scope, limit }: Check): boolean {
  return scope !== 'installation' && limit !== 'spend_per_minute';
}

function shownName({ scope, limit }: Check): string {
  return `${scope}_${limit}`;
}

/**
 * The headers of draft-ietf-httpapi-ratelimit-headers-10, `"name";r=<remaining>;t=<seconds to the reset>`, and the
 * `x-ratelimit-…` headers that SDKs read. Those describe only one limit: the one with the least remaining.
 */
class RateHeaders {
  readonly #policy: string;
  #text = '';
  #least: { readonly max: number; readonly remaining: number; readonly seconds: number } | undefined;

  constructor(policy: string) {
    this.#policy = policy;
  }

  add(check: Check, { remaining, endsInMs }: Taken): void {
    if (!isShown(check)) return;
    const seconds = Math.ceil(endsInMs / 1_000);
    const item = `"${shownName(check)}";r=${remaining};t=${seconds}`;
    if (!this.#least || remaining < this.#least.remaining) this.#least = { max: check.max, remaining, seconds };
    this.#text = this.#text === '' ? item : `${this.#text}, ${item}`;
  }

  all(): Readonly<Record<string, string>> {
    if (!this.#least) return NO_HEADERS;
    const { max, remaining, seconds } = this.#least;
    return {
      'ratelimit-policy': this.#policy,
      ratelimit: this.#text,
      'x-ratelimit-limit-requests': String(max),
      'x-ratelimit-remaining-requests': String(remaining),
      'x-ratelimit-reset-requests': `${seconds}s`,
    };
  }
}

function exceeded({ limit, scope, max }: Check<LimitScope | LinkLimitScope>, { endsInMs }: Taken): GatewayError {
  const retryAfterSeconds = Math.max(0.001, endsInMs / 1_000);
  return new GatewayError('rate_limit_exceeded', limitSentence(limit, scope, max, retryAfterSeconds), {
    retryAfterSeconds,
  });
}

function neverAllowed({ scope, max }: Check, price: number): GatewayError {
  return new GatewayError('rate_limit_exceeded', priceAboveLimit(price, scope, max), { retry: false });
}

function overloaded(): GatewayError {
  return new GatewayError(
    'overloaded',
    'This instance is overloaded and takes no new work at this moment. Try again in a few seconds.',
    { retryAfterSeconds: 2 },
  );
}
