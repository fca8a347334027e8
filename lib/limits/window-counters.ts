import { isAhead, type Clock } from '../domain/clock';
import { createLru } from '../io/lru';
import { replyWithin, STORE_RETRY_MS } from './reply-within';

// Counts in windows that begin with the first count, such as requests per second or failed sign-ins in 15 minutes.
//
// With a shared store (Redis, or the database for spending) all processes count together and exactly: a count waits for
// the store's reply, and counts of one name that arrive meanwhile are sent together in the next call. So many counts of
// a busy name share a round trip, and the limit is never exceeded. While the store does not reply, each process allows
// its share: the limit divided by the number of processes.

export interface WindowCount {
  readonly count: number;
  /** The time until the window ends, in milliseconds. */
  readonly endsInMs: number;
}

/** The counts of all processes. Every method rejects while the store cannot be reached. */
export interface SharedWindows {
  /** Adds to the current window of this name, or begins one; resolves with the sum. */
  add(name: string, points: number, windowMs: number): Promise<WindowCount>;
  /**
   * Takes points out of the window that ends in at most `endsInMs`. Does nothing if it has ended, even if another one
   * has begun.
   */
  takeBack(name: string, points: number, endsInMs: number): Promise<void>;
  /** The current window, if there is one. */
  read(name: string): Promise<WindowCount | undefined>;
}

export interface Take {
  readonly name: string;
  /** The limit of all processes together. */
  readonly max: number;
  /** The length of the window: a multiple of 1000. */
  readonly windowMs: number;
  /** Default 1. With 0 nothing is counted, and the result is whether the count is still below the limit. */
  readonly points?: number;
}

export interface Taken {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly endsInMs: number;
}

export interface WindowCounters {
  /** Counts if the limit allows it. Returns synchronously unless the store is needed. */
  take(take: Take): Taken | Promise<Taken>;
  /** Subtracts points that were counted in the current window. Never fails. */
  takeBack(name: string, points?: number): void;
  /** The count of the current window: of all processes, or of this one while the store does not reply. */
  read(name: string): Promise<WindowCount | undefined>;
}

export interface WindowCountersDeps {
  readonly clock: Clock;
  readonly shared?: SharedWindows | undefined;
  /** How many processes share the limits, this one included. */
  readonly processes: () => number;
}

interface Waiting {
  readonly points: number;
  readonly max: number;
  readonly resolve: (taken: Taken) => void;
}

interface Window {
  endsAtMs: number;
  /** Points that this process has allowed. */
  here: number;
  /** Points that all processes had counted at the last reply of the store. */
  total: number;
  repliedAtMs: number;
  /** Counts that wait for the next call of the store. */
  waiting: Waiting[];
  isAsking: boolean;
}

/** For how long a full window is remembered. Other processes may take points back out of it. */
const REMEMBER_FULL_MS = 1_000;
/** About 15 MB at most; the least recently used are evicted first. */
const MAX_WINDOWS = 50_000;

export function createWindowCounters({ clock, shared, processes }: WindowCountersDeps): WindowCounters {
  const windows = createLru<string, Window>(MAX_WINDOWS);
  let aloneUntilMs = Number.NEGATIVE_INFINITY;
  const isAlone = () => isAhead(aloneUntilMs, STORE_RETRY_MS, clock.nowMs());

  function windowOf(name: string, windowMs: number, nowMs: number): Window {
    let window = windows.get(name);
    if (!window) {
      window = { endsAtMs: nowMs + windowMs, here: 0, total: 0, repliedAtMs: nowMs, waiting: [], isAsking: false };
      windows.set(name, window);
    } else if (!isAhead(window.endsAtMs, windowMs, nowMs)) {
      window.endsAtMs = nowMs + windowMs;
      window.here = 0;
      window.total = 0;
    }
    return window;
  }

  function takeHere(window: Window, max: number, points: number): Taken {
    const share = Math.ceil(max / processes());
    const allowed = isRoom(window.here, share, points);
    if (allowed) window.here += points;
    return {
      allowed,
      remaining: Math.max(0, share - window.here),
      endsInMs: Math.max(0, window.endsAtMs - clock.nowMs()),
    };
  }

  async function ask(store: SharedWindows, window: Window, { name, windowMs }: Take): Promise<void> {
    window.isAsking = true;
    while (window.waiting.length > 0) {
      const batch = window.waiting;
      window.waiting = [];
      const sum = batch.reduce((points, each) => points + each.points, 0);
      const alone = isAlone();
      const reply = alone ? undefined : await replyWithin(clock, store.add(name, sum, windowMs));
      if (!reply) {
        if (!alone) aloneUntilMs = clock.nowMs() + STORE_RETRY_MS;
        for (const { points, max, resolve } of batch) resolve(takeHere(window, max, points));
        continue;
      }
      let count = reply.count - sum;
      let refused = 0;
      if (count < window.total) window.here = 0;
      window.total = reply.count;
      window.repliedAtMs = clock.nowMs();
      window.endsAtMs = clock.nowMs() + reply.endsInMs;
      for (const { points, max, resolve } of batch) {
        const allowed = isRoom(count, max, points);
        if (allowed) {
          count += points;
          window.here += points;
        } else refused += points;
        resolve({ allowed, remaining: Math.max(0, max - count), endsInMs: reply.endsInMs });
      }
      if (refused === 0) continue;
      // Take back the refused points. Test mode and live mode share the name, but live mode has a higher limit, which
      // they would use up.
      window.total -= refused;
      store.takeBack(name, refused, reply.endsInMs).catch(() => undefined);
    }
    window.isAsking = false;
  }

  function takeBack(name: string, points: number): void {
    const window = windows.get(name);
    const endsInMs = window ? window.endsAtMs - clock.nowMs() : 0;
    if (!window || endsInMs <= 0) return;
    window.here = Math.max(0, window.here - points);
    window.total = Math.max(0, window.total - points);
    shared?.takeBack(name, points, endsInMs).catch(() => undefined);
  }

  return {
    take(take) {
      const { name, max, windowMs, points = 1 } = take;
      const nowMs = clock.nowMs();
      const window = windowOf(name, windowMs, nowMs);
      if (!shared || isAlone()) return takeHere(window, max, points);
      const isKnown = isAhead(window.repliedAtMs + REMEMBER_FULL_MS, REMEMBER_FULL_MS, nowMs);
      if (isKnown && window.total >= max) return { allowed: false, remaining: 0, endsInMs: window.endsAtMs - nowMs };
      return new Promise((resolve) => {
        window.waiting.push({ points, max, resolve });
        if (!window.isAsking) void ask(shared, window, take);
      });
    },

    takeBack: (name, points = 1) => takeBack(name, points),

    async read(name) {
      const nowMs = clock.nowMs();
      const together = shared && !isAlone() ? await shared.read(name).catch(() => undefined) : undefined;
      if (together) return together;
      const window = windows.peek(name);
      if (!window || window.endsAtMs <= nowMs) return undefined;
      return { count: window.here, endsInMs: window.endsAtMs - nowMs };
    },
  };
}

function isRoom(count: number, max: number, points: number): boolean {
  return points === 0 ? count < max : count + points <= max;
}
