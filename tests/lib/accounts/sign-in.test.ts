import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { inOrganization } from '../../../lib/accounts/accounts';
import { webhookSecretOf } from '../../../lib/accounts/webhook-secret';
import type { Database } from '../../../lib/db/database';
import { newId } from '../../../lib/domain/ids';
import { openTestDatabase } from '../../support/database';
import { cheapPasswords } from '../../support/passwords';
import { countQueries, handClock, makeAccounts, makeOrganization, refusal, sealer } from './make-accounts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

async function scene(password = 'correct horse') {
  const clock = handClock();
  const counted = countQueries(db);
  const passwords = cheapPasswords();
  const { accounts, ledger } = makeAccounts(counted.db, clock, passwords);
  const organization = await makeOrganization(db, clock, await passwords.hash(password));
  return { ...organization, accounts, ledger, clock, passwords, queries: counted.count };
}

describe('signUpFirst', () => {
  it('refuses an invalid e-mail, an invalid password and unknown fields', async () => {
    const { accounts } = makeAccounts(db, handClock());
    const good = { email: 'ada@example.com', password: 'long enough' };
    const errors: [unknown, string, string | undefined][] = [
      [undefined, 'invalid_body', undefined],
      [{ password: good.password }, 'missing_required_parameter', 'email'],
      [{ ...good, email: 'ada' }, 'unsupported_value', 'email'],
      [{ ...good, email: 'a\u0000@example.com' }, 'unsupported_value', 'email'],
      [{ ...good, email: `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c.'.repeat(100)}com` }, 'string_too_long', 'email'],
      [{ ...good, password: 'too short' }, 'unsupported_value', 'password'],
      [{ ...good, password: 'x'.repeat(201) }, 'string_too_long', 'password'],
      [{ ...good, name: '\u0007' }, 'invalid_character', 'name'],
      [{ ...good, role: 'owner' }, 'unsupported_parameter', 'role'],
    ];
    for (const [body, code, param] of errors)
      expect(await refusal(accounts.signUpFirst(body))).toMatchObject({ code, param });
    expect(await accounts.awaitsFirstUser()).toBe(true);
  });

  it('makes one owner, however many try at once, with test credits and a webhook secret', async () => {
    const { accounts, ledger } = makeAccounts(db, handClock());
    expect(await accounts.awaitsFirstUser()).toBe(true);
    const bodies = ['Ada@Example.com ', 'eve@example.com', 'mallory@example.com'].map((email) => ({
      email,
      password: 'correct horse',
      name: 'Somebody',
      organization: 'Engines',
    }));
    const outcomes = await Promise.allSettled(bodies.map((body) => accounts.signUpFirst(body)));
    const made = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason);
    expect(made).toMatchObject([
      {
        email: expect.stringMatching(/^[a-z]+@example\.com$/),
        name: 'Somebody',
        memberships: [{ orgName: 'Engines', role: 'owner' }],
        sessionVersion: 1,
      },
    ]);
    // The first to sign up may be a stranger, and an operator grants credits.
    expect(made[0]).not.toHaveProperty('isOperator');
    expect(refused).toEqual([
      expect.objectContaining({ code: 'role_required' }),
      expect.objectContaining({ code: 'role_required' }),
    ]);
    expect(await accounts.awaitsFirstUser()).toBe(false);

    const [owner] = made;
    const orgId = owner?.memberships[0]?.orgId;
    if (!owner || !orgId) throw new Error('No owner was made.');
    expect(await accounts.verifyPassword(owner.email.toUpperCase(), 'correct horse')).toEqual(owner);
    expect(await ledger.balances(db, { orgId, mode: 'live' })).toMatchObject({ available: 0n });
    expect(await accounts.credits({ orgId, mode: 'test' })).toMatchObject({ available: '1000' });
    const { rows } = await db.query('select id, webhook_secret from organizations');
    expect(rows).toHaveLength(1);
    expect(sealer.open(String(rows[0]?.webhook_secret), webhookSecretOf(orgId))).toMatch(/^whsec_/);
  });

  it('is closed once a user exists', async () => {
    const { accounts } = makeAccounts(db, handClock());
    expect(await refusal(accounts.signUpFirst({ email: 'late@example.com', password: 'long enough' }))).toMatchObject({
      code: 'role_required',
    });
  });
});

describe('verifyPassword', () => {
  it('finds the user by e-mail in any case, and by the exact password', async () => {
    const { accounts, email, orgId, userId } = await scene();
    const memberships = [{ orgId, orgName: 'Example', orgSuspended: false, role: 'owner' }];
    const person = { userId, email, sessionVersion: 1, memberships };
    expect(await accounts.verifyPassword(` ${email.toUpperCase()}`, 'correct horse')).toEqual(person);
    expect(await accounts.verifyPassword(email, 'Correct horse')).toBeUndefined();
    expect(await accounts.verifyPassword(email, '')).toBeUndefined();
  });

  it('does the work of a password for a user that does not exist, cannot exist or has none', async () => {
    const { accounts, email, userId, passwords } = await scene();
    await db.query('update users set password_hash = null where id = $1', [userId]);
    const verify = vi.spyOn(passwords, 'verify');
    expect(await accounts.verifyPassword('nobody@example.com', 'correct horse')).toBeUndefined();
    expect(await accounts.verifyPassword('nul\u0000@example.com', 'correct horse')).toBeUndefined();
    expect(await accounts.verifyPassword(`${'a'.repeat(10_000)}@example.com`, 'correct horse')).toBeUndefined();
    expect(await accounts.verifyPassword(email, 'x'.repeat(1_000_000))).toBeUndefined();
    expect(await accounts.verifyPassword(email, 'correct horse')).toBeUndefined();
    // For an absent hash it does the work of the others: see password.test.ts.
    expect(verify.mock.calls.map(([, stored]) => stored ?? 'absent')).toEqual(Array(5).fill('absent'));
  });
});

describe('a sign-in', () => {
  async function signedIn() {
    const made = await scene();
    const person = (await made.accounts.verifyPassword(made.email, 'correct horse'))!;
    return {
      ...made,
      person,
      id: await made.accounts.beginSignIn(person),
      elsewhere: makeAccounts(db, made.clock).accounts,
    };
  }
  const MINUTE_MS = 60_000;
  const DAY_MS = 24 * 60 * MINUTE_MS;

  it('is found by its id, cached for 5 seconds', async () => {
    const { accounts, id, userId, queries, clock } = await signedIn();
    const before = queries();
    for (let index = 0; index < 10; index++)
      expect(await accounts.findSignIn(id)).toMatchObject({
        userId,
        memberships: [{ role: 'owner' }],
        signInId: id,
        signedInAtMs: clock.nowMs(),
      });
    expect(queries()).toBe(before + 1);
    clock.pass(5_000);
    await accounts.findSignIn(id);
    expect(queries()).toBe(before + 2);
  });

  it('is found by no other id, and a malformed one costs no query', async () => {
    const { accounts, userId, queries } = await signedIn();
    expect(await accounts.findSignIn(newId('signIn'))).toBeUndefined();
    const before = queries();
    for (const id of [userId, "' or 1=1", '']) expect(await accounts.findSignIn(id)).toBeUndefined();
    expect(queries()).toBe(before);
  });

  it('ends with signing out: here at once, in other processes within 5 seconds, and no other sign-in with it', async () => {
    const { accounts, elsewhere, person, id, clock } = await signedIn();
    const other = await accounts.beginSignIn(person);
    expect(await elsewhere.findSignIn(id)).toBeDefined();
    expect(await accounts.findSignIn(id)).toBeDefined();
    await accounts.endSignIn(id);
    await accounts.endSignIn(id);
    expect(await accounts.findSignIn(id)).toBeUndefined();
    clock.pass(5_000);
    expect(await elsewhere.findSignIn(id)).toBeUndefined();
    expect(await elsewhere.findSignIn(other)).toBeDefined();
  });

  it('is replaced by a newer one of the same browser; running requests get two seconds', async () => {
    const { accounts, elsewhere, person, id, clock } = await signedIn();
    await accounts.findSignIn(id);
    await elsewhere.findSignIn(id);
    const next = await accounts.beginSignIn(person, id);
    expect(next).not.toBe(id);
    expect(await accounts.findSignIn(id)).toBeDefined();
    clock.pass(2_000);
    expect(await accounts.findSignIn(id)).toBeUndefined();
    clock.pass(3_000);
    expect(await elsewhere.findSignIn(id)).toBeUndefined();
    expect(await elsewhere.findSignIn(next)).toBeDefined();
  });

  it('ends with all others of the user everywhere: here at once, in other processes within 5 seconds', async () => {
    const { accounts, elsewhere, person, id, userId, clock } = await signedIn();
    const other = await elsewhere.beginSignIn(person);
    for (const each of [id, other]) {
      await accounts.findSignIn(each);
      await elsewhere.findSignIn(each);
    }
    await accounts.signOutEverywhere(userId);
    for (const each of [id, other]) expect(await accounts.findSignIn(each)).toBeUndefined();
    // A password check from before the end that completes a sign-in after it is ended too.
    expect(await accounts.findSignIn(await accounts.beginSignIn(person))).toBeUndefined();
    const again = (await accounts.verifyPassword(person.email, 'correct horse'))!;
    expect(await accounts.findSignIn(await accounts.beginSignIn(again))).toMatchObject({ sessionVersion: 2 });
    clock.pass(5_000);
    for (const each of [id, other]) expect(await elsewhere.findSignIn(each)).toBeUndefined();
  });

  it('ends after seven days without a visit, and after thirty days in any case', async () => {
    const { accounts, person, id, clock } = await signedIn();
    const idle = await accounts.beginSignIn(person);
    for (let day = 0; day < 29; day += 1) {
      expect(await accounts.findSignIn(id)).toBeDefined();
      clock.pass(DAY_MS);
    }
    expect(await accounts.findSignIn(idle)).toBeUndefined();
    expect(await accounts.findSignIn(id)).toBeDefined();
    clock.pass(DAY_MS);
    expect(await accounts.findSignIn(id)).toBeUndefined();
  });

  it('records a visit every five minutes at most', async () => {
    const { accounts, id, queries, clock } = await signedIn();
    const seen = async () =>
      (await db.query('select last_seen_at from sign_ins where id = $1', [id])).rows[0]?.last_seen_at as Date;
    clock.pass(5 * MINUTE_MS);
    await accounts.findSignIn(id);
    expect(new Date(await seen()).getTime()).toBe(clock.nowMs());
    const before = queries();
    await accounts.findSignIn(id);
    expect(queries()).toBe(before);
  });

  it('that has ended is removed from the database at the next sign-in of any user', async () => {
    const { accounts, person, id, clock } = await signedIn();
    clock.pass(7 * DAY_MS + 1);
    await accounts.beginSignIn(person);
    const { rows } = await db.query('select 1 from sign_ins where id = $1', [id]);
    expect(rows).toEqual([]);
  });

  it('stays while its user changes the password, and all others end', async () => {
    const { accounts, elsewhere, person, id, clock } = await signedIn();
    const other = await accounts.beginSignIn(person);
    const current = (await accounts.findSignIn(id))!;
    expect(await refusal(accounts.changePassword(current, { password: 'too short' }))).toMatchObject({
      code: 'unsupported_value',
      param: 'password',
    });
    expect(await refusal(accounts.changePassword(current, { password: 'long enough', email: 'x' }))).toMatchObject({
      code: 'unsupported_parameter',
    });
    await elsewhere.findSignIn(other);
    await accounts.changePassword(current, { password: 'battery staple' });
    expect(await accounts.findSignIn(id)).toMatchObject({ userId: person.userId });
    expect(await accounts.findSignIn(other)).toBeUndefined();
    clock.pass(5_000);
    expect(await elsewhere.findSignIn(other)).toBeUndefined();
    expect(await elsewhere.findSignIn(id)).toBeDefined();
    expect(await accounts.verifyPassword(person.email, 'correct horse')).toBeUndefined();
    expect(await accounts.verifyPassword(person.email, 'battery staple')).toMatchObject({ userId: person.userId });
  });

  it('reflects a changed role within 5 seconds', async () => {
    const { accounts, id, userId, clock } = await signedIn();
    await accounts.findSignIn(id);
    await db.query("update members set role = 'viewer' where user_id = $1", [userId]);
    clock.pass(5_000);
    expect(await accounts.findSignIn(id)).toMatchObject({ memberships: [{ role: 'viewer' }] });
  });

  it('stays when its user has left the last organisation, without a membership', async () => {
    const { accounts, id, userId } = await signedIn();
    await accounts.findSignIn(id);
    await db.query('delete from members where user_id = $1', [userId]);
    accounts.forgetPerson(userId);
    const found = await accounts.findSignIn(id);
    expect(found).toMatchObject({ userId, memberships: [] });
    expect(inOrganization(found!)).toBeUndefined();
  });

  it('records when its user was last seen in an organisation, at most every five minutes', async () => {
    const { accounts, orgId, userId, clock } = await signedIn();
    const seenMs = async () => {
      const { rows } = await db.query('select last_seen_at from members where user_id = $1', [userId]);
      return new Date(String(rows[0]?.last_seen_at)).getTime();
    };
    await accounts.recordSeen(userId, orgId);
    const first = await seenMs();
    clock.pass(4 * MINUTE_MS);
    await accounts.recordSeen(userId, orgId);
    expect([first, await seenMs()]).toEqual([clock.nowMs() - 4 * MINUTE_MS, clock.nowMs() - 4 * MINUTE_MS]);
    clock.pass(MINUTE_MS);
    await accounts.recordSeen(userId, orgId);
    expect(await seenMs()).toBe(clock.nowMs());
  });
});

/** Opens holds of the test balance, for a new key. */
async function testHolds({ accounts, orgId, ledger }: Awaited<ReturnType<typeof scene>>) {
  const { key } = await accounts.createKey({ orgId, role: 'owner' }, { name: 'CI', mode: 'test' });
  const { keyId } = await accounts.authenticate({ apiKey: key }, '::1');
  return (amount: bigint) =>
    db.inTransaction((tx) =>
      ledger.hold(tx, {
        account: { orgId, mode: 'test' },
        keyId,
        amount,
        subject: { kind: 'video', id: newId('video') },
      }),
    );
}

describe('credits', () => {
  it('are shown as decimal strings, live and test apart', async () => {
    const made = await scene();
    const { accounts, orgId, ledger } = made;
    const hold = await testHolds(made);
    await hold(250_000_000n);
    const captured = await hold(1n);
    await db.inTransaction((tx) => ledger.capture(tx, captured));
    expect(await accounts.credits({ orgId, mode: 'test' })).toEqual({
      object: 'credits',
      mode: 'test',
      currency: 'USD',
      available: '999.749999999',
      held: '0.25',
      spent: '0.000000001',
    });
    expect(await accounts.credits({ orgId, mode: 'live' })).toMatchObject({
      mode: 'live',
      available: '10',
      held: '0',
      spent: '0',
    });
  });
});

describe('refillTestCredits', () => {
  it('fills up to $1,000, once for many clicks, and only the test balance', async () => {
    const made = await scene();
    const { accounts, orgId, owner, ledger } = made;
    const spent = await (await testHolds(made))(400_000_000_000n);
    await db.inTransaction((tx) => ledger.capture(tx, spent));
    const answers = await Promise.all(Array.from({ length: 5 }, () => accounts.refillTestCredits(owner)));
    expect(answers.map(({ available }) => available)).toEqual(Array(5).fill('1000'));
    expect(await accounts.credits({ orgId, mode: 'live' })).toMatchObject({ available: '10' });
    const { rows } = await db.query(
      "select sum(amount_nano_usd)::text as sum from ledger_entries where org_id = $1 and mode = 'test' and bucket = 'available'",
      [orgId],
    );
    expect(rows).toEqual([{ sum: '1000000000000' }]);
  });

  it('takes nothing from an organisation that has more', async () => {
    const { accounts, orgId, owner, ledger } = await scene();
    await db.inTransaction((tx) => ledger.grant(tx, { orgId, mode: 'test' }, 2_000_000_000_000n));
    expect(await accounts.refillTestCredits(owner)).toMatchObject({ available: '3000' });
  });

  it('is not for viewers', async () => {
    const { accounts, owner } = await scene();
    expect(await refusal(accounts.refillTestCredits({ ...owner, role: 'viewer' }))).toMatchObject({
      code: 'role_required',
    });
  });
});
