import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeGateway, type TestGateway } from '../../support/gateway';

let test: TestGateway;
beforeAll(async () => {
  test = await makeGateway();
});
afterAll(() => test.close());

describe('the usage of a model', () => {
  it('counts finished work, omits work that the caller stopped, and is empty for another organisation', async () => {
    const caller = await test.caller('test');
    const ask = async (prompt: string) =>
      (
        await test.gateway.videos.submit(caller, {
          body: { model: 'sandbox-t2v', prompt, seconds: 1, size: '640x360' },
          textOnly: false,
          requestId: 'req_h',
          automaticRetry: false,
        })
      ).id;
    await ask('a boat');
    await ask('[[fail]]');
    await test.gateway.videos.cancel(caller, await ask('[[slow:300]]'));
    // The rendering takes real time, however fast the clock of the test runs.
    const countFinished = async () => {
      await test.pass(500);
      return (await test.gateway.usage.history(caller, 'sandbox-t2v'))[0]?.count;
    };
    await expect.poll(countFinished, { timeout: 60_000 }).toBe(2);
    const [seen, ...others] = await test.gateway.usage.history(caller, 'sandbox-t2v');
    expect(others).toEqual([]);
    expect(seen).toMatchObject({ provider: 'sandbox', count: 2, succeeded: 1 });
    expect(seen?.p50Seconds).toBeGreaterThan(0);
    expect(seen?.p95Seconds).toBeGreaterThanOrEqual(seen?.p50Seconds ?? Infinity);
    expect(await test.gateway.usage.history({ ...caller, mode: 'live' }, 'sandbox-t2v')).toEqual([]);
    expect(await test.gateway.usage.history(caller, 'sandbox-text')).toEqual([]);
    expect(await test.gateway.usage.history(caller, 'sandbox-tts')).toEqual([]);
  });
});
