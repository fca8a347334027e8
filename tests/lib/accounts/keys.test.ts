import { describe, expect, it } from 'vitest';
import { hashSecret } from '../../../lib/accounts/secrets';
import { secondsAt, useKeyScenes } from './key-scene';
import { refusal } from './make-accounts';

const scene = useKeyScenes();

describe('createKey', () => {
  it('answers with the key once and keeps only its hash', async () => {
    const { db, accounts, owner, orgId, userId } = await scene();
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
      created_at: secondsAt('2026-11-18T10:30:00Z'),
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
      expires_at: secondsAt('2027-01-01T00:00:00Z'),
      limit: { amount: '2.5', period: 'weekly', spent: '0', resets_at: secondsAt('2026-11-23T00:00:00Z') },
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
    const { db, accounts, owner, orgId } = await scene();
    const { id } = await accounts.createKey(owner, { name: 'CI', mode: 'test', allowed_providers: ['fal'] });
    await db.query("update api_keys set allowed_providers = '{nope}' where id = $1 and org_id = $2", [id, orgId]);
    const changed = await accounts.updateKey(owner, id, { allowed_providers: ['nope', 'kling'] });
    expect(changed.allowed_providers).toEqual(['nope', 'kling']);
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
      expires_at: secondsAt('2026-12-01T00:00:00Z'),
    });
    expect(open).toEqual({
      ...before,
      name: 'New',
      allowed_models: null,
      limit: null,
      expires_at: secondsAt('2026-12-01T00:00:00Z'),
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
      expires_at: secondsAt('2026-11-18T10:31:00Z'),
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
    const { db, accounts, owner, clock } = await scene();
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
    expires_at: secondsAt('2027-01-01T00:00:00Z'),
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
    const expiresAt = secondsAt('2026-11-18T10:31:00Z');
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
      expires_at: secondsAt('2026-11-18T10:30:01Z'),
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
