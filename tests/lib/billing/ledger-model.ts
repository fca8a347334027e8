import type { Mode } from '../../../lib/domain/video';
import type { LimitPeriod } from '../../../lib/db/schema/accounts';

// A model of the books, as plain numbers in memory: what the ledger must do, without a database, a transaction or a
// lock.

/** What the ledger can do; accounts, keys and holds by their index in the model's lists. */
export type Operation =
  | { do: 'grant'; account: number; amount: bigint }
  /** The amount follows from the reference, so that the order of two does not matter. */
  | { do: 'grant-once'; account: number; reference: 'a' | 'b' }
  | { do: 'hold'; key: number; amount: bigint }
  /** A hold whose transaction fails afterwards. */
  | { do: 'abandoned-hold'; key: number; amount: bigint }
  | { do: 'extend'; hold: number; amount: bigint }
  | { do: 'reduce'; hold: number; amount: bigint }
  | { do: 'capture'; hold: number }
  | { do: 'capture-part'; hold: number; percent: number }
  | { do: 'capture-too-much'; hold: number }
  | { do: 'release'; hold: number }
  /** The operator's change of a key; one at a time. */
  | { do: 'limit'; key: number; limit: bigint | null };

/** `refused`: rejected because it can never be done. */
export type Outcome =
  | 'done'
  | 'repeated'
  | 'refused'
  | 'abandoned'
  | 'insufficient_credits'
  | 'credits_held_by_running_jobs'
  | 'key_limit_exceeded';

export interface ModelAccount {
  readonly mode: Mode;
  available: bigint;
  held: bigint;
  spent: bigint;
  readonly references: Set<string>;
}

export interface ModelKey {
  readonly account: number;
  limit: bigint | null;
  readonly period: LimitPeriod | null;
  readonly spentIn: Map<string, bigint>;
}

interface ModelHold {
  readonly key: number;
  amount: bigint;
  readonly period: string | null;
  state: 'open' | 'captured' | 'released';
  captured: bigint;
}

export const onceAmount = (reference: 'a' | 'b', unit: bigint) => (reference === 'a' ? 700n : 31n) * unit;

export class LedgerModel {
  readonly holds: ModelHold[] = [];

  constructor(
    readonly accounts: readonly ModelAccount[],
    readonly keys: readonly ModelKey[],
    private readonly unit: bigint,
  ) {}

  /** The answer that the ledger must give when this is the only operation; the model is updated by it. */
  apply(operation: Operation, now: Date): Outcome {
    const outcome = this.predict(operation, now);
    this.record(operation, outcome, now);
    return outcome;
  }

  private predict(operation: Operation, now: Date): Outcome {
    if (operation.do === 'grant' || operation.do === 'grant-once' || operation.do === 'limit') return 'done';
    if (operation.do === 'hold' || operation.do === 'abandoned-hold') {
      const key = this.keys[operation.key]!;
      return (
        this.shortage(key, operation.amount, this.periodOf(operation.key, now)) ??
        (operation.do === 'hold' ? 'done' : 'abandoned')
      );
    }
    const hold = this.holds[operation.hold]!;
    if (operation.do === 'extend')
      return hold.state === 'open'
        ? (this.shortage(this.keys[hold.key]!, operation.amount, hold.period) ?? 'done')
        : 'refused';
    if (operation.do === 'reduce') return hold.state === 'open' && hold.amount >= operation.amount ? 'done' : 'refused';
    if (hold.state !== 'open') return 'repeated';
    return operation.do === 'capture-too-much' ? 'refused' : 'done';
  }

  private shortage(key: ModelKey, amount: bigint, period: string | null): Outcome | undefined {
    const { available, held } = this.accounts[key.account]!;
    if (available < amount) return available + held >= amount ? 'credits_held_by_running_jobs' : 'insufficient_credits';
    if (period !== null && key.limit !== null && spentIn(key, period) + amount > key.limit) return 'key_limit_exceeded';
    return undefined;
  }

  /** Applies what has happened in the database. */
  record(operation: Operation, outcome: Outcome, now: Date): void {
    if (outcome !== 'done') return;
    if (operation.do === 'grant') this.accounts[operation.account]!.available += operation.amount;
    if (operation.do === 'grant-once') {
      const account = this.accounts[operation.account]!;
      if (!account.references.has(operation.reference)) account.available += onceAmount(operation.reference, this.unit);
      account.references.add(operation.reference);
    }
    if (operation.do === 'hold') {
      const key = this.keys[operation.key]!;
      const account = this.accounts[key.account]!;
      account.available -= operation.amount;
      account.held += operation.amount;
      const period = this.periodOf(operation.key, now);
      if (period !== null) key.spentIn.set(period, spentIn(key, period) + operation.amount);
      this.holds.push({ key: operation.key, amount: operation.amount, period, state: 'open', captured: 0n });
    }
    if (operation.do === 'limit') this.keys[operation.key]!.limit = operation.limit;
    if (operation.do === 'extend' || operation.do === 'reduce') {
      const hold = this.holds[operation.hold]!;
      const key = this.keys[hold.key]!;
      const account = this.accounts[key.account]!;
      const by = operation.do === 'extend' ? operation.amount : -operation.amount;
      hold.amount += by;
      account.available -= by;
      account.held += by;
      if (hold.period !== null) key.spentIn.set(hold.period, spentIn(key, hold.period) + by);
    }
    if (operation.do === 'capture' || operation.do === 'capture-part' || operation.do === 'release') {
      const hold = this.holds[operation.hold]!;
      const key = this.keys[hold.key]!;
      const account = this.accounts[key.account]!;
      hold.captured =
        operation.do === 'release'
          ? 0n
          : operation.do === 'capture'
            ? hold.amount
            : partOf(hold.amount, operation.percent);
      hold.state = operation.do === 'release' ? 'released' : 'captured';
      const back = hold.amount - hold.captured;
      account.held -= hold.amount;
      account.available += back;
      account.spent += hold.captured;
      if (hold.period !== null) key.spentIn.set(hold.period, spentIn(key, hold.period) - back);
    }
  }

  /** Applies what several simultaneous operations answered, and names every answer that no order of them allows. */
  accept(answered: readonly { operation: Operation; outcome: Outcome }[], now: Date): string[] {
    const errors: string[] = [];
    const availableBefore = this.accounts.map(({ available }) => available);
    const spentBefore = this.keys.map((key) => new Map(key.spentIn));
    const holdsBefore = this.holds.map(({ state, amount }) => ({ isOpen: state === 'open', amount }));
    const succeeded = answered.filter(({ outcome }) => outcome === 'done').map(({ operation }) => operation);
    const sizeAt = (operation: Operation) => (operation.do === 'extend' || operation.do === 'reduce' ? 0 : 1);

    // An operation that changed the size of a hold came before the one that resolved it.
    for (const { operation, outcome } of answered.toSorted((a, b) => sizeAt(a.operation) - sizeAt(b.operation)))
      this.record(operation, outcome, now);

    /** Everything that was held meanwhile for the keys that match, in that period if one is given. */
    const setAside = (matches: (key: number) => boolean, period?: string | null) =>
      succeeded.reduce((sum, operation) => {
        if (operation.do !== 'hold' && operation.do !== 'extend') return sum;
        const key = operation.do === 'hold' ? operation.key : this.holds[operation.hold]!.key;
        const countedIn =
          operation.do === 'hold' ? this.periodOf(operation.key, now) : this.holds[operation.hold]!.period;
        return matches(key) && (period === undefined || period === countedIn) ? sum + operation.amount : sum;
      }, 0n);
    const reduced = (hold: number) =>
      succeeded.reduce(
        (sum, operation) => (operation.do === 'reduce' && operation.hold === hold ? sum + operation.amount : sum),
        0n,
      );
    const resolutionsOf = (hold: number) =>
      succeeded.filter((operation) => isResolution(operation) && operation.hold === hold).length;

    for (const { operation, outcome } of answered) {
      const error = (what: string) => errors.push(`${operation.do} answered ${outcome}: ${what}`);
      if (operation.do === 'hold' || operation.do === 'abandoned-hold' || operation.do === 'extend') {
        const keyNumber = operation.do === 'extend' ? this.holds[operation.hold]!.key : operation.key;
        const key = this.keys[keyNumber]!;
        const period = operation.do === 'extend' ? this.holds[operation.hold]!.period : this.periodOf(keyNumber, now);
        const least = availableBefore[key.account]! - setAside((other) => this.keys[other]!.account === key.account);
        // An abandoned hold may have blocked it, but only until its transaction ended: a later one waited.
        if (/credits/.test(outcome) && least >= operation.amount) error('there was enough at any time');
        if (period !== null && key.limit !== null) {
          const most = (spentBefore[keyNumber]!.get(period) ?? 0n) + setAside((other) => other === keyNumber, period);
          if (outcome === 'key_limit_exceeded' && most + operation.amount <= key.limit)
            error('the limit left enough at any time');
          if (outcome === 'done' && operation.amount > 0n && spentIn(key, period) > key.limit)
            error('the limit is passed');
        } else if (outcome === 'key_limit_exceeded') error('there is no limit');
      }
      if ('hold' in operation) {
        const before = holdsBefore[operation.hold]!;
        const wins = resolutionsOf(operation.hold);
        if (wins > 1 || (wins === 1 && !before.isOpen)) error('resolved twice');
        if (outcome === 'done' && !before.isOpen) error('it was resolved before');
        if (outcome === 'repeated' && before.isOpen && wins === 0) error('it was not resolved');
        if (operation.do === 'capture-too-much' && outcome === 'refused' && !before.isOpen)
          error('it was resolved before');
        if (operation.do === 'extend' && outcome === 'refused' && before.isOpen && wins === 0)
          error('it was open at any time');
        if (
          operation.do === 'reduce' &&
          outcome === 'refused' &&
          before.isOpen &&
          wins === 0 &&
          before.amount - reduced(operation.hold) >= operation.amount
        )
          error('it held enough at any time');
      }
    }
    for (const { available, held } of this.accounts)
      if (available < 0n || held < 0n) errors.push('an account is below zero');
    return errors;
  }

  /** The period that a hold of that key counts in; null: it has no limit. */
  private periodOf(keyNumber: number, now: Date): string | null {
    const { limit, period } = this.keys[keyNumber]!;
    return limit === null || period === null ? null : periodName(period, now);
  }
}

const isResolution = (operation: Operation) =>
  operation.do === 'capture' || operation.do === 'capture-part' || operation.do === 'release';

export const partOf = (amount: bigint, percent: number) => (amount * BigInt(percent)) / 100n;

const spentIn = (key: ModelKey, period: string) => key.spentIn.get(period) ?? 0n;

/** Computed independently of the product: by walking back day by day. */
function periodName(period: LimitPeriod, now: Date): string {
  if (period === 'total') return 'total';
  const day = new Date(now.toISOString().slice(0, 10));
  while ((period === 'weekly' && day.getUTCDay() !== 1) || (period === 'monthly' && day.getUTCDate() !== 1))
    day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}
