import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { periodOf } from '../../../lib/billing/key-period';

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
