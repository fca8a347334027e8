import { beforeAll, describe, expect, test } from 'vitest';
import type { CreditsJson } from '../../lib/contract/credits';
import type { LedgerPageJson, UsageJson } from '../../lib/contract/usage';
import { usdCents } from '../../app/console/components/ui/money';
import { usd } from '../../lib/domain/money';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { manage } from '../support/console-keys';
import { lastCells } from '../support/console-tables';
import { createVideo, videoIs } from '../support/console-videos';

// The longer scenarios of usage and billing: time zones, pages of the ledger, two tabs, and paper.

const skipReason = whyNoBrowser();

const running = consoleOfFile('viewer');
const read = <T>(path: string) => manage<T>(running.product, 'GET', `/console/api/${path}`);
const VIDEOS = 28;

describe.skipIf(skipReason)('usage and billing: longer scenarios', () => {
  beforeAll(async () => {
    // Failed videos are quick, and write a hold and a release each.
    const made = [];
    for (let video = 0; video < VIDEOS; video += 1)
      made.push(await createVideo(running.product, {}, { scenario: video === 0 ? 'slow:0' : 'fail' }));
    for (const { id } of made) await videoIs(running.product, id, 'completed', 'failed');
  }, 180_000);

  test.each(['America/Los_Angeles', 'UTC', 'Pacific/Auckland'])(
    'in the time zone %s the page has the same numbers, of days of UTC',
    async (timezoneId) => {
      const usage = await read<UsageJson>('usage?mode=test');
      const { page } = await running.open('/console/usage?mode=test', { timezoneId });
      const total = page.getByRole('table', { name: 'Usage by model' }).getByRole('row').last();
      expect(await total.innerText()).toContain(usdCents(usage.total.spent));
      await page.getByText('The numbers of each day').click();
      const rows = page.getByRole('table', { name: 'Usage by day' }).getByRole('row');
      // The heading, each day with usage, and the total.
      await expect.poll(() => rows.count()).toBe(usage.periods.length + 2);
    },
  );

  test('a click on a bar selects its day alone', async () => {
    const usage = await read<UsageJson>('usage?mode=test');
    const day = usage.periods.at(-1)!;
    const { page } = await running.open('/console/usage?mode=test');
    await page.locator('[data-bar="29"]').click();
    await page.waitForURL((url) => url.searchParams.get('range') === 'dates');
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('from'), searchParams.get('to')]).toEqual([day.start, day.start]);
    await page.getByRole('figure', { name: `Cost from ${day.start} to ${day.start}`, exact: false }).waitFor();
    const total = page.getByRole('table', { name: 'Usage by model' }).getByRole('row').last();
    expect(await total.innerText()).toContain(usdCents(day.spent));
    await page.goBack();
    await page.getByRole('figure', { name: `Cost from ${usage.from}`, exact: false }).waitFor();
  });

  test('the balance after each entry continues from page to page', async () => {
    const first = await read<LedgerPageJson>('ledger?mode=test');
    const second = await read<LedgerPageJson>(`ledger?mode=test&after=${first.next}`);
    expect(first.data[0]?.balance?.available).toBe((await read<CreditsJson>('credits?mode=test')).available);
    const { page } = await running.open('/console/usage/ledger?mode=test');
    const lastOf = () => lastCells(page, 'Ledger');
    expect(await lastOf()).toEqual(first.data.map(({ balance }) => usd(balance!.available)));
    await page.getByRole('button', { name: 'Older' }).click();
    await expect.poll(lastOf).toEqual(second.data.map(({ balance }) => usd(balance!.available)));
    await page.reload();
    await expect.poll(lastOf).toEqual(second.data.map(({ balance }) => usd(balance!.available)));
    await page.getByRole('button', { name: 'Newest' }).click();
    await expect.poll(lastOf).toEqual(first.data.map(({ balance }) => usd(balance!.available)));
  });

  test('a refill of the test credits appears in the ledger of another tab', async () => {
    const { page } = await running.open('/console/usage/ledger?mode=test&kind=grant');
    const rows = page.getByRole('table', { name: 'Ledger' }).getByRole('row');
    const before = await rows.count();
    const other = await running.open('/console/usage?mode=test');
    await other.page.getByRole('button', { name: 'Refill' }).click();
    await other.page.getByRole('button', { name: 'Refill' }).waitFor({ state: 'detached' });
    await expect.poll(() => rows.count(), { timeout: 5_000 }).toBe(before + 1);
  });

  test('the statement on paper has its tables in full width, and nothing of the frame', async () => {
    const { page } = await running.open('/console/usage/statement?mode=test');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(await page.getByText('Credits now').isVisible()).toBe(true);
    const ink = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    expect(ink).toBe('light');
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
  });

  test('G then U opens the page', async () => {
    const { page } = await running.open('/console?mode=test');
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
  });
});
