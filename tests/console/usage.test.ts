import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { AlertJson } from '../../lib/contract/alerts';
import type { CreditsJson } from '../../lib/contract/credits';
import type { LedgerPageJson, PerformanceJson, StatementJson, UsageJson } from '../../lib/contract/usage';
import { parseUsd, usd } from '../../lib/domain/money';
import { usdCents } from '../../app/console/components/ui/money';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile, type Visit } from '../support/console';
import { manage, withKey } from '../support/console-keys';
import { sendMessage } from '../support/console-requests';
import { lastCells } from '../support/console-tables';
import { createVideo, videoIs } from '../support/console-videos';
import { seriousFindings, widerThanWindow } from '../support/page-checks';

// The pages about usage and billing, on the built product. The numbers are those of the acceptance criteria.

const skipReason = whyNoBrowser();

const running = consoleOfFile('viewer');

const read = <T>(path: string) => manage<T>(running.product, 'GET', `/console/api/${path}`);
const nano = (text: string) => (text.startsWith('-') ? -parseUsd(text.slice(1)) : parseUsd(text));
const sum = (amounts: readonly string[]) => amounts.reduce((total, amount) => total + nano(amount), 0n);

async function openUsage(
  path = '/console/usage?mode=test',
  options: Parameters<typeof running.open>[1] = {},
): Promise<Visit> {
  const seen = await running.open(path, options);
  await seen.page.getByRole('heading', { level: 1 }).waitFor();
  return seen;
}

async function csvOf(page: Page, name: string): Promise<readonly (readonly string[])[]> {
  const href = await page.getByRole('link', { name: `CSV: ${name}` }).getAttribute('href');
  const response = await page.request.get(running.product.baseUrl + href);
  expect(response.headers()['content-type']).toBe('text/csv; charset=utf-8');
  expect(response.headers()['content-disposition']).toContain('.csv');
  return (await response.text())
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
}

describe.skipIf(skipReason)('the pages about usage', () => {
  beforeAll(async () => {
    const { product } = running;
    const done = await createVideo(product, { seconds: 2 });
    const failed = await createVideo(product, {}, { scenario: 'fail' });
    for (const text of ['One', 'Two words']) await sendMessage(product, text);
    await videoIs(product, done.id, 'completed');
    await videoIs(product, failed.id, 'failed');
    // A message is charged a moment after its end.
    await vi.waitFor(async () => expect((await read<UsageJson>('usage?mode=test')).total.requests).toBe(4), {
      timeout: 20_000,
      interval: 100,
    });
  }, 90_000);

  test('the total is the same on every page, in the CSV files and in the ledger, to the last digit', async () => {
    const usage = await read<UsageJson>('usage?mode=test');
    const { spent } = usage.total;
    expect(nano(spent)).toBeGreaterThan(0n);
    expect(spent).toBe((await read<CreditsJson>('credits?mode=test')).spent);

    const { page, complaints } = await openUsage();
    expect(await lastCells(page, 'Usage by model')).toEqual([
      ...usage.groups.map((group) => usdCents(group.spent)),
      usdCents(spent),
    ]);
    const [header = [], ...lines] = await csvOf(page, 'usage');
    expect(sum(lines.map((line) => line[header.indexOf('spent')] ?? '0'))).toBe(nano(spent));

    await page.getByRole('link', { name: 'Statement' }).click();
    await page.getByRole('heading', { name: 'Statement', level: 1 }).waitFor();
    const month = new Date().toISOString().slice(0, 7);
    const statement = await read<StatementJson>(`statements/${month}?mode=test`);
    expect(nano(statement.charged) - nano(statement.refunded)).toBe(nano(spent));
    expect(await lastCells(page, 'By model')).toEqual(statement.models.map((line) => usd(line.spent)));
    expect(sum(statement.models.map((line) => line.spent))).toBe(nano(spent));
    expect(sum(statement.keys.map((line) => line.spent))).toBe(nano(spent));

    await page.getByRole('link', { name: 'Ledger' }).click();
    await page.getByRole('heading', { name: 'Ledger', level: 1 }).waitFor();
    const [names = [], ...entries] = await csvOf(page, 'ledger');
    expect(sum(entries.map((entry) => entry[names.indexOf('charged_usd')] ?? '0'))).toBe(nano(spent));
    const ledger = await read<LedgerPageJson>('ledger?mode=test');
    expect(sum(ledger.data.map(({ charged }) => charged))).toBe(nano(spent));
    const { available } = await read<CreditsJson>('credits?mode=test');
    expect(await lastCells(page, 'Ledger')).toEqual(ledger.data.map(({ balance }) => usd(balance?.available ?? '')));
    expect(ledger.data[0]?.balance?.available).toBe(available);

    await page.goto(`${running.product.baseUrl}/console?mode=test`);
    const card = page.locator('dl > div').filter({ hasText: 'Spent in 30 days' });
    expect(await card.innerText()).toContain(usdCents(spent));
    expect(complaints).toEqual([]);
  });

  test('an amount is rounded to cents, in digits of one size, and its tooltip has all of them', async () => {
    const { total } = await read<UsageJson>('usage?mode=test');
    const { page } = await openUsage();
    const shown = page
      .locator('dl > div')
      .filter({ hasText: 'Spent' })
      .getByText(usdCents(total.spent), { exact: true });
    expect(await shown.locator('*').count()).toBe(0);
    await shown.focus();
    await page.keyboard.press('Tab');
    await page
      .getByRole('button', { name: usdCents(total.spent), exact: true })
      .first()
      .focus();
    expect(await page.getByRole('tooltip').innerText()).toBe(usd(total.spent));
  });

  test('the chart has tables with the same numbers, and a breakdown, a range and a filter survive a reload', async () => {
    const { page } = await openUsage();
    await page.getByRole('figure', { name: /^Cost from/ }).waitFor();
    await page.getByLabel('Break down by').selectOption('kind');
    await page.getByRole('table', { name: 'Usage by endpoint' }).waitFor();
    await page.getByRole('button', { name: 'Messages', exact: true }).click();
    await page.getByLabel('Show').selectOption('requests');
    await page.getByText('The numbers of each day').click();
    await expect.poll(() => lastCells(page, 'Usage by day').then((cells) => cells.length)).toBe(2);
    expect(new URL(page.url()).search).toContain('kind=message');
    await page.reload();
    await page.getByRole('figure', { name: /^Requests from/ }).waitFor();
    const messages = (await read<UsageJson>('usage?mode=test&by=kind')).groups.find(({ id }) => id === 'message');
    expect(await lastCells(page, 'Usage by endpoint')).toEqual(Array(2).fill(usdCents(messages?.spent ?? '')));
    await page.getByRole('table', { name: 'Errors and speed by model' }).getByText('sandbox-text').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('more than ten models are folded until their button is pressed; the total stays', async () => {
    const { page } = await running.open('/console');
    const models = Array.from({ length: 20 }, (_, index) => `m${index}`);
    await page.route('**/console/api/usage?*', async (route) => {
      const response = await route.fetch();
      const usage: UsageJson = await response.json();
      const groups = models.map((name) => ({ ...usage.groups[0], id: name, name }));
      await route.fulfill({ response, json: { ...usage, groups } });
    });
    await page.route('**/console/api/usage/performance?*', async (route) => {
      const response = await route.fetch();
      const report: PerformanceJson = await response.json();
      await route.fulfill({
        response,
        json: { ...report, models: models.map((model) => ({ ...report.models[0], model })) },
      });
    });
    await page.goto(`${running.product.baseUrl}/console/usage?mode=test`);
    for (const [heading, name, last] of [
      ['By model', 'Usage by model', ['Total']],
      ['Errors and speed', 'Errors and speed by model', []],
    ] as const) {
      const names = page.getByRole('table', { name }).locator('tbody td:first-child');
      const section = page.getByRole('region', { name: heading });
      const shown = (count: number) => [...models.slice(0, count), ...last];
      const more = section.getByRole('button', { name: 'Show all 20', expanded: false });
      await more.waitFor();
      expect(await names.allInnerTexts()).toEqual(shown(10));
      await more.press('Enter');
      const fewer = section.getByRole('button', { name: 'Show fewer', expanded: true });
      await fewer.waitFor();
      expect(await names.allInnerTexts()).toEqual(shown(20));
      await fewer.click();
      await more.waitFor();
      expect(await names.allInnerTexts()).toEqual(shown(10));
      // The rows above it are gone, and it is in the window.
      await expect.poll(() => more.evaluate((button) => button.getBoundingClientRect().top)).toBeGreaterThan(0);
    }
  });

  test('the held amount leads to exactly the entries of running work', async () => {
    const { id } = await createVideo(running.product, { seconds: 3 }, { scenario: 'slow:60' });
    const { page } = await openUsage();
    await page.getByTitle('Ledger entries of the open holds').click();
    await page.getByRole('heading', { name: 'Ledger', level: 1 }).waitFor();
    await expect.poll(() => lastCells(page, 'Ledger').then((cells) => cells.length)).toBe(1);
    const link = page.getByRole('table', { name: 'Ledger' }).getByRole('link', { name: /^Video/ });
    expect(await link.getAttribute('href')).toBe(`/console/videos/${id}`);
    await withKey(running.product, `/v1/videos/${id}/cancel`, running.product.firstRun.keys.test, {});
    await page.getByText('No entries match').waitFor({ timeout: 20_000 });
  });

  test('a mode without work says so, and its pages are usable on a phone', async () => {
    const { page } = await openUsage('/console/usage?mode=live', { viewport: { width: 390, height: 800 } });
    await page.getByText('No usage in this period').waitFor();
    for (const path of [
      '/console/usage?mode=test',
      '/console/usage/ledger',
      '/console/usage/statement',
      '/console/usage/alerts',
    ]) {
      await page.goto(running.product.baseUrl + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await widerThanWindow(page), path).toEqual([]);
    }
  });

  test('an alert is added by keyboard, shows that it was crossed, is changed and removed', async () => {
    const { page, complaints } = await openUsage('/console/usage/alerts?mode=test');
    await page.getByRole('button', { name: 'Add an alert' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add an alert' });
    await dialog.getByLabel('When').selectOption('daily_spend');
    await dialog.getByLabel('Amount in dollars').fill('nothing');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter an amount such as 25.00.').waitFor();
    await dialog.getByLabel('Amount in dollars').fill('0.000001');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('table', { name: 'Alerts' }).getByRole('row').filter({ hasText: 'Spent in a day' });
    await row.getByText('Crossed').waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    await page.goto(`${running.product.baseUrl}/console?mode=test`);
    await page
      .getByRole('list', { name: 'Alerts' })
      .getByText(/was spent today \(UTC\)/)
      .waitFor();
    await page.getByRole('list', { name: 'Alerts' }).getByRole('link', { name: 'Alerts' }).click();
    await row.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Spent in a day, in dollars').fill('500');
    await page.keyboard.press('Enter');
    await row.getByText('Waiting').waitFor();
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove alert' }).click();
    await page.getByText('No alerts for test credits').waitFor();
    expect(complaints).toEqual([]);
  });

  test('a script with a key changes alerts; a viewer sees them, and may change none', async () => {
    const made = await manage<AlertJson>(running.product, 'POST', '/console/api/alerts?mode=test', {
      kind: 'low_balance',
      amount: '2.50',
    });
    const changed = await manage<AlertJson>(running.product, 'PATCH', `/console/api/alerts/${made.id}`, {
      amount: '3',
    });
    expect(changed).toMatchObject({ amount: '3', crossed: false });
    const { page } = await running.signIn({ as: running.product.person, path: '/console/usage/alerts?mode=test' });
    await page.getByText('Available credits below $3.00').waitFor();
    expect(await page.getByRole('button', { name: /Add an alert|Change|Remove/ }).count()).toBe(0);
    const refused = await page.evaluate(
      async (id) => (await fetch(`/console/api/alerts/${id}`, { method: 'DELETE' })).status,
      made.id,
    );
    expect(refused).toBe(403);
    expect(
      (
        await fetch(`${running.product.baseUrl}/console/api/alerts/${made.id}`, {
          method: 'DELETE',
          headers: { authorization: `Bearer ${running.product.firstRun.keys.live}` },
        })
      ).status,
    ).toBe(204);
  });
});
