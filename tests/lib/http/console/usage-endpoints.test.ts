import { describe, expect, it } from 'vitest';
import { parseLedgerQuery, parseUsageQuery } from '../../../../lib/http/console/usage-endpoints';

const nowMs = Date.parse('2026-11-23T23:59:59Z');
const usage = (query: string) => parseUsageQuery(new URLSearchParams(query), nowMs);
const ledger = (query: string) => parseLedgerQuery(new URLSearchParams(query));

describe('the query of a usage report', () => {
  it('is the last thirty days by model and day, unless it says otherwise', () => {
    expect(usage('')).toMatchObject({ days: { from: '2026-10-25', to: '2026-11-23' }, by: 'model', interval: 'day' });
    expect(usage('to=2026-03-01')).toMatchObject({ days: { from: '2026-01-31', to: '2026-03-01' } });
    expect(usage('from=2026-11-23&to=2026-11-23').days).toEqual({ from: '2026-11-23', to: '2026-11-23' });
    expect(usage('by=person&interval=week&kind=speech&key=console&provider=fal&model=m')).toMatchObject({
      by: 'person',
      interval: 'week',
      filter: { kind: 'speech', key: 'console', provider: 'fal', model: 'm' },
    });
  });

  it.each([
    ['from', 'from=2026-11-24'],
    ['from', 'from=2020-01-01'],
    ['from', 'from=2026-02-30'],
    ['to', 'to=today'],
    ['by', 'by=colour'],
    ['interval', 'interval=hour'],
    ['kind', 'kind=image'],
    ['key', 'key=mine'],
  ])('is refused with the name of the parameter: %s in %s', (param, query) => {
    expect(() => usage(query)).toThrow(
      expect.objectContaining({ code: 'unsupported_value', extra: expect.objectContaining({ param }) }),
    );
  });
});

describe('the query of a ledger', () => {
  it('has filters, a limit and a place', () => {
    expect(ledger('')).toEqual({ filter: { open: false }, limit: 50 });
    expect(ledger('kind=capture&created_from=5&open=true&subject=%20video_1%20&limit=100&after=7')).toEqual({
      filter: { kind: 'capture', from: new Date(5_000), open: true, subject: 'video_1' },
      limit: 100,
      after: '7',
    });
  });

  it('names the kinds that exist when it is refused for its kind', () => {
    const kinds = ['hold', 'capture', 'release', 'grant', 'adjust', 'refund'];
    expect(() => ledger('kind=foo')).toThrow(
      expect.objectContaining({
        message: 'kind must be hold, capture, release, grant, adjust or refund.',
        extra: { param: 'kind', details: { allowed: kinds } },
      }),
    );
  });

  it.each(['kind=gift', 'limit=101', 'open=maybe', 'created_to=x', 'key=mine'])('is refused for %s', (query) => {
    expect(() => ledger(query)).toThrow(expect.objectContaining({ code: 'unsupported_value' }));
  });
});
