import { describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile, keptBy, openOverview } from '../support/console';

// The documentation that the product serves, as a reader without a key sees it.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const running = consoleOfFile('viewer');

describe.skipIf(skipReason)('the documentation', () => {
  test('is readable without JavaScript: navigation, search, samples with the base URL of the installation', async () => {
    const { page, complaints } = await running.visit({ javaScriptEnabled: false });
    await page.goto(`${running.product.baseUrl}/docs`);
    await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Errors' }).click();
    await page.getByRole('heading', { level: 1, name: 'Errors' }).waitFor();
    expect(await page.getByRole('cell', { name: 'video_expired' }).count()).toBe(1);

    await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('idempotency');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Results for “idempotency”' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Idempotency', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#idempotency');
    expect(await page.getByText(`export PATCHBAY=${running.product.baseUrl}`).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('has a reference of each operation, with its objects', async () => {
    const { page } = await running.visit({ javaScriptEnabled: false });
    await page.goto(`${running.product.baseUrl}/docs/reference/videos`);
    await page.getByRole('heading', { level: 2, name: 'Submit a video' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'VideoRequest', exact: true }).first().click();
    expect(new URL(page.url()).hash).toBe('#videorequest');
    expect(await page.getByRole('heading', { level: 3, name: 'VideoRequest' }).count()).toBe(1);
  });

  test('copies a sample, and a page as Markdown', async () => {
    const { page, complaints } = await running.visit();
    await page.goto(`${running.product.baseUrl}/docs/errors`);
    await page.getByRole('button', { name: 'Copy the code' }).first().click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('"request_id": "req_…"');
    await page.getByRole('button', { name: 'Copy as Markdown' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^# Errors\n/);
    expect(complaints).toEqual([]);
  });

  test('copies samples with a key that the reader pasted, on every page until it is reloaded', async () => {
    const { page, complaints } = await running.visit();
    const key = running.product.firstRun.keys.test;
    await page.goto(`${running.product.baseUrl}/docs/limits`);
    await page.getByRole('button', { name: 'Key for the samples…' }).click();
    await page.getByLabel('API key').fill('pb_test_short');
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByText('This key is not complete.').waitFor();
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByText(`Copied samples contain the key pb_test_••••${key.slice(-4)}`).waitFor();
    await page.getByRole('button', { name: 'Copy the code' }).first().click();
    const sample = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(sample).toContain(`curl -si ${running.product.baseUrl}/v1/credits`);
    expect(await sample()).toContain(`Bearer ${key}"`);

    await page
      .getByRole('navigation', { name: 'Documentation' })
      .getByRole('link', { name: 'Videos', exact: true })
      .first()
      .click();
    await page.waitForURL('**/docs/videos');
    await page.getByText(`pb_test_••••${key.slice(-4)}`).waitFor();
    expect(await keptBy(page)).not.toContain(key);
    await page.reload();
    await page.getByRole('button', { name: 'Key for the samples…' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('creates a test key for the samples of a reader who is signed in', async () => {
    const { page, complaints } = await running.open('/docs/limits');
    await page.getByRole('button', { name: 'Key for the samples…' }).click();
    await page.getByRole('button', { name: 'Create a test key' }).click();
    await page.getByText('Copied samples contain the key pb_test_••••').waitFor();
    await page.getByRole('button', { name: 'Copy the code' }).first().click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const key = /Bearer (pb_test_\w+)/.exec(copied)?.[1];
    const response = await fetch(`${running.product.baseUrl}/v1/credits`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(200);
    expect(complaints).toEqual([]);
  });

  test('Ctrl K goes to the search field', async () => {
    const { page } = await running.visit();
    await page.goto(`${running.product.baseUrl}/docs/videos`);
    const field = page.getByRole('searchbox', { name: 'Search the documentation' });
    await expect
      .poll(async () => {
        await page.keyboard.press('Control+k');
        return field.evaluate((element) => element === document.activeElement);
      })
      .toBe(true);
  });

  test('is found by the palette of the console', async () => {
    const { page } = await openOverview(running);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('idempotency');
    await page
      .getByRole('option', { name: /Idempotency/ })
      .first()
      .click();
    await page.waitForURL('**/docs/api#idempotency');
    await page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor();
  });

  test('is sent with the security headers of the console, and 404 for an unknown page', async () => {
    const response = await fetch(`${running.product.baseUrl}/docs/videos`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic'/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const markdown = await fetch(`${running.product.baseUrl}/docs/videos.md`);
    expect([markdown.status, markdown.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect((await fetch(`${running.product.baseUrl}/docs/nothing`)).status).toBe(404);
  });
});
