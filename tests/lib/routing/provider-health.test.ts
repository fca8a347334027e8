import { describe, expect, it } from 'vitest';
import { createProviderHealth, healthKeyOf } from '../../../lib/routing/provider-health';
import { createTestClock } from '../../support/clock';

const routes = ['a', 'b', 'c'].map((healthKey) => ({ providerId: healthKey, healthKey }));

function make() {
  const clock = createTestClock();
  const health = createProviderHealth({ clock });
  return {
    clock,
    health,
    order: (preferred?: string) =>
      health
        .order(routes, preferred === undefined ? undefined : ({ healthKey }) => healthKey === preferred)
        .map(({ healthKey }) => healthKey)
        .join(''),
    fail(key: string, times: number) {
      for (let n = 0; n < times; n += 1) health.failed(key);
    },
  };
}

describe('the list of unhealthy routes', () => {
  it('has open, half-open and cooling ones, and no others', async () => {
    const { clock, health, fail } = make();
    fail('a', 5);
    fail('b', 1);
    health.coolDown('c', 10_000);
    expect(health.list()).toEqual([
      { key: 'a', state: 'open', untilMs: clock.nowMs() + 30_000 },
      { key: 'c', state: 'cooling', untilMs: clock.nowMs() + 10_000 },
    ]);
    await clock.advance(30_000);
    expect(health.list()).toEqual([{ key: 'a', state: 'half_open' }]);
    health.succeeded('a');
    expect(health.list()).toEqual([]);
  });
});

describe('the circuit', () => {
  it('stays closed without five failures in a row', () => {
    const { health, fail } = make();
    fail('a', 4);
    health.succeeded('a');
    fail('a', 4);
    expect(health.admit('a')).toBe('call');
  });

  it('opens for 30 seconds after five failures in a row, however long they took', async () => {
    const { clock, health, fail } = make();
    for (let n = 0; n < 5; n += 1) {
      expect(health.admit('a')).toBe('call');
      await clock.advance(3_600_000);
      fail('a', 1);
    }
    expect(health.admit('a')).toBe('no');
    await clock.advance(29_999);
    expect(health.admit('a')).toBe('no');
    await clock.advance(1);
    expect(health.admit('a')).toBe('trial');
  });

  it('opens when more than half of twenty results within 30 seconds are failures', async () => {
    const { clock, health, fail } = make();
    const alternate = (pairs: number) => {
      for (let n = 0; n < pairs; n += 1) {
        fail('a', 1);
        health.succeeded('a');
      }
    };
    alternate(10);
    expect(health.admit('a')).toBe('call');
    fail('a', 2);
    expect(health.admit('a')).toBe('no');

    await clock.advance(30_000);
    health.admit('a');
    health.succeeded('a');
    alternate(9);
    await clock.advance(31_000);
    fail('a', 2);
    expect(health.admit('a')).toBe('call');
  });

  it('lets one trial through when half-open, and closes when the trial succeeds', async () => {
    const { clock, health, fail } = make();
    fail('a', 5);
    await clock.advance(30_000);
    expect([health.admit('a'), health.admit('a'), health.admit('a')]).toEqual(['trial', 'no', 'no']);
    health.succeeded('a');
    expect([health.admit('a'), health.admit('a')]).toEqual(['call', 'call']);
  });

  it('opens again when the trial fails, each time for 30 seconds longer, up to five minutes', async () => {
    const { clock, health, fail } = make();
    fail('a', 5);
    for (const seconds of [30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 300]) {
      await clock.advance(seconds * 1_000 - 1);
      expect([seconds, health.admit('a')]).toEqual([seconds, 'no']);
      await clock.advance(1);
      expect([seconds, health.admit('a')]).toEqual([seconds, 'trial']);
      fail('a', 1);
    }
  });

  it('begins with 30 seconds again after it was closed for five minutes', async () => {
    const { clock, health, fail } = make();
    fail('a', 5);
    await clock.advance(30_000);
    fail('a', 1);
    await clock.advance(60_000);
    health.admit('a');
    health.succeeded('a');
    await clock.advance(300_000);
    fail('a', 5);
    await clock.advance(30_000);
    expect(health.admit('a')).toBe('trial');
  });

  it('lets another trial through when the first one does not report: at once if it is released, otherwise after a minute', async () => {
    const { clock, health, fail } = make();
    fail('a', 5);
    await clock.advance(30_000);
    expect(health.admit('a')).toBe('trial');
    health.release('a');
    expect(health.admit('a')).toBe('trial');
    await clock.advance(59_999);
    expect(health.admit('a')).toBe('no');
    await clock.advance(1);
    expect(health.admit('a')).toBe('trial');
  });

  it('stays open no longer after failures of earlier calls', async () => {
    const { clock, health, fail } = make();
    fail('a', 5);
    await clock.advance(20_000);
    fail('a', 3);
    await clock.advance(10_000);
    expect(health.admit('a')).toBe('trial');
  });

  it('opens for a provider whose answers begin and break off, each of them', () => {
    const { health } = make();
    for (let n = 0; n < 5; n += 1) {
      expect(health.admit('a')).toBe('call');
      health.succeeded('a');
      health.brokeOff('a');
    }
    expect(health.admit('a')).toBe('no');
  });

  it('belongs to one provider and model', () => {
    const { health, fail } = make();
    const key = (providerId: string, modelName: string) => healthKeyOf({ providerId, modelName });
    fail(key('a', 'one'), 5);
    expect([key('a', 'one'), key('a', 'two'), key('b', 'one')].map((each) => health.admit(each))).toEqual([
      'no',
      'call',
      'call',
    ]);
  });
});

describe('a rate limit', () => {
  it('cools the provider down without opening its circuit, however often it comes', () => {
    const { health } = make();
    for (let n = 0; n < 50; n += 1) health.coolDown('a', 60_000);
    expect(health.admit('a')).toBe('call');
  });

  it('puts the provider behind the healthy ones until its pause is over or a call succeeds', async () => {
    const { clock, health, order } = make();
    health.coolDown('a', 10_000);
    expect(order()).toBe('bca');
    await clock.advance(10_000);
    expect(order()).toBe('abc');
    health.coolDown('b', 10_000);
    expect(order()).toBe('acb');
    health.succeeded('b');
    expect(order()).toBe('abc');
  });
});

describe('the order of routes', () => {
  it('is unchanged while all are healthy', () => {
    expect(make().order()).toBe('abc');
  });

  it('has healthy ones first, then those that cool down, then open ones, and omits none', () => {
    const { health, order, fail } = make();
    fail('a', 5);
    health.coolDown('b', 1_000);
    expect(order()).toBe('cba');
  });

  it('has the one that reopens soonest first among open ones', async () => {
    const { clock, order, fail } = make();
    fail('c', 5);
    await clock.advance(1_000);
    fail('a', 5);
    expect(order()).toBe('bca');
    fail('b', 5);
    expect(order()).toBe('cab');
  });

  it('has the preferred route first only while it is healthy', () => {
    const { health, order } = make();
    expect(order('b')).toBe('bac');
    health.coolDown('b', 1_000);
    expect(order('b')).toBe('acb');
  });
});
