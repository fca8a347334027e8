import { describe, expect, it } from 'vitest';
import type { Role } from '../../../lib/domain/caller';
import { newId } from '../../../lib/domain/ids';
import { secondsAt, useKeyScenes } from './key-scene';
import { refusal } from './make-accounts';

const scene = useKeyScenes();

describe('roles', () => {
  it('let owners, admins and developers change keys', async () => {
    const { accounts, as } = await scene();
    for (const role of ['owner', 'admin', 'developer'] as const) {
      const key = await accounts.createKey(as(role), { name: role, mode: 'test' });
      await accounts.updateKey(as(role), key.id, { name: 'renamed' });
      const next = await accounts.rotateKey(as(role), key.id, {});
      await accounts.revokeKey(as(role), next.id);
    }
  });

  it('let a viewer read but not write, and hide validation errors', async () => {
    const { accounts, owner, as } = await scene();
    const key = await accounts.createKey(owner, { name: 'CI', mode: 'test' });
    const viewer = as('viewer');
    expect(await accounts.listKeys(viewer)).toHaveLength(1);
    const attempts = [
      accounts.createKey(viewer, { nonsense: true }),
      accounts.updateKey(viewer, key.id, { nonsense: true }),
      accounts.revokeKey(viewer, 'key_nonsense'),
      accounts.rotateKey(viewer, key.id, { nonsense: true }),
    ];
    for (const attempt of attempts) expect(await refusal(attempt)).toMatchObject({ code: 'role_required' });
    expect(await accounts.listKeys(owner)).toMatchObject([{ name: 'CI', status: 'active' }]);
  });
});

describe('the scope manage', () => {
  it('is granted by owners and admins only', async () => {
    const { accounts, owner, as } = await scene();
    const plain = await accounts.createKey(owner, { name: 'plain', mode: 'live' });
    const managing = await accounts.createKey(as('admin'), {
      name: 'CI',
      mode: 'live',
      scopes: ['manage'],
      allowed_addresses: ['203.0.113.7'],
    });
    const developer = as('developer');
    const attempts = [
      accounts.createKey(developer, { name: 'x', mode: 'live', scopes: ['inference', 'manage'] }),
      accounts.updateKey(developer, plain.id, { scopes: ['inference', 'manage'] }),
      accounts.updateKey(developer, managing.id, { allowed_addresses: null }),
      accounts.rotateKey(developer, managing.id, {}),
    ];
    for (const attempt of attempts)
      expect(await refusal(attempt)).toMatchObject({
        code: 'role_required',
        message: expect.stringContaining('your role is developer'),
      });
    expect(await accounts.updateKey(developer, managing.id, { disabled: true })).toMatchObject({ status: 'disabled' });
    expect(await refusal(accounts.updateKey(developer, managing.id, { disabled: false }))).toMatchObject({
      code: 'role_required',
    });
  });

  it("acts with the weakest of admin, the creator's role at creation, and the creator's role now", async () => {
    const { db, accounts, owner, ask, orgId, userId } = await scene();
    const { key } = await accounts.createKey(owner, { name: 'CI', mode: 'live', scopes: ['manage'] });
    const roleNow = async () => (await accounts.actorOfKey(await ask(key))).role;
    const become = (role: Role) => db.query('update members set role = $1 where user_id = $2', [role, userId]);
    expect(await roleNow()).toBe('admin');
    await become('viewer');
    expect(await roleNow()).toBe('viewer');
    await become('developer');
    const plain = await accounts.createKey({ ...owner, role: 'developer' }, { name: 'plain', mode: 'live' });
    await become('owner');
    await accounts.updateKey(owner, plain.id, { scopes: ['manage'] });
    expect((await accounts.actorOfKey(await ask(plain.key))).role).toBe('developer');
    await db.query('delete from members where user_id = $1', [userId]);
    expect(await refusal(roleNow())).toMatchObject({
      code: 'scope_required',
      message: expect.stringContaining('no longer a member of the organisation'),
    });
    // The apps of the organisation continue to work when a member leaves.
    expect(await ask(key)).toMatchObject({ orgId });
  });

  it('rotated by a user with a weaker role is not stronger than before, nor than that user', async () => {
    const { accounts, owner, ask, as } = await scene();
    const old = await accounts.createKey(owner, { name: 'CI', mode: 'live' });
    const next = await accounts.rotateKey(as('developer'), old.id, {});
    await accounts.updateKey(owner, next.id, { scopes: ['manage'] });
    expect((await accounts.actorOfKey(await ask(next.key))).role).toBe('developer');
  });
});

describe('a key that manages', () => {
  const RIGHTS = {
    mode: 'live',
    scopes: ['manage', 'inference'],
    allowed_models: ['a', 'b'],
    allowed_providers: ['sandbox'],
    allowed_regions: ['local'],
    allowed_endpoints: ['/v1/videos'],
    allowed_addresses: ['198.51.100.0/24', '2001:db8::/32'],
    limit: { amount: '5', period: 'monthly' },
    expires_at: secondsAt('2027-01-01T00:00:00Z'),
  } as const;
  const LESS = {
    ...RIGHTS,
    scopes: ['inference'],
    allowed_models: ['b'],
    allowed_endpoints: ['/v1/videos/x'],
    allowed_addresses: ['198.51.100.7', '2001:db8:1::/48'],
    limit: { amount: '4.99', period: 'monthly' },
    expires_at: secondsAt('2026-12-01T00:00:00Z'),
  };
  const MORE: readonly (readonly [string, object])[] = [
    ['allowed_models', { allowed_models: ['a', 'c'] }],
    ['allowed_models', { allowed_models: null }],
    ['allowed_providers', { allowed_providers: null }],
    ['allowed_regions', { allowed_regions: null }],
    ['allowed_regions', { allowed_regions: ['local', 'eu'] }],
    ['allowed_endpoints', { allowed_endpoints: ['/v1/video'] }],
    ['allowed_endpoints', { allowed_endpoints: ['/v1'] }],
    ['allowed_addresses', { allowed_addresses: ['198.51.0.0/16'] }],
    ['allowed_addresses', { allowed_addresses: ['203.0.113.7'] }],
    ['limit', { limit: null }],
    ['limit', { limit: { amount: '5.01', period: 'monthly' } }],
    ['limit', { limit: { amount: '5', period: 'daily' } }],
    ['expires_at', { expires_at: null }],
    ['expires_at', { expires_at: secondsAt('2027-01-01T00:00:01Z') }],
  ];

  async function managing(rights: object = RIGHTS) {
    const made = await scene();
    const { key, id } = await made.accounts.createKey(made.owner, { name: 'CI', ...rights });
    return { ...made, id, actor: await made.accounts.actorOfKey(await made.ask(key)) };
  }

  it('cannot change itself, but may rotate and revoke itself', async () => {
    const { accounts, actor, id, userId } = await managing();
    for (const body of [{ allowed_models: null, limit: null }, { name: 'x' }, { allowed_models: ['a'] }]) {
      expect(await refusal(accounts.updateKey(actor, id, body))).toMatchObject({
        code: 'role_required',
        message: expect.stringContaining('cannot change itself'),
      });
    }
    const next = await accounts.rotateKey(actor, id, { overlap_seconds: 60 });
    const { name: _, ...rights } = { name: '', ...RIGHTS };
    expect(next).toMatchObject({
      ...rights,
      limit: { amount: '5', period: 'monthly' },
      rotated_from: id,
      created_by: userId,
    });
    expect(await accounts.revokeKey(actor, id)).toMatchObject({ status: 'revoked' });
  });

  it.each(MORE)('makes no key with more rights than its own: %s %j', async (param, more) => {
    const { accounts, actor } = await managing();
    expect(await refusal(accounts.createKey(actor, { ...LESS, name: 'x', ...more }))).toMatchObject({
      code: 'role_required',
      param,
    });
  });

  it.each(MORE)('gives no other key more rights than its own: %s %j', async (param, more) => {
    const { accounts, owner, actor } = await managing();
    const { id } = await accounts.createKey(owner, { ...LESS, name: 'other' });
    expect(await refusal(accounts.updateKey(actor, id, more))).toMatchObject({ code: 'role_required', param });
    await accounts.updateKey(actor, id, { allowed_models: ['a', 'b'], allowed_endpoints: ['/v1/videos'] });
  });

  it('may rename, narrow and disable a key with more rights, but not widen, enable or rotate it', async () => {
    const { accounts, owner, actor } = await managing();
    const { id } = await accounts.createKey(owner, { name: 'big', mode: 'live', allowed_models: ['a'] });
    await accounts.updateKey(actor, id, { name: 'renamed', limit: { amount: '7', period: 'daily' } });
    for (const body of [{ allowed_models: ['a', 'b'] }, { limit: null }])
      expect(await refusal(accounts.updateKey(actor, id, body))).toMatchObject({ code: 'role_required' });
    expect(await refusal(accounts.rotateKey(actor, id, {}))).toMatchObject({ code: 'role_required' });
    await accounts.updateKey(actor, id, { disabled: true });
    expect(await refusal(accounts.updateKey(actor, id, { disabled: false }))).toMatchObject({ code: 'role_required' });
  });

  it('without a limit of its own makes any key, on behalf of its creator', async () => {
    const { accounts, actor, userId, ask } = await managing({ mode: 'live', scopes: ['manage', 'inference'] });
    const made = await accounts.createKey(actor, { name: 'x', mode: 'live', scopes: ['manage'] });
    expect(made).toMatchObject({ created_by: userId, scopes: ['manage'] });
    expect((await accounts.actorOfKey(await ask(made.key))).role).toBe('admin');
  });

  it('with a limit shares it with the keys that it makes', async () => {
    const { accounts, actor, id, spend } = await managing();
    const made = await accounts.createKey(actor, { ...LESS, name: 'x', limit: { amount: '4', period: 'monthly' } });
    await spend(made.id, '3', 'live');
    expect(await refusal(spend(made.id, '1.5', 'live'))).toMatchObject({ code: 'key_limit_exceeded' });
    await spend(id, '2', 'live');
    expect(await refusal(spend(id, '0.01', 'live'))).toMatchObject({ code: 'key_limit_exceeded' });
  });
});

describe('a change that adds rights to a key', () => {
  it('is announced before it happens, and does not happen if it is refused then', async () => {
    const { accounts, owner } = await scene();
    const rights = {
      scopes: ['inference'],
      allowed_models: ['a'],
      allowed_providers: ['b'],
      allowed_regions: ['eu'],
      allowed_endpoints: ['/v1/videos'],
      allowed_addresses: ['198.51.100.0/24'],
      limit: { amount: '3', period: 'daily' },
      expires_at: secondsAt('2027-01-01T00:00:00Z'),
    };
    const { key: _, ...before } = await accounts.createKey(owner, { ...rights, name: 'CI', mode: 'live' });
    const refuse = () => {
      throw new Error('Sign in again.');
    };
    const more = [
      { scopes: ['inference', 'manage'] },
      { allowed_models: ['a', 'b'] },
      { allowed_providers: null },
      { allowed_regions: ['eu', 'us'] },
      { allowed_endpoints: ['/v1'] },
      { allowed_addresses: ['198.51.0.0/16'] },
      { limit: null },
      { limit: { amount: '3', period: 'weekly' } },
      { expires_at: null },
    ];
    for (const body of more)
      await expect(accounts.updateKey(owner, before.id, { name: 'New', ...body }, refuse)).rejects.toThrow(
        'Sign in again.',
      );
    expect(await accounts.listKeys(owner)).toEqual([before]);
    const less = [
      { name: 'New' },
      { scopes: ['manage', 'inference'] },
      { limit: { amount: '2', period: 'daily' } },
      { allowed_endpoints: ['/v1/videos/x'] },
      { expires_at: secondsAt('2026-12-01T00:00:00Z') },
      { disabled: true },
    ];
    await accounts.updateKey(owner, before.id, { scopes: ['inference', 'manage'] });
    for (const body of less) await accounts.updateKey(owner, before.id, body, refuse);
    await expect(accounts.updateKey(owner, before.id, { disabled: false }, refuse)).rejects.toThrow('Sign in again.');
  });
});

describe('the key of another person', () => {
  it('gets exactly the answer of a missing one, and a malformed id costs no query', async () => {
    const mine = await scene();
    const theirs = await scene();
    const key = await theirs.accounts.createKey(theirs.owner, { name: 'Theirs', mode: 'test' });
    const { accounts, owner, queries } = mine;
    const ways = [
      (id: string) => accounts.updateKey(owner, id, { name: 'Mine' }),
      (id: string) => accounts.revokeKey(owner, id),
      (id: string) => accounts.rotateKey(owner, id, {}),
    ];
    for (const way of ways) {
      const missing = await refusal(way(newId('key')));
      expect(missing.code).toBe('key_not_found');
      expect(await refusal(way(key.id))).toEqual(missing);
      const before = queries();
      expect(await refusal(way("key_' or 1=1"))).toEqual(missing);
      expect(await refusal(way(newId('video')))).toEqual(missing);
      expect(queries()).toBe(before);
    }
    expect(await theirs.accounts.listKeys(theirs.owner)).toMatchObject([{ name: 'Theirs', status: 'active' }]);
    expect(await accounts.listKeys(owner)).toEqual([]);
    await theirs.ask(key.key);
  });
});
