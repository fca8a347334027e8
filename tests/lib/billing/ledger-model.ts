import type { Mode } from '../../../lib/domain/video';
import type { LimitPeriod } from '../../../lib/db/schema/accounts';

// The books once more, as plain numbers in memory: what the ledger must do, without a database, a transaction or a lock.

/** What may be asked of the ledger; accounts, keys and holds by their place in the model's lists. */
export type Operation =
  | { do: 'grant'; account: number; amount: bigint }
  /** The amount follows from the reference, so that it does not matter which of two was first. */
  | { do: 'grant-once'; account: number; reference: 'a' | 'b' }
  | { do: 'hold'; key: number; amount: bigint }
  /** A hold whose transaction fails afterwards. */
  | { do: 'abandoned-hold'; key: number; amount: bigint }
  | { do: 'capture'; hold: number }
  | { do: 'capture-part'; hold: number; percent: number }
  | { do: 'capture-too-much'; hold: number }
  | { do: 'release'; hold: number };

/** `refused`: rejected by the database itself. */
export type Outcome = 'done' | 'repeated' | 'refused' | 'abandoned' | 'insufficient_credits' | 'credits_held_by_running_jobs' | 'key_limit_exceeded';

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
  readonly amount: bigint;
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

  /** What the ledger must answer when this is the only thing that happens; the model then is as after it. */
  apply(operation: Operation, now: Date): Outcome {
    const outcome = this.predict(operation, now);
    this.record(operation, outcome, now);
    return outcome;
  }

  private predict(operation: Operation, now: Date): Outcome {
    if (operation.do === 'grant' || operation.do === 'grant-once') return 'done';
    if (operation.do === 'hold' || operation.do === 'abandoned-hold') {
      const key = this.keys[operation.key]!;
      const { available, held } = this.accounts[key.account]!;
      if (available < operation.amount) return available + held >= operation.amount ? 'credits_held_by_running_jobs' : 'insufficient_credits';
      if (key.limit !== null && spentBy(key, now) + operation.amount > key.limit) return 'key_limit_exceeded';
      return operation.do === 'hold' ? 'done' : 'abandoned';
    }
    const hold = this.holds[operation.hold]!;
    if (hold.state !== 'open') return 'repeated';
    return operation.do === 'capture-too-much' ? 'refused' : 'done';
  }

  /** Takes over what has really happened. */
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
      const period = key.limit === null || key.period === null ? null : periodName(key.period, now);
      if (period !== null) key.spentIn.set(period, (key.spentIn.get(period) ?? 0n) + operation.amount);
      this.holds.push({ key: operation.key, amount: operation.amount, period, state: 'open', captured: 0n });
    }
    if (operation.do === 'capture' || operation.do === 'capture-part' || operation.do === 'release') {
      const hold = this.holds[operation.hold]!;
      const key = this.keys[hold.key]!;
      const account = this.accounts[key.account]!;
      hold.captured = operation.do === 'release' ? 0n : operation.do === 'capture' ? hold.amount : partOf(hold.amount, operation.percent);
      hold.state = operation.do === 'release' ? 'released' : 'captured';
      const back = hold.amount - hold.captured;
      account.held -= hold.amount;
      account.available += back;
      account.spent += hold.captured;
      if (hold.period !== null) key.spentIn.set(hold.period, (key.spentIn.get(hold.period) ?? 0n) - back);
    }
  }

  /**
   * Takes over what several operations at the same time have answered, and names every answer that no order of them could
   * have given.
   */
  accept(answered: readonly { operation: Operation; outcome: Outcome }[], now: Date): string[] {
    const faults: string[] = [];
    const availableBefore = this.accounts.map(({ available }) => available);
    const spentBefore = this.keys.map((key) => spentBy(key, now));
    const openBefore = this.holds.map(({ state }) => state === 'open');
    const succeeded = answered.filter(({ outcome }) => outcome === 'done').map(({ operation }) => operation);
    const resolutionsOf = (hold: number) => succeeded.filter((operation) => 'hold' in operation && operation.hold === hold).length;
    const heldBy = (matches: (key: number) => boolean) =>
      succeeded.reduce((sum, operation) => (operation.do === 'hold' && matches(operation.key) ? sum + operation.amount : sum), 0n);

    for (const { operation, outcome } of answered) this.record(operation, outcome, now);

    for (const { operation, outcome } of answered) {
      const fault = (what: string) => faults.push(`${operation.do} answered ${outcome}: ${what}`);
      if (operation.do === 'hold' || operation.do === 'abandoned-hold') {
        const { account, limit } = this.keys[operation.key]!;
        const least = availableBefore[account]! - heldBy((key) => this.keys[key]!.account === account);
        // A hold that was abandoned may have stood in the way, but only until its transaction ended: who came after it waited.
        if (/credits/.test(outcome) && least >= operation.amount) fault('there was enough at any time');
        if (outcome === 'key_limit_exceeded' && (limit === null || spentBefore[operation.key]! + heldBy((key) => key === operation.key) + operation.amount <= limit)) fault('the limit left enough at any time');
        if (outcome === 'done' && limit !== null && spentBy(this.keys[operation.key]!, now) > limit) fault('the limit is passed');
      }
      if ('hold' in operation) {
        const wins = resolutionsOf(operation.hold);
        if (wins > 1 || (wins === 1 && !openBefore[operation.hold])) fault('resolved twice');
        if (outcome === 'repeated' && openBefore[operation.hold] && wins === 0) fault('nobody resolved it');
        if (outcome === 'refused' && !openBefore[operation.hold]) fault('it was resolved before');
      }
    }
    for (const { available, held } of this.accounts) if (available < 0n || held < 0n) faults.push('an account is below zero');
    return faults;
  }
}

export const partOf = (amount: bigint, percent: number) => (amount * BigInt(percent)) / 100n;

function spentBy(key: ModelKey, now: Date): bigint {
  return (key.period && key.spentIn.get(periodName(key.period, now))) || 0n;
}

/** Told apart from the product's own reckoning: by walking back day by day. */
function periodName(period: LimitPeriod, now: Date): string {
  if (period === 'total') return 'total';
  const day = new Date(now.toISOString().slice(0, 10));
  while ((period === 'weekly' && day.getUTCDay() !== 1) || (period === 'monthly' && day.getUTCDate() !== 1)) day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}
