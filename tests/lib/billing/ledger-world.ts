import { randomBytes } from 'node:crypto';
import { openPolicy } from '../../../lib/contract/policies';
import { openAccounts, type Ledger } from '../../../lib/billing/ledger';
import type { Database, Tx } from '../../../lib/db/database';
import { insertKey, updateKey } from '../../../lib/db/keys';
import { insertOrganization } from '../../../lib/db/people';
import { insertProject, updateProject } from '../../../lib/db/projects';
import type { Account } from '../../../lib/domain/caller';
import type { Clock, LimitPeriod } from '../../../lib/domain/clock';
import { isGatewayError } from '../../../lib/domain/errors';
import { newId, type HoldId, type KeyId, type ProjectId } from '../../../lib/domain/ids';
import { LedgerModel, onceAmount, partOf, type ModelScope, type Operation, type Outcome } from './ledger-model';

// Two organisations with two balance accounts each, an unlimited key and a limited one for every account, and a project
// with a budget for the keys of each organisation, in a real database; and the model of the same.

/** Odd and large: an amount that passes through a float anywhere would change. */
export const unit = 10n ** 13n + 7n;
const limit = 1_500n * unit;
const budget = 2_000n * unit;
/** Of the project of each organisation. */
const budgetPeriods: readonly LimitPeriod[] = ['weekly', 'daily'];
const periods: readonly LimitPeriod[] = ['total', 'daily', 'weekly', 'monthly'];

export class LedgerWorld {
  readonly model: LedgerModel;
  /** Operations that did not succeed. */
  refused = 0;
  private readonly holdIds: HoldId[] = [];

  private constructor(
    private readonly db: Database,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly accounts: readonly Account[],
    private readonly keys: readonly KeyId[],
    private readonly projects: readonly ProjectId[],
  ) {
    this.model = new LedgerModel(
      accounts.map(({ mode }) => ({ mode, available: 0n, held: 0n, spent: 0n, references: new Set() })),
      accounts.flatMap((_account, account) => [
        { account, project: account, limit: null, period: null, spentIn: new Map() },
        { account, project: account, limit, period: periods[account]!, spentIn: new Map() },
      ]),
      accounts.map((_account, account) => ({
        limit: budget,
        period: budgetPeriods[Math.floor(account / 2)]!,
        spentIn: new Map(),
      })),
      unit,
    );
  }

  static async make(db: Database, ledger: Ledger, clock: Clock): Promise<LedgerWorld> {
    return db.inTransaction(async (tx) => {
      const accounts: Account[] = [];
      const keys: KeyId[] = [];
      const projects: ProjectId[] = [];
      for (const orgId of [newId('org'), newId('org')]) {
        await insertOrganization(tx, { id: orgId, name: 'Example', webhookSecret: 'sealed' });
        await openAccounts(tx, orgId);
        const projectId = newId('project');
        await insertProject(tx, {
          ...openPolicy,
          id: projectId,
          orgId,
          name: 'Search',
          limitNanoUsd: budget,
          limitPeriod: budgetPeriods[projects.length]!,
          createdAt: clock.now(),
        });
        projects.push(projectId);
        for (const mode of ['live', 'test'] as const) {
          accounts.push({ orgId, mode });
          for (const limitPeriod of [null, periods[accounts.length - 1]!]) {
            const id = newId('key');
            keys.push(id);
            await insertKey(tx, {
              id,
              orgId,
              mode,
              name: 'key',
              hash: randomBytes(32).toString('hex'),
              prefix: 'pb_',
              lastFour: '0000',
              scopes: ['inference'],
              projectId,
              limitNanoUsd: limitPeriod && limit,
              limitPeriod,
            });
          }
        }
      }
      return new LedgerWorld(db, ledger, clock, accounts, keys, projects);
    });
  }

  get holds(): number {
    return this.holdIds.length;
  }

  /** Performs one operation alone; returns what it answered differently from the model. */
  async alone(operation: Operation): Promise<string[]> {
    const { outcome, hold } = await this.perform(operation);
    const expected = this.model.apply(operation, this.clock.now());
    if (hold) this.holdIds.push(hold);
    if (outcome !== 'done') this.refused += 1;
    return outcome === expected ? [] : [`${operation.do} answered ${outcome} and not ${expected}`];
  }

  /** Performs several at the same time; returns the answers that no order of them explains. */
  async together(operations: readonly Operation[]): Promise<string[]> {
    const resized = new Set(
      operations.flatMap((operation) => (operation.do === 'extend' || operation.do === 'reduce' ? operation.hold : [])),
    );
    // The part of a hold that changes at the same time could be anything.
    const clear = operations.filter(
      (operation) =>
        !((operation.do === 'capture-part' || operation.do === 'capture-too-much') && resized.has(operation.hold)),
    );
    const answered = await Promise.all(clear.map((operation) => this.perform(operation)));
    this.refused += answered.filter(({ outcome }) => outcome !== 'done').length;
    this.holdIds.push(...answered.flatMap(({ hold }) => hold ?? []));
    return this.model.accept(answered, this.clock.now());
  }

  /** Performs it in the database and returns how it ended. Unexpected errors are rethrown. */
  private async perform(operation: Operation): Promise<{ operation: Operation; outcome: Outcome; hold?: HoldId }> {
    const { db, ledger } = this;
    try {
      switch (operation.do) {
        case 'grant':
          await db.inTransaction((tx) => ledger.grant(tx, this.accounts[operation.account]!, operation.amount));
          return { operation, outcome: 'done' };
        case 'grant-once':
          await db.inTransaction((tx) =>
            ledger.grant(
              tx,
              this.accounts[operation.account]!,
              onceAmount(operation.reference, unit),
              operation.reference,
            ),
          );
          return { operation, outcome: 'done' };
        case 'hold':
          return {
            operation,
            outcome: 'done',
            hold: await db.inTransaction((tx) => ledger.hold(tx, this.holdRequest(operation))),
          };
        case 'abandoned-hold':
          await db.inTransaction(async (tx) => {
            await ledger.hold(tx, this.holdRequest(operation));
            throw new Abandoned();
          });
          throw new Error('A transaction that failed was committed.');
        case 'extend':
          await db.inTransaction((tx) => ledger.extend(tx, this.holdIds[operation.hold]!, operation.amount));
          return { operation, outcome: 'done' };
        case 'reduce':
          await db.inTransaction((tx) => ledger.reduce(tx, this.holdIds[operation.hold]!, operation.amount));
          return { operation, outcome: 'done' };
        case 'limit':
          await db.inTransaction((tx) => updateKey(tx, this.keys[operation.key]!, { limitNanoUsd: operation.limit }));
          return { operation, outcome: 'done' };
        case 'budget':
          await db.inTransaction((tx) =>
            updateProject(tx, this.projects[operation.project]!, { limitNanoUsd: operation.limit }),
          );
          return { operation, outcome: 'done' };
        default: {
          const done = await db.inTransaction((tx) => this.resolve(tx, operation));
          return { operation, outcome: done ? 'done' : 'repeated' };
        }
      }
    } catch (error) {
      if (error instanceof Abandoned) return { operation, outcome: 'abandoned' };
      // Safe: a code that is not an outcome fails the comparison with the model.
      if (isGatewayError(error)) return { operation, outcome: error.code as Outcome };
      // Of an empty account the balance is checked first.
      if (
        operation.do === 'capture-too-much' &&
        /holds_captured_within|accounts_available_not_negative/.test(String(error))
      )
        return { operation, outcome: 'refused' };
      if (operation.do === 'extend' && /was resolved/.test(String(error))) return { operation, outcome: 'refused' };
      if (operation.do === 'reduce' && /Only an open hold/.test(String(error)))
        return { operation, outcome: 'refused' };
      throw error;
    }
  }

  private resolve(
    tx: Tx,
    operation: Extract<Operation, { do: 'capture' | 'capture-part' | 'capture-too-much' | 'release' }>,
  ): Promise<boolean> {
    const id = this.holdIds[operation.hold]!;
    const { amount } = this.model.holds[operation.hold]!;
    if (operation.do === 'release') return this.ledger.release(tx, id);
    if (operation.do === 'capture') return this.ledger.capture(tx, id);
    return this.ledger.capture(
      tx,
      id,
      operation.do === 'capture-part' ? partOf(amount, operation.percent) : amount + 1n,
    );
  }

  private holdRequest({ key, amount }: { key: number; amount: bigint }) {
    const account = this.accounts[this.model.keys[key]!.account]!;
    return { account, keyId: this.keys[key]!, amount, subject: { kind: 'video' as const, id: newId('video') } };
  }

  /** Every difference between the database and the model. */
  async differences(): Promise<string[]> {
    const { db, ledger, model } = this;
    const errors: string[] = [];
    const compare = (what: string, real: unknown, expected: unknown) => {
      if (String(real) !== String(expected))
        errors.push(`${what} is ${String(real)} and should be ${String(expected)}`);
    };
    for (const [n, account] of this.accounts.entries()) {
      const { available, held, spent } = await ledger.balances(db, account);
      const expected = model.accounts[n]!;
      compare(`available of ${n}`, available, expected.available);
      compare(`held of ${n}`, held, expected.held);
      compare(`spent of ${n}`, spent, expected.spent);
    }
    const { rows: holds } = await db.query(
      'select id, state, captured_nano_usd as captured from holds where key_id = any($1)',
      [this.keys],
    );
    compare('the number of holds', holds.length, model.holds.length);
    for (const { id, state, captured } of holds) {
      const expected = model.holds[this.holdIds.indexOf(id as HoldId)];
      compare(`hold ${String(id)}`, `${String(state)} ${String(captured)}`, `${expected?.state} ${expected?.captured}`);
    }
    const { rows: spends } = await db.query(
      'select scope_id, mode, period, spent_nano_usd as spent from spending where scope_id = any($1) and spent_nano_usd <> 0',
      [[...this.keys, ...this.projects]],
    );
    const real = spends.map(
      ({ scope_id, mode, period, spent }) => `${String(scope_id)} ${String(mode)} ${String(period)} ${String(spent)}`,
    );
    const spentOf = (id: string, account: number, { spentIn }: ModelScope) =>
      [...spentIn]
        .filter(([, spent]) => spent !== 0n)
        .map(([period, spent]) => `${id} ${this.accounts[account]!.mode} ${period} ${spent}`);
    const expected = [
      ...model.keys.flatMap((key, n) => spentOf(this.keys[n]!, key.account, key)),
      ...model.projects.flatMap((project, account) =>
        spentOf(this.projects[Math.floor(account / 2)]!, account, project),
      ),
    ];
    compare('what the keys and projects have spent', real.toSorted().join(), expected.toSorted().join());
    return errors;
  }
}

class Abandoned extends Error {}
