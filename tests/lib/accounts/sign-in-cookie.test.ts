import { encode } from 'next-auth/jwt';
import { describe, expect, test } from 'vitest';
import type { ActiveSignIn } from '../../../lib/accounts/accounts';
import { cookieName, createSignInCookie } from '../../../lib/accounts/sign-in-cookie';

const SECRET = 'encrypts the cookies of this test';
const ID = 'signin_1';
const person = { userId: 'user_1', signInId: ID } as unknown as ActiveSignIn; // Safe: it is only passed on.

const make = (baseUrl = 'http://127.0.0.1:3000') =>
  createSignInCookie({
    baseUrl,
    secret: SECRET,
    accounts: { findSignIn: async (id) => (id === ID ? person : undefined) },
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
    expect(await make().findPerson(header)).toBeUndefined();
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
