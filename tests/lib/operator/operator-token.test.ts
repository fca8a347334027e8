import { describe, expect, it } from 'vitest';
import type { GatewayError } from '../../../lib/domain/errors';
import { createWindowCounters } from '../../../lib/limits/window-counters';
import { createOperatorCheck } from '../../../lib/operator/operator-token';
import { createTestClock } from '../../support/clock';

const token = 'the operator token of a test, and no other'.replaceAll(' ', '-');
const MINUTE_MS = 60_000;

function make(given: { token?: string } = { token }) {
  const clock = createTestClock();
  const check = createOperatorCheck({
    counters: createWindowCounters({ clock, processes: () => 1 }),
    token: given.token,
  });
  return {
    clock,
    check: async (authorization: string | undefined, address = '192.0.2.1') => {
      try {
        await check(authorization, address);
        return 'passed';
      } catch (error) {
        return (error as GatewayError).code;
      }
    },
  };
}

describe('the check of the operator', () => {
  it('accepts the token and nothing else', async () => {
    const { check } = make();
    expect(await check(`Bearer ${token}`)).toBe('passed');
    expect(await check(`bearer ${token}`)).toBe('passed');
    for (const other of [
      undefined,
      '',
      'Bearer ',
      token,
      `Basic ${token}`,
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      `Bearer ${token.toUpperCase()}`,
    ]) {
      expect([other, await check(other, `192.0.2.${2 + (other?.length ?? 0)}`)]).toEqual([
        other,
        'invalid_operator_token',
      ]);
    }
  });

  it('refuses everything without a configured token, and names the variable', async () => {
    const { check } = make({});
    for (const sent of [undefined, 'Bearer ', 'Bearer undefined', `Bearer ${token}`])
      expect(await check(sent)).toBe('operator_not_configured');
    await expect(
      createOperatorCheck({
        counters: createWindowCounters({ clock: createTestClock(), processes: () => 1 }),
        token: undefined,
      })('Bearer x', '192.0.2.1'),
    ).rejects.toThrow('OPERATOR_TOKEN is not set');
  });

  it('refuses an address for 15 minutes after ten wrong tokens; other addresses are not affected', async () => {
    const { check, clock } = make();
    for (let guess = 0; guess < 10; guess += 1) expect(await check(`Bearer ${guess}`)).toBe('invalid_operator_token');
    expect(await check('Bearer 10')).toBe('rate_limit_exceeded');
    expect(await check(`Bearer ${token}`)).toBe('rate_limit_exceeded');
    expect(await check(`Bearer ${token}`, '192.0.2.2')).toBe('passed');
    await clock.advance(15 * MINUTE_MS + 1);
    expect(await check(`Bearer ${token}`)).toBe('passed');
  });

  it('does not count valid tokens, nor a request without a token', async () => {
    const { check } = make();
    for (let n = 0; n < 50; n += 1) {
      expect(await check(`Bearer ${token}`)).toBe('passed');
      expect(await check(undefined)).toBe('invalid_operator_token');
    }
    expect(await check('Bearer wrong')).toBe('invalid_operator_token');
  });

  it('repeats nothing that was sent', async () => {
    const check = createOperatorCheck({
      counters: createWindowCounters({ clock: createTestClock(), processes: () => 1 }),
      token,
    });
    await expect(check('Bearer hunter2', '192.0.2.1')).rejects.toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') as string }),
    );
  });
});
