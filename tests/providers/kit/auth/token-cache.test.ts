import { describe, expect, it } from 'vitest';
import { createTokenCache } from '../../../../lib/providers/kit/auth/token-cache';
import { createTestClock } from '../../../support/clock';

const LIFETIME_MS = 1_800_000;

function makeCache() {
  const clock = createTestClock();
  let issued = 0;
  let failure: Error | undefined;
  const cache = createTokenCache({
    clock,
    async issue() {
      issued += 1;
      const token = `token ${issued}`;
      await new Promise((resolve) => setImmediate(resolve));
      if (failure) throw failure;
      return { token, expiresAt: new Date(clock.nowMs() + LIFETIME_MS) };
    },
  });
  return { clock, cache, countIssued: () => issued, fail: (error?: Error) => void (failure = error) };
}

describe('createTokenCache', () => {
  it('serves one token until two minutes before its end', async () => {
    const { clock, cache } = makeCache();
    expect(await cache.get()).toBe('token 1');
    await clock.advance(LIFETIME_MS - 120_001);
    expect(await cache.get()).toBe('token 1');
    await clock.advance(1);
    expect(await cache.get()).toBe('token 2');
  });

  it('asks once for all callers that wait', async () => {
    const { clock, cache, countIssued } = makeCache();
    expect(await Promise.all([cache.get(), cache.get(), cache.get()])).toEqual(['token 1', 'token 1', 'token 1']);
    await clock.advance(LIFETIME_MS);
    expect(new Set(await Promise.all([cache.get(), cache.get()]))).toEqual(new Set(['token 2']));
    expect(countIssued()).toBe(2);
  });

  it('replaces a token that the vendor has refused, once', async () => {
    const { cache } = makeCache();
    const refused = await cache.get();
    cache.drop(refused);
    expect(await cache.get()).toBe('token 2');
    // A late refusal of the old token says nothing about the new one.
    cache.drop(refused);
    expect(await cache.get()).toBe('token 2');
  });

  it('gives every waiting caller the failure, and asks again for the next one', async () => {
    const { cache, fail } = makeCache();
    fail(new Error('no token'));
    const waiting = [cache.get(), cache.get()];
    await expect(Promise.all(waiting)).rejects.toThrow('no token');
    await expect(waiting[1]).rejects.toThrow('no token');
    fail();
    expect(await cache.get()).toBe('token 2');
  });

  it('ends the wait of an aborted caller, and not that of the others', async () => {
    const { cache, countIssued } = makeCache();
    const stop = new AbortController();
    const waiting = [cache.get(stop.signal), cache.get(new AbortController().signal)];
    stop.abort(new Error('not wanted'));
    await expect(waiting[0]).rejects.toThrow('not wanted');
    expect(await waiting[1]).toBe('token 1');
    expect(countIssued()).toBe(1);
  });
});
