import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleServer } from '../../support/bundle-server';
import type { LimitsCommand } from '../../support/limits-child';
import { startRedis } from '../../support/redis';

// The limits in two processes with a real Redis, and without it.

const redis = await startRedis();
afterAll(() => redis?.close());

/** For events that happen by themselves, on a machine that may be busy. */
const patience = { timeout: 60_000, interval: 50 };
const LONG_MS = 120_000;

describe.skipIf(!redis)('two processes', () => {
  let children: readonly [ChildProcess, ChildProcess];
  beforeAll(async () => {
    const start = async () => {
      const child = fork(bundleServer('tests/support/limits-child.ts'), [redis!.url]);
      await once(child, 'message');
      return child;
    };
    children = [await start(), await start()];
  }, LONG_MS);
  afterAll(() => {
    for (const child of children) child.disconnect();
  });

  async function send(child: ChildProcess, command: LimitsCommand): Promise<number> {
    const answered = once(child, 'message');
    child.send(command);
    const [result] = (await answered) as [number];
    return result;
  }
  const both = (command: LimitsCommand) => Promise.all(children.map((child) => send(child, command)));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

  it(
    'know of each other',
    async () => {
      for (const child of children) await expect.poll(() => send(child, { do: 'count processes' }), patience).toBe(2);
    },
    LONG_MS,
  );

  it('allow exactly the limit together', async () => {
    const allowed = await both({ do: 'take', times: 150, name: 'exact', max: 100, windowMs: 60_000 });
    expect(sum(allowed)).toBe(100);
    // All of it is available to one of them.
    expect(await send(children[0], { do: 'take', times: 150, name: 'alone', max: 100, windowMs: 60_000 })).toBe(100);
    expect(await send(children[1], { do: 'take', times: 10, name: 'alone', max: 100, windowMs: 60_000 })).toBe(0);
  });

  it('hold exactly the limit open together', async () => {
    expect(sum(await both({ do: 'open', times: 8, name: 'open', max: 10 }))).toBe(10);
    expect(sum(await both({ do: 'open', times: 1, name: 'open', max: 10 }))).toBe(0);
    await send(children[0], { do: 'close', times: 1, name: 'open' });
    await expect.poll(() => send(children[1], { do: 'open', times: 1, name: 'open', max: 10 }), patience).toBe(1);
  });

  it(
    'allow half of it each when Redis is killed, and exactly the limit together when it is back',
    async () => {
      const take = (name: string) => both({ do: 'take', times: 100, name, max: 50, windowMs: 60_000 });
      await redis!.stop();
      expect(await take('away')).toEqual([25, 25]);
      expect(await both({ do: 'open', times: 8, name: 'away', max: 10 })).toEqual([5, 5]);
      await redis!.start();
      for (const child of children) await expect.poll(() => send(child, { do: 'ping' }), patience).toBe(1);
      // The processes report what they have open.
      await expect.poll(() => send(children[0], { do: 'read level', name: 'away' }), patience).toBe(10);
      expect(sum(await both({ do: 'open', times: 1, name: 'away', max: 11 }))).toBe(1);
      await expect.poll(async () => sum(await take(`back ${Math.random()}`)), patience).toBe(50);
    },
    LONG_MS,
  );
});
