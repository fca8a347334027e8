import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { cookieHeader, keptBy, startConsole, type Console, type Visit } from '../support/console';
import { createKey, keyRow, patchKey, withKey } from '../support/console-keys';

// The page of API keys, on the built product. The numbers are those of the acceptance criteria.

const skipReason = whyNoBrowser();

let running: Console;
const KEY = /^pb_(live|test)_[0-9A-Za-z]{36}$/;

async function openKeys(query = 'mode=test', options: Parameters<Console['open']>[1] = {}): Promise<Visit> {
  const seen = await running.open(`/console/keys?${query}`, options);
  // By its tag: behind a dialog that is open from the start it has no role.
  await seen.page.locator('h1', { hasText: 'API keys' }).waitFor();
  return seen;
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const statusWith = async (key: string, path = '/v1/credits') => (await withKey(running.product, path, key)).status;

describe.skipIf(skipReason)('the page of API keys', () => {
  beforeAll(async () => {
    running = await startConsole('viewer');
  });
  afterEach(async () => {
    await running?.closeWindows();
  });
  afterAll(async () => {
    await running?.close();
  });

  test('K-01 a key made by keyboard alone is shown whole, is copied as it is, and works', async () => {
    const { page, complaints } = await openKeys();
    const create = page.getByRole('button', { name: 'Create key' });
    await create.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create an API key' }).waitFor();
    // The name that is there is selected, so Enter is enough and typing replaces it.
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    const shown = page.getByTestId('revealed-key');
    await shown.waitFor();
    const key = await shown.innerText();
    expect(key).toMatch(KEY);
    const copy = page.getByRole('button', { name: 'Copy key' });
    await copy.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await clipboard(page)).toBe(key);
    expect(await statusWith(key)).toBe(200);
    expect(complaints).toEqual([]);
  });

  test('K-01 Enter alone makes a key with a name and every default', async () => {
    const { page } = await openKeys('mode=test&new=1');
    await page.getByRole('dialog', { name: 'Create an API key' }).waitFor();
    await page.keyboard.press('Enter');
    const key = await page.getByTestId('revealed-key').innerText();
    expect(key).toMatch(/^pb_test_/);
    await page.getByRole('button', { name: 'Copy .env line' }).click();
    expect(await clipboard(page)).toBe(`PATCHBAY_API_KEY=${key}`);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    expect(await clipboard(page)).toContain(`-H "Authorization: Bearer ${key}"`);
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download .env' }).click()]);
    const text = await new Response((await file.createReadStream()) as unknown as ReadableStream).text();
    expect(text).toBe(`PATCHBAY_API_KEY=${key}\nPATCHBAY_BASE_URL=${running.product.baseUrl}\n`);
  });

  test('K-02 once its dialog is closed a key is nowhere: not in the page, not in its stores, not in any later answer', async () => {
    const { page } = await openKeys('mode=test&new=1');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    const key = await page.getByTestId('revealed-key').innerText();
    await page.getByRole('button', { name: 'Copy key' }).click();
    const answers: Promise<string>[] = [];
    page.on('response', (response) => answers.push(response.text().catch(() => '')));
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByTestId('revealed-key').waitFor({ state: 'detached' });
    expect(await keptBy(page)).not.toContain(key);
    await page.reload();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    expect(await keptBy(page)).not.toContain(key);
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of await Promise.all(answers)) expect(answer).not.toContain(key);
  });

  test('K-03 closing without copying warns once, by button and by Escape', async () => {
    const { page } = await openKeys('mode=test&new=1');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByTestId('revealed-key').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alert').filter({ hasText: 'You have not copied the key yet' }).waitFor();
    await page.getByRole('button', { name: 'Close without copying' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('new')).toBe(false);
  });

  test('K-04 a name is changed in its place: Enter keeps the new one, Escape the old, and a refused one comes back', async () => {
    const { id } = await createKey(running.product, { name: 'Before', mode: 'test' });
    const { page } = await openKeys();
    const rename = async (from: string, to: string, end: string) => {
      await page.getByRole('button', { name: `Rename ${from}` }).click();
      await page.getByRole('textbox', { name: `New name of ${from}` }).fill(to);
      await page.keyboard.press(end);
    };
    await rename('Before', 'Dropped', 'Escape');
    await page.getByRole('button', { name: 'Rename Before' }).waitFor();

    // Shown before the server has answered, and taken back when it refuses.
    let release = () => {};
    const asked = new Promise<void>((resolve) => (release = resolve));
    await page.route(`**/console/api/keys/${id}`, async (route) => {
      await asked;
      await route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":{"message":"Something broke here.","code":"internal_error"}}' });
    });
    await rename('Before', 'Refused', 'Enter');
    await page.getByText('Refused', { exact: true }).waitFor();
    release();
    await page.getByRole('alert').filter({ hasText: 'Not renamed. Something broke here.' }).waitFor();
    await page.getByText('Before', { exact: true }).waitFor();
    await page.unroute(`**/console/api/keys/${id}`);

    await rename('Before', 'After', 'Enter');
    await page.getByText('After', { exact: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Rename After');
    await page.reload();
    await page.getByText('After', { exact: true }).waitFor();
  });

  test('K-05 a revoked key is refused within 5 seconds, as its dialog says', async () => {
    const { key } = await createKey(running.product, { name: 'To revoke', mode: 'test' });
    expect(await statusWith(key)).toBe(200);
    const { page } = await openKeys();
    await page.getByRole('button', { name: 'Actions for To revoke' }).click();
    await page.getByRole('menuitem', { name: 'Revoke…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke “To revoke”?' });
    expect(await dialog.innerText()).toContain('within 5 seconds');
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await dialog.waitFor({ state: 'detached' });
    const revokedAt = performance.now();
    while ((await statusWith(key)) !== 401) expect(performance.now() - revokedAt).toBeLessThan(5_000);
    await page.getByText('To revoke', { exact: true }).waitFor({ state: 'detached' });
  });

  test('K-07 a limit that is used up shows 100 %, the API answers 402, and the page still loads', async () => {
    const { key } = await createKey(running.product, { name: 'Ten cents', mode: 'test', limit: { amount: '0.10', period: 'monthly' } });
    const ask = () => withKey(running.product, '/v1/videos', key, { model: 'sandbox-t2v', prompt: 'a wave', seconds: 10, size: '640x360' });
    expect((await ask()).status).toBe(202);
    const refused = await ask();
    expect([refused.status, await refused.json()]).toMatchObject([402, { error: { code: 'key_limit_exceeded' } }]);
    const { page } = await openKeys();
    const row = keyRow(page, 'Ten cents');
    await row.getByText('100 %').waitFor();
    expect(await row.innerText()).toContain('Limit reached');
    expect(await row.getByRole('meter').getAttribute('value')).toBe('100');
  });

  test('K-08 badges tell expired, disabled, limited, expiring and never-used keys apart, and the list can be narrowed to each', async () => {
    const { product } = running;
    await createKey(product, { name: 'Ends at once', mode: 'live', expires_at: Math.floor(Date.now() / 1000) + 1 });
    await createKey(product, { name: 'Ends this week', mode: 'live', expires_at: Math.floor(Date.now() / 1000) + 86_400 });
    const disabled = await createKey(product, { name: 'Switched off', mode: 'live' });
    await patchKey(product, disabled.id, { disabled: true });
    await createKey(product, { name: 'Nothing to spend', mode: 'live', limit: { amount: '0', period: 'total' } });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const { page } = await openKeys('mode=live');
    for (const [name, badge, status] of [
      ['Ends at once', 'Expired', 'expired'],
      ['Ends this week', 'Expires soon', 'expiring'],
      ['Switched off', 'Disabled', 'disabled'],
      ['Nothing to spend', 'Limit reached', 'limited'],
      ['Ends this week', 'Never used', 'unused'],
    ] as const) {
      expect(await keyRow(page, name).innerText()).toContain(badge);
      await page.getByLabel('Status').selectOption(status);
      await keyRow(page, name).waitFor();
      expect(new URL(page.url()).searchParams.get('status')).toBe(status);
      if (status !== 'unused') expect(await page.getByRole('row').count()).toBe(2);
      await page.goBack();
    }
    await page.getByLabel('Search keys').fill('no such key');
    await page.getByText('No keys match').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await keyRow(page, 'Switched off').waitFor();
  });

  test('K-09 a key that is restricted to one model is refused another: 403', async () => {
    const { page } = await openKeys('mode=test&new=1');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('One model');
    await page.getByRole('button', { name: 'More options' }).click();
    await page.getByLabel('Only these models').fill('sandbox-t2v');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove sandbox-t2v' }).waitFor();
    await page.getByLabel('Only these models').press('Enter');
    const key = await page.getByTestId('revealed-key').innerText();
    const other = await withKey(running.product, '/v1/videos', key, { model: 'sandbox-i2v', prompt: 'a wave' });
    expect([other.status, await other.json()]).toMatchObject([403, { error: { code: 'model_not_allowed' } }]);
    const own = await withKey(running.product, '/v1/videos', key, { model: 'sandbox-t2v', prompt: 'a wave', seconds: 1, size: '640x360' });
    expect(own.status).toBe(202);
  });

  test('G-14 a viewer sees every key and no control, and is refused when asking directly', async () => {
    const { page, context } = await running.signIn({ as: running.product.person, path: '/console/keys?mode=live' });
    await page.getByText('First live key').waitFor();
    for (const name of [/create/i, /^Actions for/, /^Rename/]) expect(await page.getByRole('button', { name }).count()).toBe(0);
    const headers = { cookie: await cookieHeader(context), 'content-type': 'application/json', origin: running.product.baseUrl };
    const made = await fetch(`${running.product.baseUrl}/console/api/keys`, { method: 'POST', headers, body: JSON.stringify({ name: 'x', mode: 'test' }) });
    expect(made.status).toBe(403);
  });
});
