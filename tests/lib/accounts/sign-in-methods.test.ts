import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AccountElsewhere, SignInMethods } from '../../../lib/accounts/sign-in-methods';
import { createSignInMethods } from '../../../lib/accounts/sign-in-methods';
import { createLedger } from '../../../lib/billing/ledger';
import type { Database } from '../../../lib/db/database';
import { markEmailVerified } from '../../../lib/db/people';
import { recordLog, type RecordedLog } from '../../support/log';
import { openTestDatabase } from '../../support/database';
import { countQueries, handClock, makeAccounts, sealer, type HandClock } from './make-accounts';

let db: Database;
let clock: HandClock;
let methods: SignInMethods;
let mailed: { to: string; text: string }[];
let mailFails = false;
let log: RecordedLog;
let counted: ReturnType<typeof countQueries>;

const OWNER = { email: 'ada@example.com', password: 'correct horse' };
const gitHub = (change: Partial<AccountElsewhere> = {}): AccountElsewhere => ({
  service: 'github',
  accountId: '42',
  provenEmails: [OWNER.email],
  name: 'Ada',
  ...change,
});
const accounts = () => makeAccounts(db, clock).accounts;
const tokenOf = (text: string) => /#(\S+)/.exec(text)?.[1] ?? '';
async function mailedToken(email: string): Promise<string> {
  methods.sendLink(email);
  await expect.poll(() => mailed.length).toBe(1);
  return tokenOf(mailed[0]!.text);
}

beforeAll(async () => {
  db = await openTestDatabase();
});
beforeEach(async () => {
  await db.query('truncate organizations, users, ledger_entries cascade');
  clock = handClock();
  mailed = [];
  mailFails = false;
  const mailer = {
    async send(mail: { to: string; text: string }) {
      if (mailFails) throw new Error('The mail server is away.');
      mailed.push(mail);
    },
  };
  log = recordLog();
  counted = countQueries(db);
  methods = createSignInMethods({
    db: counted.db,
    clock,
    log,
    ledger: createLedger({ clock }),
    sealer,
    baseUrl: 'https://console.example',
    mailer,
  });
});
afterAll(() => db.close());

describe('signing in with another service', () => {
  test('makes the very first user the owner, and no later one', async () => {
    expect(await methods.signInElsewhere(gitHub())).toMatchObject({
      email: OWNER.email,
      name: 'Ada',
      memberships: [{ role: 'owner' }],
    });
    expect(await methods.signInElsewhere(gitHub({ accountId: '43', provenEmails: ['eve@example.com'] }))).toEqual({
      refused: 'no-account',
    });
  });

  test('opens no account by its address alone, whether it was confirmed here or not', async () => {
    const owner = await accounts().signUpFirst(OWNER);
    expect(await methods.signInElsewhere(gitHub())).toEqual({ refused: 'not-connected' });
    await markEmailVerified(db, owner.userId, clock.now());
    expect(await methods.signInElsewhere(gitHub({ provenEmails: ['other@example.com', 'ADA@example.com'] }))).toEqual({
      refused: 'not-connected',
    });
    // The refused attempts connected nothing to the account.
    expect(await methods.signInElsewhere(gitHub({ provenEmails: [] }))).toEqual({ refused: 'no-proven-email' });
    expect(await methods.servicesOf(owner.userId)).toEqual([]);
  });

  test('connects an account while its user has just signed in, and from then on opens by the service’s own id', async () => {
    const owner = await accounts().signUpFirst(OWNER);
    const current = (await accounts().findSignIn(await accounts().beginSignIn(owner)))!;
    clock.pass(10 * 60_000 + 1);
    expect(await methods.signInElsewhere(gitHub(), current)).toEqual({ refused: 'not-connected' });
    const fresh = (await accounts().findSignIn(await accounts().beginSignIn(owner)))!;
    expect(await methods.signInElsewhere(gitHub({ provenEmails: [] }), fresh)).toMatchObject({ userId: owner.userId });
    expect(await methods.servicesOf(owner.userId)).toEqual(['github']);
    expect(await methods.signInElsewhere(gitHub({ provenEmails: [] }))).toMatchObject({ userId: owner.userId });
    expect(await methods.signInElsewhere(gitHub({ service: 'google', provenEmails: [] }))).toEqual({
      refused: 'no-proven-email',
    });
  });

  test('trusts no address that the service has not verified', async () => {
    expect(await methods.signInElsewhere(gitHub({ provenEmails: [] }))).toEqual({ refused: 'no-proven-email' });
  });
});

describe('a link by e-mail', () => {
  test('opens once, for the user it was sent to, and is not in the database', async () => {
    const owner = await accounts().signUpFirst(OWNER);
    const token = await mailedToken(' Ada@Example.com');
    expect(mailed).toHaveLength(1);
    const { rows } = await db.query('select * from sign_in_links');
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(await methods.spendLink(token)).toMatchObject({ userId: owner.userId });
    expect(await methods.spendLink(token)).toBeUndefined();
  });

  test('opens for one of two simultaneous clicks', async () => {
    await accounts().signUpFirst(OWNER);
    const token = await mailedToken(OWNER.email);
    const opened = await Promise.all([methods.spendLink(token), methods.spendLink(token)]);
    expect(opened.filter(Boolean)).toHaveLength(1);
  });

  test('opens nothing after ten minutes', async () => {
    await accounts().signUpFirst(OWNER);
    const token = await mailedToken(OWNER.email);
    clock.pass(10 * 60_000);
    expect(await methods.spendLink(token)).toBeUndefined();
  });

  test('verifies the address, and ends earlier sign-ins', async () => {
    const before = await accounts().signUpFirst(OWNER);
    const { userId } = before;
    const id = await accounts().beginSignIn(before);
    const person = await methods.spendLink(await mailedToken(OWNER.email));
    expect(await accounts().findSignIn(id)).toBeUndefined();
    expect(await accounts().findSignIn(await accounts().beginSignIn(person!))).toMatchObject({ userId });
  });

  test('is not sent to addresses without an account, and a failing mail server does not change the answer', async () => {
    await accounts().signUpFirst(OWNER);
    methods.sendLink('nobody@example.com');
    mailFails = true;
    methods.sendLink(OWNER.email);
    await expect.poll(() => log.lines.map(({ message }) => message)).toEqual(['a link to sign in could not be mailed']);
    expect(mailed).toEqual([]);
  });

  test('is answered before anything is written, so that the time does not reveal whether an account exists', async () => {
    await accounts().signUpFirst(OWNER);
    const statements = async (email: string) => {
      const before = counted.count();
      const answered: unknown = methods.sendLink(email);
      await answered;
      return counted.count() - before;
    };
    expect(await statements(OWNER.email)).toBe(await statements('nobody@example.com'));
    expect(mailed).toEqual([]);
    await expect.poll(() => mailed.length).toBe(1);
  });

  test('refuses an invalid token without a query', async () => {
    for (const token of ['', 'x', 'a'.repeat(5_000), "'; --"]) expect(await methods.spendLink(token)).toBeUndefined();
  });
});
