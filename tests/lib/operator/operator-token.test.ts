import { describe, expect, it } from 'vitest';
import type { GatewayError } from '../../../lib/domain/errors';
import { createOperatorCheck } from '../../../lib/operator/operator-token';
import { createTestClock } from '../../support/clock';

const token = 'the operator token of a test, and no other'.replaceAll(' ', '-');
const MINUTE_MS = 60_000;

function make(given: { token?: string } = { token }) {
  const clock = createTestClock();
  const check = createOperatorCheck({ clock, token: given.token });
  return {
    clock,
    check: (authorization: string | undefined, address = '192.0.2.1') => {
      try {
        check(authorization, address);
        return 'passed';
      } catch (error) {
        return (error as GatewayError).code;
      }
    },
  };
}

describe('the check of the operator', () => {
  it('lets the token pass and nothing else', () => {
    const { check } = make();
    expect(check(`Bearer ${token}`)).toBe('passed');
    expect(check(`bearer ${token}`)).toBe('passed');
    for (const other of [undefined, '', 'Bearer ', token, `Basic ${token}`, `Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Bearer ${token.toUpperCase()}`]) {
      expect([other, check(other, `192.0.2.${2 + (other?.length ?? 0)}`)]).toEqual([other, 'invalid_operator_token']);
    }
  });

  it('is closed to everything without a token, and names the variable', () => {
    const { check } = make({});
    for (const sent of [undefined, 'Bearer ', 'Bearer undefined', `Bearer ${token}`]) expect(check(sent)).toBe('operator_not_configured');
    expect(() => createOperatorCheck({ clock: createTestClock(), token: undefined })('Bearer x', '192.0.2.1')).toThrow('OPERATOR_TOKEN is not set');
  });

  it('looks at no token of an address that sent ten wrong ones, for 15 minutes; other addresses are not concerned', async () => {
    const { check, clock } = make();
    for (let guess = 0; guess < 10; guess += 1) expect(check(`Bearer ${guess}`)).toBe('invalid_operator_token');
    expect(check('Bearer 10')).toBe('rate_limit_exceeded');
    expect(check(`Bearer ${token}`)).toBe('rate_limit_exceeded');
    expect(check(`Bearer ${token}`, '192.0.2.2')).toBe('passed');
    await clock.advance(15 * MINUTE_MS + 1);
    expect(check(`Bearer ${token}`)).toBe('passed');
  });

  it('does not count what passes, nor a request without a token', () => {
    const { check } = make();
    for (let n = 0; n < 50; n += 1) {
      expect(check(`Bearer ${token}`)).toBe('passed');
      expect(check(undefined)).toBe('invalid_operator_token');
    }
    expect(check('Bearer wrong')).toBe('invalid_operator_token');
  });

  it('repeats nothing of what was sent', () => {
    const check = createOperatorCheck({ clock: createTestClock(), token });
    expect(() => check('Bearer hunter2', '192.0.2.1')).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hunter2') as string }));
  });
});
