import { describe, expect, it } from 'vitest';
import type { Binding } from '../../../lib/domain/model';
import { createProviderHealth } from '../../../lib/routing/provider-health';
import { createTestClock } from '../../support/clock';

// Safe: only the provider's name is looked at.
const bindings = ['a', 'b', 'c'].map((providerId) => ({ providerId }) as Binding);

function make() {
  const clock = createTestClock();
  const health = createProviderHealth(clock);
  return {
    clock,
    health,
    order: () =>
      health
        .order(bindings)
        .map(({ providerId }) => providerId)
        .join(''),
    fail(provider: string, times: number) {
      for (let n = 0; n < times; n += 1) health.failed(provider);
    },
  };
}

describe('the order of providers', () => {
  it('is that of the catalog as long as nobody fails five times in a row', () => {
    const { health, order, fail } = make();
    fail('a', 4);
    health.succeeded('a');
    fail('a', 4);
    expect(order()).toBe('abc');
  });

  it('puts one that failed five times behind the others for 30 seconds, and keeps it in the list', async () => {
    const { clock, order, fail } = make();
    fail('a', 5);
    expect(order()).toBe('bca');
    await clock.advance(29_999);
    expect(order()).toBe('bca');
    await clock.advance(1);
    expect(order()).toBe('abc');
  });

  it('doubles the time with each further failure, up to five minutes', async () => {
    for (const [failures, seconds] of [
      [6, 60],
      [7, 120],
      [8, 240],
      [9, 300],
      [50, 300],
    ] as const) {
      const { clock, order, fail } = make();
      fail('b', failures);
      await clock.advance(seconds * 1_000 - 1);
      expect([failures, order()]).toEqual([failures, 'acb']);
      await clock.advance(1);
      expect([failures, order()]).toEqual([failures, 'abc']);
    }
  });

  it('is restored at once by a success', () => {
    const { health, order, fail } = make();
    fail('a', 20);
    health.succeeded('a');
    expect(order()).toBe('abc');
  });

  it('keeps the order of the catalog among the ailing, and leaves nobody out when all are', () => {
    const { order, fail } = make();
    for (const provider of ['c', 'a']) fail(provider, 5);
    expect(order()).toBe('bac');
    fail('b', 5);
    expect(order()).toBe('abc');
  });
});
