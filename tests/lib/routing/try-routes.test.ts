import { describe, expect, it } from 'vitest';
import { GatewayError, upstreamFailed, type UpstreamOutcome } from '../../../lib/domain/errors';
import { newId } from '../../../lib/domain/ids';
import { createProviderHealth, type WithHealth } from '../../../lib/routing/provider-health';
import {
  reconnectIfAlone,
  recordBreak,
  repeatAfterPause,
  tryRoutes,
  type AttemptOptions,
} from '../../../lib/routing/try-routes';
import { createTestClock } from '../../support/clock';

type TestRoute = WithHealth;
type Answer = string | Error;

const [a, b, c] = ['a', 'b', 'c'].map((healthKey): TestRoute => ({ providerId: healthKey, healthKey })) as [
  TestRoute,
  TestRoute,
  TestRoute,
];
const failed = (outcome: Partial<UpstreamOutcome> = {}, code?: 'upstream_timeout' | 'upstream_auth_failed') =>
  upstreamFailed({ retry: 'elsewhere', started: 'no', ...outcome }, 'as the test says', code);
const limited = (retryAfterMs?: number) =>
  new GatewayError('rate_limit_exceeded', 'Limited.', {
    upstream: { retry: 'elsewhere', started: 'no', ...(retryAfterMs !== undefined && { retryAfterMs }) },
  });
const refused = () =>
  new GatewayError('upstream_rejected', 'Change it.', { upstream: { retry: 'never', started: 'no' } });

/** Lets a loop run until its next pause. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A loop over providers that answer from a list; the last answer of a provider repeats. */
function make(answers: Record<string, Answer[]>) {
  const clock = createTestClock();
  const said: string[] = [];
  const health = createProviderHealth({
    clock,
    credentials: { accepted: () => void said.push('accepted'), refused: () => void said.push('refused') },
  });
  const calls: string[] = [];
  const records: string[] = [];
  const answer = async ({ healthKey }: TestRoute): Promise<string> => {
    calls.push(healthKey);
    const left = answers[healthKey] ?? [];
    const next = left.length > 1 ? left.shift() : left[0];
    if (next instanceof Error) throw next;
    return next ?? `from ${healthKey}`;
  };
  const run = (
    routes: readonly [TestRoute, ...TestRoute[]],
    options: Partial<AttemptOptions<TestRoute>> = {},
    attempt = answer,
  ) =>
    tryRoutes(routes, attempt, {
      capability: 'messages',
      workId: 'req_1',
      health,
      clock,
      mayBeginTwice: true,
      onAttempt: ({ healthKey }, _ms, failed) => void records.push(failed ? `${healthKey} ${failed.code}` : healthKey),
      ...options,
    });
  return { clock, health, calls, records, said, run };
}

describe('the credential of an own account', () => {
  const own = { ...a, credentialId: newId('credential') };

  it.each<[string, Answer, string[]]>([
    ['works', 'an answer', ['accepted']],
    ['is refused', failed({}, 'upstream_auth_failed'), ['refused']],
    ['meets another failure', failed(), []],
    ['carries a request that is refused', refused(), []],
  ])('that %s is recorded as such', async (_what, answer, expected) => {
    const { run, said } = make({ a: [answer] });
    await run([own]).catch(() => undefined);
    expect(said).toEqual(expected);
  });

  it('is refused by an answer that breaks off because of it', () => {
    const { health, said } = make({});
    recordBreak(health, own, failed({}, 'upstream_auth_failed'));
    recordBreak(health, own, failed());
    expect(said).toEqual(['refused']);
  });

  it('is nothing that a call of the installation says something about', async () => {
    const { run, said } = make({ a: [failed({}, 'upstream_auth_failed')] });
    await run([a, b]);
    expect(said).toEqual([]);
  });
});

describe('the loop', () => {
  it('calls the first route alone when it answers', async () => {
    const { run, calls, records } = make({});
    expect(await run([a, b])).toBe('from a');
    expect([calls, records]).toEqual([['a'], ['a']]);
  });

  it.each([
    ['failed', failed()],
    ['may have begun', failed({ started: 'maybe', retry: 'later' })],
    ['answers with a rate limit', limited(60_000)],
    ['refuses our credentials', failed({}, 'upstream_auth_failed')],
  ])('calls the next one when the first %s, and records both', async (_what, error) => {
    const { run, records } = make({ a: [error] });
    expect(await run([a, b])).toBe('from b');
    expect(records).toEqual([`a ${error.code}`, 'b']);
  });

  it('stops at an error that the caller must correct, and at one of ours', async () => {
    for (const error of [refused(), new TypeError('ours')]) {
      const { run, calls, health } = make({ a: [error] });
      for (let n = 0; n < 6; n += 1) await expect(run([a, b])).rejects.toBe(error);
      expect([calls, health.admit('a')]).toEqual([['a', 'a', 'a', 'a', 'a', 'a'], 'call']);
    }
  });

  it('stops at a call that may have begun if it could be charged twice', async () => {
    const lost = failed({ started: 'maybe' });
    const { run, calls } = make({ a: [lost] });
    await expect(run([a, b], { mayBeginTwice: false })).rejects.toBe(lost);
    expect(calls).toEqual(['a']);
  });

  it('rejects with the last failure when all failed, or with an error made of all', async () => {
    const [first, last] = [failed(), failed({}, 'upstream_timeout')];
    const combined = new GatewayError('no_provider_available', 'None.');
    await expect(make({ a: [first], b: [last] }).run([a, b])).rejects.toBe(last);
    const combine = (failures: readonly GatewayError[]) => {
      expect(failures).toEqual([first, last]);
      return combined;
    };
    await expect(make({ a: [first], b: [last] }).run([a, b], { combine })).rejects.toBe(combined);
  });

  it('begins no call after its deadline, except the first', async () => {
    const { run, calls } = make({ a: [failed()], b: [failed()] });
    await expect(run([a, b, c], { isOver: () => calls.length >= 2 })).rejects.toBeInstanceOf(GatewayError);
    expect(calls).toEqual(['a', 'b']);
    const over = make({ a: [failed()] });
    await expect(over.run([a, b], { isOver: () => true })).rejects.toBeInstanceOf(GatewayError);
    expect(over.calls).toEqual(['a']);
  });

  it('ends without a result for the provider when there is nothing left to call', async () => {
    const { run, health, clock } = make({});
    for (let n = 0; n < 5; n += 1) health.failed('a');
    await clock.advance(30_000);
    // Safe: the result is passed on unchanged.
    expect(await run([a, b], {}, async () => undefined as unknown as string)).toBeUndefined();
    expect(health.admit('a')).toBe('trial');
  });

  it('waits for the record of an attempt before the next call', async () => {
    const order: string[] = [];
    const { run } = make({ a: [failed()] });
    await run([a, b], {
      async onAttempt({ healthKey }) {
        await Promise.resolve();
        order.push(healthKey);
      },
    });
    expect(order).toEqual(['a', 'b']);
  });
});

describe('a disconnect', () => {
  it('during a call ends the attempts and is no failure of the provider', async () => {
    const caller = new AbortController();
    const { run, calls, records, health } = make({});
    const attempt = async ({ healthKey }: TestRoute) => {
      calls.push(healthKey);
      caller.abort();
      throw failed();
    };
    for (let n = 0; n < 6; n += 1)
      await expect(run([a, b], { signal: caller.signal }, attempt)).rejects.toBeInstanceOf(GatewayError);
    expect([calls.includes('b'), new Set(records), health.admit('a')]).toEqual([
      false,
      new Set(['a caller_left']),
      'call',
    ]);
  });

  it('during a trial releases the trial', async () => {
    const caller = new AbortController();
    const { run, health, clock } = make({ a: [failed()] });
    for (let n = 0; n < 5; n += 1) health.failed('a');
    await clock.advance(30_000);
    caller.abort();
    await expect(run([a, b], { signal: caller.signal })).rejects.toBeInstanceOf(GatewayError);
    expect(health.admit('a')).toBe('trial');
  });

  it('during the pause before a retry ends the attempts', async () => {
    const caller = new AbortController();
    const { run, calls } = make({ a: [failed({ retry: 'later' })] });
    const running = run([a, b], { signal: caller.signal, repeat: repeatAfterPause(() => 0) });
    await settle();
    caller.abort();
    await expect(running).rejects.toBeDefined();
    expect(calls).toEqual(['a']);
  });
});

describe('a provider with an open circuit', () => {
  it('is skipped while another one is called', async () => {
    const { run, calls } = make({ a: [failed()] });
    for (let n = 0; n < 5; n += 1) await run([a, b]);
    calls.length = 0;
    expect(await run([a, b])).toBe('from b');
    expect(calls).toEqual(['b']);
  });

  it('is called when it is the only one: the last one is never skipped', async () => {
    const { run, calls } = make({ a: [failed()] });
    for (let n = 0; n < 8; n += 1) await expect(run([a])).rejects.toBeInstanceOf(GatewayError);
    expect(calls).toHaveLength(8);
  });

  it('is called when all are open, the one that reopens soonest first', async () => {
    const { run, calls, clock, health } = make({ a: [failed()], b: [failed()] });
    const failFive = async (key: string) => {
      for (let n = 0; n < 5; n += 1) health.failed(key);
      await clock.advance(1_000);
    };
    await failFive('b');
    await failFive('a');
    await expect(run([a, b])).rejects.toBeInstanceOf(GatewayError);
    expect(calls).toEqual(['b', 'a']);
  });

  it('gets one call at a time for work that can wait, and the others learn when to try again', async () => {
    const { run, calls, clock, health } = make({});
    for (let n = 0; n < 5; n += 1) health.failed('a');
    await clock.advance(10_000);
    let finish: (answer: Promise<string>) => void = () => {};
    const slow = ({ healthKey }: TestRoute) => {
      calls.push(healthKey);
      return new Promise<string>((resolve) => (finish = resolve));
    };
    const runSlowly = () => run([a], { canWait: true }, slow);
    const first = runSlowly();
    await expect(runSlowly()).rejects.toMatchObject({
      code: 'no_provider_available',
      extra: { upstream: { started: 'no', retry: 'later', retryAfterMs: 20_000 } },
    });
    finish(Promise.reject(failed({ started: 'maybe' })));
    await expect(first).rejects.toMatchObject({ extra: { upstream: { started: 'maybe' } } });
    const second = runSlowly();
    expect(calls).toEqual(['a', 'a']);
    finish(Promise.resolve('from a'));
    expect(await second).toBe('from a');
    const both = [runSlowly(), runSlowly()];
    expect(calls).toHaveLength(4);
    finish(Promise.resolve('from a'));
    await both[1];
  });

  it('gets one trial after its pause, while other requests go elsewhere, and all of them after its success', async () => {
    const { run, calls, clock, health } = make({});
    for (let n = 0; n < 5; n += 1) health.failed('a');
    await clock.advance(30_000);
    let finish: (text: string) => void = () => {};
    const slow = ({ healthKey }: TestRoute) => {
      calls.push(healthKey);
      return healthKey === 'a' ? new Promise<string>((resolve) => (finish = resolve)) : Promise.resolve('from b');
    };
    const trial = run([a, b], {}, slow);
    expect(await Promise.all([run([a, b], {}, slow), run([a, b], {}, slow)])).toEqual(['from b', 'from b']);
    expect(calls).toEqual(['a', 'b', 'b']);
    finish('from a');
    await trial;
    expect(await run([a, b])).toBe('from a');
  });
});

describe('a rate limit', () => {
  it('cools the provider down for as long as it says, at most five minutes, and opens no circuit', async () => {
    const { run, health, clock } = make({ a: [limited(86_400_000)] });
    for (let n = 0; n < 10; n += 1) await run([a, b]);
    expect([health.admit('a'), health.order([a, b])]).toEqual(['call', [b, a]]);
    await clock.advance(299_999);
    expect(health.order([a, b])).toEqual([b, a]);
    await clock.advance(1);
    expect(health.order([a, b])).toEqual([a, b]);
  });

  it('without a pause cools it down for ten seconds', async () => {
    const { run, health, clock } = make({ a: [limited()] });
    await run([a, b]);
    await clock.advance(9_999);
    expect(health.order([a, b])).toEqual([b, a]);
    await clock.advance(1);
    expect(health.order([a, b])).toEqual([a, b]);
  });
});

describe('a retry', () => {
  const repeat = repeatAfterPause(() => 0);

  it('follows a temporary failure, once, after a short pause', async () => {
    const { run, calls, clock } = make({ a: [failed({ retry: 'later' })] });
    const running = run([a, b], { repeat });
    await settle();
    await clock.advance(199);
    expect(calls).toEqual(['a']);
    await clock.advance(1);
    expect(await running).toBe('from b');
    expect(calls).toEqual(['a', 'a', 'b']);
  });

  it('waits as long as the provider says, but not longer than two seconds', async () => {
    const { run, calls, clock } = make({ a: [failed({ retry: 'later', retryAfterMs: 2_000 }), 'late'] });
    const running = run([a, b], { repeat });
    await settle();
    await clock.advance(2_000);
    expect([await running, calls]).toEqual(['late', ['a', 'a']]);
    const longer = make({ a: [failed({ retry: 'later', retryAfterMs: 2_001 })] });
    expect(await longer.run([a, b], { repeat })).toBe('from b');
    expect(longer.calls).toEqual(['a', 'b']);
  });

  it('of a connection follows at once if there is no other provider, and not if there is', async () => {
    const alone = make({ a: [failed(), 'again'] });
    expect(await alone.run([a], { repeat: reconnectIfAlone })).toBe('again');
    const two = make({ a: [failed(), 'again'] });
    expect(await two.run([a, b], { repeat: reconnectIfAlone })).toBe('from b');
  });

  it.each([
    ['a timeout', failed({}, 'upstream_timeout')],
    ['refused credentials', failed({}, 'upstream_auth_failed')],
    ['a rate limit', limited(1)],
  ])('of a connection does not follow %s', async (_what, error) => {
    const { run, calls } = make({ a: [error] });
    await expect(run([a], { repeat: reconnectIfAlone })).rejects.toBe(error);
    expect(calls).toEqual(['a']);
  });
});

describe('an answer that breaks off', () => {
  it('counts against the provider, except for a rate limit and an error of the caller', async () => {
    for (const [error, admission] of [
      [failed({ started: 'maybe' }), 'no'],
      [limited(1_000), 'call'],
      [refused(), 'call'],
      [new Error('ours'), 'call'],
    ] as const) {
      const { run, health } = make({});
      for (let n = 0; n < 5; n += 1) {
        await run([a]);
        recordBreak(health, a, error);
      }
      expect([error.message, health.admit('a')]).toEqual([error.message, admission]);
    }
  });
});
