import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AccountElsewhere, SignInMethods } from '../../../lib/accounts/sign-in-methods';
import { createSignInMethods } from '../../../lib/accounts/sign-in-methods';
import { createLedger } from '../../../lib/billing/ledger';
import type { Database } from '../../../lib/db/database';
import { markEmailVerified } from '../../../lib/db/people';
import { recordLog } from '../../support/log';
import { openTestDatabase } from '../../support/database';
import { handClock, makeAccounts, sealer, type HandClock } from './make-accounts';

let db: Database;
let clock: HandClock;
let methods: SignInMethods;
let mailed: { to: string; text: string }[];
let mailFails = false;

const OWNER = { email: 'ada@example.com', password: 'correct horse' };
const gitHub = (change: Partial<AccountElsewhere> = {}): AccountElsewhere => ({ service: 'github', accountId: '42', provenEmails: [OWNER.email], name: 'Ada', ...change });
const accounts = () => makeAccounts(db, clock).accounts;
const tokenOf = (text: string) => /#(\S+)/.exec(text)?.[1] ?? '';

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
  methods = createSignInMethods({ db, clock, log: recordLog(), ledger: createLedger({ clock }), sealer, baseUrl: 'https://console.example', mailer });
});
afterAll(() => db.close());

describe('signing in elsewhere', () => {
  test('makes the very first person the owner, and nobody after that', async () => {
    expect(await methods.signInElsewhere(gitHub())).toMatchObject({ email: OWNER.email, role: 'owner', name: 'Ada' });
    expect(await methods.signInElsewhere(gitHub({ accountId: '43', provenEmails: ['eve@example.com'] }))).toEqual({ refused: 'no-account' });
  });

  test('S-04 does not open an account whose address nobody has proven here', async () => {
    await accounts().signUpFirst(OWNER);
    expect(await methods.signInElsewhere(gitHub())).toEqual({ refused: 'unconfirmed' });
  });

  test('H2 whoever signs up with somebody else’s address waits in vain for the other to sign in', async () => {
    await accounts().signUpFirst(OWNER);
    await methods.signInElsewhere(gitHub());
    // Nothing was tied to the account by the refused attempt: a second one is refused as well.
    expect(await methods.signInElsewhere(gitHub({ provenEmails: [] }))).toEqual({ refused: 'no-proven-email' });
    const { rows } = await db.query('select count(*)::int as count from identities');
    expect(rows[0]?.count).toBe(0);
  });

  test('opens an account whose address is proven on both sides, and from then on by the service’s own id', async () => {
    const owner = await accounts().signUpFirst(OWNER);
    await markEmailVerified(db, owner.userId, clock.now());
    expect(await methods.signInElsewhere(gitHub({ provenEmails: ['other@example.com', 'ADA@example.com'] }))).toMatchObject({ userId: owner.userId });
    expect(await methods.signInElsewhere(gitHub({ provenEmails: [] }))).toMatchObject({ userId: owner.userId });
    expect(await methods.signInElsewhere(gitHub({ service: 'google', provenEmails: [] }))).toEqual({ refused: 'no-proven-email' });
  });

  test('believes no address that the service has not proven', async () => {
    expect(await methods.signInElsewhere(gitHub({ provenEmails: [] }))).toEqual({ refused: 'no-proven-email' });
  });
});

describe('a link by e-mail', () => {
  test('opens once, for the person it was sent to, and is not in the database', async () => {
    const owner = await accounts().signUpFirst(OWNER);
    await methods.sendLink(' Ada@Example.com');
    expect(mailed).toHaveLength(1);
    const token = tokenOf(mailed[0]!.text);
    const { rows } = await db.query('select * from sign_in_links');
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(await methods.spendLink(token)).toMatchObject({ userId: owner.userId });
    expect(await methods.spendLink(token)).toBeUndefined();
  });

  test('opens for one of two who click at once', async () => {
    await accounts().signUpFirst(OWNER);
    await methods.sendLink(OWNER.email);
    const token = tokenOf(mailed[0]!.text);
    const opened = await Promise.all([methods.spendLink(token), methods.spendLink(token)]);
    expect(opened.filter(Boolean)).toHaveLength(1);
  });

  test('opens nothing after ten minutes', async () => {
    await accounts().signUpFirst(OWNER);
    await methods.sendLink(OWNER.email);
    clock.pass(10 * 60_000);
    expect(await methods.spendLink(tokenOf(mailed[0]!.text))).toBeUndefined();
  });

  test('proves the address, and ends what signed in before the proof', async () => {
    const before = await accounts().signUpFirst(OWNER);
    const { userId } = before;
    const id = await accounts().beginSignIn(before);
    await methods.sendLink(OWNER.email);
    const person = await methods.spendLink(tokenOf(mailed[0]!.text));
    expect(await accounts().findSignIn(id)).toBeUndefined();
    expect(await accounts().findSignIn(await accounts().beginSignIn(person!))).toMatchObject({ userId });
    expect(await methods.signInElsewhere(gitHub())).toMatchObject({ userId });
  });

  test('is sent to nobody who has no account, and a mail server that is away tells nobody', async () => {
    await accounts().signUpFirst(OWNER);
    await methods.sendLink('nobody@example.com');
    mailFails = true;
    await methods.sendLink(OWNER.email);
    expect(mailed).toEqual([]);
  });

  test('refuses what is no token without a query', async () => {
    for (const token of ['', 'x', 'a'.repeat(5_000), "'; --"]) expect(await methods.spendLink(token)).toBeUndefined();
  });
});
