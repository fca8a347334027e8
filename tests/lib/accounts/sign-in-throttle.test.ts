import { describe, expect, test } from 'vitest';
import { createWindowCounters } from '../../../lib/limits/window-counters';
import { createSignInThrottle, LINK_LIMITS, type SignInThrottle } from '../../../lib/accounts/sign-in-throttle';
import { createTestClock } from '../../support/clock';

const MINUTE_MS = 60_000;
const ADA = 'ada@example.com';
const HOME = '203.0.113.7';

function setUp() {
  const clock = createTestClock();
  const counters = createWindowCounters({ clock, processes: () => 1 });
  const make = (change: object = {}) =>
    createSignInThrottle({ counters, name: 'sign-in', secret: 'a secret of the tests', ...change });
  return { clock, throttle: make(), make };
}

async function fail(
  throttle: SignInThrottle,
  times: number,
  email: (n: number) => string,
  address: (n: number) => string,
  browser?: string,
): Promise<boolean[]> {
  const allowed: boolean[] = [];
  for (let n = 0; n < times; n += 1) allowed.push((await throttle.attempt(email(n), address(n), browser)).allowed);
  return allowed;
}
const isAllowed = async (throttle: SignInThrottle, email: string, address: string, browser?: string) =>
  (await throttle.attempt(email, address, browser)).allowed;
const times = (count: number, ...then: boolean[]) => [...Array<boolean>(count).fill(true), ...then];

describe('sign-in throttle', () => {
  test('refuses the eleventh failed attempt on an account from one network, but no attempt from another', async () => {
    const { throttle } = setUp();
    expect(
      await fail(
        throttle,
        11,
        () => ADA,
        () => HOME,
      ),
    ).toEqual(times(10, false));
    expect(await isAllowed(throttle, ADA, '198.51.100.1')).toBe(true);
    expect(await isAllowed(throttle, 'eve@example.com', HOME)).toBe(true);
  });

  test('lets a browser that has signed in to the account through, whatever strangers try', async () => {
    const { throttle } = setUp();
    const browser = throttle.browserToken(ADA);
    await fail(
      throttle,
      120,
      () => ADA,
      (n) => `203.0.${n}.1`,
    );
    await fail(
      throttle,
      60,
      (n) => `person-${n}@example.com`,
      () => HOME,
    );
    expect(await isAllowed(throttle, ADA, HOME)).toBe(false);
    expect(
      await fail(
        throttle,
        11,
        () => ADA,
        () => HOME,
        browser,
      ),
    ).toEqual(times(10, false));
    expect(await isAllowed(throttle, ADA, HOME, throttle.browserToken(' ADA@example.com'))).toBe(true);
  });

  test('recognises a browser by a token for that account only', async () => {
    const { throttle, make } = setUp();
    await fail(
      throttle,
      10,
      () => ADA,
      () => HOME,
    );
    const token = throttle.browserToken(ADA);
    const [nonce = '', proof = ''] = token.split('.');
    const forged = [
      '',
      'x',
      nonce,
      `${nonce}.`,
      `.${proof}`,
      `${nonce}.${'A'.repeat(43)}`,
      `${'A'.repeat(22)}.${proof}`,
      `${token}x`,
      throttle.browserToken('eve@example.com'),
      make({ secret: 'another secret' }).browserToken(ADA),
    ];
    for (const each of forged) expect(await isAllowed(throttle, ADA, HOME, each)).toBe(false);
    expect(await isAllowed(throttle, ADA, HOME, token)).toBe(true);
  });

  test('refuses strangers an account that is guessed from many networks', async () => {
    const { throttle } = setUp();
    expect(
      await fail(
        throttle,
        101,
        () => ADA,
        (n) => `203.0.${n}.1`,
      ),
    ).toEqual(times(100, false));
  });

  test('refuses the thirty-first failed attempt from a network, for any account, and counts nothing after it', async () => {
    const { throttle } = setUp();
    expect(
      await fail(
        throttle,
        31,
        (n) => `person-${n}@example.com`,
        () => HOME,
      ),
    ).toEqual(times(30, false));
    await fail(
      throttle,
      200,
      () => ADA,
      () => HOME,
    );
    expect(await isAllowed(throttle, ADA, '198.51.100.1')).toBe(true);
  });

  test('counts addresses of one /64 together, in any spelling, and those of the next /64 apart', async () => {
    const { throttle } = setUp();
    const forms = ['2001:db8:0:1::1', '2001:db8:0:1:0:0:0:2', '2001:0db8:0000:0001::3', '2001:DB8:0:1:ffff::4%eth0'];
    await fail(
      throttle,
      10,
      () => ADA,
      (n) => forms[n % forms.length] ?? '',
    );
    expect(await isAllowed(throttle, ADA, '2001:db8:0:1:abcd::')).toBe(false);
    expect(await isAllowed(throttle, ADA, '2001:db8:0:2::1')).toBe(true);
  });

  test('treats an IPv4 address on an IPv6 socket as the same address', async () => {
    const { throttle } = setUp();
    await fail(
      throttle,
      10,
      () => ADA,
      () => `::ffff:${HOME}`,
    );
    expect(await isAllowed(throttle, ADA, HOME)).toBe(false);
  });

  test('treats the account as the same in any case and with blanks around it', async () => {
    const { throttle } = setUp();
    await fail(
      throttle,
      10,
      (n) => (n % 2 ? 'ADA@example.com ' : ADA),
      () => HOME,
    );
    expect(await isAllowed(throttle, 'ada@Example.com', HOME)).toBe(false);
  });

  test('reports how long a refusal lasts, and after that time an attempt is allowed again', async () => {
    const { clock, throttle } = setUp();
    await throttle.attempt(ADA, HOME);
    await clock.advance(5 * MINUTE_MS);
    await fail(
      throttle,
      9,
      () => ADA,
      () => HOME,
    );
    expect(await throttle.attempt(ADA, HOME)).toEqual({ allowed: false, retryAfterSeconds: 600 });
    await clock.advance(599_000);
    expect(await isAllowed(throttle, ADA, HOME)).toBe(false);
    await clock.advance(1_000);
    expect(await isAllowed(throttle, ADA, HOME)).toBe(true);
  });

  test('successful attempts lock no user out', async () => {
    const { throttle } = setUp();
    for (let n = 0; n < 60; n += 1) {
      const attempt = await throttle.attempt(`person-${n % 3}@example.com`, HOME);
      expect(attempt.allowed).toBe(true);
      if (attempt.allowed) attempt.succeeded();
    }
  });

  test('a success does not reset the failures of others', async () => {
    const { throttle } = setUp();
    await fail(
      throttle,
      29,
      (n) => `guess-${n}@example.com`,
      () => HOME,
    );
    const attempt = await throttle.attempt(ADA, HOME);
    if (attempt.allowed) attempt.succeeded();
    await throttle.attempt('guess-29@example.com', HOME);
    expect(await isAllowed(throttle, 'guess-30@example.com', HOME)).toBe(false);
  });

  test('sends an account ten links by e-mail in 15 minutes, from all networks together', async () => {
    const { make } = setUp();
    expect(
      await fail(
        make({ name: 'link', limits: LINK_LIMITS }),
        11,
        () => ADA,
        (n) => `203.0.${n}.1`,
      ),
    ).toEqual(times(10, false));
  });
});
