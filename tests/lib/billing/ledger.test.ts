import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLedger, openAccounts, type Ledger } from '../../../lib/billing/ledger';
import type { HoldRequest, RunningLimit } from '../../../lib/billing/hold';
import { countedFrom } from '../../../lib/domain/clock';
import type { Database, Db } from '../../../lib/db/database';
import { insertKey, updateKey } from '../../../lib/db/keys';
import { meterInsert } from '../../../lib/db/meters';
import { insertOrganization } from '../../../lib/db/people';
import { insertProject } from '../../../lib/db/projects';
import { recountSpending } from '../../../lib/db/spending';
import { openPolicy } from '../../../lib/contract/policies';
import { readRunningVideos } from '../../../lib/db/running-videos';
import type { Account } from '../../../lib/domain/caller';
import { isGatewayError } from '../../../lib/domain/errors';
import { newId, type HoldId, type KeyId, type ProjectId } from '../../../lib/domain/ids';
import { parseUsd, usdText } from '../../../lib/domain/money';
import { createQueue } from '../../../lib/jobs/queue';
import { checkBooks } from '../../../lib/db/check-books';
import { createTestClock } from '../../support/clock';
import { openEmbeddedTestDatabase } from '../../support/database';
import { recordLog } from '../../support/log';
import { proofRuns } from '../../support/proof-runs';
import { embeddedToo, openDatabaseAt } from '../../support/postgres';
import { runPostgres } from '../../support/run-postgres';
import type { Operation } from './ledger-model';
import { LedgerWorld, unit } from './ledger-world';

const postgres = runPostgres();
afterAll(() => postgres?.close());

describe('on the embedded database', embeddedToo(postgres), () => ledgerSuite(openEmbeddedTestDatabase));
describe.skipIf(!postgres)('on Postgres', () =>
  ledgerSuite(async () => openDatabaseAt(await postgres!.createDatabase(), { poolSize: 20 })),
);

const HOUR_MS = 3_600_000;
const SEQUENCES = proofRuns(60, 6);

/** Numbers that are unknown before a run (such as the hold) are drawn as fractions. */
const amount = fc.oneof(
  fc.constantFrom(0n, unit, 300n * unit),
  fc.oneof(fc.bigInt(0n, 60n), fc.bigInt(0n, 900n)).map((units) => units * unit + (units % 7n)),
);
/** Cubed, so that recent holds are more likely than old ones, which are mostly resolved. */
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const drawn = fc.oneof(
  fc.record({ do: fc.constant('grant' as const), account: fc.nat(3), amount }),
  fc.record({
    do: fc.constant('grant-once' as const),
    account: fc.nat(3),
    reference: fc.constantFrom('a' as const, 'b' as const),
  }),
  fc.record({
    do: fc.constantFrom('hold' as const, 'hold' as const, 'abandoned-hold' as const),
    key: fc.nat(7),
    amount,
  }),
  fc.record({ do: fc.constant('hold' as const), key: fc.nat(7), amount }),
  fc.record({ do: fc.constantFrom('capture' as const, 'release' as const, 'capture-too-much' as const), hold: place }),
  fc.record({ do: fc.constant('capture-part' as const), hold: place, percent: fc.nat(100) }),
  fc.record({ do: fc.constantFrom('extend' as const, 'reduce' as const), hold: place, amount }),
);
/** As the model's operations, but for `hold`. */
type Drawn = ValueOf<typeof drawn> | ValueOf<typeof changed>;
type ValueOf<Drawn> = Drawn extends fc.Arbitrary<infer Value> ? Value : never;
const changedLimit = fc.oneof(
  fc.constant(null),
  amount,
  amount.map((drawnAmount) => 2n * drawnAmount),
);
const changed = fc.oneof(
  fc.record({ do: fc.constant('limit' as const), key: fc.nat(7), limit: changedLimit }),
  fc.record({ do: fc.constant('budget' as const), project: fc.nat(1), limit: changedLimit }),
);
const step = fc.record({
  passHours: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(24 * 40) }),
  operations: fc.oneof(
    { weight: 4, arbitrary: fc.array(drawn, { minLength: 1, maxLength: 1 }) },
    { weight: 4, arbitrary: fc.array(drawn, { minLength: 2, maxLength: 8 }) },
    { weight: 1, arbitrary: fc.tuple(changed) },
  ),
});

function ledgerSuite(open: () => Promise<Database>): void {
  const clock = createTestClock(new Date('2026-11-21T12:00:00Z'));
  let db: Database;
  let ledger: Ledger;
  beforeAll(async () => {
    db = await open();
    ledger = createLedger({ clock });
    // The checker also looks at the jobs.
    await (await createQueue({ db, clock, log: recordLog(), exclusive: false })).stop(0);
  });
  afterAll(() => db.close());

  it('matches the model, one operation after the other and many at a time', { timeout: 300_000 }, async () => {
    let performed = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 50, size: 'max' }), async (steps) => {
        const world = await LedgerWorld.make(db, ledger, clock);
        for (const { passHours, operations } of steps) {
          await clock.advance(passHours * HOUR_MS);
          // The operation that resolves a hold waits for the first one.
          const real = (operations as readonly Drawn[]).flatMap((each): Operation[] =>
            !('hold' in each)
              ? [each]
              : world.holds === 0
                ? []
                : [{ ...each, hold: world.holds - 1 - Math.floor(each.hold ** 3 * world.holds) }],
          );
          performed += real.length;
          expect(real.length === 1 ? await world.alone(real[0]!) : await world.together(real)).toEqual([]);
        }
        refused += world.refused;
        expect(await world.differences()).toEqual([]);
        expect(await checkBooks(db)).toEqual([]);
      }),
      { numRuns: SEQUENCES, seed: 20261121, endOnFailure: true },
    );
    expect(performed).toBeGreaterThan(80 * SEQUENCES);
    expect(refused).toBeGreaterThan(8 * SEQUENCES);
  });

  interface MadeAccount {
    readonly account: Account;
    readonly keyId: KeyId;
    readonly projectId: ProjectId;
  }

  /** An account with a key whose limit is of a day, in a project whose budget is of a month. */
  async function makeAccount(credits: string, limit?: string, budget?: string): Promise<MadeAccount> {
    const account: Account = { orgId: newId('org'), mode: 'live' };
    const keyId = newId('key');
    const projectId = newId('project');
    await db.inTransaction(async (tx) => {
      await insertOrganization(tx, { id: account.orgId, name: 'Example', webhookSecret: 'sealed' });
      await openAccounts(tx, account.orgId);
      await ledger.grant(tx, account, parseUsd(credits));
      await insertProject(tx, {
        ...openPolicy,
        id: projectId,
        orgId: account.orgId,
        name: 'Search',
        limitNanoUsd: budget === undefined ? null : parseUsd(budget),
        limitPeriod: budget === undefined ? null : 'monthly',
        createdAt: clock.now(),
      });
    });
    await addKey({ account, keyId, projectId }, limit);
    return { account, keyId, projectId };
  }
  async function addKey(
    { account, keyId, projectId }: MadeAccount,
    limit?: string,
    spendKeyId: KeyId | null = null,
  ): Promise<void> {
    await insertKey(db, {
      id: keyId,
      ...account,
      spendKeyId,
      projectId,
      name: 'key',
      hash: keyId,
      prefix: 'pb_live_',
      lastFour: '0000',
      scopes: ['inference'],
      ...(limit === undefined ? {} : { limitNanoUsd: parseUsd(limit), limitPeriod: 'daily' as const }),
    });
  }

  const requestOf = (account: Account, keyId: KeyId, usd: string): HoldRequest => ({
    account,
    keyId,
    amount: parseUsd(usd),
    subject: { kind: 'video', id: newId('video') },
  });
  const hold = (account: Account, keyId: KeyId, usd: string) =>
    db.inTransaction((tx) => ledger.hold(tx, requestOf(account, keyId, usd)));
  /** Retried while no connection is free in time: a slow machine must not run fewer of them. */
  async function patiently<T>(run: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof Error && error.message === 'timeout exceeded when trying to connect')) throw error;
      }
    }
  }
  const holdPatiently = (account: Account, keyId: KeyId, usd: string) => patiently(() => hold(account, keyId, usd));
  /** The counted spending of a key or a project, oldest period first. */
  async function spentIn(keyId: KeyId | ProjectId): Promise<bigint[]> {
    const { rows } = await db.query(
      'select spent_nano_usd::text as spent from spending where scope_id = $1 order by period',
      [keyId],
    );
    return rows.map(({ spent }) => BigInt(String(spent)));
  }
  /** How often each outcome occurred. */
  async function countEndings(endings: readonly Promise<unknown>[]): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const ending of await Promise.allSettled(endings)) {
      const name =
        ending.status === 'fulfilled'
          ? 'done'
          : isGatewayError(ending.reason)
            ? ending.reason.code
            : String(ending.reason);
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  }
  const balances = async (account: Account) => {
    const { available, held, spent } = await ledger.balances(db, account);
    return [available, held, spent].map(usdText);
  };

  it('accepts exactly three of 1,000 simultaneous holds of $0.30 against one dollar', async () => {
    const { account, keyId } = await makeAccount('1');
    const counts = await countEndings(Array.from({ length: 1_000 }, () => holdPatiently(account, keyId, '0.3')));
    expect(counts).toEqual({ done: 3, credits_held_by_running_jobs: 997 });
    expect(await balances(account)).toEqual(['0.1', '0.9', '0']);
    expect(await checkBooks(db)).toEqual([]);
  });

  it('accepts exactly three of 300 holds that insert their row against one dollar, and none without its row', async () => {
    const { account, keyId } = await makeAccount('1');
    const insert = meterInsert({
      sessionId: newId('session'),
      model: 'speaks',
      provider: 'a',
      unitPrice: 10n ** 13n,
    });
    const counts = await countEndings(
      Array.from({ length: 300 }, () =>
        patiently(() =>
          ledger.holdWith(
            db,
            { account, keyId, amount: parseUsd('0.3'), subject: { kind: 'speech', id: newId('meter') } },
            [insert],
          ),
        ),
      ),
    );
    expect(counts).toEqual({ done: 3, credits_held_by_running_jobs: 297 });
    expect(await balances(account)).toEqual(['0.1', '0.9', '0']);
    const { rows } = await db.query(
      'select m.model, m.provider, h.amount_nano_usd as amount from meters m join holds h on h.id = m.hold_id and h.subject_id = m.id where m.org_id = $1',
      [account.orgId],
    );
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ model: 'speaks', provider: 'a', amount: '300000000' })));
    expect(await checkBooks(db)).toEqual([]);
  });

  it('counts a hold with its row against the limit of the key, and changes nothing if the limit is reached', async () => {
    const { account, keyId } = await makeAccount('1', '0.5');
    const holdWith = () =>
      ledger.holdWith(
        db,
        { account, keyId, amount: parseUsd('0.3'), subject: { kind: 'speech', id: newId('meter') } },
        [meterInsert({ sessionId: newId('session'), model: 'speaks', provider: 'a', unitPrice: 10n ** 13n })],
      );
    expect(await countEndings(Array.from({ length: 20 }, holdWith))).toEqual({ done: 1, key_limit_exceeded: 19 });
    expect(await balances(account)).toEqual(['0.7', '0.3', '0']);
    expect(await spentIn(keyId)).toEqual([parseUsd('0.3')]);
    expect((await db.query('select 1 from meters where org_id = $1', [account.orgId])).rows).toHaveLength(1);
    expect(await checkBooks(db)).toEqual([]);
  });

  describe('holds for videos', () => {
    /** The endings of so many simultaneous holds, and the ids of those that were made. */
    async function holdVideos(of: { account: Account; keyId: KeyId }, times: number, max: RunningLimit) {
      const made: HoldId[] = [];
      const holds = Array.from({ length: times }, async () => {
        const request = { ...requestOf(of.account, of.keyId, '0.01'), maxRunning: [max] };
        made.push(await ledger.hold(db, request));
      });
      return { counts: await countEndings(holds), made };
    }

    it.each(['key', 'organization'] as const)(
      'are at most as many as the %s may have, at any concurrency, and free again when one is resolved',
      async (scope) => {
        const owner = await makeAccount('5');
        const max = { scope, max: 3 };
        const { counts, made } = await holdVideos(owner, 100, max);
        expect(counts).toEqual({ done: 3, concurrency_limit_exceeded: 97 });
        expect(await balances(owner.account)).toEqual(['4.97', '0.03', '0']);
        expect(await readRunningVideos(db, { ...owner.account, keyId: owner.keyId })).toEqual({
          key: 3,
          organization: 3,
        });
        await Promise.all([
          db.inTransaction((tx) => ledger.capture(tx, made[0]!)),
          db.inTransaction((tx) => ledger.release(tx, made[1]!)),
        ]);
        expect((await holdVideos(owner, 50, max)).counts).toEqual({ done: 2, concurrency_limit_exceeded: 48 });
        expect(await checkBooks(db)).toEqual([]);
      },
    );

    it('of one key do not count against the limit of another, but against that of the organisation', async () => {
      const owner = await makeAccount('5');
      const other = { account: owner.account, keyId: newId('key') };
      await holdVideos(owner, 2, { scope: 'key', max: 2 });
      expect((await holdVideos(other, 1, { scope: 'key', max: 1 })).counts).toEqual({ done: 1 });
      expect((await holdVideos(other, 1, { scope: 'organization', max: 3 })).counts).toEqual({
        concurrency_limit_exceeded: 1,
      });
    });
  });

  it('accepts one of 200 simultaneous holds for the last cent of a key limit', async () => {
    const { account, keyId } = await makeAccount('100', '5');
    await hold(account, keyId, '4.99');
    const counts = await countEndings(Array.from({ length: 200 }, () => holdPatiently(account, keyId, '0.01')));
    expect(counts).toEqual({ done: 1, key_limit_exceeded: 199 });
    expect(await balances(account)).toEqual(['95', '5', '0']);
  });

  it('never exceeds the limit of a key with 200 holds and 10 captures at the same time, and uses it to the last nano-dollar', async () => {
    const { account, keyId } = await makeAccount('100', '5');
    const first: HoldId[] = [];
    for (let n = 0; n < 10; n += 1) first.push(await hold(account, keyId, '0.5'));
    const limit = parseUsd('5');
    let mostSpent = 0n;
    const watch = async () => {
      const [spent = 0n] = await patiently(() => spentIn(keyId));
      if (spent > mostSpent) mostSpent = spent;
    };
    const captures = first.map((id) =>
      patiently(() => db.inTransaction((tx) => ledger.capture(tx, id, parseUsd('0.125')))).then(watch),
    );
    const counts = await countEndings(
      Array.from({ length: 200 }, () => holdPatiently(account, keyId, '0.3').finally(watch)),
    );
    await Promise.all(captures);
    const { done = 0, ...refused } = counts;
    expect(refused).toEqual({ key_limit_exceeded: 200 - done });
    expect(mostSpent).toBeLessThanOrEqual(limit);
    const spent = parseUsd('1.25') + BigInt(done) * parseUsd('0.3');
    expect(await spentIn(keyId)).toEqual([spent]);
    const rest = usdText(limit - spent);
    await expect(hold(account, keyId, usdText(limit - spent + 1n))).rejects.toMatchObject({
      code: 'key_limit_exceeded',
    });
    await hold(account, keyId, rest);
    expect(await spentIn(keyId)).toEqual([limit]);
    expect(await balances(account)).toEqual(['95', '3.75', '1.25']);
    expect(await checkBooks(db)).toEqual([]);
  });

  describe('the budget of a project', () => {
    it('is shared by its keys and is never exceeded by simultaneous holds, which then leave nothing', async () => {
      const made = await makeAccount('100', '3', '5');
      const other: MadeAccount = { ...made, keyId: newId('key') };
      await addKey(other);
      const counts = await countEndings(
        Array.from({ length: 200 }, (_, n) => holdPatiently(made.account, n % 2 ? made.keyId : other.keyId, '0.3')),
      );
      const { done = 0, key_limit_exceeded = 0, project_limit_exceeded = 0, ...others } = counts;
      expect([done, key_limit_exceeded + project_limit_exceeded, others]).toEqual([16, 184, {}]);
      expect(project_limit_exceeded).toBeGreaterThan(0);
      expect(await spentIn(made.projectId)).toEqual([parseUsd('4.8')]);
      const [ofKey = 0n] = await spentIn(made.keyId);
      expect(ofKey).toBeLessThanOrEqual(parseUsd('3'));
      const { rows } = await db.query(
        `select sum(amount_nano_usd)::text as amount from holds where key_id = $1 and state = 'open'`,
        [made.keyId],
      );
      expect(String(rows[0]?.['amount'])).toBe(String(ofKey));
      expect(await balances(made.account)).toEqual(['95.2', '4.8', '0']);
      expect(await checkBooks(db)).toEqual([]);
    });

    it('is counted by the same statement, once its counter of the period exists', async () => {
      const { account, keyId, projectId } = await makeAccount('100', '3', '5');
      let statements = 0;
      const counted: Db = {
        ...db,
        query: (...query) => {
          statements += 1;
          return db.query(...query);
        },
      };
      const holdNow = () => ledger.hold(counted, requestOf(account, keyId, '0.5'));
      await holdNow();
      expect(statements).toBe(3);
      await holdNow();
      expect(statements).toBe(4);
      expect(await spentIn(projectId)).toEqual([parseUsd('1')]);
    });

    it('counts extensions and renewals, and gets back what is not used', async () => {
      const { account, keyId, projectId } = await makeAccount('100', undefined, '5');
      const id = await hold(account, keyId, '2');
      await db.inTransaction((tx) => ledger.extend(tx, id, parseUsd('1')));
      await expect(db.inTransaction((tx) => ledger.extend(tx, id, parseUsd('2.01')))).rejects.toMatchObject({
        code: 'project_limit_exceeded',
        extra: { details: { limit: '5', spent: '3', required: '2.01' } },
      });
      await db.inTransaction((tx) => ledger.reduce(tx, id, parseUsd('0.5')));
      expect(await spentIn(projectId)).toEqual([parseUsd('2.5')]);
      const next = { ...requestOf(account, keyId, '4'), id: newId('hold'), atLeast: parseUsd('4') };
      await db.inTransaction((tx) => ledger.renew(tx, { hold: id, charged: parseUsd('0.75'), next }));
      expect(await spentIn(projectId)).toEqual([parseUsd('4.75')]);
      await db.inTransaction((tx) => ledger.capture(tx, next.id, parseUsd('0.25')));
      expect(await spentIn(projectId)).toEqual([parseUsd('1')]);
      expect(await checkBooks(db)).toEqual([]);
    });

    it('leaves a hold as it was when there is no room to renew it', async () => {
      const { account, keyId, projectId } = await makeAccount('100', '50', '5');
      const id = await hold(account, keyId, '2');
      const next = { ...requestOf(account, keyId, '4.5'), id: newId('hold'), atLeast: parseUsd('4.5') };
      await db.inTransaction(async (tx) => {
        await expect(ledger.renew(tx, { hold: id, charged: parseUsd('1'), next })).rejects.toMatchObject({
          code: 'project_limit_exceeded',
        });
      });
      expect([await spentIn(keyId), await spentIn(projectId)]).toEqual([[parseUsd('2')], [parseUsd('2')]]);
      expect(await balances(account)).toEqual(['98', '2', '0']);
      expect(await checkBooks(db)).toEqual([]);
    });

    it('names itself, what is used of it and when it resets', async () => {
      const { account, keyId } = await makeAccount('100', undefined, '5');
      await hold(account, keyId, '4.97');
      await expect(hold(account, keyId, '0.05')).rejects.toMatchObject({
        code: 'project_limit_exceeded',
        message: expect.stringMatching(
          /^The budget of the project “Search” of \$5 a month does not leave the \$0\.05 that this request needs: \$4\.97 of it is used\. It resets on \d{4}-\d\d-01 at 00:00 UTC; wait until then, or ask an owner or admin to raise the budget\.$/,
        ) as string,
      });
    });

    it('counts test credits for themselves', async () => {
      const made = await makeAccount('100', undefined, '5');
      const test: MadeAccount = { ...made, account: { ...made.account, mode: 'test' }, keyId: newId('key') };
      await addKey(test);
      await db.inTransaction((tx) => ledger.grant(tx, test.account, parseUsd('50')));
      await hold(made.account, made.keyId, '5');
      await hold(test.account, test.keyId, '5');
      await expect(hold(test.account, test.keyId, '0.01')).rejects.toMatchObject({ code: 'project_limit_exceeded' });
    });
  });

  it('moves the count to the current period when a hold of an earlier one is renewed', async () => {
    const { account, keyId } = await makeAccount('10', '1');
    const old = await hold(account, keyId, '0.8');
    const renew = (id: HoldId, charged: string, amount: string, atLeast: string) => {
      const next = { ...requestOf(account, keyId, amount), id: newId('hold'), atLeast: parseUsd(atLeast) };
      return db.inTransaction(async (tx) => ({
        ...(await ledger.renew(tx, { hold: id, charged: parseUsd(charged), next })),
        id: next.id,
      }));
    };
    // In the same period, the part that is released is free for the next hold; not more than `atLeast` is held.
    const second = await renew(old, '0.2', '5', '0.8');
    expect(second).toMatchObject({ held: parseUsd('0.8'), chargedTo: old, charged: parseUsd('0.2') });
    expect(await spentIn(keyId)).toEqual([parseUsd('1')]);
    await expect(renew(second.id, '0.1', '5', '0.9')).rejects.toMatchObject({
      code: 'key_limit_exceeded',
      extra: { details: { limit: '1', required: '0.9' } },
    });
    expect(await spentIn(keyId)).toEqual([parseUsd('1')]);
    await clock.advance(24 * HOUR_MS);
    await renew(second.id, '0.1', '5', '1');
    expect(await spentIn(keyId)).toEqual([parseUsd('0.3'), parseUsd('1')]);
    expect(await balances(account)).toEqual(['8.7', '1', '0.3']);
    expect(await checkBooks(db)).toEqual([]);
  });

  it('says what is missing, and whether waiting helps', async () => {
    const { account, keyId } = await makeAccount('1', '0.5');
    const refused = (usd: string) => hold(account, keyId, usd).catch((error: unknown) => error);
    expect(await refused('1.5')).toMatchObject({
      code: 'insufficient_credits',
      message:
        'This request needs $1.5, and $1 of the live credits are available. For more credits, ask the operator of this installation.',
      extra: { details: { required: '1.5', available: '1', held: '0' } },
    });
    await hold(account, keyId, '0.4');
    expect(await refused('0.9')).toMatchObject({
      code: 'credits_held_by_running_jobs',
      extra: { retryAfterSeconds: 30, details: { required: '0.9', available: '0.6', held: '0.4' } },
    });
    const midnight =
      Date.UTC(clock.now().getUTCFullYear(), clock.now().getUTCMonth(), clock.now().getUTCDate() + 1) / 1000;
    expect(await refused('0.2')).toMatchObject({
      code: 'key_limit_exceeded',
      extra: { details: { limit: '0.5', required: '0.2', resets_at: midnight } },
    });
  });

  it('resolves a hold once, however many try at the same time', async () => {
    const { account, keyId } = await makeAccount('1');
    const id = await hold(account, keyId, '0.6');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        db.inTransaction((tx) => (n % 2 ? ledger.capture(tx, id) : ledger.release(tx, id))),
      ),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect([
      ['0.4', '0', '0.6'],
      ['1', '0', '0'],
    ]).toContainEqual(await balances(account));
  });

  it('charges what was held, and counts it in the period of the hold, whatever happened to the limit since', async () => {
    const { account, keyId } = await makeAccount('10', '1');
    const id = await hold(account, keyId, '0.8');
    await db.inTransaction((tx) => updateKey(tx, keyId, { limitNanoUsd: parseUsd('0.1'), limitPeriod: 'monthly' }));
    await clock.advance(48 * HOUR_MS);
    expect(await db.inTransaction((tx) => ledger.capture(tx, id, parseUsd('0.5')))).toBe(true);
    expect(await balances(account)).toEqual(['9.5', '0', '0.5']);
    expect(await spentIn(keyId)).toEqual([parseUsd('0.5')]);
  });

  it('counts what is added to a hold with that hold, even if the limit was removed meanwhile', async () => {
    const { account, keyId } = await makeAccount('10', '1');
    const id = await hold(account, keyId, '0.8');
    await expect(db.inTransaction((tx) => ledger.extend(tx, id, parseUsd('0.3')))).rejects.toMatchObject({
      code: 'key_limit_exceeded',
    });
    await db.inTransaction((tx) => updateKey(tx, keyId, { limitNanoUsd: null, limitPeriod: null }));
    await db.inTransaction((tx) => ledger.extend(tx, id, parseUsd('5')));
    await db.inTransaction((tx) => ledger.reduce(tx, id, parseUsd('1')));
    expect(await balances(account)).toEqual(['5.2', '4.8', '0']);
    await db.inTransaction((tx) => ledger.release(tx, id));
    expect(await balances(account)).toEqual(['10', '0', '0']);
    expect(await spentIn(keyId)).toEqual([0n]);
  });

  it('counts a limit anew beside holds, changes of holds and charges of its key, and none of them fails', async () => {
    const { account, keyId } = await makeAccount('100', '90');
    let isDone = false;
    const work = async () => {
      while (!isDone) {
        const id = await hold(account, keyId, '0.02');
        await db.inTransaction((tx) => ledger.extend(tx, id, parseUsd('0.02')));
        await db.inTransaction((tx) => ledger.reduce(tx, id, parseUsd('0.01')));
        await db.inTransaction((tx) => ledger.capture(tx, id, parseUsd('0.001')));
      }
    };
    const working = countEndings(Array.from({ length: 6 }, work));
    const recount = (period: 'daily' | 'monthly') =>
      db.inTransaction((tx) =>
        recountSpending(tx, account, { kind: 'key', id: keyId }, countedFrom(period, clock.now())),
      );
    for (let round = 0; round < 5; round += 1) {
      await recount('daily');
      await recount('monthly');
    }
    isDone = true;
    expect(await working).toEqual({ done: 6 });
    expect(await checkBooks(db)).toEqual([]);
  });

  describe('while a limit of the key is set, which counts its spending anew', () => {
    /** `work` begins before the change is committed, and on Postgres waits for it with what it has read. */
    async function limitBeside<T>({ account, keyId }: MadeAccount, usd: string, work: () => Promise<T>) {
      let working: Promise<PromiseSettledResult<T>[]> | undefined;
      await db.inTransaction(async (tx) => {
        await updateKey(tx, keyId, { limitNanoUsd: parseUsd(usd), limitPeriod: 'monthly' });
        await recountSpending(tx, account, { kind: 'key', id: keyId }, countedFrom('monthly', clock.now()));
        working = Promise.allSettled([patiently(work)]);
        if (open !== openEmbeddedTestDatabase) await untilOneWaits();
      });
      return (await working)![0]!;
    }

    /** Not within the transaction, which would see the same activity each time. */
    async function untilOneWaits(): Promise<void> {
      for (;;) {
        const { rows } = await db.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        if (rows.length > 0) return;
      }
    }

    it('a hold that waits for it is counted, and refused beyond it', async () => {
      const owner = await makeAccount('10');
      const request = (usd: string) => () => ledger.hold(db, requestOf(owner.account, owner.keyId, usd));
      expect(await limitBeside(owner, '1', request('2'))).toMatchObject({
        status: 'rejected',
        reason: { code: 'key_limit_exceeded' },
      });
      expect(await balances(owner.account)).toEqual(['10', '0', '0']);
      const other = await makeAccount('10');
      const within = () => ledger.hold(db, requestOf(other.account, other.keyId, '0.4'));
      expect(await limitBeside(other, '1', within)).toMatchObject({ status: 'fulfilled' });
      expect(await spentIn(other.keyId)).toEqual([parseUsd('0.4')]);
      expect(await checkBooks(db)).toEqual([]);
    });

    it('holds are made and resolved, even if other limits are set without a pause', async () => {
      const { account, keyId } = await makeAccount('10', '5');
      let isOver = false;
      const change = () =>
        db.inTransaction((tx) =>
          recountSpending(tx, account, { kind: 'key', id: newId('key') }, countedFrom('monthly', clock.now())),
        );
      const changing = Array.from({ length: 8 }, async () => {
        while (!isOver) await patiently(change);
      });
      try {
        for (let n = 0; n < 10; n += 1) {
          const id = await patiently(() => ledger.hold(db, requestOf(account, keyId, '1')));
          await patiently(() => db.inTransaction((tx) => ledger.release(tx, id)));
        }
      } finally {
        isOver = true;
        await Promise.all(changing);
      }
      expect(await balances(account)).toEqual(['10', '0', '0']);
      expect(await spentIn(keyId)).toEqual([0n]);
    });

    it('a hold that is released meanwhile counts no more against it', async () => {
      const owner = await makeAccount('10');
      const id = await hold(owner.account, owner.keyId, '0.8');
      const released = await limitBeside(owner, '1', () => db.inTransaction((tx) => ledger.release(tx, id)));
      expect(released).toEqual({ status: 'fulfilled', value: true });
      expect(await spentIn(owner.keyId)).toEqual([0n]);
      expect(await balances(owner.account)).toEqual(['10', '0', '0']);
      expect(await checkBooks(db)).toEqual([]);
    });

    it('a hold that is renewed meanwhile counts with what it has charged and holds', async () => {
      const owner = await makeAccount('10');
      const { account, keyId } = owner;
      const id = await hold(account, keyId, '0.8');
      const next = { ...requestOf(account, keyId, '0.5'), id: newId('hold'), atLeast: parseUsd('0.5') };
      const renewed = await limitBeside(owner, '1', () =>
        db.inTransaction((tx) => ledger.renew(tx, { hold: id, charged: parseUsd('0.2'), next })),
      );
      expect(renewed).toMatchObject({ status: 'fulfilled', value: { held: parseUsd('0.5') } });
      expect(await spentIn(keyId)).toEqual([parseUsd('0.7')]);
      expect(await balances(account)).toEqual(['9.3', '0.5', '0.2']);
    });
  });

  it('gives back the hold of a key that was rotated, after the limit of its successor was counted anew', async () => {
    const owner = await makeAccount('10', '5');
    const successor = newId('key');
    await addKey({ ...owner, keyId: successor }, '5', owner.keyId);
    const id = await hold(owner.account, owner.keyId, '3');
    await db.inTransaction((tx) =>
      recountSpending(tx, owner.account, { kind: 'key', id: owner.keyId }, countedFrom('monthly', clock.now())),
    );
    const spentThisMonth = async () => {
      const { rows } = await db.query(
        `select spent_nano_usd::text as spent from spending where scope_id = $1 and period = $2`,
        [owner.keyId, countedFrom('monthly', clock.now()).period],
      );
      return rows;
    };
    expect(await spentThisMonth()).toEqual([{ spent: String(parseUsd('3')) }]);
    await db.inTransaction((tx) => ledger.release(tx, id));
    expect(await spentThisMonth()).toEqual([{ spent: '0' }]);
  });

  it('leaves nothing of a transaction that failed after the hold, and the same hold then succeeds', async () => {
    const { account, keyId } = await makeAccount('1', '1');
    const subject = { kind: 'video' as const, id: newId('video') };
    const request = { account, keyId, amount: parseUsd('1'), subject };
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const broken = db.inTransaction(async (tx) => {
        await ledger.hold(tx, request);
        await tx.query('select 1 / 0');
      });
      await expect(broken).rejects.toThrow('division by zero');
      expect(await balances(account)).toEqual(['1', '0', '0']);
    }
    await db.inTransaction((tx) => ledger.hold(tx, request));
    expect(await balances(account)).toEqual(['0', '1', '0']);
    // The subject has its hold: a second one would charge the same video twice.
    await expect(db.inTransaction((tx) => ledger.hold(tx, { ...request, amount: 0n }))).rejects.toThrow();
    expect(await checkBooks(db)).toEqual([]);
  });

  it('keeps the reservations of an organisation apart', async () => {
    const { account, keyId } = await makeAccount('1');
    await db.inTransaction((tx) => ledger.grant(tx, { ...account, mode: 'test' }, parseUsd('50')));
    await expect(hold(account, keyId, '1.01')).rejects.toMatchObject({ code: 'insufficient_credits' });
    expect(await balances({ ...account, mode: 'test' })).toEqual(['50', '0', '0']);
  });

  it('refuses negative amounts', async () => {
    const { account, keyId } = await makeAccount('1');
    await expect(db.inTransaction((tx) => ledger.grant(tx, account, -1n))).rejects.toThrow(RangeError);
    await expect(
      db.inTransaction((tx) => ledger.hold(tx, { account, keyId, amount: -1n, subject: { kind: 'video', id: 'v' } })),
    ).rejects.toThrow(RangeError);
    const id = await hold(account, keyId, '0.5');
    await expect(db.inTransaction((tx) => ledger.capture(tx, id, -1n))).rejects.toThrow();
    await expect(db.inTransaction((tx) => ledger.extend(tx, id, -1n))).rejects.toThrow(RangeError);
    await expect(db.inTransaction((tx) => ledger.reduce(tx, id, -1n))).rejects.toThrow(RangeError);
    expect(await balances(account)).toEqual(['0.5', '0.5', '0']);
  });
}
