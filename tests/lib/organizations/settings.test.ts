import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../lib/db/database';
import type { Actor } from '../../../lib/domain/caller';
import { codeOf } from '../../../lib/domain/errors';
import { newId } from '../../../lib/domain/ids';
import { createOrganizationSettings } from '../../../lib/organizations/settings';
import { openTestDatabase } from '../../support/database';
import { refuseManyRows } from '../../support/many-rows';
import { handClock, makeAccounts, makeMember, makeOrganization } from '../accounts/make-accounts';

const DAY_MS = 86_400_000;
const clock = handClock();
let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

async function scene() {
  const { accounts } = makeAccounts(db, clock);
  const { orgId, owner } = await makeOrganization(db, clock);
  return {
    orgId,
    owner,
    accounts,
    admin: await makeMember(db, clock, orgId, 'admin'),
    developer: await makeMember(db, clock, orgId, 'developer'),
    settings: createOrganizationSettings({ db, clock, accounts }),
  };
}
const refused = (work: Promise<unknown>) => work.then(() => 'done', codeOf);

describe('the settings', () => {
  test('are read by every member and changed by admins', async () => {
    const { settings, admin, developer, orgId } = await scene();
    expect(await settings.read(developer)).toEqual({
      id: orgId,
      object: 'organization_settings',
      name: 'Example',
      replay_retries: true,
      keep_messages_days: null,
      keep_speech_days: null,
      suspended: false,
      deletes_at: null,
      created_at: clock.nowMs() / 1000,
    });
    const { changes } = await settings.update(admin, {
      name: ' Engines ',
      replay_retries: false,
      keep_messages_days: 30,
      keep_speech_days: 90,
    });
    expect(changes).toEqual([
      'name: Example → Engines',
      'replay_retries: false',
      'keep_messages_days: 30',
      'keep_speech_days: 90',
    ]);
    expect(await settings.read(developer)).toMatchObject({
      name: 'Engines',
      replay_retries: false,
      keep_messages_days: 30,
      keep_speech_days: 90,
    });
    expect((await settings.update(admin, { name: 'Engines' })).changes).toEqual([]);
    expect(await refused(settings.update(developer, { nonsense: 1 }))).toBe('role_required');
  });

  test.each([
    { name: '' },
    { name: 'a'.repeat(101) },
    { replay_retries: 'yes' },
    { keep_messages_days: 0 },
    { keep_speech_days: 91 },
    { owner: 'me' },
  ])('are not changed by the body %j', async (body) => {
    const { settings, admin } = await scene();
    const before = await settings.read(admin);
    expect(await refused(settings.update(admin, body))).not.toBe('done');
    expect(await settings.read(admin)).toEqual(before);
  });

  test.each(['message', 'session'] as const)(
    'erase what was kept of each %s when it is not kept any more, in small steps',
    async (kind) => {
      const { settings, admin, developer, orgId } = await scene();
      const { orgId: other } = await scene();
      const [table, id, setting] =
        kind === 'message'
          ? (['message_contents', 'message_id', 'keep_messages_days'] as const)
          : (['session_contents', 'meter_id', 'keep_speech_days'] as const);
      await settings.update(admin, { [setting]: 30 });
      for (const owner of [orgId, other])
        await db.query(
          `insert into ${table} (${id}, org_id, request, expires_at)
           select $1 || n, $1, '{}', now() + interval '30 days' from generate_series(1, 2500) as n`,
          [owner],
        );
      const counts = async () =>
        (await db.query(`select org_id, count(*)::int as n from ${table} group by org_id`)).rows.map(
          ({ org_id: of, n }) => [of, n],
        );
      const all = [
        [orgId, 2_500],
        [other, 2_500],
      ];
      await refuseManyRows(db, table, 'delete', 1_000);
      try {
        expect(await refused(settings.update(developer, { [setting]: null }))).toBe('role_required');
        expect(new Set(await counts())).toEqual(new Set(all));
        await settings.update(admin, { [setting]: null });
        expect(await counts()).toEqual([[other, 2_500]]);
      } finally {
        await db.query(`drop trigger few_rows on ${table}`);
        await db.query(`delete from ${table}`);
      }
    },
  );
});

describe('the deletion', () => {
  test('is for owners, with the exact name, and leaves seven days to restore', async () => {
    const { settings, owner, admin, orgId } = await scene();
    const key: Actor = { orgId, role: 'admin', keyId: newId('key') };
    for (const actor of [admin, key]) {
      expect(await refused(settings.requestDeletion(actor, { name: 'Example' }))).toBe('role_required');
      expect(await refused(settings.restore(actor))).toBe('role_required');
    }
    for (const name of ['', 'example', 'Example!'])
      expect(await refused(settings.requestDeletion(owner, { name }))).toBe('unsupported_value');
    expect(await refused(settings.restore(owner))).toBe('organization_deleting');

    const { deletes_at: deletesAt } = await settings.requestDeletion(owner, { name: 'Example' });
    expect(deletesAt).toBe((clock.nowMs() + 7 * DAY_MS) / 1000);
    expect(await refused(settings.requestDeletion(owner, { name: 'Example' }))).toBe('organization_deleting');
    expect(await settings.restore(owner)).toMatchObject({ deletes_at: null });
  });

  test('refuses the keys of the organisation at once, until it is restored', async () => {
    const { settings, owner, accounts } = await scene();
    const { key } = await accounts.createKey(owner, { name: 'App', mode: 'live' });
    const ask = () => refused(accounts.authenticate({ authorization: `Bearer ${key}` }, '127.0.0.1'));
    expect(await ask()).toBe('done');
    await settings.requestDeletion(owner, { name: 'Example' });
    expect(await ask()).toBe('organization_suspended');
    await settings.restore(owner);
    expect(await ask()).toBe('done');
  });

  test('cannot be undone when its time is over', async () => {
    const { settings, owner } = await scene();
    await settings.requestDeletion(owner, { name: 'Example' });
    clock.pass(7 * DAY_MS);
    expect(await refused(settings.restore(owner))).toBe('organization_deleting');
  });
});
