import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashSecret } from '../../../lib/accounts/hash-secret';
import type { Database } from '../../../lib/db/database';
import type { Actor, Role } from '../../../lib/domain/caller';
import { newId, type HoldId, type KeyId } from '../../../lib/domain/ids';
import { parseUsd } from '../../../lib/domain/money';
import type { Mode } from '../../../lib/domain/video';
import { openTestDatabase } from '../../support/database';
import { countQueries, handClock, makeAccounts, makeOrganization, refusal } from './make-accounts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

async function scene() {
  const clock = handClock();
  const counted = countQueries(db);
  const { accounts, ledger } = makeAccounts(counted.db, clock);
  const organization = await makeOrganization(db, clock);
  const as = (role: Role): Actor => ({ ...organization.owner, role });
  const ask = (key: string) => accounts.authenticate({ apiKey: key }, '198.51.100.20');
  const hold = (id: string, usd: string, mode: Mode = 'test') =>
    // Safe: the id was made by `createKey`.
    db.inTransaction((tx) =>
      ledger.hold(tx, {
        account: { orgId: organization.orgId, mode },
        keyId: id as KeyId,
        amount: parseUsd(usd),
        subject: { kind: 'video', id: newId('video') },
      }),
    );
  const capture = (held: HoldId, usd?: string) =>
    db.inTransaction(async (tx) => {
      await ledger.capture(tx, held, usd === undefined ? undefined : parseUsd(usd));
      // As the end of a video does.
      await tx.query(
        `insert into usage_days as sums (org_id, mode, day, kind, key_id, model, provider, cost_nano_usd)
         select org_id, mode, (resolved_at at time zone 'UTC')::date, subject_kind, key_id, '', '', captured_nano_usd from holds where id = $1
         on conflict (org_id, mode, day, kind, key_id, model, provider) do update set cost_nano_usd = sums.cost_nano_usd + excluded.cost_nano_usd`,
        [held],
      );
    });
  const spend = async (id: string, usd: string, mode: Mode = 'test') => {
    await capture(await hold(id, usd, mode));
  };
  return { ...organization, accounts, ledger, clock, as, ask, hold, capture, spend, queries: counted.count };
}

const at = (iso: string) => Date.parse(iso) / 1000;

describe('createKey', () => {
  it('answers with the key once and keeps only its hash', async () => {
    const { accounts, owner, orgId, userId } = await scene();
    const made = await accounts.createKey(owner, { name: 'CI', mode: 'live', scopes: ['inference', 'manage'] });
    expect(made).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
      object: 'api_key',
      key: expect.stringMatching(/^pb_live_[0-9A-Za-z]{36}$/),
      name: 'CI',
      mode: 'live',
      display: `pb_live_••••${made.key.slice(-4)}`,
      status: 'active',
      scopes: ['inference', 'manage'],
      allowed_models: null,
      allowed_providers: null,
      allowed_regions: null,
      allowed_endpoints: null,
      allowed_addresses: null,
      max_price_per_request: null,
      max_price_per_minute: null,
      project: null,
      limit: null,
      limits: null,
      created_by: userId,
      created_by_name: expect.any(String) as unknown,
      created_at: at('2026-11-18T10:30:00Z'),
      last_used_at: null,
      expires_at: null,
      rotated_from: null,
    });
    const { key, ...rest } = made;
    expect(await accounts.listKeys(owner)).toEqual([rest]);
    const { rows } = await db.query('select * from api_keys where org_id = $1', [orgId]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(key.slice(8, 40));
    expect(rows[0]?.hash).toBe(hashSecret(key));
  });

  it('keeps every restriction and shows it', async () => {
    const { accounts, owner } = await scene();
    const restrictions = {
      allowed_models: ['sandbox-t2v'],
      allowed_providers: ['sandbox'],
      allowed_endpoints: ['/v1/videos'],
      allowed_addresses: ['203.0.113.0/24'],
      max_price_per_request: '0.5',
      max_price_per_minute: '0.01',
    };
    const limit = { amount: '2.50', period: 'weekly' };
    await accounts.createKey(owner, {
      name: 'CI',
      mode: 'test',
      expires_at: '2027-01-01T00:00:00Z',
      limit,
      ...restrictions,
    });
    const [listed] = await accounts.listKeys(owner);
    expect(listed).toMatchObject({
      ...restrictions,
      expires_at: at('2027-01-01T00:00:00Z'),
      limit: { amount: '2.5', period: 'weekly', spent: '0', resets_at: at('2026-11-23T00:00:00Z') },
    });
  });
});

describe('allowed_providers', () => {
  it('name providers that exist, when a key is made and when it is changed', async () => {
    const { accounts, owner } = await scene();
    const unknown = {
      code: 'unsupported_value',
      param: 'allowed_providers',
      message: expect.stringMatching(/^allowed_providers names a provider that does not exist: "nope"\./) as string,
    };
    const body = { name: 'CI', mode: 'test', allowed_providers: ['fal', 'nope'] };
    expect(await refusal(accounts.createKey(owner, body))).toEqual(unknown);
    const { id } = await accounts.createKey(owner, { ...body, allowed_providers: ['fal'] });
    expect(await refusal(accounts.updateKey(owner, id, { allowed_providers: ['nope'] }))).toEqual(unknown);
  });

  it('may keep one that a later version does not have', async () => {
    const { accounts, owner, orgId } = await scene();
    const { id } = await accounts.createKey(owner, { name: 'CI', mode: 'test', allowed_providers: ['fal'] });
    await db.query("update api_keys set allowed_providers = '{nope}' where id = $1 and org_id = $2", [id, orgId]);
    const changed = await accounts.updateKey(owner, id, { allowed_providers: ['nope', 'kling'] });
    expect(changed.allowed_providers).toEqual(['nope', 'kling']);
  });
});

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
    const { accounts, owner, ask, orgId, userId } = await scene();
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
    expires_at: at('2027-01-01T00:00:00Z'),
  } as const;
  const LESS = {
    ...RIGHTS,
    scopes: ['inference'],
    allowed_models: ['b'],
    allowed_endpoints: ['/v1/videos/x'],
    allowed_addresses: ['198.51.100.7', '2001:db8:1::/48'],
    limit: { amount: '4.99', period: 'monthly' },
    expires_at: at('2026-12-01T00:00:00Z'),
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
    ['expires_at', { expires_at: at('2027-01-01T00:00:01Z') }],
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
      expires_at: at('2027-01-01T00:00:00Z'),
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
      { expires_at: at('2026-12-01T00:00:00Z') },
      { disabled: true },
    ];
    await accounts.updateKey(owner, before.id, { scopes: ['inference', 'manage'] });
    for (const body of less) await accounts.updateKey(owner, before.id, body, refuse);
    await expect(accounts.updateKey(owner, before.id, { disabled: false }, refuse)).rejects.toThrow('Sign in again.');
  });
});

describe("somebody else's key", () => {
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

describe('updateKey', () => {
  it('changes the given fields only', async () => {
    const { accounts, owner, ask } = await scene();
    const { key, ...before } = await accounts.createKey(owner, {
      name: 'CI',
      mode: 'test',
      allowed_models: ['a'],
      limit: { amount: '1', period: 'total' },
    });
    expect(await accounts.updateKey(owner, before.id, {})).toEqual(before);
    expect(await accounts.updateKey(owner, before.id, { name: 'New' })).toEqual({ ...before, name: 'New' });
    expect((await ask(key)).policy.levels).toEqual([{ level: 'key', rules: { allowedModels: ['a'] } }]);
    const open = await accounts.updateKey(owner, before.id, {
      allowed_models: null,
      limit: null,
      expires_at: at('2026-12-01T00:00:00Z'),
    });
    expect(open).toEqual({
      ...before,
      name: 'New',
      allowed_models: null,
      limit: null,
      expires_at: at('2026-12-01T00:00:00Z'),
    });
    expect((await ask(key)).policy.levels).toEqual([]);
  });

  it('disables and enables', async () => {
    const { accounts, owner } = await scene();
    const { id } = await accounts.createKey(owner, { name: 'CI', mode: 'test' });
    expect(await accounts.updateKey(owner, id, { disabled: true })).toMatchObject({ status: 'disabled' });
    expect(await accounts.updateKey(owner, id, { disabled: false })).toMatchObject({ status: 'active' });
  });

  it('extends a key that has expired', async () => {
    const { accounts, owner, clock, ask } = await scene();
    const { id, key } = await accounts.createKey(owner, {
      name: 'CI',
      mode: 'test',
      expires_at: at('2026-11-18T10:31:00Z'),
    });
    clock.pass(60_000);
    expect(await accounts.listKeys(owner)).toMatchObject([{ status: 'expired' }]);
    expect(await accounts.updateKey(owner, id, { expires_at: null })).toMatchObject({
      status: 'active',
      expires_at: null,
    });
    await ask(key);
  });

  it('gives no test key the scope manage', async () => {
    const { accounts, owner } = await scene();
    const { id } = await accounts.createKey(owner, { name: 'CI', mode: 'test' });
    expect(await refusal(accounts.updateKey(owner, id, { scopes: ['manage'] }))).toMatchObject({
      code: 'conflicting_parameters',
      param: 'scopes',
    });
  });

  it('changes no revoked key', async () => {
    const { accounts, owner } = await scene();
    const { id } = await accounts.createKey(owner, { name: 'CI', mode: 'test' });
    await accounts.revokeKey(owner, id);
    expect(await refusal(accounts.updateKey(owner, id, { disabled: false }))).toMatchObject({ code: 'key_not_active' });
  });
});

describe('revokeKey', () => {
  it('may be repeated, and keeps the first time', async () => {
    const { accounts, owner, clock } = await scene();
    const { id } = await accounts.createKey(owner, { name: 'CI', mode: 'test' });
    const first = await accounts.revokeKey(owner, id);
    expect(first.status).toBe('revoked');
    clock.pass(1_000);
    expect(await accounts.revokeKey(owner, id)).toEqual(first);
    const { rows } = await db.query('select revoked_at from api_keys where id = $1', [id]);
    expect(rows[0]?.revoked_at).toEqual(new Date('2026-11-18T10:30:00Z'));
  });
});

describe('rotateKey', () => {
  const everything = {
    name: 'CI',
    mode: 'live',
    scopes: ['inference', 'manage'],
    allowed_models: ['a'],
    allowed_providers: ['b'],
    allowed_endpoints: ['/v1/videos'],
    allowed_addresses: ['198.51.100.0/24'],
    limit: { amount: '3', period: 'daily' },
    expires_at: at('2027-01-01T00:00:00Z'),
  };

  it('makes a key with the same rights and ends the old one at once', async () => {
    const { accounts, owner, ask } = await scene();
    const { key: oldKey, ...old } = await accounts.createKey(owner, everything);
    const { key, ...next } = await accounts.rotateKey(owner, old.id, undefined);
    expect(next).toEqual({ ...old, id: next.id, display: `pb_live_••••${key.slice(-4)}`, rotated_from: old.id });
    expect(next.id).not.toBe(old.id);
    await ask(key);
    expect(await refusal(ask(oldKey))).toMatchObject({ code: 'revoked_api_key' });
  });

  it('keeps both working during the overlap, then one', async () => {
    const { accounts, owner, ask, clock } = await scene();
    const old = await accounts.createKey(owner, { name: 'CI', mode: 'test' });
    await ask(old.key);
    const next = await accounts.rotateKey(owner, old.id, { overlap_seconds: 3_600 });
    expect(next.expires_at).toBeNull();
    clock.pass(3_599_999);
    await ask(old.key);
    await ask(next.key);
    clock.pass(1);
    expect(await refusal(ask(old.key))).toMatchObject({ code: 'expired_api_key' });
    await ask(next.key);
  });

  it('never extends the life of the old key', async () => {
    const { accounts, owner } = await scene();
    const expiresAt = at('2026-11-18T10:31:00Z');
    const old = await accounts.createKey(owner, { name: 'CI', mode: 'test', expires_at: expiresAt });
    await accounts.rotateKey(owner, old.id, { overlap_seconds: 604_800 });
    const listed = await accounts.listKeys(owner);
    expect(listed.find(({ id }) => id === old.id)).toMatchObject({ expires_at: expiresAt });
  });

  it('does not bypass the spend limit', async () => {
    const { accounts, owner, spend } = await scene();
    const old = await accounts.createKey(owner, { name: 'CI', mode: 'test', limit: { amount: '1', period: 'total' } });
    await spend(old.id, '0.75');
    const next = await accounts.rotateKey(owner, old.id, {});
    expect(next.limit).toEqual({ amount: '1', period: 'total', spent: '0.75' });
    expect(await refusal(spend(next.id, '0.5'))).toMatchObject({ code: 'key_limit_exceeded' });
    await spend(next.id, '0.25');
  });

  it('lets both keys of an overlap spend one limit together, and returns to it what was not needed', async () => {
    const { accounts, owner, spend, hold, capture } = await scene();
    const old = await accounts.createKey(owner, { name: 'CI', mode: 'test', limit: { amount: '1', period: 'total' } });
    const next = await accounts.rotateKey(owner, old.id, { overlap_seconds: 3_600 });
    const last = await accounts.rotateKey(owner, next.id, { overlap_seconds: 3_600 });
    const held = await hold(old.id, '0.5');
    await spend(next.id, '0.2');
    expect(await refusal(spend(last.id, '0.4'))).toMatchObject({ code: 'key_limit_exceeded' });
    await capture(held, '0.1');
    await spend(last.id, '0.4');
    expect((await accounts.listKeys(owner)).map(({ limit }) => limit?.spent)).toEqual(['0.7', '0.7', '0.7']);
    expect(await refusal(spend(old.id, '0.31'))).toMatchObject({ code: 'key_limit_exceeded' });
    await spend(old.id, '0.3');
  });

  it('works once when called twice at the same time', async () => {
    const { accounts, owner } = await scene();
    const old = await accounts.createKey(owner, { name: 'CI', mode: 'test' });
    const outcomes = await Promise.allSettled([
      accounts.rotateKey(owner, old.id, {}),
      accounts.rotateKey(owner, old.id, {}),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await accounts.listKeys(owner)).toHaveLength(2);
  });

  it('refuses a key that is revoked, expired or disabled', async () => {
    const { accounts, owner, clock } = await scene();
    const revoked = await accounts.createKey(owner, { name: 'a', mode: 'test' });
    const disabled = await accounts.createKey(owner, { name: 'b', mode: 'test' });
    const expired = await accounts.createKey(owner, {
      name: 'c',
      mode: 'test',
      expires_at: at('2026-11-18T10:30:01Z'),
    });
    await accounts.revokeKey(owner, revoked.id);
    await accounts.updateKey(owner, disabled.id, { disabled: true });
    clock.pass(1_000);
    for (const { id } of [revoked, disabled, expired]) {
      expect(await refusal(accounts.rotateKey(owner, id, {}))).toMatchObject({ code: 'key_not_active' });
    }
    expect(await accounts.listKeys(owner)).toHaveLength(3);
  });
});

describe('limit.spent', () => {
  it('counts the current period only, and restarts with the next', async () => {
    const { accounts, owner, spend, clock } = await scene();
    const make = (period: string) =>
      accounts.createKey(owner, { name: period, mode: 'test', limit: { amount: '5', period } });
    for (const period of ['total', 'daily', 'weekly', 'monthly']) await spend((await make(period)).id, '0.1');
    const spent = async () => {
      const keys = await accounts.listKeys(owner);
      return Object.fromEntries(keys.map(({ name, limit }) => [name, limit?.spent]));
    };
    expect(await spent()).toEqual({ total: '0.1', daily: '0.1', weekly: '0.1', monthly: '0.1' });
    clock.pass(86_400_000);
    expect(await spent()).toEqual({ total: '0.1', daily: '0', weekly: '0.1', monthly: '0.1' });
    clock.pass(4 * 86_400_000);
    expect(await spent()).toEqual({ total: '0.1', daily: '0', weekly: '0', monthly: '0.1' });
    clock.pass(10 * 86_400_000);
    expect(await spent()).toEqual({ total: '0.1', daily: '0', weekly: '0', monthly: '0' });
  });
});

describe('a limit that is set later', () => {
  it("counts the key's spending in the period before it was set, and its holds", async () => {
    const { accounts, owner, spend, hold, capture, clock } = await scene();
    const { id } = await accounts.createKey(owner, { name: 'CI', mode: 'test' });
    await spend(id, '1');
    clock.pass(13 * 86_400_000);
    // 1 December: the dollar spent in November does not count in this month.
    await spend(id, '0.25');
    const held = await hold(id, '0.5');
    const limited = await accounts.updateKey(owner, id, { limit: { amount: '2', period: 'monthly' } });
    expect(limited.limit?.spent).toBe('0.75');
    await capture(held, '0.1');
    const spent = async () => (await accounts.listKeys(owner))[0]?.limit?.spent;
    expect(await spent()).toBe('0.35');
    expect((await accounts.updateKey(owner, id, { limit: { amount: '2', period: 'total' } })).limit?.spent).toBe(
      '1.35',
    );
    await spend(id, '0.05');
    await accounts.updateKey(owner, id, { limit: null });
    await spend(id, '0.2');
    expect((await accounts.updateKey(owner, id, { limit: { amount: '2', period: 'daily' } })).limit?.spent).toBe('0.6');
    expect(await refusal(spend(id, '1.5'))).toMatchObject({ code: 'key_limit_exceeded' });
  });
});

describe('listKeys', () => {
  it('shows the newest first, with the revoked ones', async () => {
    const { accounts, owner, clock } = await scene();
    const first = await accounts.createKey(owner, { name: 'first', mode: 'test' });
    clock.pass(1_000);
    await accounts.createKey(owner, { name: 'second', mode: 'live' });
    await accounts.revokeKey(owner, first.id);
    expect(await accounts.listKeys(owner)).toMatchObject([
      { name: 'second', status: 'active' },
      { name: 'first', status: 'revoked' },
    ]);
  });

  it('never contains a key, except in the first answer', async () => {
    const { accounts, owner } = await scene();
    const { key, id } = await accounts.createKey(owner, { name: 'CI', mode: 'test' });
    const answers = [
      await accounts.listKeys(owner),
      await accounts.updateKey(owner, id, {}),
      await accounts.revokeKey(owner, id),
    ];
    for (const text of answers.map((answer) => JSON.stringify(answer))) {
      expect(text).not.toContain(key.slice(8, 38));
      expect(text).not.toContain(hashSecret(key));
    }
  });
});
