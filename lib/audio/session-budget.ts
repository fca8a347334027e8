import { howToGetCredits, type Ledger } from '../billing/ledger';
import { costOfMillis, millisFor } from '../billing/quote-audio';
import type { Account } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { GatewayError, isGatewayError } from '../domain/errors';
import type { HoldId, KeyId, MeterId, ProviderId } from '../domain/ids';
import type { NanoUsd, UnitPrice } from '../domain/money';
import type { Mode } from '../domain/video';
import type { Database, Tx } from '../db/database';
import type { TranscriptionFunds } from '../db/meters';
import type { MeterAttempt, MeterOutcome } from '../db/schema/index';
import type { ActiveMeter, MeterSubject } from './active-meter';

// The 90 % rule of transcriptions. What is left of the credits is what is available plus what the running transcriptions of
// the account hold; together they may hold 90 % of it, and no sound is passed on that is not held for. So the cut comes by
// itself where the rule wants it, and no crash can charge beyond it. A key with a spend limit has less left, perhaps: the rule
// holds for its limit in the same way, and the refusal names which of the two it was. Holds grow in slices; when there is no room for another
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
  /** Fires when the credits of the account, or the key's own limit, have reached the cut-off; its reason is the refusal, a GatewayError. */
  readonly exhausted: AbortSignal;
  /** Charges what was used. Safe to repeat; resolves also when it could not be written now. */
  settle(outcome: MeterOutcome): Promise<void>;
}

export interface Budgets {
  /** Rejects with `insufficient_credits` (also when the rule leaves nothing) or `key_limit_exceeded`. */
  open(metered: MeterSubject, perMinute: UnitPrice): Promise<TranscriptionMeter>;
}

export interface BudgetsDeps {
  readonly db: Database;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly lockFunds: (tx: Tx, account: Account, keyId: KeyId, hold: HoldId | undefined) => Promise<TranscriptionFunds>;
  readonly begin: (
    tx: Tx,
    kind: 'transcription',
    metered: MeterSubject,
    amount: NanoUsd,
  ) => Promise<{ id: MeterId; holdId: HoldId }>;
  readonly count: (meter: ActiveMeter) => void;
  readonly settle: (meter: ActiveMeter, holdId: HoldId, cost: NanoUsd, outcome: MeterOutcome) => Promise<void>;
}

const SLICE_MS = 60_000;
/** A hold is extended when less than this is left of it, before anybody has to wait. */
const AHEAD_MS = 15_000;
/** What the others keep beyond their use when slack is shared again. */
const SHARED_KEEP_MS = 2_000;
/** Less than this is not worth another transaction: the budget counts as exhausted. */
const MIN_MS = 500;
/** Between two tries to extend a hold: a database that starts again is not asked fifty times a second. */
const GROW_PAUSE_MS = 1_000;
/** Sound that is used up waits so long for a database that is away; it changes its server within seconds. */
const GROW_WAIT_MS = 10_000;

interface Session {
  readonly holdId: HoldId;
  readonly keyId: KeyId;
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

function exhaust(session: Session, refusal: GatewayError): void {
  session.exhausted = true;
  session.exhausting.abort(refusal);
}

/** What was reached: the cut-off of the account's credits, or that of the key's own limit. */
type Reached = 'credits' | 'key limit';
type Growth = 'grown' | Reached;

/** The refusal at the cut-off. */
function refusalOf(reached: Reached, mode: Mode): GatewayError {
  return reached === 'credits'
    ? new GatewayError(
        'insufficient_credits',
        `Credit budget exhausted: the estimated cost reached 90 % of the remaining credits. ${howToGetCredits(mode)}`,
      )
    : new GatewayError(
        'key_limit_exceeded',
        'Key limit reached: the estimated cost reached 90 % of what the spend limit of this key leaves. Raise the limit, wait for it to reset, or use another key.',
      );
}

export function createBudgets({ db, ledger, clock, lockFunds, begin, count, settle }: BudgetsDeps): Budgets {
  const groups = new Map<string, Set<Session>>();

  /**
   * How much may be set aside now, at most `want` and at least `least`, or what leaves no room. Takes unused parts back from the
   * other sessions of this process when there is none otherwise: of the account for its credits, of the key for its limit.
   */
  async function makeRoom(
    tx: Tx,
    account: Account,
    keyId: KeyId,
    group: ReadonlySet<Session>,
    self: Session | undefined,
    want: NanoUsd,
    least: NanoUsd,
  ): Promise<NanoUsd | Reached> {
    const { available, heldByTranscriptions, key } = await lockFunds(tx, account, keyId, self?.holdId);
    const share = (left: NanoUsd, held: NanoUsd) => ((left + held) * 9n) / 10n - held;
    let room = share(available, heldByTranscriptions);
    let keyRoom = key && share(key.left, key.heldByTranscriptions);
    const isShort = () => room < want || (keyRoom !== undefined && keyRoom < want);
    if (isShort()) {
      for (const other of group) {
        if (other === self || !other.open || (room >= want && other.keyId !== keyId)) continue;
        const spare = other.held - costOfMillis(other.perMinute, other.usedMillis + SHARED_KEEP_MS);
        if (spare <= 0n) continue;
        // Before the database is asked: from this moment the other session must not use it any more.
        addHeld(other, -spare);
        tookBack.get(tx)?.push({ session: other, amount: spare });
        await ledger.reduce(tx, other.holdId, spare);
        room += spare;
        if (keyRoom !== undefined && other.keyId === keyId) keyRoom += spare;
      }
    }
    if (room < least) return 'credits';
    if (keyRoom !== undefined && keyRoom < least) return 'key limit';
    // Near the end the rest is divided, so that the sessions reach it together.
    const members = [...group].filter((session) => session !== self);
    const part = dividedAmong(room, members.length + 1);
    const keyPart =
      keyRoom === undefined
        ? part
        : dividedAmong(keyRoom, members.filter((session) => session.keyId === keyId).length + 1);
    const amount = part < keyPart ? part : keyPart;
    const enough = amount > least ? amount : least;
    return enough < want ? enough : want;
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

  return {
    async open(metered, perMinute) {
      const { caller } = metered;
      const account: Account = { orgId: caller.orgId, mode: caller.mode };
      const name = `${account.orgId} ${account.mode}`;
      let group = groups.get(name);
      if (!group) groups.set(name, (group = new Set()));
      const sessions = group;
      const least = costOfMillis(perMinute, MIN_MS);

      const started = await withFunds(async (tx) => {
        const amount = await makeRoom(
          tx,
          account,
          caller.keyId,
          sessions,
          undefined,
          costOfMillis(perMinute, SLICE_MS),
          least,
        );
        if (typeof amount === 'string') throw refusalOf(amount, account.mode);
        return { ...(await begin(tx, 'transcription', metered, amount)), amount };
      });
      const session: Session = {
        holdId: started.holdId,
        keyId: caller.keyId,
        perMinute,
        exhausting: new AbortController(),
        exhausted: false,
        held: 0n,
        heldMillis: 0,
        usedMillis: 0,
        open: true,
      };
      addHeld(session, started.amount);
      sessions.add(session);
      let { provider } = metered;
      const attempts: MeterAttempt[] = [];
      const meter: ActiveMeter = {
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
      /** When the next slice may be asked for ahead of need. */
      let growAfterMs = 0;

      /** Extends the hold so that it covers the cost and, where possible, a slice beyond. */
      function grow(cost: NanoUsd): Promise<Growth> {
        growing ??= extend(cost).finally(() => {
          growing = undefined;
        });
        return growing;
      }

      /** Fails in silence: whoever has to wait for the credits later is told. */
      function growAhead(cost: NanoUsd): void {
        const now = clock.nowMs();
        if (now < growAfterMs) return;
        growAfterMs = now + GROW_PAUSE_MS;
        grow(cost).then(
          (growth) => {
            full = growth !== 'grown';
          },
          () => {},
        );
      }

      /** For sound that has to wait: a database that is away is asked again for some seconds. */
      async function growPatiently(cost: NanoUsd): Promise<Growth> {
        const until = clock.nowMs() + GROW_WAIT_MS;
        for (;;) {
          try {
            return await grow(cost);
          } catch (error) {
            if (isGatewayError(error) || !session.open || clock.nowMs() + GROW_PAUSE_MS > until) throw error;
            await clock.sleep(GROW_PAUSE_MS);
          }
        }
      }

      async function extend(cost: NanoUsd): Promise<Growth> {
        if (!session.open) return 'credits';
        const missing = cost > session.held ? cost - session.held : 0n;
        const enough = missing > least ? missing : least;
        const amount = await withFunds(async (tx) => {
          const room = await makeRoom(
            tx,
            account,
            caller.keyId,
            sessions,
            session,
            missing + costOfMillis(perMinute, SLICE_MS),
            enough,
          );
          if (typeof room !== 'string') await ledger.extend(tx, session.holdId, room);
          return room;
        });
        if (typeof amount === 'string') return amount;
        addHeld(session, amount);
        return 'grown';
      }

      async function useSlowly(millis: number): Promise<boolean> {
        const cost = costOfMillis(perMinute, millis);
        while (cost > session.held) {
          if (!session.open || session.exhausted) return false;
          const growth = await growPatiently(cost);
          if (growth === 'grown') continue;
          // A key's own limit ends its session alone; the credits are everybody's.
          for (const each of growth === 'credits' ? sessions : [session])
            exhaust(each, refusalOf(growth, account.mode));
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

const dividedAmong = (amount: NanoUsd, sessions: number) => amount / BigInt(sessions);
