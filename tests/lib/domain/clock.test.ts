import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import fc from 'fast-check';
import { isAhead, systemClock, periodOf } from '../../../lib/domain/clock';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a time that was set at most a second ahead', () => {
  it.each([
    [1_000, 0, true],
    [1_000, 999, true],
    [1_000, 1_000, false],
    [1_000, 5_000, false],
    [1_001, 0, false],
  ])('%i is ahead at %i: %s', (untilMs, nowMs, expected) => expect(isAhead(untilMs, 1_000, nowMs)).toBe(expected));
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

const period = (kind: 'total' | 'daily' | 'weekly' | 'monthly', now: string) => {
  const { period: name, resetsAt } = periodOf(kind, new Date(now));
  return [name, resetsAt?.toISOString()];
};

describe('periodOf', () => {
  it.each([
    ['total', '2026-11-18T10:30:00Z', 'total', undefined],
    ['daily', '2026-11-18T00:00:00Z', '2026-11-18', '2026-11-19T00:00:00.000Z'],
    ['daily', '2026-11-18T23:59:59.999Z', '2026-11-18', '2026-11-19T00:00:00.000Z'],
    ['daily', '2026-12-31T12:00:00Z', '2026-12-31', '2027-01-01T00:00:00.000Z'],
    ['daily', '2028-02-28T12:00:00Z', '2028-02-28', '2028-02-29T00:00:00.000Z'],
    ['weekly', '2026-11-16T00:00:00Z', '2026-11-16', '2026-11-23T00:00:00.000Z'],
    ['weekly', '2026-11-22T23:59:59.999Z', '2026-11-16', '2026-11-23T00:00:00.000Z'],
    ['weekly', '2027-01-01T00:00:00Z', '2026-12-28', '2027-01-04T00:00:00.000Z'],
    ['monthly', '2026-11-30T23:59:59.999Z', '2026-11-01', '2026-12-01T00:00:00.000Z'],
    ['monthly', '2026-12-01T00:00:00Z', '2026-12-01', '2027-01-01T00:00:00.000Z'],
  ] as const)('%s at %s is %s until %s', (kind, now, name, resetsAt) => {
    expect(period(kind, now)).toEqual([name, resetsAt]);
  });

  it('contains its instant, begins where the former ends, and does not depend on the local time zone', () => {
    const anyDate = fc.date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const), anyDate, (kind, now) => {
        const { period: name, resetsAt = new Date(0) } = periodOf(kind, now);
        const start = new Date(`${name}T00:00:00.000Z`);
        expect(start <= now && now < resetsAt).toBe(true);
        expect(periodOf(kind, resetsAt).period).toBe(resetsAt.toISOString().slice(0, 10));
        expect(periodOf(kind, new Date(resetsAt.getTime() - 1)).period).toBe(name);
      }),
    );
  });
});
