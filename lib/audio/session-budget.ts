import type { Ledger } from '../billing/ledger';
import { howToGetCredits } from '../billing/refusals';
import { costOfMillis, millisFor } from '../billing/quote-audio';
import type { Account } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { GatewayError, isGatewayError } from '../domain/errors';
import type { HoldId, KeyId, MeterId, ProjectId, ProviderId } from '../domain/ids';
import type { NanoUsd, UnitPrice } from '../domain/money';
import type { Mode } from '../domain/video';
import type { Database, Tx } from '../db/database';
import type { MeterEnd, TranscriptionFunds } from '../db/meters';
import type { MeterAttempt, MeterOutcome } from '../db/schema/index';
import type { ActiveMeter, MeterSubject } from './active-meter';

// The 90 % rule of transcriptions. The remaining credits are the available credits plus what the running transcriptions
// of the account hold. Together the holds may reach 90 % of that, and audio is only passed on if a hold covers it. The
// cut-off therefore follows from the holds, and even after a crash no more than that can be charged. The same rule
// applies to the spend limit of a key and to the budget of its project, and the error says which of them was reached.
// Holds grow in slices. If there is no room for another slice, unused parts of the holds of other sessions are
// redistributed before a session is cut off.

export interface TranscriptionMeter {
  readonly id: MeterId;
  /**
   * Counts this total as used; synchronous if the hold covers it. Returns false, without counting, if the budget is
   * exhausted; `exhausted` then fires, here and for the other transcriptions of the account in this process.
   */
  use(millis: number): boolean | Promise<boolean>;
  /** Sets the provider that does the work; the last one is recorded. */
  servedBy(provider: ProviderId): void;
  /** Adds an attempt to the record of the session. */
  attempted(attempt: MeterAttempt): void;
  /**
   * Fires when the credits of the account, or a limit of the key or its project, have reached the cut-off. Its reason is
   * the GatewayError for the client.
   */
  readonly exhausted: AbortSignal;
  /** Records that a text has reached the client. */
  delivered(): void;
  /**
   * Charges what was used. `code` is the error code that ended it. Safe to repeat. Resolves even if the charge could not
   * be written yet.
   */
  settle(outcome: MeterOutcome, code?: string): Promise<void>;
}

export interface Budgets {
  /**
   * Rejects with `insufficient_credits` (even if the rule leaves no credit), `key_limit_exceeded` or
   * `project_limit_exceeded`.
   */
  open(metered: MeterSubject, perMinute: UnitPrice): Promise<TranscriptionMeter>;
}

export interface BudgetsDeps {
  readonly db: Database;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly lockFunds: (tx: Tx, account: Account, keyId: KeyId, hold: HoldId | undefined) => Promise<TranscriptionFunds>;
  readonly begin: (
    tx: Tx,
    metered: MeterSubject,
    perMinute: UnitPrice,
    amount: NanoUsd,
  ) => Promise<{ id: MeterId; holdId: HoldId }>;
  readonly count: (meter: ActiveMeter) => void;
  readonly settle: (
    meter: ActiveMeter,
    holdId: HoldId,
    cost: NanoUsd,
    end: Pick<MeterEnd, 'outcome' | 'code'>,
  ) => Promise<void>;
}

const SLICE_MS = 60_000;
/** A hold is extended when less than this is left of it, so that audio does not have to wait. */
const AHEAD_MS = 15_000;
/** What other sessions keep beyond their use when their unused holds are redistributed. */
const SHARED_KEEP_MS = 2_000;
/** Less than this is not worth another transaction, so the budget counts as exhausted. */
const MIN_MS = 500;
/** Pause between two attempts to extend a hold, so that a restarting database is not queried fifty times a second. */
const GROW_PAUSE_MS = 1_000;
/** Audio without credit waits this long for a database that does not respond; a failover takes seconds. */
const GROW_WAIT_MS = 10_000;

interface Session {
  readonly holdId: HoldId;
  readonly keyId: KeyId;
  /** The project of the key when the session began. */
  readonly projectId: ProjectId | undefined;
  readonly perMinute: UnitPrice;
  readonly exhausting: AbortController;
  /** The state of its signal as a plain field, because it is read fifty times a second. */
  exhausted: boolean;
  held: NanoUsd;
  /** The milliseconds that `held` pays for, as a plain number because it is read fifty times a second. */
  heldMillis: number;
  usedMillis: number;
  open: boolean;
}

/** The amounts that a cut-off leaves for new holds of the sessions that it includes. */
interface Room {
  readonly reached: Reached;
  readonly includes: (session: Session) => boolean;
  room: NanoUsd;
}

/** The only function that changes a session's hold. */
function addHeld(session: Session, amount: NanoUsd): void {
  session.held += amount;
  session.heldMillis = millisFor(session.perMinute, session.held);
}

function exhaust(session: Session, refusal: GatewayError): void {
  session.exhausted = true;
  session.exhausting.abort(refusal);
}

/** The cut-off that was reached: that of the account's credits, of the key's limit or of its project's budget. */
type Reached = 'credits' | 'key' | 'project';
type Growth = 'grown' | Reached;

/** Creates the error for the client whose session reached the cut-off. */
function refusalOf(reached: Reached, mode: Mode): GatewayError {
  switch (reached) {
    case 'credits':
      return new GatewayError(
        'insufficient_credits',
        `Credit budget exhausted: the estimated cost reached 90 % of the remaining credits. ${howToGetCredits(mode)}`,
      );
    case 'key':
      return new GatewayError(
        'key_limit_exceeded',
        'Key limit reached: the estimated cost reached 90 % of what the spend limit of this key leaves. Raise the limit, wait for it to reset, or use another key.',
      );
    case 'project':
      return new GatewayError(
        'project_limit_exceeded',
        "Project budget reached: the estimated cost reached 90 % of what the budget of this key's project leaves. Wait for it to reset, use another key, or ask an owner or admin to raise the budget.",
      );
  }
}

export function createBudgets({ db, ledger, clock, lockFunds, begin, count, settle }: BudgetsDeps): Budgets {
  const groups = new Map<string, Set<Session>>();

  /**
   * Returns how much may be held now, at most `want` and at least `least`, or the cut-off that was reached. If there is
   * no room, it takes unused parts of holds back from other sessions of this process that share the exhausted amount:
   * the credits of the account, the limit of the key, or the budget of the project.
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
    const { available, heldByTranscriptions, limits } = await lockFunds(tx, account, keyId, self?.holdId);
    const share = (left: NanoUsd, held: NanoUsd) => ((left + held) * 9n) / 10n - held;
    const shares = (level: 'key' | 'project', id: string) => (session: Session) =>
      (level === 'key' ? session.keyId : session.projectId) === id;
    const rooms: Room[] = [
      { reached: 'credits', room: share(available, heldByTranscriptions), includes: () => true },
      ...limits.map(({ level, id, left, heldByTranscriptions: held }) => ({
        reached: level,
        room: share(left, held),
        includes: shares(level, id),
      })),
    ];
    const lacking = () => rooms.filter(({ room }) => room < want);
    if (lacking().length > 0) {
      for (const other of group) {
        if (other === self || !other.open || !lacking().some(({ includes }) => includes(other))) continue;
        const spare = other.held - costOfMillis(other.perMinute, other.usedMillis + SHARED_KEEP_MS);
        if (spare <= 0n) continue;
        // Reduced before the database is called, so that the other session no longer uses this part.
        addHeld(other, -spare);
        tookBack.get(tx)?.push({ session: other, amount: spare });
        await ledger.reduce(tx, other.holdId, spare);
        for (const room of rooms) if (room.includes(other)) room.room += spare;
      }
    }
    const tooSmall = rooms.find(({ room }) => room < least);
    if (tooSmall) return tooSmall.reached;
    // Near the end the rest is divided, so that all sessions reach the cut-off at about the same time.
    const others = [...group].filter((session) => session !== self);
    const amount = rooms
      .map(({ room, includes }) => dividedAmong(room, others.filter(includes).length + 1))
      .reduce((least, part) => (part < least ? part : least));
    const enough = amount > least ? amount : least;
    return enough < want ? enough : want;
  }

  const tookBack = new WeakMap<Tx, { session: Session; amount: NanoUsd }[]>();

  /** Runs one transaction over the account. If it fails, the amounts taken from other sessions return to them. */
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
      const least = costOfMillis(perMinute, MIN_MS);

      const startedAt = clock.nowMs();
      // Free, as over an account of the organisation: no cut-off concerns it, whatever the other sessions have used.
      const isFree = perMinute === 0n;
      const started = await withFunds(async (tx) => {
        const amount = isFree
          ? 0n
          : await makeRoom(
              tx,
              account,
              caller.keyId,
              groups.get(name) ?? new Set(),
              undefined,
              costOfMillis(perMinute, SLICE_MS),
              least,
            );
        if (typeof amount === 'string') throw refusalOf(amount, account.mode);
        return { ...(await begin(tx, metered, perMinute, amount)), amount };
      });
      const session: Session = {
        holdId: started.holdId,
        keyId: caller.keyId,
        projectId: caller.project?.id,
        perMinute,
        exhausting: new AbortController(),
        exhausted: false,
        held: 0n,
        heldMillis: 0,
        usedMillis: 0,
        open: true,
      };
      addHeld(session, started.amount);
      // Not before: the group is removed with its last session, which may have ended in the meantime.
      const sessions = groups.get(name) ?? new Set();
      if (!isFree) groups.set(name, sessions.add(session));
      let { provider } = metered;
      const attempts: MeterAttempt[] = [];
      let firstResultMs: number | undefined;
      const meter: ActiveMeter = {
        id: started.id,
        kind: 'transcription',
        model: metered.model,
        caller: metered.caller,
        provider: () => provider,
        attempts: () => attempts,
        firstResultMs: () => firstResultMs,
        audioMillis: () => session.usedMillis,
        characters: () => 0,
        accrued: () => costOfMillis(perMinute, session.usedMillis),
      };
      count(meter);
      let growing: Promise<Growth> | undefined;
      let settled: Promise<void> | undefined;
      /** Whether an attempt to hold ahead of need has failed. It is then not repeated until credit is needed. */
      let full = false;
      /** Time from which the next slice may be requested ahead of need. */
      let growAfterMs = 0;

      /** Extends the hold to cover the cost and, if possible, a slice beyond it. */
      function grow(cost: NanoUsd): Promise<Growth> {
        growing ??= extend(cost).finally(() => {
          growing = undefined;
        });
        return growing;
      }

      /** Ignores failures: the error surfaces later, when audio has to wait for the credits. */
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

      /** For audio that has to wait: retries for a few seconds while the database does not respond. */
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
          // The limit of a key or a project ends only this session; the account's credits are shared by all sessions.
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
        delivered() {
          firstResultMs ??= clock.nowMs() - startedAt;
        },
        use(millis) {
          if (session.exhausted) return false;
          if (millis > session.heldMillis) return useSlowly(millis);
          session.usedMillis = Math.max(session.usedMillis, millis);
          if (!growing && !full && millis + AHEAD_MS > session.heldMillis) growAhead(costOfMillis(perMinute, millis));
          return true;
        },
        settle(outcome, code) {
          return (settled ??= (async () => {
            session.open = false;
            // A slice that is being held at the moment belongs to the hold that is settled.
            await growing?.catch(() => {});
            sessions.delete(session);
            if (sessions.size === 0 && groups.get(name) === sessions) groups.delete(name);
            await settle(meter, session.holdId, meter.accrued(), { outcome, code });
          })());
        },
      };
    },
  };
}

const dividedAmong = (amount: NanoUsd, sessions: number) => amount / BigInt(sessions);
