import { encode } from 'next-auth/jwt';
import { describe, expect, test } from 'vitest';
import type { ActivePerson, Membership } from '../../../lib/accounts/accounts';
import { cookieName, createSignInCookie } from '../../../lib/accounts/sign-in-cookie';
import { codeOf } from '../../../lib/domain/errors';
import { newId } from '../../../lib/domain/ids';

const SECRET = 'encrypts the cookies of this test';
const ID = newId('signIn');
const membership = (orgName: string): Membership => ({
  orgId: newId('org'),
  orgName,
  orgSuspended: false,
  role: 'owner',
});
const [first, second] = [membership('First'), membership('Second')];
const person: ActivePerson = {
  userId: newId('user'),
  email: 'ada@example.com',
  sessionVersion: 1,
  signInId: ID,
  signInOrigin: ID,
  signedInAtMs: 0,
  memberships: [first, second],
};

const make = (baseUrl = 'http://127.0.0.1:3000', found: ActivePerson = person, seen: string[] = []) =>
  createSignInCookie({
    baseUrl,
    secret: SECRET,
    accounts: {
      findSignIn: async (id) => (id === ID ? found : undefined),
      recordSeen: async (userId, orgId) => void seen.push(`${userId} ${orgId}`),
    },
  });
const token = (signInId: string, options: { secret?: string; maxAge?: number } = {}) =>
  encode({ token: { signInId }, secret: SECRET, ...options });

describe('the sign-in cookie', () => {
  test('leads to the user of its sign-in', async () => {
    expect(await make().findPerson(`theme=dark; patchbay-sign-in=${await token(ID)}; other=1`)).toBe(person);
  });

  test('over https has the prefix __Host-, and is not read without it', async () => {
    const cookie = make('https://patchbay.example');
    expect(cookieName('https://patchbay.example', 'sign-in')).toBe('__Host-patchbay-sign-in');
    expect(await cookie.findPerson(`__Host-patchbay-sign-in=${await token(ID)}`)).toBe(person);
    expect(await cookie.findPerson(`patchbay-sign-in=${await token(ID)}`)).toBeUndefined();
  });

  test('of an ended sign-in has an id and no user', async () => {
    const header = `patchbay-sign-in=${await token('signin_ended')}`;
    expect(await make().readId(header)).toBe('signin_ended');
    expect([await make().findPerson(header), await make().findMember(header, first.orgId)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('that is repeated counts as its last value', async () => {
    const valid = `patchbay-sign-in=${await token(ID)}`;
    expect(await make().findPerson(`patchbay-sign-in=x; ${valid}`)).toBe(person);
    expect(await make().findPerson(`${valid}; patchbay-sign-in=x`)).toBeUndefined();
  });

  test.each([
    ['no header', async () => undefined],
    ['another cookie', async () => `xpatchbay-sign-in=${await token(ID)}`],
    ['an empty value', async () => 'patchbay-sign-in='],
    ['no token', async () => 'patchbay-sign-in=nonsense'],
    ['a token of another secret', async () => `patchbay-sign-in=${await token(ID, { secret: 'another secret' })}`],
    ['an expired token', async () => `patchbay-sign-in=${await token(ID, { maxAge: -60 })}`],
  ])('with %s has no id and no user', async (_name, header) => {
    expect([await make().readId(await header()), await make().findPerson(await header())]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('the organisation of a request', () => {
  const header = async (chosen?: string) =>
    `patchbay-sign-in=${await token(ID)}${chosen === undefined ? '' : `; organization=${chosen}`}`;
  const found = async (chosen?: string, named?: string) =>
    (await make().findMember(await header(chosen), named))?.orgName;

  test('is the named one, then the one that the browser chose, then the first', async () => {
    expect(await found(second.orgId, first.orgId)).toBe('First');
    expect(await found(first.orgId, second.orgId)).toBe('Second');
    expect(await found(second.orgId)).toBe('Second');
    expect(await found()).toBe('First');
  });

  test('is the first if the browser chose one that the user does not belong to', async () => {
    expect(await found(newId('org'))).toBe('First');
    expect(await found('../x')).toBe('First');
  });

  test('is refused if the named one is not one of the user', async () => {
    for (const named of [newId('org'), '', 'First'])
      expect(await found(second.orgId, named).catch(codeOf)).toBe('not_a_member');
  });

  test('is refused for a user who belongs to none', async () => {
    const left = make(undefined, { ...person, memberships: [] });
    expect(await left.findMember(await header()).catch(codeOf)).toBe('not_a_member');
    expect(await left.findPerson(await header())).toMatchObject({ memberships: [] });
  });

  test('is recorded as the one that the user has seen', async () => {
    const seen: string[] = [];
    await make(undefined, person, seen).findMember(await header(), second.orgId);
    expect(seen).toEqual([`${person.userId} ${second.orgId}`]);
  });
});
