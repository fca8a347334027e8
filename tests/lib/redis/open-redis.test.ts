import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openRedis, type Redis } from '../../../lib/redis/open-redis';
import { freePort } from '../../support/child-server';
import { recordLog } from '../../support/log';
import { runPostgres } from '../../support/run-postgres';
import { startRedis } from '../../support/redis';
import { makeAcme, type Acme } from '../videos/make-acme';

const redis = await startRedis();
const postgres = redis && runPostgres();
afterAll(async () => {
  await redis?.close();
  await postgres?.close();
});

/** For events that happen by themselves, on a machine that may be busy. */
const patience = { timeout: 60_000, interval: 10 };

const opened: Redis[] = [];
const gateways: Acme[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
  for (const each of gateways.splice(0)) await each.close();
});
async function open(url: string, log = recordLog()) {
  const each = await openRedis(url, log);
  opened.push(each);
  return { ...each, log };
}
const answers = (each: Pick<Redis, 'ping'>) =>
  each.ping().then(
    () => true,
    () => false,
  );

describe('an unavailable Redis', () => {
  it('refuses to count, so that each instance counts by itself', async () => {
    const absent = await open(`redis://127.0.0.1:${await freePort()}`);
    await expect(absent.windows.add('a', 1, 1_000)).rejects.toThrow();
    await expect(absent.windows.takeBack('a', 1, 1_000)).rejects.toThrow();
    await expect(absent.windows.read('a')).rejects.toThrow();
    await expect(absent.levels.take('a', 1)).rejects.toThrow();
    await expect(absent.levels.report([['a', 1]], 1_000)).rejects.toThrow();
    absent.levels.release('a');
  });

  it('has no other effect: opening, announcing and closing never fail, and the ping and the log report it', async () => {
    const absent = await open(`redis://127.0.0.1:${await freePort()}`);
    // Ends with the close.
    const listening = absent.onKey(() => undefined).catch(() => 'given up');
    expect(await answers(absent)).toBe(false);
    absent.announceKey('hash');
    await expect
      .poll(
        () => absent.log.lines.flatMap(({ level, message }) => (level === 'warn' ? [message] : [])).toSorted(),
        patience,
      )
      .toEqual([
        'a changed key could not be announced to other instances; they learn of it within 5 seconds',
        'redis cannot be reached; until it is back, this process counts limits and sign-ins alone',
      ]);
    await absent.close();
    opened.splice(0);
    expect(await listening).toBe('given up');
  });
});

describe.skipIf(!redis)('openRedis', () => {
  it('carries announcements to every other instance', async () => {
    const [speaker, ...listeners] = await Promise.all([open(redis!.url), open(redis!.url), open(redis!.url)]);
    const heard: string[] = [];
    await Promise.all(listeners.map((listener) => listener.onKey((hash) => heard.push(hash))));
    await expect.poll(() => answers(speaker!), patience).toBe(true);
    speaker!.announceKey('one');
    speaker!.announceKey('two');
    await expect.poll(() => heard.toSorted(), patience).toEqual(['one', 'one', 'two', 'two']);
  });

  it('counts for every instance together, in a window that begins with the first count', async () => {
    const [one, two] = await Promise.all([open(redis!.url), open(redis!.url)]);
    for (const each of [one, two]) await expect.poll(() => answers(each!), patience).toBe(true);
    expect(await one!.windows.add('a', 1, 60_000)).toEqual({
      count: 1,
      endsInMs: expect.toSatisfy((ms: number) => ms > 0 && ms <= 60_000),
    });
    await two!.windows.add('a', 4, 3_600_000);
    expect(await one!.windows.add('a', 1, 60_000)).toEqual({
      count: 6,
      endsInMs: expect.toSatisfy((ms: number) => ms <= 60_000),
    });
    await two!.windows.takeBack('a', 5, 60_000);
    expect(await one!.windows.read('a')).toMatchObject({ count: 1 });
    // Of a window that has ended since.
    await two!.windows.takeBack('a', 1, 1_000);
    expect(await one!.windows.read('a')).toMatchObject({ count: 1 });
    await one!.windows.takeBack('never counted', 1, 60_000);
    expect(await two!.windows.read('never counted')).toBeUndefined();
    await one!.windows.add('short', 1, 1_000);
    await expect.poll(() => one!.windows.read('short'), patience).toBeUndefined();
  });

  it('holds the total of all instances within a maximum, and forgets an instance that ended', async () => {
    const [one, two] = await Promise.all([open(redis!.url), open(redis!.url)]);
    for (const each of [one, two]) await expect.poll(() => answers(each!), patience).toBe(true);
    expect(await Promise.all([one, two, one, two].map((each) => each!.levels.take('streams', 3)))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    two!.levels.release('streams');
    expect(await two!.levels.read('streams')).toBe(2);
    // A report replaces what is stored of its instance.
    await two!.levels.report([['streams', 1]], 60_000);
    expect(await one!.levels.read('streams')).toBe(3);
    // Its time has ended.
    await one!.levels.report([], 0);
    expect(await two!.levels.read('streams')).toBe(1);
    expect(await two!.levels.report([], 60_000)).toBe(1);
  });

  it('reconnects by itself after an outage, with its listeners and those that were added meanwhile', async () => {
    const [speaker, listener] = await Promise.all([open(redis!.url), open(redis!.url)]);
    const heard: string[] = [];
    await listener.onKey((hash) => heard.push(hash));
    await expect.poll(() => answers(speaker), patience).toBe(true);
    await redis!.stop();
    await expect.poll(() => answers(speaker), patience).toBe(false);
    const latecomer = await open(redis!.url);
    void latecomer.onKey((hash) => heard.push(`late ${hash}`));
    await redis!.start();
    await expect.poll(() => answers(speaker), patience).toBe(true);
    await expect
      .poll(() => {
        speaker.announceKey('again');
        return new Set(heard);
      }, patience)
      .toEqual(new Set(['again', 'late again']));
    const reported = speaker.log.lines.filter(({ level, message }) => level === 'warn' && message.startsWith('redis'));
    expect(reported.map(({ message }) => message)).toEqual([
      'redis cannot be reached; until it is back, this process counts limits and sign-ins alone',
      'redis can be reached again',
    ]);
  });
});

describe.skipIf(!redis || !postgres)('two gateways with one Redis', () => {
  async function start(): Promise<[Acme, Acme]> {
    const databaseUrl = await postgres!.createDatabase();
    const env = { REDIS_URL: redis!.url };
    const first = await makeAcme({ databaseUrl, env });
    gateways.push(first);
    const second = await makeAcme({ databaseUrl, env, clock: first.clock });
    gateways.unshift(second);
    for (const { gateway } of [first, second])
      await expect
        .poll(async () => (await healthOf(gateway, first)).health.redis, patience)
        .toEqual({ connected: true, error: '' });
    return [first, second];
  }
  /** A new lookup: results are cached for a second. */
  async function healthOf(gateway: Acme['gateway'], { clock }: Acme) {
    await clock.advance(1_001);
    return gateway.health.check(new Set());
  }

  it('refuse a revoked key at once in the instance that did not revoke it, despite its cache', async () => {
    const [first, second] = await start();
    const credential = { authorization: `Bearer ${first.firstRun.keys.live}` };
    const ask = ({ gateway }: Acme) =>
      gateway.accounts.authenticate(credential, '127.0.0.1').then(
        () => 'accepted',
        (error: { code: string }) => error.code,
      );
    expect([await ask(first), await ask(second)]).toEqual(['accepted', 'accepted']);
    await first.gateway.accounts.revokeKey({ orgId: first.live.orgId, role: 'owner' }, first.live.keyId);
    expect(await ask(first)).toBe('revoked_api_key');
    // The clock stands still, so no cached entry expires.
    await expect.poll(() => ask(second), patience).toBe('revoked_api_key');
  });

  it('continue without it: requests work, the health check reports it, and a revocation takes at most five seconds', async () => {
    const [first, second] = await start();
    await redis!.stop();
    await expect
      .poll(async () => (await healthOf(first.gateway, first)).message, patience)
      .toBe('Service Unavailable - Redis is unavailable');
    expect((await healthOf(first.gateway, first)).health).toEqual({
      status: 'error',
      redis: { connected: false, error: 'Redis could not be reached' },
      database: { connected: true, error: '' },
    });
    const { id } = await first.submit(first.live, { seconds: 5 });
    await first.settle();
    await first.pass(6_000);
    expect(await second.read(first.live, id)).toMatchObject({ status: 'completed' });

    const credential = { authorization: `Bearer ${first.firstRun.keys.test}` };
    const ask = () =>
      second.gateway.accounts.authenticate(credential, '127.0.0.1').then(
        () => 'accepted',
        (error: { code: string }) => error.code,
      );
    expect(await ask()).toBe('accepted');
    await first.gateway.accounts.revokeKey({ orgId: first.test.orgId, role: 'owner' }, first.test.keyId);
    await first.clock.advance(5_000);
    expect(await ask()).toBe('revoked_api_key');

    await redis!.start();
    await expect.poll(async () => (await healthOf(first.gateway, first)).message, patience).toBe('OK');
  });
});
