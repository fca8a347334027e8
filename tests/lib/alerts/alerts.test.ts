import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alertPeriods } from '../../../lib/alerts/alert-periods';
import { checkAlerts } from '../../../lib/alerts/check-alerts';
import { alertListSchema, type AlertJson } from '../../../lib/contract/alerts';
import { claimCrossings } from '../../../lib/db/alerts';
import type { Database } from '../../../lib/db/database';
import type { Account, Actor } from '../../../lib/domain/caller';
import { parseUsd } from '../../../lib/domain/money';
import { createQueue, type Queue } from '../../../lib/jobs/queue';
import { listJobs } from '../../support/jobs';
import { startMailSink, type MailSink } from '../../support/mail-sink';
import { openDatabaseAt } from '../../support/postgres';
import { runPostgres } from '../../support/run-postgres';
import { transfer } from '../../support/transfer';
import { createWork } from '../../support/work';
import { makeAcme, type Acme } from '../videos/make-acme';

const DAY_MS = 86_400_000;

let sink: MailSink;
let acme: Acme;
let queue: Queue;
let account: Account;
let owner: Actor;
beforeAll(async () => {
  sink = await startMailSink();
  acme = await makeAcme({ env: { SMTP_URL: sink.url, MAIL_FROM: 'patchbay@example.com' } });
  queue = await createQueue({ db: acme.db, clock: acme.clock, log: acme.log, exclusive: false, maintains: false });
  account = { orgId: acme.live.orgId, mode: 'live' };
  owner = { orgId: account.orgId, role: 'owner' };
});
afterAll(async () => {
  await queue.stop(0);
  await acme.close();
  await sink.close();
});

/** What every process does each minute; two of them at once. Returns the e-mails that it caused. */
async function check(): Promise<readonly string[]> {
  const before = sink.mails.length;
  const deps = { db: acme.db, clock: acme.clock, log: acme.log, queue, canMail: true };
  await Promise.all([checkAlerts(deps), checkAlerts(deps)]);
  await checkAlerts(deps);
  await acme.pass(1_000);
  return sink.mails.slice(before).map(({ text }) => text);
}
const create = (kind: AlertJson['kind'], amount: string) => acme.gateway.alerts.create(owner, 'live', { kind, amount });
/** By kind: the clock of the test makes several in the same millisecond. */
const list = async () =>
  alertListSchema
    .parse(await acme.gateway.alerts.list(account))
    .data.toSorted((one, other) => one.kind.localeCompare(other.kind));
const spend = (amount: string) => createWork(acme).messages(acme.live, [parseUsd(amount)]);
/** What the e-mails of the next check say about spending. */
const spentAlerts = async () =>
  (await check())
    .map((mail) => /^\$.* of credits were spent .*(?= \(UTC\))/m.exec(mail)?.[0] ?? mail)
    .toSorted((one, other) => one.localeCompare(other));
const adjust = (amount: string) => transfer(acme, account, { kind: 'adjust', amount });

const postgres = runPostgres();
afterAll(() => postgres?.close());

describe.skipIf(!postgres)('several processes on one Postgres', () => {
  it('announce each crossing once between them', async () => {
    const url = await postgres!.createDatabase();
    const processes = await Promise.all(Array.from({ length: 4 }, () => openDatabaseAt(url)));
    const [first] = processes as [Database, ...Database[]];
    await first.query(`insert into organizations (id, name, webhook_secret) values ('org_1', 'One', 'sealed')`);
    await first.query(`insert into accounts (org_id, mode) values ('org_1', 'live')`);
    await first.query(
      `insert into alerts (id, org_id, mode, kind, amount_nano_usd, created_at)
       select 'alert_' || n, 'org_1', 'live', 'low_balance', n, now() from generate_series(1, 50) n`,
    );
    const now = new Date('2026-11-23T12:00:00Z');
    const claimed = await Promise.all(
      Array.from({ length: 12 }, (_, turn) =>
        processes[turn % processes.length]!.inTransaction((tx) => claimCrossings(tx, alertPeriods(now.getTime()), now)),
      ),
    );
    const ids = claimed.flat().map(({ id }) => id);
    expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
    expect(ids).toHaveLength(50);
    await Promise.all(processes.map((each) => each.close()));
  });
});

describe('alerts', () => {
  it('of a low balance are mailed once, and again only after the balance has recovered', async () => {
    const { id } = await create('low_balance', '20');
    expect(await check()).toEqual([]);
    await adjust('-6');
    const [mail, ...others] = await check();
    expect(others).toEqual([]);
    expect(mail).toContain('$19 of credits are available, which is less than $20.');
    expect(mail).toContain('Subject: Less than $20 of credits left: My organisation');
    expect(await check()).toEqual([]);
    expect(await list()).toMatchObject([{ id, value: '19', crossed: true, announced_at: expect.any(Number) }]);
    await adjust('1');
    expect(await check()).toEqual([]);
    expect(await list()).toMatchObject([{ crossed: false, announced_at: null }]);
    await adjust('-1');
    expect(await check()).toHaveLength(1);
    await acme.gateway.alerts.remove(owner, id);
  });

  it('of spending are mailed once in each day and month', async () => {
    await create('daily_spend', '1');
    await create('monthly_spend', '1.5');
    await spend('0.6');
    expect(await check()).toEqual([]);
    await spend('0.4');
    const [daily, ...others] = await check();
    expect(others).toEqual([]);
    expect(daily).toContain('$1 of credits were spent today (UTC); your alert is at $1.');
    await spend('0.5');
    const [monthly, ...more] = await check();
    expect(more).toEqual([]);
    expect(monthly).toContain('$1.5 of credits were spent this month');
    await acme.pass(DAY_MS);
    expect((await list()).map(({ value, crossed }) => [value, crossed])).toEqual([
      ['0', false],
      ['1.5', true],
    ]);
    await spend('1');
    expect(await check()).toHaveLength(1);
    await acme.pass(10 * DAY_MS);
    await spend('1.5');
    expect(await check()).toHaveLength(2);
  });

  it('of what was spent in the last minute of a day and a month are mailed after it, once', async () => {
    // To the last minute of the month: the spending of the test before it is of this month too.
    const now = acme.clock.now();
    const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2);
    await acme.pass(end - 40_000 - now.getTime());
    expect(await check()).toEqual([]);
    await spend('1.5');
    await acme.pass(60_000);
    const lastDay = new Date(end - 1).toISOString().slice(0, 10);
    expect(await spentAlerts()).toEqual([
      `$1.5 of credits were spent in ${lastDay.slice(0, 7)}`,
      `$1.5 of credits were spent on ${lastDay}`,
    ]);
    await acme.pass(60_000);
    await spend('1.5');
    expect(await spentAlerts()).toEqual(['$1.5 of credits were spent this month', '$1.5 of credits were spent today']);
  });

  it('with a changed amount can be mailed again', async () => {
    const [daily] = await list();
    expect(await check()).toEqual([]);
    const changed = await acme.gateway.alerts.update(owner, daily!.id, { amount: '1.25' });
    expect(changed).toMatchObject({ amount: '1.25', crossed: true, announced_at: null });
    expect(await check()).toHaveLength(1);
  });

  it('are mailed later when the mail server is away', async () => {
    await sink.close();
    await create('daily_spend', '0.5');
    expect(await check()).toEqual([]);
    const mails = (await listJobs(acme.db)).filter(({ kind }) => kind === 'alert.mail');
    expect(mails).toMatchObject([{ state: 'waiting' }]);
    const { port } = new URL(sink.url);
    sink = await startMailSink(Number(port));
    await acme.pass(10_000);
    expect(sink.mails).toHaveLength(1);
  });

  it('are refused twice with one amount, beyond twenty, and for developers, and are the same for strangers as missing ones', async () => {
    const code = (error: string) => ({ code: error });
    await expect(create('daily_spend', '0.5')).rejects.toMatchObject(code('unsupported_value'));
    await expect(create('daily_spend', '0')).rejects.toMatchObject(code('unsupported_value'));
    await expect(create('daily_spend', 'x')).rejects.toMatchObject(code('unsupported_value'));
    for (const role of ['viewer', 'developer'] as const)
      await expect(
        acme.gateway.alerts.create({ ...owner, role }, 'live', { kind: 'low_balance', amount: '3' }),
      ).rejects.toMatchObject(code('role_required'));
    const [{ id }] = (await list()) as [AlertJson];
    const stranger: Actor = { orgId: (await acme.stranger('Neighbours')).orgId, role: 'owner' };
    await expect(acme.gateway.alerts.update(stranger, id, { amount: '9' })).rejects.toMatchObject(
      code('alert_not_found'),
    );
    await expect(acme.gateway.alerts.remove(stranger, id)).rejects.toMatchObject(code('alert_not_found'));
    expect(await acme.gateway.alerts.list({ ...account, orgId: stranger.orgId })).toMatchObject({ data: [] });
    for (let count = (await list()).length; count < 20; count += 1) await create('low_balance', `0.0${count}`);
    await expect(create('low_balance', '0.5')).rejects.toMatchObject(code('unsupported_value'));
  });
});
