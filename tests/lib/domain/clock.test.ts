import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('systemClock', () => {
  it('returns the time', () => {
    vi.setSystemTime(new Date('2026-11-21T12:00:00Z'));
    expect(systemClock.now().toISOString()).toBe('2026-11-21T12:00:00.000Z');
  });

  it('calls once after the time, and not at all when it is cancelled', () => {
    const seen: string[] = [];
    systemClock.after(100, () => seen.push('first'));
    const cancel = systemClock.after(100, () => seen.push('second'));
    vi.advanceTimersByTime(99);
    expect(seen).toEqual([]);
    cancel();
    vi.advanceTimersByTime(1_000);
    cancel();
    expect(seen).toEqual(['first']);
  });

  it('sleeps for the time, or until its signal aborts, and leaves no listener behind', async () => {
    const stop = new AbortController();
    const removed = vi.spyOn(stop.signal, 'removeEventListener');
    let woken = 0;
    const sleeping = [systemClock.sleep(100, stop.signal), systemClock.sleep(100_000, stop.signal)].map((sleep) =>
      sleep.then(() => (woken += 1)),
    );
    await vi.advanceTimersByTimeAsync(100);
    expect([woken, removed.mock.calls.length]).toEqual([1, 1]);
    stop.abort();
    await Promise.all(sleeping);
    expect([woken, vi.getTimerCount()]).toEqual([2, 0]);
  });

  it('does not sleep at all when its signal has aborted before', async () => {
    await systemClock.sleep(100_000, AbortSignal.abort());
    expect(vi.getTimerCount()).toBe(0);
  });
});
