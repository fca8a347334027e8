import { howToGetCredits, type Ledger } from '../billing/ledger';
import { costOfMillis, millisFor } from '../billing/quote-audio';
import type { Account } from '../domain/caller';
import { GatewayError, isGatewayError } from '../domain/errors';
import type { HoldId, MeterId } from '../domain/ids';
import type { ProviderId } from '../domain/model';
import type { NanoUsd, UnitPrice } from '../domain/money';
import type { Mode } from '../domain/video';
import type { Database, Tx } from '../db/database';
import type { MeterAttempt, MeterOutcome } from '../db/schema/index';
import type { Metered, Running } from './meters';

// The 90 % rule of transcriptions. What is left of the credits is what is available plus what the running transcriptions of
// the account hold; together they may hold 90 % of it, and no sound is passed on that is not held for. So the cut comes by
// itself where the rule wants it, and no crash can charge beyond it. Holds grow in slices; when there is no room for another
// slice, what other sessions hold and have not used yet is shared again before anybody is refused.

export interface TranscriptionMeter {
  readonly id: MeterId;
  /**
   * Counts this much, in total, as used: at once when it is held already. False: it is not counted, because the budget is
   * exhausted; `exhausted` fires, here and for the other transcriptions of the account in this process.
   */
  use(millis: number): boolean | Promise<boolean>;
  /** Who does the work now: the provider that the record names in the end. */
  servedBy(provider: ProviderId): void;
  /** For the record, when it is over. */
  attempted(attempt: MeterAttempt): void;
  /** Fires when the credits of the account, or the key's own limit, have reached the cut-off. */
  readonly exhausted: AbortSignal;
  /** Charges what was used. Safe to repeat; resolves also when it could not be written now. */
  settle(outcome: MeterOutcome): Promise<void>;
}

export interface Budgets {
  /** Rejects with `insufficient_credits` (also when the rule leaves nothing) or `key_limit_exceeded`. */
  open(metered: Metered, perMinute: UnitPrice): Promise<TranscriptionMeter>;
}

export interface BudgetsDeps {
  readonly db: Database;
  readonly ledger: Ledger;
  readonly lockFunds: (tx: Tx, account: Account) => Promise<{ available: NanoUsd; heldByTranscriptions: NanoUsd }>;
  readonly begin: (tx: Tx, kind: 'transcription', metered: Metered, amount: NanoUsd) => Promise<{ id: MeterId; holdId: HoldId }>;
  readonly count: (meter: Running) => void;
  readonly settle: (meter: Running, holdId: HoldId, cost: NanoUsd, outcome: MeterOutcome) => Promise<void>;
}

const SLICE_MS = 60_000;
/** A hold is extended when less than this is left of it, before anybody has to wait. */
const AHEAD_MS = 15_000;
/** What the others keep beyond their use when slack is shared again. */
const SHARED_KEEP_MS = 2_000;
/** Less than this is not worth another transaction: the budget counts as exhausted. */
const LEAST_MS = 500;

interface Session {
  readonly holdId: HoldId;
  readonly perMinute: UnitPrice;
  readonly exhausting: AbortController;
  /** The same as its signal; asked fifty times a second. */
  exhausted: boolean;
  held: NanoUsd;
  /** What `held` pays for, in plain numbers: it is asked fifty times a second. */
  heldMillis: number;
  usedMillis: number;
  open: boolean;
}

/** Every change of a hold goes through here. */
function addHeld(session: Session, amount: NanoUsd): void {
  session.held += amount;
  session.heldMillis = millisFor(session.perMinute, session.held);
}

function exhaust(session: Session): void {
  session.exhausted = true;
  session.exhausting.abort();
}

type Growth = 'grown' | 'credits reached' | 'key limit reached';

/** The refusal that ends a session at the cut-off. */
export function budgetExhausted(mode: Mode): GatewayError {
  return new GatewayError('insufficient_credits', `Credit budget exhausted: the estimated cost reached 90 % of the remaining credits. ${howToGetCredits(mode)}`);
}

export function createBudgets({ db, ledger, lockFunds, begin, count, settle }: BudgetsDeps): Budgets {
  const groups = new Map<string, Set<Session>>();

  /**
   * How much may be set aside now, at most `want` and at least `least`; undefined when there is no room. Takes unused parts
   * back from the other sessions of this process when there is none otherwise.
   */
  async function makeRoom(tx: Tx, account: Account, group: ReadonlySet<Session>, self: Session | undefined, want: NanoUsd, least: NanoUsd): Promise<NanoUsd | undefined> {
    const { available, heldByTranscriptions } = await lockFunds(tx, account);
    let room = ((available + heldByTranscriptions) * 9n) / 10n - heldByTranscriptions;
    if (room < want) {
      for (const other of group) {
        if (other === self || !other.open) continue;
        const spare = other.held - costOfMillis(other.perMinute, other.usedMillis + SHARED_KEEP_MS);
        if (spare <= 0n) continue;
        // Before the database is asked: from this moment the other session must not use it any more.
        addHeld(other, -spare);
        tookBack.get(tx)?.push({ session: other, amount: spare });
        await ledger.reduce(tx, other.holdId, spare);
        room += spare;
      }
    }
    if (room < least) return undefined;
    // Near the end the rest is divided, so that the sessions reach it together.
    const sessions = BigInt(Math.max(1, group.size + (self ? 0 : 1)));
    const share = room / sessions;
    const amount = share > least ? share : least;
    return amount < want ? amount : want;
  }

  const tookBack = new WeakMap<Tx, { session: Session; amount: NanoUsd }[]>();

  /** One transaction over the account; what was taken back from others returns to them when it fails. */
  async function withFunds<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
    const taken: { session: Session; amount: NanoUsd }[] = [];
    try {
      return await db.inTransaction(async (tx) => {
        tookBack.set(tx, taken);
        return run(tx);
      });
    } catch (error) {
      for (const { session, amount } of taken) addHeld(session, amount);
      throw error;
    }
  }

  /** A key's own limit may leave room for less than a slice: then less is asked for, down to the least. */
  async function withinKeyLimit<T>(want: NanoUsd, least: NanoUsd, run: (want: NanoUsd) => Promise<T>): Promise<T> {
    for (let amount = want; ; amount = amount / 4n > least ? amount / 4n : least) {
      try {
        return await run(amount);
      } catch (error) {
        if (amount <= least || !isGatewayError(error) || error.code !== 'key_limit_exceeded') throw error;
      }
    }
  }

  return {
    async open(metered, perMinute) {
      const { caller } = metered;
      const account: Account = { orgId: caller.orgId, mode: caller.mode };
      const name = `${account.orgId} ${account.mode}`;
      let group = groups.get(name);
      if (!group) groups.set(name, (group = new Set()));
      const sessions = group;
      const least = costOfMillis(perMinute, LEAST_MS);

      const started = await withinKeyLimit(costOfMillis(perMinute, SLICE_MS), least, (want) =>
        withFunds(async (tx) => {
          const amount = await makeRoom(tx, account, sessions, undefined, want, least);
          if (amount === undefined) throw budgetExhausted(metered.caller.mode);
          return { ...(await begin(tx, 'transcription', metered, amount)), amount };
        }),
      );
      const session: Session = { holdId: started.holdId, perMinute, exhausting: new AbortController(), exhausted: false, held: 0n, heldMillis: 0, usedMillis: 0, open: true };
      addHeld(session, started.amount);
      sessions.add(session);
      let { provider } = metered;
      const attempts: MeterAttempt[] = [];
      const meter: Running = {
        id: started.id,
        provider: () => provider,
        attempts: () => attempts,
        audioMillis: () => session.usedMillis,
        characters: () => 0,
        accrued: () => costOfMillis(perMinute, session.usedMillis),
      };
      count(meter);
      let growing: Promise<Growth> | undefined;
      let settled: Promise<void> | undefined;
      /** Nothing could be set aside ahead of need: not asked again until there is need. */
      let full = false;

      /** Extends the hold so that it covers the cost and, where possible, a slice beyond. */
      function grow(cost: NanoUsd): Promise<Growth> {
        growing ??= extend(cost).finally(() => {
          growing = undefined;
        });
        return growing;
      }

      /** Fails in silence: whoever has to wait for the credits later is told. */
      function growAhead(cost: NanoUsd): void {
        grow(cost).then(
          (growth) => {
            full = growth !== 'grown';
          },
          () => {},
        );
      }

      async function extend(cost: NanoUsd): Promise<Growth> {
        if (!session.open) return 'credits reached';
        const missing = cost > session.held ? cost - session.held : 0n;
        const enough = missing > least ? missing : least;
        try {
          const amount = await withinKeyLimit(missing + costOfMillis(perMinute, SLICE_MS), enough, (want) =>
            withFunds(async (tx) => {
              const room = await makeRoom(tx, account, sessions, session, want, enough);
              if (room !== undefined) await ledger.extend(tx, session.holdId, room);
              return room;
            }),
          );
          if (amount === undefined) return 'credits reached';
          addHeld(session, amount);
          return 'grown';
        } catch (error) {
          if (isGatewayError(error) && error.code === 'key_limit_exceeded') return 'key limit reached';
          throw error;
        }
      }

      async function useSlowly(millis: number): Promise<boolean> {
        const cost = costOfMillis(perMinute, millis);
        while (cost > session.held) {
          if (!session.open || session.exhausted) return false;
          const growth = await grow(cost);
          if (growth === 'grown') continue;
          // A key's own limit ends its session alone; the credits are everybody's.
          for (const each of growth === 'credits reached' ? sessions : [session]) exhaust(each);
          return false;
        }
        session.usedMillis = Math.max(session.usedMillis, millis);
        return true;
      }

      return {
        id: started.id,
        exhausted: session.exhausting.signal,
        servedBy(id) {
          provider = id;
        },
        attempted: (attempt) => void attempts.push(attempt),
        use(millis) {
          if (session.exhausted) return false;
          if (millis > session.heldMillis) return useSlowly(millis);
          session.usedMillis = Math.max(session.usedMillis, millis);
          if (!growing && !full && millis + AHEAD_MS > session.heldMillis) growAhead(costOfMillis(perMinute, millis));
          return true;
        },
        settle(outcome) {
          return (settled ??= (async () => {
            session.open = false;
            // A slice that is being set aside belongs to the hold that is settled.
            await growing?.catch(() => {});
            sessions.delete(session);
            if (sessions.size === 0 && groups.get(name) === sessions) groups.delete(name);
            await settle(meter, session.holdId, meter.accrued(), outcome);
          })());
        },
      };
    },
  };
}
