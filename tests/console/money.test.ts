import { describe, expect, it } from 'vitest';
import { usdCents } from '../../app/console/components/ui/money';
import { usd } from '../../lib/domain/money';

describe('an amount of dollars', () => {
  it('has all digits below a cent, and at least two', () => {
    expect([usd('1234.5'), usd('0'), usd('0.000003'), usd('-12.10')]).toEqual([
      '$1,234.50',
      '$0.00',
      '$0.000003',
      '−$12.10',
    ]);
  });

  it('is rounded to cents exactly, half a cent up', () => {
    expect([usdCents('0.845'), usdCents('0.8449999'), usdCents('-0.845'), usdCents('999999999.999')]).toEqual([
      '$0.85',
      '$0.84',
      '−$0.85',
      '$1,000,000,000.00',
    ]);
    // A number of floating point would be $1.00.
    expect([usdCents('1.005'), usdCents('25'), usdCents('0')]).toEqual(['$1.01', '$25.00', '$0.00']);
  });

  it('of less than half a cent is not shown as nothing', () => {
    expect([usdCents('0.000001'), usdCents('-0.004')]).toEqual(['<$0.01', '>−$0.01']);
  });
});
