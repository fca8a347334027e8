import { describe, expect, it } from 'vitest';
import { createHealth, type HealthCheck } from '../../../lib/health/check-health';
import { createTestClock } from '../../support/clock';

const up = async () => {};
const down = async () => {
  throw new Error('connect ECONNREFUSED db.internal:5432 password=hunter2');
};
const connected = { connected: true, error: '' };

function make(pingDatabase: () => Promise<void>, pingRedis?: () => Promise<void>) {
  const clock = createTestClock();
  const asked = { database: 0, redis: 0 };
  const count = (name: HealthCheck, ping: () => Promise<void>) => () => ((asked[name] += 1), ping());
  const health = createHealth({
    version: '1.2.3',
    clock,
    pingDatabase: count('database', pingDatabase),
    ...(pingRedis ? { pingRedis: count('redis', pingRedis) } : {}),
  });
  return { clock, asked, check: (...skip: HealthCheck[]) => health.check(new Set(skip)) };
}

describe('health', () => {
  it('with everything connected has the shape of the specification, errors empty', async () => {
    expect(await make(up, up).check()).toEqual({
      message: 'OK',
      version: '1.2.3',
      health: { status: 'ok', redis: connected, database: connected },
    });
  });

  it('reports that no Redis is configured, and is healthy', async () => {
    expect(await make(up).check()).toEqual({
      message: 'OK',
      version: '1.2.3',
      health: {
        status: 'ok',
        redis: { connected: false, error: 'not configured; in-process store in use' },
        database: connected,
      },
    });
  });

  it.each([
    [up, down, 'Service Unavailable - Redis is unavailable'],
    [down, up, 'Service Unavailable - Database is unavailable'],
    [down, down, 'Service Unavailable - Redis and Database are unavailable'],
    [down, undefined, 'Service Unavailable - Database is unavailable'],
  ])('names what is unavailable, case %#', async (database, redis, message) => {
    const answer = await make(database, redis).check();
    expect(answer).toMatchObject({ message, health: { status: 'error' } });
    expect(answer.health.database).toEqual(
      database === down ? { connected: false, error: 'the database could not be reached' } : connected,
    );
    if (redis)
      expect(answer.health.redis).toEqual(
        redis === down ? { connected: false, error: 'Redis could not be reached' } : connected,
      );
    expect(JSON.stringify(answer)).not.toMatch(/internal|hunter2|ECONN/);
  });

  it.each<[HealthCheck[], string]>([
    [[], 'Service Unavailable - Redis and Database are unavailable'],
    [['redis'], 'Service Unavailable - Database is unavailable'],
    [['database'], 'Service Unavailable - Redis is unavailable'],
    [['redis', 'database'], 'OK'],
  ])('skipping %j neither checks nor reports them', async (skip, message) => {
    const { check, asked } = make(down, down);
    const answer = await check(...skip);
    expect(answer.message).toBe(message);
    for (const name of ['redis', 'database'] as const) {
      expect(asked[name]).toBe(skip.includes(name) ? 0 : 1);
      if (skip.includes(name)) expect(answer.health[name]).toEqual(connected);
    }
    expect(answer.health.status).toBe(message === 'OK' ? 'ok' : 'error');
  });

  it('skipping a Redis that is not configured reports it connected, like any skipped check', async () => {
    expect((await make(up).check('redis')).health).toEqual({ status: 'ok', redis: connected, database: connected });
  });

  it('waits one second for an answer and no longer, both checks at once', async () => {
    const { check, clock } = make(
      () => new Promise(() => {}),
      () => new Promise(() => {}),
    );
    let answer: Awaited<ReturnType<typeof check>> | undefined;
    const checking = check().then((result) => (answer = result));
    await clock.advance(999);
    expect(answer).toBeUndefined();
    await clock.advance(1);
    await checking;
    expect(answer).toEqual({
      message: 'Service Unavailable - Redis and Database are unavailable',
      version: '1.2.3',
      health: {
        status: 'error',
        redis: { connected: false, error: 'Redis did not answer within 1 s' },
        database: { connected: false, error: 'the database did not answer within 1 s' },
      },
    });
  });

  it('is not affected by an answer, or a failure, that comes after the second', async () => {
    let fail: (error: Error) => void = () => {};
    const { check, clock } = make(() => new Promise((_resolve, reject) => (fail = reject)));
    const checking = check();
    await clock.advance(1_000);
    expect((await checking).health.status).toBe('error');
    fail(new Error('late'));
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('checks once a second, however many requests come, and reports a recovery a second later', async () => {
    let away = true;
    const { check, clock, asked } = make(async () => (away ? down() : up()));
    const answers = await Promise.all(Array.from({ length: 100 }, () => check()));
    expect(new Set(answers.map(({ message }) => message))).toEqual(
      new Set(['Service Unavailable - Database is unavailable']),
    );
    away = false;
    await clock.advance(999);
    expect((await check()).health.status).toBe('error');
    expect(asked.database).toBe(1);
    await clock.advance(1);
    expect((await check()).health.status).toBe('ok');
    expect(asked.database).toBe(2);
  });
});
