import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inOrganization } from '../../../lib/accounts/accounts';
import { codeOf } from '../../../lib/domain/errors';
import type { Actor } from '../../../lib/domain/caller';
import { checkBooks } from '../../../lib/db/check-books';
import { insertContent } from '../../../lib/db/kept-contents';
import { makeGateway, type TestGateway } from '../../support/gateway';
import { keepHouse } from '../../support/housekeeping';
import { refuseManyRows } from '../../support/many-rows';
import { findSignedIn } from '../../support/signed-in';

const DAY_MS = 86_400_000;
let test_: TestGateway;
let owner: Actor;
beforeAll(async () => {
  test_ = await makeGateway();
  const { accounts } = test_.gateway;
  const { email, password } = test_.firstRun.owner;
  const person = await accounts.verifyPassword(email, password);
  if (!person) throw new Error('The owner could not sign in.');
  owner = await findSignedIn(accounts, await accounts.beginSignIn(person));
});
afterAll(() => test_.close());

const count = async (table: string) => {
  const { rows } = await test_.db.query(`select count(*)::int as rows from ${table} where org_id = $1`, [owner.orgId]);
  return rows[0]?.rows;
};
const clean = () => keepHouse({ db: test_.db, clock: test_.clock, log: test_.log });

describe('an organisation that its owner deletes', () => {
  test('is kept for seven days and while something of it runs, then erased; its books stay', async () => {
    const { gateway, db, clock } = test_;
    const caller = await test_.caller('test');
    const submit = () =>
      gateway.videos.submit(caller, {
        body: { model: 'sandbox-t2v', prompt: 'A secret boat', seconds: 1 },
        textOnly: false,
        requestId: 'req_1',
        automaticRetry: false,
      });
    const finished = await submit();
    await gateway.videos.cancel(caller, finished.id);
    await gateway.invitations.create(owner, { role: 'viewer', email: 'grace@example.com' });
    await gateway.alerts.create(owner, 'live', { kind: 'low_balance', amount: '5.00' });
    await gateway.organizationSettings.update(owner, { keep_messages_days: 30, keep_speech_days: 30 });
    const kept = { request: '{}', answer: null, expiresAt: new Date(clock.nowMs() + 30 * DAY_MS) };
    await insertContent(db, 'message', owner.orgId, 'msg_1', kept);
    await insertContent(db, 'session', owner.orgId, 'ctx_1', kept);
    for (const [table, columns, values] of [
      ['webhook_deliveries', 'id, mode, video_id, event, url, state', `id, 'test', id, 'video.failed', '', 'failed'`],
      ['message_contents', 'message_id, expires_at', `id, '2100-01-01'`],
      ['session_contents', 'meter_id, expires_at', `id, '2100-01-01'`],
    ] as const)
      await db.query(
        `insert into ${table} (org_id, ${columns})
         select $1, ${values} from (select 'many_' || n as id from generate_series(1, 2500) as n) as many`,
        [owner.orgId],
      );
    await test_.makeOrganization('Elsewhere');
    await gateway.organizationSettings.requestDeletion(owner, { name: 'My organisation' });

    await clock.advance(7 * DAY_MS - 1_000);
    await clean();
    const tables = ['members', 'invitations', 'message_contents', 'session_contents'];
    expect(await Promise.all(tables.map(count))).toEqual([1, 1, 2_501, 2_501]);
    for (const table of ['webhook_deliveries', 'message_contents', 'session_contents'])
      await refuseManyRows(db, table, 'delete', 1_000);

    // Its credits are held, as by a video that still runs.
    const { rows: holds } = await db.query('select id from holds where org_id = $1 limit 1', [owner.orgId]);
    await db.query("update videos set status = 'in_progress', completed_at = null where id = $1", [finished.id]);
    await clock.advance(1_000);
    await clean();
    expect(await count('members')).toBe(1);
    await db.query("update videos set status = 'failed', completed_at = now() where id = $1", [finished.id]);

    await clean();
    for (const table of [
      'members',
      'invitations',
      'alerts',
      'message_contents',
      'session_contents',
      'webhook_endpoints',
      'webhook_deliveries',
    ])
      expect([table, await count(table)]).toEqual([table, 0]);
    const { rows } = await db.query('select name, webhook_secret, erased_at from organizations where id = $1', [
      owner.orgId,
    ]);
    expect(rows).toMatchObject([{ name: 'Deleted organisation', webhook_secret: '' }]);
    expect(rows[0]?.erased_at).not.toBeNull();
    const { rows: contents } = await db.query('select "order", request, deleted_at from videos where id = $1', [
      finished.id,
    ]);
    expect(contents).toMatchObject([{ order: null, request: null }]);
    expect(contents[0]?.deleted_at).not.toBeNull();
    expect(
      JSON.stringify((await db.query('select * from videos where org_id = $1', [owner.orgId])).rows),
    ).not.toContain('A secret boat');
    // What proves the balances.
    expect(holds).toHaveLength(1);
    expect(await count('holds')).toBe(1);
    expect(await count('ledger_entries')).toBeGreaterThan(0);
    expect(await checkBooks(db)).toEqual([]);
  });

  test('has no working key, no member, and no trace in the console of the person who was its owner', async () => {
    const { gateway, firstRun } = test_;
    await test_.clock.advance(5_000);
    const key = gateway.accounts.authenticate({ authorization: `Bearer ${firstRun.keys.live}` }, '127.0.0.1');
    expect(await key.catch(codeOf)).toBe('revoked_api_key');
    const person = await gateway.accounts.verifyPassword(firstRun.owner.email, firstRun.owner.password);
    expect(person?.memberships).toEqual([]);
    const signedIn = await gateway.accounts.findSignIn(await gateway.accounts.beginSignIn(person!));
    expect(inOrganization(signedIn!)).toBeUndefined();
  });

  test('leaves another organisation as it is', async () => {
    const { rows } = await test_.db.query("select name, erased_at from organizations where name = 'Elsewhere'");
    expect(rows).toEqual([{ name: 'Elsewhere', erased_at: null }]);
  });
});

test('every organisation that is due is erased in one round, except one that the database refuses', async () => {
  const { db, clock } = test_;
  await db.query(
    `insert into organizations (id, name, webhook_secret, created_at, deletes_at)
     select 'org_due_' || n, 'Due ' || n, '', now(), $1::timestamptz + n * interval '1 second' from generate_series(1, 45) as n`,
    [new Date(clock.nowMs() - DAY_MS)],
  );
  await db.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`);
  await db.query(
    `create trigger refuse before update on organizations for each row when (new.id = 'org_due_2') execute function refuse()`,
  );
  await clean();
  const { rows } = await db.query(`select id from organizations where id like 'org_due_%' and erased_at is null`);
  expect(rows).toEqual([{ id: 'org_due_2' }]);
  await db.query('drop function refuse cascade');
  await clean();
  const { rows: left } = await db.query(`select id from organizations where id like 'org_due_%' and erased_at is null`);
  expect(left).toEqual([]);
});
