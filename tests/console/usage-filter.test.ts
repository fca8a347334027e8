import { describe, expect, it } from 'vitest';
import { parseLedgerFilter, ledgerPath } from '../../app/console/usage/ledger/ledger-filter';
import { parseUsageFilter, RANGES, usagePath } from '../../app/console/usage/usage-filter';
import { allPeriods, periodEnd } from '../../app/console/usage/usage-periods';

const parse = (query: string, today = '2026-03-31') => parseUsageFilter(new URLSearchParams(query), today);

describe('the range of the usage page', () => {
  it('is the last thirty days, by day, unless the URL says otherwise', () => {
    expect(parse('')).toMatchObject({ from: '2026-03-02', to: '2026-03-31', by: 'model', interval: 'day' });
    expect(parse('range=wrong&by=wrong&interval=wrong')).toMatchObject({ range: '30d', by: 'model', interval: 'day' });
  });

  it.each([
    ['7d', '2026-03-25', '2026-03-31', 'day'],
    ['90d', '2026-01-01', '2026-03-31', 'day'],
    ['month', '2026-03-01', '2026-03-31', 'day'],
    ['last-month', '2026-02-01', '2026-02-28', 'day'],
    ['12m', '2025-04-01', '2026-03-31', 'week'],
  ])('%s is from %s to %s by %s', (range, from, to, interval) => {
    expect(parse(`range=${range}`)).toMatchObject({ from, to, interval });
    expect(RANGES.map(([name]) => name)).toContain(range);
  });

  it('can be any days, and is requested with its filters', () => {
    const filter = parse('range=dates&from=2026-01-05&to=2026-01-06&by=key&provider=fal');
    expect(usagePath('live', filter)).toBe(
      '/console/api/usage?mode=live&from=2026-01-05&to=2026-01-06&by=key&interval=day&provider=fal',
    );
  });
});

describe('the periods of a report', () => {
  it('cover its range without gaps, also over a change of the clock', () => {
    const march = { from: '2026-03-27', to: '2026-03-31' };
    expect(allPeriods({ ...march, interval: 'day' })).toEqual([
      '2026-03-27',
      '2026-03-28',
      '2026-03-29',
      '2026-03-30',
      '2026-03-31',
    ]);
    expect(allPeriods({ ...march, interval: 'week' })).toEqual(['2026-03-23', '2026-03-30']);
    expect(allPeriods({ from: '2025-12-31', to: '2026-02-01', interval: 'month' })).toEqual([
      '2025-12-01',
      '2026-01-01',
      '2026-02-01',
    ]);
    expect(periodEnd('2026-02-01', 'month')).toBe('2026-02-28');
    expect(periodEnd('2026-03-23', 'week')).toBe('2026-03-29');
  });
});

describe('the filters of the ledger', () => {
  it('include the last day, and a table has no page', () => {
    const filter = parseLedgerFilter(new URLSearchParams('from=2026-11-22&to=2026-11-22&kind=refund&after=5'));
    const day = Date.parse('2026-11-22') / 1000;
    const parts = `mode=test&kind=refund&created_from=${day}&created_to=${day + 86_400}`;
    expect(ledgerPath('test', filter)).toBe(`/console/api/ledger?${parts}&after=5`);
    expect(ledgerPath('test', filter, 'csv')).toBe(`/console/api/ledger?${parts}&format=csv`);
  });
});
