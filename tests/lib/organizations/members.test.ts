import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../lib/db/database';
import type { Actor, Role } from '../../../lib/domain/caller';
import { codeOf } from '../../../lib/domain/errors';
import { newId, type UserId } from '../../../lib/domain/ids';
import { createMembers, type Members } from '../../../lib/organizations/members';
import { openTestDatabase } from '../../support/database';
import { openDatabaseAt } from '../../support/postgres';
import { runPostgres } from '../../support/run-postgres';
import { handClock, makeMember, makeOrganization } from '../accounts/make-accounts';

const clock = handClock();
let db: Database;
let forgotten: UserId[];
let members: Members;

const membersOf = (database: Database) =>
  createMembers({ db: database, accounts: { forgetPerson: (id) => void forgotten.push(id) } });

beforeAll(async () => {
  db = await openTestDatabase();
  forgotten = [];
  members = membersOf(db);
});
afterAll(() => db.close());

const refused = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => codeOf(error),
  );

/** An organisation with a member of each role. */
async function scene(database = db) {
  const { orgId, owner, userId } = await makeOrganization(database, clock);
  const join = (role: Role) => makeMember(database, clock, orgId, role);
  return {
    orgId,
    owner: { ...owner, userId },
    admin: await join('admin'),
    developer: await join('developer'),
    viewer: await join('viewer'),
    join,
  };
}

async function rolesOf({ orgId }: Pick<Actor, 'orgId'>, of = members): Promise<Record<string, Role>> {
  const { data } = await of.list({ orgId, role: 'viewer' });
  return Object.fromEntries(data.map(({ id, role }) => [id, role]));
}

describe('the list', () => {
  test('has every member with role, address and times, the first one first, and no member of another organisation', async () => {
    const { orgId, owner, viewer } = await scene();
    await makeOrganization(db, clock);
    await db.query('update members set last_seen_at = $2 where user_id = $1', [
      viewer.userId,
      new Date('2026-11-18T11:00:00Z').toISOString(),
    ]);
    const { data } = await members.list({ orgId, role: 'viewer' });
    expect(data).toHaveLength(4);
    const byId = (id: string) => data.find((each) => each.id === id);
    expect(byId(owner.userId)).toMatchObject({ object: 'member', role: 'owner', name: null, last_seen_at: null });
    expect(byId(viewer.userId)).toMatchObject({
      email: `${viewer.userId}@example.com`,
      joined_at: clock.nowMs() / 1000,
      last_seen_at: Date.parse('2026-11-18T11:00:00Z') / 1000,
    });
  });
});

describe('a change of the role', () => {
  test('by an admin works for everyone but owners', async () => {
    const { owner, admin, developer, viewer } = await scene();
    const { member, formerRole } = await members.changeRole(admin, viewer.userId, { role: 'admin' });
    expect([member.role, formerRole]).toEqual(['admin', 'viewer']);
    expect(await refused(members.changeRole(admin, owner.userId, { role: 'viewer' }))).toBe('role_required');
    expect(await refused(members.changeRole(admin, developer.userId, { role: 'owner' }))).toBe('role_required');
    expect(await rolesOf(owner)).toMatchObject({
      [owner.userId]: 'owner',
      [viewer.userId]: 'admin',
      [developer.userId]: 'developer',
    });
  });

  test('makes this process read the memberships of the person again', async () => {
    const { admin, viewer } = await scene();
    forgotten.length = 0;
    await members.changeRole(admin, viewer.userId, { role: 'developer' });
    expect(forgotten).toContain(viewer.userId);
  });

  test('is judged by the role that the actor has in the database, not by a remembered one', async () => {
    const { owner, admin, viewer, developer } = await scene();
    await members.changeRole(owner, admin.userId, { role: 'developer' });
    expect(await refused(members.changeRole(admin, viewer.userId, { role: 'admin' }))).toBe('role_required');
    await members.remove(owner, admin.userId);
    expect(await refused(members.remove(admin, developer.userId))).toBe('not_a_member');
  });

  test('by a key works as for an admin', async () => {
    const { orgId, owner, viewer } = await scene();
    const key: Actor = { orgId, role: 'admin', keyId: newId('key') };
    expect((await members.changeRole(key, viewer.userId, { role: 'developer' })).member.role).toBe('developer');
    expect(await refused(members.changeRole(key, owner.userId, { role: 'admin' }))).toBe('role_required');
    expect(await refused(members.leave(key))).toBe('role_required');
    expect(await refused(members.transferOwnership(key, viewer.userId))).toBe('role_required');
  });

  test.each(['developer', 'viewer'] as const)('is refused to a %s, before the body is read', async (role) => {
    const made = await scene();
    const actor = made[role];
    expect(await refused(members.changeRole(actor, made.viewer.userId, { nonsense: 1 }))).toBe('role_required');
    expect(await refused(members.remove(actor, made.viewer.userId))).toBe('role_required');
  });

  test('refuses an unknown role, an unknown member and one of another organisation alike', async () => {
    const { owner } = await scene();
    const elsewhere = await scene();
    expect(await refused(members.changeRole(owner, owner.userId, { role: 'root' }))).toBe('unsupported_value');
    for (const id of [newId('user'), elsewhere.viewer.userId, 'user_1', "' or 1=1"]) {
      expect(await refused(members.changeRole(owner, id, { role: 'admin' }))).toBe('member_not_found');
      expect(await refused(members.remove(owner, id))).toBe('member_not_found');
      expect(await refused(members.transferOwnership(owner, id))).toBe('member_not_found');
    }
    expect((await rolesOf(elsewhere))[elsewhere.viewer.userId]).toBe('viewer');
  });
});

describe('the last owner', () => {
  test('cannot be demoted, removed or leave; with a second owner all of it works', async () => {
    const { owner, developer } = await scene();
    expect(await refused(members.changeRole(owner, owner.userId, { role: 'admin' }))).toBe('last_owner');
    expect(await refused(members.remove(owner, owner.userId))).toBe('last_owner');
    expect(await refused(members.leave(owner))).toBe('last_owner');
    await members.changeRole(owner, developer.userId, { role: 'owner' });
    await members.leave(owner);
    expect(await rolesOf(owner)).not.toHaveProperty(owner.userId);
  });

  test('hands over the ownership in one step', async () => {
    const { owner, viewer } = await scene();
    await members.transferOwnership(owner, viewer.userId);
    expect(await rolesOf(owner)).toMatchObject({ [owner.userId]: 'admin', [viewer.userId]: 'owner' });
    expect(await refused(members.transferOwnership(owner, viewer.userId))).toBe('role_required');
  });

  test('cannot transfer the ownership to itself', async () => {
    const { owner } = await scene();
    expect(await refused(members.transferOwnership(owner, owner.userId))).toBe('unsupported_value');
    expect((await rolesOf(owner))[owner.userId]).toBe('owner');
  });

  const race = async (database: Database) => {
    const { owner, join } = await scene(database);
    const second = await join('owner');
    const both = membersOf(database);
    const outcomes = await Promise.all([
      refused(both.leave(owner)),
      refused(both.leave(second)),
      refused(both.changeRole(owner, second.userId, { role: 'viewer' })),
      refused(both.changeRole(second, owner.userId, { role: 'viewer' })),
    ]);
    const owners = Object.values(await rolesOf(owner, both)).filter((role) => role === 'owner');
    return { outcomes, owners };
  };

  test('of several that leave and demote each other at once, one stays', async () => {
    const { outcomes, owners } = await race(db);
    expect(owners).toEqual(['owner']);
    expect(outcomes).toContain('done');
  });

  test('the same on Postgres, with several connections', async (context) => {
    const postgres = runPostgres();
    if (!postgres) return context.skip();
    const real = await openDatabaseAt(await postgres.createDatabase(), { poolSize: 4 });
    try {
      for (let round = 0; round < 5; round += 1) {
        // In any order, so two may succeed: the second owner leaves after the first one has made them a viewer.
        const { outcomes, owners } = await race(real);
        expect(owners).toEqual(['owner']);
        expect(outcomes).toContain('done');
      }
    } finally {
      await real.close();
      await postgres.close();
    }
  });
});

describe('a member who is removed or leaves', () => {
  test('loses the membership, and with it what they have invited', async () => {
    const { orgId, owner, admin, viewer } = await scene();
    await db.query(
      `insert into invitations (id, org_id, hash, role, invited_by, created_at, expires_at)
       values ($1, $2, $1, 'viewer', $3, now(), now())`,
      [newId('invitation'), orgId, admin.userId],
    );
    await members.remove(owner, admin.userId);
    await members.leave(viewer);
    expect(Object.keys(await rolesOf(owner))).toHaveLength(2);
    const { rows } = await db.query('select 1 from invitations where org_id = $1', [orgId]);
    expect(rows).toEqual([]);
  });
});
