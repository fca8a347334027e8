import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditPageJson } from '../../../lib/contract/audit';
import type { Actor, Caller } from '../../../lib/domain/caller';
import type { GatewayError } from '../../../lib/domain/errors';
import { newId, type OrgId } from '../../../lib/domain/ids';
import { parseUsd } from '../../../lib/domain/money';
import { makeGateway, type TestGateway } from '../../support/gateway';
import { embeddedToo } from '../../support/postgres';
import { runPostgres } from '../../support/run-postgres';
import { createWork } from '../../support/work';

const postgres = runPostgres();
afterAll(() => postgres?.close());

describe('on the embedded database', embeddedToo(postgres), () => suite(() => makeGateway({ embedded: true })));
describe.skipIf(!postgres)('on Postgres', () =>
  suite(async () => makeGateway({ databaseUrl: await postgres!.createDatabase() })),
);

function suite(open: () => Promise<TestGateway>): void {
  let test: TestGateway;
  let orgId: OrgId;
  beforeAll(async () => {
    test = await open();
    orgId = (await test.caller('live')).orgId;
  });
  // Closing checks the books.
  afterAll(() => test.close());

  let references = 0;
  const body = (change: Readonly<Record<string, unknown>> = {}) => ({
    kind: 'grant',
    mode: 'live',
    amount: '1.00',
    reference: `reference-${(references += 1)}`,
    reason: 'A test',
    organization: orgId,
    ...change,
  });
  const transfer = (change?: Readonly<Record<string, unknown>>) => test.gateway.operator.transfer(body(change));
  const refused = (change?: Readonly<Record<string, unknown>>) =>
    transfer(change).then(
      () => undefined,
      (error: unknown) => error as GatewayError,
    );
  const credits = async (organization = orgId) => {
    const { available, held, spent } = await test.gateway.accounts.credits({ orgId: organization, mode: 'live' });
    return [available, held, spent];
  };
  const auditOf = (organization: OrgId): Promise<AuditPageJson> =>
    test.gateway.auditLog.list({ orgId: organization, role: 'owner' } as Actor, {}, { limit: 100 });

  /** A new organisation with $25 of live credits, and its caller. */
  async function makeOrganization(): Promise<Caller> {
    const { live } = await test.makeOrganization(newId('org'));
    return test.gateway.accounts.authenticate({ authorization: `Bearer ${live}` }, '127.0.0.1');
  }

  async function makeVideo(caller: Caller): Promise<string> {
    const { id } = await test.gateway.videos.submit(caller, {
      body: { model: 'sandbox-t2v', prompt: 'A boat', seconds: 5, size: '640x360', fps: 8 },
      textOnly: false,
      requestId: newId('request'),
      automaticRetry: false,
    } as never);
    await expect
      .poll(
        async () => {
          await test.pass(1_000);
          return (await test.gateway.videos.get(caller, id)).video.status;
        },
        { timeout: 50_000 },
      )
      .toBe('completed');
    return id;
  }

  it('a grant adds credits once for its reference, and answers a repetition with the first result', async () => {
    const caller = await makeOrganization();
    const request = body({ organization: caller.orgId, amount: '7.50', reference: 'invoice-17' });
    const first = await test.gateway.operator.transfer(request);
    expect(first).toMatchObject({
      replayed: false,
      transfer: {
        object: 'credit_transfer',
        organization: caller.orgId,
        mode: 'live',
        kind: 'grant',
        amount: '7.5',
        available: '32.5',
        reference: 'invoice-17',
        reason: 'A test',
        subject: null,
      },
    });
    await transfer({ organization: caller.orgId, amount: '1' });
    expect(await test.gateway.operator.transfer(request)).toEqual({ ...first, replayed: true });
    expect(await credits(caller.orgId)).toEqual(['33.5', '0', '0']);
  });

  it('refuses a reference that was used for something else, in the same account only', async () => {
    const caller = await makeOrganization();
    const reference = 'used';
    await transfer({ organization: caller.orgId, reference });
    for (const change of [{ amount: '2' }, { kind: 'adjust' }, { reason: 'Another' }]) {
      expect(await refused({ organization: caller.orgId, reference, ...change })).toMatchObject({
        code: 'reference_reused',
        extra: { param: 'reference' },
      });
    }
    expect(await transfer({ organization: caller.orgId, reference, mode: 'test' })).toMatchObject({ replayed: false });
    expect(await transfer({ reference })).toMatchObject({ replayed: false });
    expect(await credits(caller.orgId)).toEqual(['26', '0', '0']);
  });

  it('twenty of one reference at the same time transfer once', async () => {
    const caller = await makeOrganization();
    const request = body({ organization: caller.orgId, amount: '3' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => test.gateway.operator.transfer(request)));
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.transfer.id)).size).toBe(1);
    expect(await credits(caller.orgId)).toEqual(['28', '0', '0']);
  });

  it('an adjustment has either sign, and never takes more than is available', async () => {
    const caller = await makeOrganization();
    expect(await transfer({ organization: caller.orgId, kind: 'adjust', amount: '0.000000001' })).toMatchObject({
      transfer: { amount: '0.000000001', available: '25.000000001' },
    });
    expect(await transfer({ organization: caller.orgId, kind: 'adjust', amount: '-5.000000001' })).toMatchObject({
      transfer: { amount: '-5.000000001', available: '20' },
    });
    expect(await refused({ organization: caller.orgId, kind: 'adjust', amount: '-20.01' })).toMatchObject({
      code: 'balance_too_low',
      message: 'The live account has $20 available, so $20.01 cannot be taken from it. Take at most what is available.',
      extra: { details: { available: '20', held: '0' } },
    });
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, () => refused({ organization: caller.orgId, kind: 'adjust', amount: '-3' })),
    );
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(6);
    expect(await credits(caller.orgId)).toEqual(['2', '0', '0']);
  });

  it('refunds a video up to its charge, and no more at any concurrency', async () => {
    const caller = await makeOrganization();
    const id = await makeVideo(caller);
    expect(await credits(caller.orgId)).toEqual(['24.95', '0', '0.05']);
    const refund = { organization: caller.orgId, kind: 'refund', subject: id };
    expect(await refused({ ...refund, amount: '0.06' })).toMatchObject({
      code: 'refund_exceeds_charge',
      message: `${id} was charged $0.05, and $0 of it was refunded. Refund at most $0.05.`,
    });
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => refused({ ...refund, amount: '0.02' })));
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(2);
    expect(outcomes.find((outcome) => outcome !== undefined)).toMatchObject({
      code: 'refund_exceeds_charge',
      extra: { details: { charged: '0.05', refunded: '0.04' } },
    });
    expect(await credits(caller.orgId)).toEqual(['24.99', '0', '0.01']);

    const { price } = await test.gateway.videos.details({ orgId: caller.orgId, mode: 'live' }, id);
    expect(price.ledger.filter(({ kind }) => kind === 'refund')).toEqual([
      expect.objectContaining({ available: '0.02', held: '0', charged: '-0.02' }),
      expect.objectContaining({ available: '0.02', held: '0', charged: '-0.02' }),
    ]);
    const { spent } = await test.gateway.activity.read({ orgId: caller.orgId, mode: 'live' });
    expect([spent.today, spent.last_30_days]).toEqual(['0.01', '0.01']);
  });

  it('without a subject refunds at most what the account was charged', async () => {
    const caller = await makeOrganization();
    expect(await refused({ organization: caller.orgId, kind: 'refund', amount: '0.01' })).toMatchObject({
      code: 'refund_exceeds_charge',
      extra: { details: { spent: '0' } },
    });
    const id = await makeVideo(caller);
    await transfer({ organization: caller.orgId, kind: 'refund', amount: '0.05' });
    // A full refund leaves nothing for partial refunds.
    expect(await refused({ organization: caller.orgId, kind: 'refund', amount: '0.05', subject: id })).toMatchObject({
      code: 'refund_exceeds_charge',
    });
    expect(await credits(caller.orgId)).toEqual(['25', '0', '0']);
  });

  it('refunds messages and audio sessions, and a generation by its session', async () => {
    const caller = await makeOrganization();
    const work = createWork({ db: test.db, clock: test.gateway.clock });
    const sessionId = newId('session');
    const [message] = await work.messages(caller, [parseUsd('0.5')]);
    const first = await work.audio(caller, parseUsd('0.25'), { sessionId });
    await work.audio(caller, parseUsd('0.15'), { sessionId });
    const refund = { organization: caller.orgId, kind: 'refund' };
    expect(await transfer({ ...refund, subject: message, amount: '0.5' })).toMatchObject({
      transfer: { subject: message },
    });
    expect(await refused({ ...refund, subject: message, amount: '0.1' })).toMatchObject({
      code: 'refund_exceeds_charge',
    });
    expect(await transfer({ ...refund, subject: first, amount: '0.3' })).toMatchObject({
      transfer: { subject: sessionId },
    });
    expect(await refused({ ...refund, subject: sessionId, amount: '0.11' })).toMatchObject({
      code: 'refund_exceeds_charge',
    });
    expect(await transfer({ ...refund, subject: sessionId, amount: '0.1' })).toMatchObject({ replayed: false });
    expect(await credits(caller.orgId)).toEqual(['25', '0', '0']);
  });

  it('does not find the work of another organisation or mode', async () => {
    const [mine, theirs] = [await makeOrganization(), await makeOrganization()];
    const id = await makeVideo(theirs);
    const refund = { kind: 'refund', amount: '0.01' };
    const answers = await Promise.all(
      [
        { organization: mine.orgId, subject: id },
        { organization: theirs.orgId, mode: 'test', subject: id },
        { organization: mine.orgId, subject: newId('video') },
        { organization: mine.orgId, subject: newId('session') },
        { organization: mine.orgId, subject: 'msg_nothing' },
        { organization: mine.orgId, subject: "'; drop table accounts; --" },
      ].map((change) => refused({ ...refund, ...change })),
    );
    expect(answers.map((answer) => answer?.code)).toEqual(answers.map(() => 'charge_not_found'));
    // Exactly the answer for a missing one.
    expect(answers[0]?.message).toBe(answers[2]?.message);
  });

  it('is in the audit log of that organisation alone, and in its list of transfers', async () => {
    const caller = await makeOrganization();
    const made = [
      await transfer({ organization: caller.orgId, amount: '1000.5', reason: 'Invoice 7, $0.5 each' }),
      await transfer({ organization: caller.orgId, kind: 'adjust', amount: '-0.000000001' }),
    ].map((answer) => answer.transfer);
    await refused({ organization: caller.orgId, kind: 'adjust', amount: '-5000' });
    const entries = (await auditOf(caller.orgId)).data.map(({ actor, action, target, detail }) => ({
      actor,
      action,
      target,
      detail,
    }));
    expect(entries).toHaveLength(2);
    expect(entries).toEqual(
      expect.arrayContaining([
        {
          actor: { type: 'operator' },
          action: 'credits.granted',
          target: made[0]?.id,
          detail: 'live $1,000.50: Invoice 7, $0.5 each',
        },
        {
          actor: { type: 'operator' },
          action: 'credits.adjusted',
          target: made[1]?.id,
          detail: 'live −$0.000000001: A test',
        },
      ]),
    );
    expect(JSON.stringify(await auditOf(orgId))).not.toContain(made[0]?.id);
    const page = await test.gateway.operator.listTransfers({ organization: caller.orgId, mode: 'live', limit: 100 });
    expect(page.data.toSorted(byId)).toEqual(made.toSorted(byId));
    expect(await test.gateway.creditTransfers.list({ orgId: caller.orgId, mode: 'test' }, { limit: 100 })).toEqual({
      object: 'list',
      data: [],
      has_more: false,
    });
  });

  it('lists transfers and organisations page by page, each once', async () => {
    const caller = await makeOrganization();
    for (let n = 0; n < 5; n += 1) await transfer({ organization: caller.orgId });
    const list = (after?: string) =>
      test.gateway.operator.listTransfers({ organization: caller.orgId, mode: 'live', limit: 2, after });
    const first = await list();
    const second = await list(first.data.at(-1)?.id);
    const third = await list(second.data.at(-1)?.id);
    expect([first.has_more, second.has_more, third.has_more]).toEqual([true, true, false]);
    expect(new Set([...first.data, ...second.data, ...third.data].map(({ id }) => id)).size).toBe(5);
    await expect(list(newId('transfer'))).rejects.toMatchObject({
      code: 'unsupported_value',
      extra: { param: 'after' },
    });

    const all = await test.gateway.operator.listOrganizations({ limit: 100 });
    expect(all.data.find(({ id }) => id === caller.orgId)).toMatchObject({
      object: 'organization',
      suspended: false,
      credits: { live: { available: '30', held: '0', spent: '0' }, test: { available: '1000' } },
    });
    const seen: string[] = [];
    for (let more = true; more;) {
      const page = await test.gateway.operator.listOrganizations({ limit: 1, after: seen.at(-1) });
      seen.push(...page.data.map(({ id }) => id));
      more = page.has_more;
    }
    expect(seen).toEqual(all.data.map(({ id }) => id));
    await expect(test.gateway.operator.listOrganizations({ limit: 1, after: 'org_0' })).rejects.toMatchObject({
      code: 'unsupported_value',
    });
  });

  it('requires an organisation when there are several, and accepts only those that exist', async () => {
    await makeOrganization();
    expect(await refused({ organization: undefined })).toMatchObject({
      code: 'missing_required_parameter',
      extra: { param: 'organization' },
    });
    for (const organization of [newId('org'), 'org_1', ''])
      expect(await refused({ organization })).toMatchObject({ code: 'organization_not_found' });
  });

  it.each([
    ['amount', 1],
    ['amount', '0'],
    ['amount', '0.0000000001'],
    ['amount', '1e3'],
    ['amount', '--1'],
    ['amount', '+1'],
    ['amount', '-1'],
    ['amount', '1000000.01'],
    ['amount', undefined],
    ['mode', 'both'],
    ['mode', undefined],
    ['kind', 'hold'],
    ['reference', ''],
    ['reference', 'x'.repeat(201)],
    ['reference', 'a\u0000b'],
    ['reference', undefined],
    ['reason', ' '],
    ['reason', 'x'.repeat(501)],
    ['reason', undefined],
    ['subject', 'video_1'],
    ['note', 'x'],
  ])('refuses %s: %j, and moves nothing', async (param, value) => {
    const before = await credits();
    const error = await refused({ [param]: value });
    expect(error?.extra.param).toBe(param);
    expect(error?.message).toContain(param);
    expect(await credits()).toEqual(before);
  });
}

const byId = (one: { readonly id: string }, other: { readonly id: string }) => (one.id < other.id ? -1 : 1);

describe('of an installation with one organisation', () => {
  it('needs no organisation, and a key that the operator makes belongs to it', async () => {
    const test = await makeGateway();
    try {
      const { operator, accounts, auditLog } = test.gateway;
      const { orgId } = await test.caller('live');
      const { transfer } = await operator.transfer({
        kind: 'grant',
        mode: 'live',
        amount: '5',
        reference: 'r',
        reason: 'A test',
      });
      expect(transfer).toMatchObject({ organization: orgId, available: '30' });
      const made = await operator.createKey({ name: 'First', mode: 'live', scopes: ['inference', 'manage'] });
      const caller = await accounts.authenticate({ authorization: `Bearer ${made.key}` }, '127.0.0.1');
      expect(caller).toMatchObject({ orgId, mode: 'live', policy: { scopes: ['inference', 'manage'] } });
      expect(made).toMatchObject({ created_by: null });
      const log = await auditLog.list({ orgId, role: 'owner' }, {}, { limit: 50 });
      expect(log.data).toContainEqual(
        expect.objectContaining({ action: 'key.created', target: made.id, actor: { type: 'operator' } }),
      );
      await expect(operator.createKey({ name: '', mode: 'live' })).rejects.toMatchObject({ extra: { param: 'name' } });
    } finally {
      await test.close();
    }
  });
});
