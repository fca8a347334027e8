import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { performanceSchema, usageDimensions, usageSchema, type UsageJson } from '../../../lib/contract/usage';
import { listModelPerformance } from '../../../lib/db/usage-reports';
import { reportUsage } from '../../../lib/db/usage-reports';
import type { Account } from '../../../lib/domain/caller';
import { parseUsd } from '../../../lib/domain/money';
import type { UsageQuery } from '../../../lib/usage/usage-reports';
import type { Acme } from '../videos/make-acme';
import { makeBusyAccount } from './make-busy-account';

let acme: Acme;
let account: Account;
beforeAll(async () => {
  acme = await makeBusyAccount();
  account = { orgId: acme.live.orgId, mode: 'live' };
});
afterAll(() => acme.close());

const days = { from: '2026-11-01', to: '2026-11-30' };
const all: UsageQuery = { days, filter: {}, by: 'model', interval: 'day' };
const nano = (text: string) => (text.startsWith('-') ? -parseUsd(text.slice(1)) : parseUsd(text));
const sum = (amounts: readonly string[]) => amounts.reduce((total, amount) => total + nano(amount), 0n);

async function read(query: Partial<UsageQuery> = {}): Promise<UsageJson> {
  return usageSchema.parse(await acme.gateway.usage.reports.read(account, { ...all, ...query }));
}

describe('the usage of an account', () => {
  it.each(usageDimensions)(
    'by %s: the total is the sum of the groups, of the periods, of their parts, of the CSV, of the ledger, and what the balance shows as spent',
    async (by) => {
      const { spent } = await acme.gateway.accounts.credits(account);
      const usage = await read({ by });
      expect(usage.total.spent).toBe(spent);
      expect(sum(usage.groups.map((group) => group.spent))).toBe(nano(spent));
      expect(sum(usage.periods.map((period) => period.spent))).toBe(nano(spent));
      expect(sum(usage.periods.flatMap(({ groups }) => groups.map((group) => group.spent)))).toBe(nano(spent));
      expect(usage.groups.reduce((count, { requests }) => count + requests, 0)).toBe(usage.total.requests);
      const [header, ...lines] = await acme.gateway.usage.reports.readCsv(account, { ...all, by });
      const place = header!.trim().split(',').indexOf('spent');
      expect(sum(lines.map((line) => line.trim().split(',')[place]!))).toBe(nano(spent));
      const ledger = await acme.gateway.usage.ledger.list(account, { filter: {}, limit: 100 });
      expect(sum(ledger.data.map(({ charged }) => charged))).toBe(nano(spent));
    },
  );

  it('counts requests, which are succeeded and failed together, and units', async () => {
    const { total } = await read();
    expect(total).toMatchObject({
      requests: 8,
      succeeded: 7,
      // It was cancelled, and is not in the error rate.
      failed: 1,
      excused: 1,
      refunded: '0.200000001',
      input_tokens: 40,
      output_tokens: 80,
      media_seconds: 6,
      characters: 12,
    });
  });

  it('names the keys, the people and the kinds', async () => {
    const names = async (by: UsageQuery['by']) => (await read({ by })).groups.map(({ name }) => name);
    expect(await names('key')).toEqual(['First live key', 'Deleted key', 'Refunds without a request']);
    expect(await names('person')).toEqual(['owner@patchbay.local', 'Unknown']);
    expect((await names('kind')).toSorted()).toEqual(
      ['Messages', 'Refunds without a request', 'Speech', 'Transcriptions', 'Videos'].toSorted(),
    );
    expect(await names('provider')).toContain('No provider');
  });

  it('of one day has nothing of the days beside it, and the days add up', async () => {
    const each = await Promise.all(
      ['2026-11-21', '2026-11-22', '2026-11-23'].map((day) => read({ days: { from: day, to: day } })),
    );
    expect(each.map(({ total }) => total.spent)).toEqual(['0.5', '0.400000026', '-0.199999988']);
    expect(each.map(({ periods }) => periods.map(({ start }) => start))).toEqual([
      ['2026-11-21'],
      ['2026-11-22'],
      ['2026-11-23'],
    ]);
    expect(sum(each.map(({ total }) => total.spent))).toBe(nano((await read()).total.spent));
  });

  it('by week or month has the same total', async () => {
    for (const [interval, starts] of [
      ['week', ['2026-11-16', '2026-11-23']],
      ['month', ['2026-11-01']],
    ] as const) {
      const usage = await read({ interval });
      expect(usage.periods.map(({ start }) => start)).toEqual(starts);
      expect(sum(usage.periods.map(({ spent }) => spent))).toBe(nano((await read()).total.spent));
    }
  });

  it('is narrowed by model, provider, key and kind', async () => {
    expect((await read({ filter: { provider: 'beta' } })).total).toMatchObject({ requests: 1, spent: '0.000000011' });
    expect((await read({ filter: { model: 'another-model' } })).total.spent).toBe('0.000000013');
    expect((await read({ filter: { kind: 'speech' } })).total).toMatchObject({ requests: 1, characters: 12 });
    expect((await read({ filter: { key: acme.live.keyId } })).total.requests).toBe(7);
  });

  it('joins the smallest groups into one beyond the limit, without losing anything', async () => {
    const { total, groups, periods } = await reportUsage(acme.db, account, days, {}, 'model', 'day', 2);
    expect(groups.map(({ id }) => id)).toEqual(['acme-t2v', 'sandbox-text', null]);
    const spentOf = (parts: readonly { charged: bigint; refunded: bigint }[]) =>
      parts.reduce((spent, { charged, refunded }) => spent + charged - refunded, 0n);
    expect(spentOf(groups)).toBe(spentOf([total]));
    expect(spentOf(periods.flatMap((period) => period.groups))).toBe(spentOf([total]));
  });

  it('is empty for the other mode and for other organisations', async () => {
    const stranger = await acme.stranger('Neighbours');
    for (const other of [{ ...account, mode: 'test' as const }, stranger]) {
      const usage = await acme.gateway.usage.reports.read(other, all);
      expect(usage).toMatchObject({ total: { requests: 0, spent: '0' }, groups: [], periods: [] });
    }
  });
});

describe('the performance of models', () => {
  it('has the error rate, and the percentiles of the first content and of the whole, within 5 %', async () => {
    const performance = performanceSchema.parse(await acme.gateway.usage.reports.performance(account, all));
    const found = new Map(performance.models.map((model) => [model.model, model]));
    expect([...found.keys()]).toEqual(['sandbox-text', 'acme-t2v', 'another-model', 'sandbox-stt', 'sandbox-tts']);
    const text = found.get('sandbox-text')!;
    expect(text).toMatchObject({ requests: 3, failed: 0, error_rate: 0 });
    expect(Math.abs(text.duration!.p95 - 1)).toBeLessThan(0.05);
    expect(Math.abs(text.first_content!.p50 / 0.2 - 1)).toBeLessThan(0.05);
    expect(Math.abs(text.first_content!.p99 / 0.4 - 1)).toBeLessThan(0.05);
    expect(found.get('another-model')).toMatchObject({ first_content: null });
    expect(found.get('sandbox-tts')).toMatchObject({ duration: null, first_content: null });
    // The failed one was cancelled: it is a failure, as in the log of requests, and no error of a provider.
    expect(found.get('acme-t2v')).toMatchObject({ requests: 2, failed: 1, excused: 1, error_rate: 0 });
    const log = await acme.gateway.requests.list(account, { status: 'failed', model: 'acme-t2v', limit: 10 });
    expect(log.data).toHaveLength(1);
  });

  it('in the CSV file has the same failures and error rates', async () => {
    const [header, ...lines] = await acme.gateway.usage.reports.performanceCsv(account, all);
    expect(header).toMatch(/^model,requests,failed,excused,error_rate,/);
    expect(lines.find((line) => line.startsWith('acme-t2v,'))).toMatch(/^acme-t2v,2,1,1,0,/);
  });

  it('of one provider leaves the others out', async () => {
    const [only, ...others] = await listModelPerformance(acme.db, account, days, { provider: 'beta' });
    expect(others).toEqual([]);
    expect(only).toMatchObject({ model: 'sandbox-text', requests: 1 });
    expect(only?.firstContents?.p50).toBeGreaterThan(0.3);
  });
});
