import { afterEach, describe, expect, it } from 'vitest';
import { consoleKeyId, type Caller } from '../../../lib/domain/caller';
import type { GatewayError } from '../../../lib/domain/errors';
import { parseUsd } from '../../../lib/domain/money';
import { makeAcme, type Acme } from './make-acme';

// The limits of running videos and of spending, with the real database.

let acme: Acme;
afterEach(() => acme.close());

async function submitTimes(caller: Caller, times: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: times }, () =>
      acme.submit(caller, { seconds: 5 }).then(
        () => 'accepted',
        ({ code, message }: GatewayError) => `${code}: ${message}`,
      ),
    ),
  );
}
const acceptedOf = (results: readonly string[]) => results.filter((result) => result === 'accepted').length;

describe('running videos', () => {
  it('of an organisation are limited exactly at any concurrency, and refused ones hold no credits', async () => {
    acme = await makeAcme({ env: { ORGANIZATION_LIMITS: 'running_videos=3' } });
    const results = await submitTimes(acme.test, 20);
    expect(acceptedOf(results)).toBe(3);
    expect(new Set(results)).toEqual(
      new Set([
        'accepted',
        'concurrency_limit_exceeded: Your organisation reached its limit of 3 running videos. Wait until one has finished, or cancel one.',
      ]),
    );
    expect(await acme.count("holds where state = 'open'")).toBe(3);
    // The other mode and other organisations are not affected.
    expect(acceptedOf(await submitTimes(acme.live, 1))).toBe(1);
    expect(acceptedOf(await submitTimes(await acme.stranger('Others', 'test'), 1))).toBe(1);
  });

  it('of a key are limited within its organisation, and free again when a video ends', async () => {
    acme = await makeAcme();
    const limited: Caller = { ...acme.test, limits: { key: { running_videos: 1 } } };
    expect(acceptedOf(await submitTimes(limited, 3))).toBe(1);
    await acme.settle();
    await acme.pass(6_000);
    expect(await acme.count("videos where status in ('queued', 'in_progress')")).toBe(0);
    expect(acceptedOf(await submitTimes(limited, 3))).toBe(1);
  });

  it('refuse a key without asking the database after ten refusals within a second, but no automatic retry and no repeated Idempotency-Key', async () => {
    acme = await makeAcme();
    const key = acme.test;
    const limited: Caller = { ...key, limits: { key: { running_videos: 1 } } };
    const accepted = async (caller: Caller) => acceptedOf(await submitTimes(caller, 1)) === 1;
    const { id } = await acme.submit(limited, { prompt: 'a boat' });
    const ship = await acme.submit(key, { prompt: 'a ship' }, { idempotencyKey: 'ship' });
    const replayed = { id: ship.id, replayed: true };
    await expect(acme.submit(limited)).rejects.toThrow('This key reached its limit of 1 running video. Wait');
    for (let n = 2; n <= 9; n += 1) expect(await accepted(limited)).toBe(false);
    // The same key without its limit: the database decides.
    expect(await accepted(key)).toBe(true);
    expect(await accepted(limited)).toBe(false);
    expect(await accepted(key)).toBe(false);
    expect(await acme.submit(key, { prompt: 'a boat' }, { automaticRetry: true })).toMatchObject({
      id,
      replayed: true,
    });
    expect(await acme.submit(key, { prompt: 'a ship' }, { idempotencyKey: 'ship' })).toMatchObject(replayed);
    await expect(acme.submit(key, { prompt: 'a raft' }, { idempotencyKey: 'raft' })).rejects.toThrow(
      '1 running video.',
    );
    await acme.clock.advance(1_000);
    expect(await accepted(key)).toBe(true);
  });

  it('that are refused to people in the console refuse nothing to those of other organisations, nor in the other mode', async () => {
    acme = await makeAcme();
    const people = ({ orgId, mode, policy }: Caller): Caller => ({ orgId, mode, policy, keyId: consoleKeyId });
    const limited: Caller = { ...people(acme.test), limits: { organization: { running_videos: 1 } } };
    for (let n = 0; n <= 11; n += 1) await submitTimes(limited, 1);
    await expect(acme.submit(people(acme.test))).rejects.toThrow('1 running video.');
    expect(await submitTimes(people(await acme.stranger('Others', 'test')), 1)).toEqual(['accepted']);
    expect(await submitTimes(people(acme.live), 1)).toEqual(['accepted']);
  });

  it('of the installation are limited, test videos at 80 %', async () => {
    acme = await makeAcme({ env: { INSTALLATION_LIMITS: 'running_videos=5' } });
    expect(acceptedOf(await submitTimes(acme.test, 6))).toBe(4);
    const results = await submitTimes(acme.live, 3);
    expect(acceptedOf(results)).toBe(1);
    expect(results).toContain(
      'concurrency_limit_exceeded: This installation reached its limit of 5 running videos. Wait until one has finished, or cancel one.',
    );
  });
});

describe('submissions of an organisation while others send requests', () => {
  const STORING_MS = 10;

  /** Three submissions at the same time; returns how many the database had begun to store when two were stored. */
  async function storedOfThree(mode: 'live' | 'test'): Promise<number> {
    let stored = 0;
    acme = await makeAcme({
      viewOf: (db) => ({
        ...db,
        async query(text, ...rest) {
          if (!text.includes('insert into videos')) return db.query(text, ...rest);
          stored += 1;
          const result = await db.query(text, ...rest);
          await acme.clock.advance(STORING_MS);
          return result;
        },
      }),
    });
    for (const caller of [acme[mode], await acme.stranger('Others')]) await acme.gateway.limits.admit(caller, {});
    const submissions = [1, 2, 3].map(() => acme.submit(acme[mode]));
    await Promise.all(submissions.slice(0, 2));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const before = stored;
    await acme.clock.advance(3 * 2 * STORING_MS);
    await Promise.all(submissions);
    expect(stored).toBe(3);
    return before;
  }

  it('pause between test videos for three times as long as storing one took', async () => {
    expect(await storedOfThree('test')).toBe(2);
  });

  it('do not pause between live videos', async () => {
    expect(await storedOfThree('live')).toBe(3);
  });
});

describe('spending', () => {
  it('counts the prices of submitted videos, and not those that were refused', async () => {
    acme = await makeAcme({ env: { ORGANIZATION_LIMITS: 'running_videos=off' } });
    const { video } = await acme.submit(acme.test, { seconds: 5 });
    const price = parseUsd(String(video.cost));
    const limited: Caller = { ...acme.test, limits: { organization: { spend_per_minute: Number(price * 3n) } } };
    // The first one was submitted without a limit, so it is not counted.
    const results = await submitTimes(limited, 10);
    expect(acceptedOf(results)).toBe(3);
    expect(results.filter((result) => result.startsWith('rate_limit_exceeded: Your organisation')).length).toBe(7);
    await acme.clock.advance(60_000);
    const refused = acme.submit(limited, { seconds: 99 });
    await expect(refused).rejects.toMatchObject({ code: 'unsupported_value' });
    expect(acceptedOf(await submitTimes(limited, 10))).toBe(3);
  });

  it('above the limit is refused without a retry', async () => {
    acme = await makeAcme();
    const limited: Caller = { ...acme.test, limits: { organization: { spend_per_minute: 1 } } };
    await expect(acme.submit(limited, { seconds: 5 })).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
      extra: { retry: false },
    });
  });
});
