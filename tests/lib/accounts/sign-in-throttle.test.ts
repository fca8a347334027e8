import { describe, expect, test } from 'vitest';
import { createSignInThrottle, type SignInThrottle } from '../../../lib/accounts/sign-in-throttle';
import { createTestClock } from '../../support/clock';

const MINUTE_MS = 60_000;

function setUp() {
  const clock = createTestClock();
  return { clock, throttle: createSignInThrottle({ clock }) };
}

function fail(throttle: SignInThrottle, times: number, email: (n: number) => string, address: (n: number) => string) {
  return Array.from({ length: times }, (_, n) => throttle.attempt(email(n), address(n)).allowed);
}

describe('sign-in throttle', () => {
  test('the eleventh failed attempt on an account within 15 minutes is refused, wherever it comes from', () => {
    const { throttle } = setUp();
    const allowed = fail(throttle, 11, () => 'ada@example.com', (n) => `203.0.113.${n}`);
    expect(allowed).toEqual([...Array<boolean>(10).fill(true), false]);
  });

  test('the eleventh failed attempt from an address is refused, whoever it is for', () => {
    const { throttle } = setUp();
    const allowed = fail(throttle, 11, (n) => `person-${n}@example.com`, () => '203.0.113.7');
    expect(allowed.at(-1)).toBe(false);
    expect(throttle.attempt('else@example.com', '203.0.113.8').allowed).toBe(true);
  });

  test('addresses of one /64 count together, however they are written; those of the next /64 do not', () => {
    const { throttle } = setUp();
    const forms = ['2001:db8:0:1::1', '2001:db8:0:1:0:0:0:2', '2001:0db8:0000:0001::3', '2001:DB8:0:1:ffff::4%eth0'];
    fail(throttle, 10, (n) => `person-${n}@example.com`, (n) => forms[n % forms.length] ?? '');
    expect(throttle.attempt('a@example.com', '2001:db8:0:1:abcd::').allowed).toBe(false);
    expect(throttle.attempt('b@example.com', '2001:db8:0:2::1').allowed).toBe(true);
  });

  test('an IPv4 address on an IPv6 socket is the same address', () => {
    const { throttle } = setUp();
    fail(throttle, 10, (n) => `person-${n}@example.com`, () => '::ffff:203.0.113.7');
    expect(throttle.attempt('a@example.com', '203.0.113.7').allowed).toBe(false);
  });

  test('the account is the same in any case and with blanks around it', () => {
    const { throttle } = setUp();
    fail(throttle, 10, (n) => (n % 2 ? 'ADA@example.com ' : 'ada@example.com'), (n) => `203.0.113.${n}`);
    expect(throttle.attempt('ada@Example.com', '198.51.100.1').allowed).toBe(false);
  });

  test('a refusal says how long, and after that time an attempt is allowed again', async () => {
    const { clock, throttle } = setUp();
    throttle.attempt('ada@example.com', '203.0.113.7');
    await clock.advance(5 * MINUTE_MS);
    fail(throttle, 9, () => 'ada@example.com', (n) => `203.0.113.${n}`);
    const refused = throttle.attempt('ada@example.com', '198.51.100.1');
    expect(refused).toEqual({ allowed: false, retryAfterSeconds: 600 });
    await clock.advance(599_000);
    expect(throttle.attempt('ada@example.com', '198.51.100.1').allowed).toBe(false);
    await clock.advance(1_000);
    expect(throttle.attempt('ada@example.com', '198.51.100.1').allowed).toBe(true);
  });

  test('attempts that succeed do not lock anybody out', () => {
    const { throttle } = setUp();
    for (let n = 0; n < 30; n += 1) {
      const attempt = throttle.attempt(`person-${n % 3}@example.com`, '203.0.113.7');
      expect(attempt.allowed).toBe(true);
      if (attempt.allowed) attempt.succeeded();
    }
  });

  test('a success does not wash away the failures of others at the same address', () => {
    const { throttle } = setUp();
    fail(throttle, 9, (n) => `guess-${n}@example.com`, () => '203.0.113.7');
    const attempt = throttle.attempt('ada@example.com', '203.0.113.7');
    if (attempt.allowed) attempt.succeeded();
    throttle.attempt('guess-9@example.com', '203.0.113.7');
    expect(throttle.attempt('guess-10@example.com', '203.0.113.7').allowed).toBe(false);
  });
});
