import type { Mode } from '../../../lib/domain/video';
import type { LimitPeriod } from '../../../lib/domain/clock';

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
  | { do: 'limit'; key: number; limit: bigint | null }
  /** The same of a project. */
  | { do: 'budget'; project: number; limit: bigint | null };

/** `refused`: rejected because it can never be done. */
export type Outcome =
  | 'done'
  | 'repeated'
  | 'refused'
  | 'abandoned'
  | 'insufficient_credits'
  | 'credits_held_by_running_jobs'
  | 'key_limit_exceeded'
  | 'project_limit_exceeded';

export interface ModelAccount {
  readonly mode: Mode;
  available: bigint;
  held: bigint;
  spent: bigint;
  readonly references: Set<string>;
}

/** A limit, and what was spent within it in each of its periods. */
export interface ModelScope {
  limit: bigint | null;
  readonly period: LimitPeriod | null;
  readonly spentIn: Map<string, bigint>;
}

export interface ModelKey extends ModelScope {
  readonly account: number;
  /** A project counts live and test credits for themselves: the model has one for each account, two of an organisation. */
  readonly project: number | null;
}

interface ModelHold {
  readonly key: number;
  amount: bigint;
  readonly period: string | null;
  readonly projectPeriod: string | null;
  state: 'open' | 'captured' | 'released';
  captured: bigint;
}

export const onceAmount = (reference: 'a' | 'b', unit: bigint) => (reference === 'a' ? 700n : 31n) * unit;

export class LedgerModel {
  readonly holds: ModelHold[] = [];

  constructor(
    readonly accounts: readonly ModelAccount[],
    readonly keys: readonly ModelKey[],
    readonly projects: readonly ModelScope[],
    private readonly unit: bigint,
  ) {}

  /** The answer that the ledger must give when this is the only operation; the model is updated by it. */
  apply(operation: Operation, now: Date): Outcome {
    const outcome = this.predict(operation, now);
    this.record(operation, outcome, now);
    return outcome;
  }

  private predict(operation: Operation, now: Date): Outcome {
    if (operation.do === 'grant' || operation.do === 'grant-once') return 'done';
    if (operation.do === 'limit' || operation.do === 'budget') return 'done';
    if (operation.do === 'hold' || operation.do === 'abandoned-hold') {
      const key = this.keys[operation.key]!;
      return (
        this.shortage(key, operation.amount, periodOf(key, now), periodOf(this.projectOf(key), now)) ??
        (operation.do === 'hold' ? 'done' : 'abandoned')
      );
    }
    const hold = this.holds[operation.hold]!;
    if (operation.do === 'extend')
      return hold.state === 'open'
        ? (this.shortage(this.keys[hold.key]!, operation.amount, hold.period, hold.projectPeriod) ?? 'done')
        : 'refused';
    if (operation.do === 'reduce') return hold.state === 'open' && hold.amount >= operation.amount ? 'done' : 'refused';
    if (hold.state !== 'open') return 'repeated';
    return operation.do === 'capture-too-much' ? 'refused' : 'done';
  }

  private projectOf({ project }: ModelKey): ModelScope | undefined {
    return project === null ? undefined : this.projects[project];
  }

  private shortage(
    key: ModelKey,
    amount: bigint,
    period: string | null,
    projectPeriod: string | null,
  ): Outcome | undefined {
    const { available, held } = this.accounts[key.account]!;
    if (available < amount) return available + held >= amount ? 'credits_held_by_running_jobs' : 'insufficient_credits';
    if (isOver(key, period, amount)) return 'key_limit_exceeded';
    if (isOver(this.projectOf(key), projectPeriod, amount)) return 'project_limit_exceeded';
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
      const period = periodOf(key, now);
      const projectPeriod = periodOf(this.projectOf(key), now);
      this.count(key, { period, projectPeriod }, operation.amount);
      const { amount } = operation;
      this.holds.push({ key: operation.key, amount, period, projectPeriod, state: 'open', captured: 0n });
    }
    if (operation.do === 'limit') this.keys[operation.key]!.limit = operation.limit;
    if (operation.do === 'budget')
      for (const mode of [0, 1]) this.projects[operation.project * 2 + mode]!.limit = operation.limit;
    if (operation.do === 'extend' || operation.do === 'reduce') {
      const hold = this.holds[operation.hold]!;
      const key = this.keys[hold.key]!;
      const account = this.accounts[key.account]!;
      const by = operation.do === 'extend' ? operation.amount : -operation.amount;
      hold.amount += by;
      account.available -= by;
      account.held += by;
      this.count(key, hold, by);
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
      this.count(key, hold, -back);
    }
  }

  private count(
    key: ModelKey,
    { period, projectPeriod }: Pick<ModelHold, 'period' | 'projectPeriod'>,
    amount: bigint,
  ): void {
    const project = this.projectOf(key);
    if (period !== null) key.spentIn.set(period, spentIn(key, period) + amount);
    if (project && projectPeriod !== null) project.spentIn.set(projectPeriod, spentIn(project, projectPeriod) + amount);
  }

  /** Applies what several simultaneous operations answered, and names every answer that no order of them allows. */
  accept(answered: readonly { operation: Operation; outcome: Outcome }[], now: Date): string[] {
    const errors: string[] = [];
    const availableBefore = this.accounts.map(({ available }) => available);
    const copy = ({ spentIn }: ModelScope) => new Map(spentIn);
    const spentBefore = { keys: this.keys.map(copy), projects: this.projects.map(copy) };
    const holdsBefore = this.holds.map(({ state, amount }) => ({ isOpen: state === 'open', amount }));
    const succeeded = answered.filter(({ outcome }) => outcome === 'done').map(({ operation }) => operation);
    const sizeAt = (operation: Operation) => (operation.do === 'extend' || operation.do === 'reduce' ? 0 : 1);

    // An operation that changed the size of a hold came before the one that resolved it.
    for (const { operation, outcome } of answered.toSorted((a, b) => sizeAt(a.operation) - sizeAt(b.operation)))
      this.record(operation, outcome, now);

    const current = (key: ModelKey) => ({
      period: periodOf(key, now),
      projectPeriod: periodOf(this.projectOf(key), now),
    });
    /** Everything that was held meanwhile for the keys that match, in the periods that match. */
    const setAside = (
      matches: (key: number) => boolean,
      counts: (periods: Pick<ModelHold, 'period' | 'projectPeriod'>) => boolean = () => true,
    ) =>
      succeeded.reduce((sum, operation) => {
        if (operation.do !== 'hold' && operation.do !== 'extend') return sum;
        const key = operation.do === 'hold' ? operation.key : this.holds[operation.hold]!.key;
        const countedIn = operation.do === 'hold' ? current(this.keys[key]!) : this.holds[operation.hold]!;
        return matches(key) && counts(countedIn) ? sum + operation.amount : sum;
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
        const { period, projectPeriod } = operation.do === 'extend' ? this.holds[operation.hold]! : current(key);
        const least = availableBefore[key.account]! - setAside((other) => this.keys[other]!.account === key.account);
        // An abandoned hold may have blocked it, but only until its transaction ended: a later one waited.
        if (/credits/.test(outcome) && least >= operation.amount) error('there was enough at any time');
        const checkScope = (
          scope: ModelScope | undefined,
          inPeriod: string | null,
          refusal: Outcome,
          spentAtStart: ReadonlyMap<string, bigint> | undefined,
          heldMeanwhile: (inPeriod: string) => bigint,
        ) => {
          if (!scope || inPeriod === null || scope.limit === null) {
            if (outcome === refusal) error('there is no limit');
            return;
          }
          const most = (spentAtStart?.get(inPeriod) ?? 0n) + heldMeanwhile(inPeriod);
          if (outcome === refusal && most + operation.amount <= scope.limit) error('the limit left enough at any time');
          if (outcome === 'done' && operation.amount > 0n && spentIn(scope, inPeriod) > scope.limit)
            error('the limit is passed');
        };
        checkScope(key, period, 'key_limit_exceeded', spentBefore.keys[keyNumber], (inPeriod) =>
          setAside(
            (other) => other === keyNumber,
            (counted) => counted.period === inPeriod,
          ),
        );
        const { project } = key;
        checkScope(
          this.projectOf(key),
          projectPeriod,
          'project_limit_exceeded',
          project === null ? undefined : spentBefore.projects[project],
          (inPeriod) =>
            setAside(
              (other) => this.keys[other]!.project === project,
              (counted) => counted.projectPeriod === inPeriod,
            ),
        );
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
}

/** The period that a hold counts in; null: there is no limit. */
function periodOf(scope: ModelScope | undefined, now: Date): string | null {
  return !scope || scope.limit === null || scope.period === null ? null : periodName(scope.period, now);
}

function isOver(scope: ModelScope | undefined, period: string | null, amount: bigint): boolean {
  return (
    scope !== undefined && period !== null && scope.limit !== null && spentIn(scope, period) + amount > scope.limit
  );
}

const isResolution = (operation: Operation) =>
  operation.do === 'capture' || operation.do === 'capture-part' || operation.do === 'release';

export const partOf = (amount: bigint, percent: number) => (amount * BigInt(percent)) / 100n;

const spentIn = (scope: ModelScope, period: string) => scope.spentIn.get(period) ?? 0n;

/** Computed independently of the product: by walking back day by day. */
function periodName(period: LimitPeriod, now: Date): string {
  if (period === 'total') return 'total';
  const day = new Date(now.toISOString().slice(0, 10));
  while ((period === 'weekly' && day.getUTCDay() !== 1) || (period === 'monthly' && day.getUTCDate() !== 1))
    day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}
