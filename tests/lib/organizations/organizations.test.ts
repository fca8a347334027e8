import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActivePerson } from '../../../lib/accounts/accounts';
import { presentPerson } from '../../../lib/accounts/sign-in';
import { createLedger } from '../../../lib/billing/ledger';
import type { Database } from '../../../lib/db/database';
import { findPerson } from '../../../lib/db/people';
import { codeOf } from '../../../lib/domain/errors';
import { newId, type UserId } from '../../../lib/domain/ids';
import { createOrganizations } from '../../../lib/organizations/organizations';
import { openTestDatabase } from '../../support/database';
import { handClock, makeAccounts, makeOrganization, sealer } from '../accounts/make-accounts';

const clock = handClock();
let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const make = () => {
  const { accounts } = makeAccounts(db, clock);
  return {
    accounts,
    organizations: createOrganizations({ db, clock, ledger: createLedger({ clock }), sealer, accounts }),
  };
};

async function personOf(userId: UserId): Promise<ActivePerson> {
  const person = await findPerson(db, userId);
  const signInId = newId('signIn');
  return { ...presentPerson(person!), signInId, signInOrigin: signInId, signedInAtMs: clock.nowMs() };
}

describe('a person', () => {
  test('creates a second organisation, owns it, and sees both', async () => {
    const { accounts, organizations } = make();
    const { orgId, userId } = await makeOrganization(db, clock);
    clock.pass(1_000);
    const made = await organizations.create(await personOf(userId), { name: '  Second  ' });
    expect(made).toMatchObject({ object: 'organization', name: 'Second', role: 'owner', deletes_at: null });
    expect(organizations.list(await personOf(userId)).data).toMatchObject([
      { id: orgId, name: 'Example', role: 'owner', suspended: false },
      { id: made.id, name: 'Second', role: 'owner' },
    ]);
    expect(await accounts.credits({ orgId: made.id, mode: 'test' })).toMatchObject({ available: '1000' });
    expect(await accounts.credits({ orgId: made.id, mode: 'live' })).toMatchObject({ available: '0' });
  });

  test('of no organisation can create one', async () => {
    const { organizations } = make();
    const { userId } = await makeOrganization(db, clock);
    await db.query('delete from members where user_id = $1', [userId]);
    const person = await personOf(userId);
    expect(organizations.list(person).data).toEqual([]);
    await organizations.create(person, { name: 'Again' });
    expect(organizations.list(await personOf(userId)).data).toMatchObject([{ name: 'Again', role: 'owner' }]);
  });

  test('owns at most 20, also if they ask for many at once', async () => {
    const { organizations } = make();
    const { userId } = await makeOrganization(db, clock);
    const person = await personOf(userId);
    const outcomes = await Promise.all(
      Array.from({ length: 21 }, (_, index) =>
        organizations.create(person, { name: `Number ${index}` }).then(() => 'made', codeOf),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(19);
    expect(new Set(outcomes)).toEqual(new Set(['made', 'unsupported_value']));
  });

  test.each([{}, { name: '' }, { name: 'a'.repeat(101) }, { name: 'line\nbreak' }, { name: 'x', role: 'owner' }])(
    'creates none with the body %j',
    async (body) => {
      const { organizations } = make();
      const { userId } = await makeOrganization(db, clock);
      await expect(organizations.create(await personOf(userId), body)).rejects.toMatchObject({ name: 'GatewayError' });
      expect((await personOf(userId)).memberships).toHaveLength(1);
    },
  );
});
