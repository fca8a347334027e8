import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedAccounts } from '../../../lib/accounts/create-accounts';
import { newKey, hashSecret } from '../../../lib/accounts/secrets';
import { createKeyLookup } from '../../../lib/accounts/key-lookup';
import type { Database } from '../../../lib/db/database';
import type { OrgId } from '../../../lib/domain/ids';
import { openTestDatabase } from '../../support/database';
import { countQueries, handClock, makeAccounts, makeOrganization, refusal } from './make-accounts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const SOMEWHERE = '198.51.100.20';

describe('two credentials', () => {
  it('are tried one after the other: the Bearer header, then x-api-key', async () => {
    const { accounts, key } = await scene();
    const other = await scene();
    const ask = (authorization: string | undefined, apiKey: string | undefined) =>
      accounts.authenticate({ authorization, apiKey }, SOMEWHERE);
    const { keyId } = await ask(`Bearer ${key.key}`, undefined);
    expect((await ask(`Bearer ${key.key}`, other.key.key)).keyId).toBe(keyId);
    for (const bad of ['sk-ant-api03-x', newKey('test'), 'nonsense', ''])
      expect((await ask(`Bearer ${bad}`, key.key)).keyId, bad).toBe(keyId);
    expect((await ask('Basic abc', key.key)).keyId).toBe(keyId);
    expect(await refusal(ask('Bearer sk-ant-api03-x', newKey('test')))).toMatchObject({
      code: 'vendor_key_not_accepted',
    });
  });

  it('that are both missing are both named, if both are accepted', async () => {
    const { accounts } = await scene();
    const sentence = (apiKey: string | undefined) =>
      accounts.authenticate({ apiKey }, SOMEWHERE).then(
        () => '',
        (error: Error) => error.message,
      );
    expect(await sentence('')).toContain('x-api-key');
    expect(await sentence(undefined)).not.toContain('x-api-key');
  });
});

async function scene(about: Record<string, unknown> = {}) {
  const clock = handClock();
  const counted = countQueries(db);
  const { accounts, log } = makeAccounts(counted.db, clock);
  const organization = await makeOrganization(db, clock);
  const key = await accounts.createKey(organization.owner, { name: 'Test', mode: 'test', ...about });
  const ask = (token = key.key, from = SOMEWHERE) => accounts.authenticate({ authorization: `Bearer ${token}` }, from);
  return { ...organization, accounts, clock, log, key, ask, queries: counted.count };
}

const suspend = (orgId: OrgId) => db.query('update organizations set suspended_at = now() where id = $1', [orgId]);
const lastUsed = async (id: string) =>
  (await db.query('select last_used_at from api_keys where id = $1', [id])).rows[0]?.last_used_at;

/** The same database, whose answers to `select` are read at once and returned when `release` is called. */
function withheldReads(database: Database) {
  let release = () => {};
  let arrive = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const withhold = <T extends object>(query: T): T =>
    new Proxy(query, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== 'function') return value;
        if (property !== 'then') return (...args: unknown[]) => withhold(value.apply(target, args));
        return (done: (rows: unknown) => unknown, fail: (error: unknown) => unknown) =>
          Promise.resolve(target)
            .then(async (rows) => {
              arrive();
              await released;
              return rows;
            })
            .then(done, fail);
      },
    });
  return { db: { ...database, orm: withhold(database.orm) }, arrived, release: () => release() };
}

describe('authenticate › a good key', () => {
  it('names the organisation, the key, the mode, what the key may do and where it came from', async () => {
    const { ask, key, orgId } = await scene({
      allowed_models: ['sandbox-t2v'],
      allowed_providers: ['sandbox'],
      allowed_endpoints: ['/v1/videos'],
    });
    expect(await ask()).toEqual({
      orgId,
      keyId: key.id,
      mode: 'test',
      policy: {
        scopes: ['inference'],
        levels: [
          {
            level: 'key',
            rules: {
              allowedModels: ['sandbox-t2v'],
              allowedProviders: ['sandbox'],
              allowedEndpoints: ['/v1/videos'],
            },
          },
        ],
      },
      hasSpendLimit: false,
      limits: { key: null, organization: null },
      address: '198.51.100.20',
    });
  });

  it('is taken in any spelling of Bearer, and from x-api-key', async () => {
    const { accounts, key } = await scene();
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect(await accounts.authenticate({ authorization: `${scheme} ${key.key}` }, SOMEWHERE)).toMatchObject({
        keyId: key.id,
      });
    }
    expect(await accounts.authenticate({ apiKey: key.key }, SOMEWHERE)).toMatchObject({ keyId: key.id });
    expect(
      await accounts.authenticate({ authorization: 'Basic dXNlcjpwdw==', apiKey: key.key }, SOMEWHERE),
    ).toMatchObject({ keyId: key.id });
  });

  it('is found in either header, together with an invalid key in the other', async () => {
    const { accounts, key } = await scene();
    const other = newKey('test');
    expect(await accounts.authenticate({ authorization: `Bearer ${key.key}`, apiKey: other }, SOMEWHERE)).toMatchObject(
      { keyId: key.id },
    );
    expect(await accounts.authenticate({ authorization: `Bearer ${other}`, apiKey: key.key }, SOMEWHERE)).toMatchObject(
      { keyId: key.id },
    );
  });

  it('costs one query for a hundred requests at the same instant, and none for the next 5 seconds', async () => {
    const { ask, queries, clock } = await scene();
    const before = queries();
    await Promise.all(Array.from({ length: 100 }, () => ask()));
    expect(queries()).toBe(before + 1);
    clock.pass(900);
    await ask();
    expect(queries()).toBe(before + 1);
    // The timer that records the last use fires on the way and writes once.
    clock.pass(4_099);
    await expect.poll(queries).toBe(before + 2);
    await ask();
    expect(queries()).toBe(before + 2);
    clock.pass(1);
    await ask();
    expect(queries()).toBe(before + 3);
  });

  it('works at once after it is made, even if it was looked up before', async () => {
    const { accounts, owner, ask } = await scene();
    await refusal(ask(newKey('test')));
    const second = await accounts.createKey(owner, { name: 'Second', mode: 'test' });
    expect(await ask(second.key)).toMatchObject({ keyId: second.id });
  });
});

describe('authenticate › without a key', () => {
  it.each([
    [{}],
    [{ authorization: '' }],
    [{ authorization: 'Bearer' }],
    [{ authorization: 'Bearer ' }],
    [{ authorization: 'Basic dXNlcjpwdw==' }],
    [{ apiKey: '' }],
  ])('answers missing_api_key to %j and says how to send one', async (credential) => {
    const { accounts, queries } = await scene();
    const before = queries();
    const error = await refusal(accounts.authenticate(credential, SOMEWHERE));
    expect(error.code).toBe('missing_api_key');
    expect(error.message).toContain('Authorization: Bearer');
    expect(queries()).toBe(before);
  });
});

describe('authenticate › keys of other services', () => {
  it.each([
    'sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'sk-proj-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'sk-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'sk_0123456789abcdef0123456789abcdef0123456789abcdef',
    'AIzaSyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'key_0123456789abcdef0123456789abcdef',
    'r8_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'xai-AAAAAAAAAAAAAAAAAAAAAAAA',
    'eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJhIn0.AAAA',
    '0b1e6f0a-1c5e-4a5e-9b4e-0123456789ab:0123456789abcdef0123456789abcdef',
  ])('answers vendor_key_not_accepted to %s without a query, a log line or an echo', async (vendorKey) => {
    const { accounts, queries, log, clock } = await scene();
    const before = queries();
    for (const credential of [{ authorization: `Bearer ${vendorKey}` }, { apiKey: vendorKey }]) {
      const error = await refusal(accounts.authenticate(credential, SOMEWHERE));
      expect(error.code).toBe('vendor_key_not_accepted');
      expect(error.message).not.toContain(vendorKey.slice(0, 12));
    }
    clock.pass(120_000);
    expect(queries()).toBe(before);
    expect(log.lines).toEqual([]);
  });
});

describe('authenticate › garbage', () => {
  it('always answers 401 without a query', async () => {
    const { accounts, queries, key, log } = await scene();
    const before = queries();
    const sql = fc.constantFrom(
      "' or '1'='1",
      "'; drop table api_keys; --",
      'pb_test_${jndi:ldap://x}',
      "pb_live_' union select * from api_keys --",
      'pb_test_%00%0a',
      '../../etc/passwd',
      '\u0000',
      '[object Object]',
    );
    const damaged = fc
      .tuple(fc.nat(43), fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }))
      .map(([at, text]) => key.key.slice(0, at) + text + key.key.slice(at + 1))
      .filter((text) => text !== key.key);
    const shaped = fc.stringMatching(/^pb_(live|test)_[0-9A-Za-z]{36}$/);
    const long = fc.integer({ min: 200, max: 20_000 }).map((length) => 'A'.repeat(length));
    const garbage = fc.oneof(
      sql,
      damaged,
      shaped,
      long,
      fc.string({ unit: 'binary' }),
      fc.tuple(sql, fc.string()).map(([a, b]) => a + b),
    );
    await fc.assert(
      fc.asyncProperty(garbage, fc.boolean(), async (text, inHeader) => {
        const error = await refusal(
          accounts.authenticate(inHeader ? { authorization: `Bearer ${text}` } : { apiKey: text }, SOMEWHERE),
        );
        expect(['missing_api_key', 'invalid_api_key', 'vendor_key_not_accepted']).toContain(error.code);
      }),
      { numRuns: 2000 },
    );
    expect(queries()).toBe(before);
    expect(log.lines).toEqual([]);
    // The counter works: a well-formed key that does not exist costs a query.
    expect(await refusal(accounts.authenticate({ apiKey: newKey('live') }, SOMEWHERE))).toMatchObject({
      code: 'invalid_api_key',
    });
    expect(queries()).toBe(before + 1);
  });

  it('queries once a second for a key that does not exist, however often it comes', async () => {
    const { ask, queries, clock } = await scene();
    const stranger = newKey('test');
    const before = queries();
    for (let index = 0; index < 50; index++) await refusal(ask(stranger));
    expect(queries()).toBe(before + 1);
    clock.pass(1_000);
    await refusal(ask(stranger));
    expect(queries()).toBe(before + 2);
  });
});

describe('authenticate › invented keys', () => {
  const invent = async (accounts: CreatedAccounts, address: string, count: number) => {
    const codes: string[] = [];
    for (let index = 0; index < count; index++)
      codes.push((await refusal(accounts.authenticate({ apiKey: newKey('live') }, address))).code);
    return codes;
  };

  it('from one address cost 50 queries a minute, then 429 and none', async () => {
    const { accounts, queries, clock } = await scene();
    const before = queries();
    const codes = await invent(accounts, '203.0.113.7', 80);
    expect(codes.slice(0, 50).every((code) => code === 'invalid_api_key')).toBe(true);
    expect(codes.slice(50).every((code) => code === 'rate_limit_exceeded')).toBe(true);
    expect(queries()).toBe(before + 50);
    clock.pass(60_000);
    expect(await invent(accounts, '203.0.113.7', 1)).toEqual(['invalid_api_key']);
  });

  it('from one /64 count together, those from another do not', async () => {
    const { accounts } = await scene();
    for (let host = 1; host <= 50; host++) await invent(accounts, `2001:db8:1:2::${host}`, 1);
    expect(await invent(accounts, '2001:db8:1:2:ffff::1', 1)).toEqual(['rate_limit_exceeded']);
    expect(await invent(accounts, '2001:db8:1:3::1', 1)).toEqual(['invalid_api_key']);
  });

  it('do not affect a key that was used here before, even when it must be read again', async () => {
    const { accounts, key, clock } = await scene();
    await accounts.authenticate({ apiKey: key.key }, '203.0.113.7');
    await invent(accounts, '203.0.113.7', 60);
    clock.pass(6_000);
    expect(await accounts.authenticate({ apiKey: key.key }, '203.0.113.7')).toMatchObject({ keyId: key.id });
  });
});

describe('authenticate › a key that lost its rights', () => {
  it('is refused at once in the process that revoked it', async () => {
    const { ask, accounts, owner, key } = await scene();
    await ask();
    await accounts.revokeKey(owner, key.id);
    expect(await refusal(ask())).toMatchObject({ code: 'revoked_api_key' });
  });

  it('is refused within 5 seconds when another process revoked it', async () => {
    const { ask, clock, owner, key } = await scene();
    await ask();
    await makeAccounts(db, clock).accounts.revokeKey(owner, key.id);
    clock.pass(4_999);
    await ask();
    clock.pass(1);
    expect(await refusal(ask())).toMatchObject({ code: 'revoked_api_key' });
  });

  it('is refused even if a read from before the revocation returns after it', async () => {
    const { clock, owner, key, accounts } = await scene();
    const late = withheldReads(db);
    const lookup = createKeyLookup({ db: late.db, clock });
    const reading = lookup.find(hashSecret(key.key), SOMEWHERE);
    await late.arrived;
    await accounts.revokeKey(owner, key.id);
    lookup.forget(hashSecret(key.key));
    late.release();
    expect(await reading).toMatchObject({ revoked: false });
    expect(await lookup.find(hashSecret(key.key), SOMEWHERE)).toMatchObject({ revoked: true });
  });

  it('is refused again after the clock was set back', async () => {
    const { accounts, owner, key } = await scene();
    const late = handClock('2026-11-18T12:00:00Z');
    const { accounts: other } = makeAccounts(db, late);
    await other.authenticate({ apiKey: key.key }, SOMEWHERE);
    await accounts.revokeKey(owner, key.id);
    late.pass(-3_600_000);
    expect(await refusal(other.authenticate({ apiKey: key.key }, SOMEWHERE))).toMatchObject({
      code: 'revoked_api_key',
    });
  });

  it('gets key_disabled, and works again when it is enabled', async () => {
    const { ask, accounts, owner, key } = await scene();
    await accounts.updateKey(owner, key.id, { disabled: true });
    const error = await refusal(ask());
    expect(error).toMatchObject({ code: 'revoked_api_key', message: expect.stringContaining('This key is disabled.') });
    await accounts.updateKey(owner, key.id, { disabled: false });
    expect(await ask()).toMatchObject({ keyId: key.id });
  });

  it('expires to the millisecond, also while it is cached', async () => {
    const { ask, clock } = await scene({ expires_at: Date.parse('2026-11-18T10:30:03Z') / 1000 });
    await ask();
    clock.pass(2_999);
    await ask();
    clock.pass(1);
    expect(await refusal(ask())).toMatchObject({ code: 'expired_api_key' });
  });

  it('is refused while its organisation is suspended', async () => {
    const { ask, orgId, clock } = await scene();
    await ask();
    await suspend(orgId);
    clock.pass(5_000);
    expect(await refusal(ask())).toMatchObject({ code: 'organization_suspended' });
    await db.query('update organizations set suspended_at = null where id = $1', [orgId]);
    clock.pass(5_000);
    await ask();
  });
});

describe('authenticate › allowed addresses', () => {
  it.each([
    ['203.0.113.7', true],
    ['::ffff:203.0.113.7', true],
    ['203.0.113.8', false],
    ['10.200.3.4', true],
    ['11.0.0.1', false],
    ['2001:db8:0:1::5', true],
    ['2001:db9::1', false],
    ['::1', false],
    ['', false],
    ['unknown', false],
  ])('from %j: %j', async (from, allowed) => {
    const { ask, key } = await scene({ allowed_addresses: ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32'] });
    if (allowed) expect(await ask(key.key, from)).toMatchObject({ keyId: key.id });
    else expect(await refusal(ask(key.key, from))).toMatchObject({ code: 'ip_not_allowed' });
  });
});

describe('last use', () => {
  it('is written once a minute, however often a key is used, and not by a refused request', async () => {
    const { ask, accounts, owner, key, clock, queries } = await scene();
    const before = queries();
    for (let index = 0; index < 20; index++) await ask();
    expect(await lastUsed(key.id)).toBeNull();
    clock.pass(1_000);
    await expect.poll(queries).toBe(before + 2);
    expect(await lastUsed(key.id)).toEqual(new Date('2026-11-18T10:30:00Z'));
    clock.pass(58_999);
    await ask();
    clock.pass(1_000);
    expect(await lastUsed(key.id)).toEqual(new Date('2026-11-18T10:30:00Z'));
    await ask();
    clock.pass(1_000);
    await expect.poll(queries).toBe(before + 4);
    expect(await lastUsed(key.id)).toEqual(new Date('2026-11-18T10:31:00.999Z'));

    await accounts.revokeKey(owner, key.id);
    clock.pass(120_000);
    await refusal(ask());
    await accounts.close();
    expect(await lastUsed(key.id)).toEqual(new Date('2026-11-18T10:31:00.999Z'));
  });

  it('is written at the end', async () => {
    const { ask, accounts, key } = await scene();
    await ask();
    await accounts.close();
    expect(await lastUsed(key.id)).toEqual(new Date('2026-11-18T10:30:00Z'));
  });

  it('never goes back', async () => {
    const { ask, accounts, key } = await scene();
    await ask();
    await db.query("update api_keys set last_used_at = '2026-11-18T11:00:00Z' where id = $1", [key.id]);
    await accounts.close();
    expect(await lastUsed(key.id)).toEqual(new Date('2026-11-18T11:00:00Z'));
  });

  it('is retried after a failed write, and no request is refused because of it', async () => {
    const clock = handClock();
    let broken = true;
    const failing: Database = {
      ...db,
      query: (text, values) => (broken ? Promise.reject(new Error('no connection')) : db.query(text, values)),
    };
    const { accounts, log } = makeAccounts(failing, clock);
    const { owner } = await makeOrganization(db, clock);
    const key = await accounts.createKey(owner, { name: 'Test', mode: 'test' });
    await accounts.authenticate({ apiKey: key.key }, SOMEWHERE);
    clock.pass(1_000);
    await expect
      .poll(() => log.lines.map(({ message }) => message))
      .toEqual(['the last use of keys could not be written']);
    broken = false;
    await accounts.authenticate({ apiKey: key.key }, SOMEWHERE);
    await accounts.close();
    expect(await lastUsed(key.id)).toEqual(new Date('2026-11-18T10:30:01Z'));
  });
});
