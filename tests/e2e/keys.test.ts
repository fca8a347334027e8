import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile, cookieHeader, type Console, type Visit } from '../support/console';
import { createKey, keyRow, manage, patchKey, withKey } from '../support/console-keys';

// The longer scenarios of the page of API keys.

const skipReason = whyNoBrowser();

const running = consoleOfFile('viewer');

async function openKeys(query = 'mode=test', options: Parameters<Console['open']>[1] = {}): Promise<Visit> {
  const seen = await running.open(`/console/keys?${query}`, options);
  await seen.page.locator('h1', { hasText: 'API keys' }).waitFor();
  return seen;
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const statusWith = async (key: string) => (await withKey(running.product, '/v1/credits', key)).status;

describe.skipIf(skipReason)('the page of API keys: longer scenarios', () => {
  test('Enter alone makes a key with a name and every default', async () => {
    const { page } = await openKeys('mode=test&new=1');
    await page.getByRole('dialog', { name: 'Create an API key' }).waitFor();
    await page.keyboard.press('Enter');
    const key = await page.getByTestId('revealed-key').innerText();
    expect(key).toMatch(/^pb_test_/);
    await page.getByRole('button', { name: 'Copy .env line' }).click();
    expect(await clipboard(page)).toBe(`PATCHBAY_API_KEY=${key}`);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    expect(await clipboard(page)).toContain(`-H "Authorization: Bearer ${key}"`);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download .env' }).click(),
    ]);
    const text = await new Response((await file.createReadStream()) as unknown as ReadableStream).text();
    expect(text).toBe(`PATCHBAY_API_KEY=${key}\nPATCHBAY_BASE_URL=${running.product.baseUrl}\n`);
  });

  test('closing without copying warns once, by button and by Escape', async () => {
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

  test('a name is edited in place: Enter keeps the new one, Escape the old, and a refused one reverts', async () => {
    const { id } = await createKey(running.product, { name: 'Before', mode: 'test' });
    const { page } = await openKeys();
    const rename = async (from: string, to: string, end: string) => {
      await page.getByRole('button', { name: `Rename ${from}` }).click();
      await page.getByRole('textbox', { name: `New name of ${from}` }).fill(to);
      await page.keyboard.press(end);
    };
    await rename('Before', 'Dropped', 'Escape');
    await page.getByRole('button', { name: 'Rename Before' }).waitFor();

    // Shown before the server answers, and reverted when it refuses.
    let release = () => {};
    const asked = new Promise<void>((resolve) => (release = resolve));
    await page.route(`**/console/api/keys/${id}`, async (route) => {
      await asked;
      await route.fulfill({
        status: 500,
        contentType: 'application/json',
        body: '{"error":{"message":"Something broke here.","code":"internal_error"}}',
      });
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

  test('badges tell expired, disabled, limited, expiring and never-used keys apart, and the list can be narrowed to each', async () => {
    const { product } = running;
    await createKey(product, { name: 'Ends at once', mode: 'live', expires_at: Math.floor(Date.now() / 1000) + 1 });
    await createKey(product, {
      name: 'Ends this week',
      mode: 'live',
      expires_at: Math.floor(Date.now() / 1000) + 86_400,
    });
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

  test('a key that is restricted to one model is refused another: 403', async () => {
    const { page } = await openKeys('mode=test&new=1');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('One model');
    await page.getByRole('button', { name: 'More options' }).click();
    await page.getByLabel('Allowed models').fill('sandbox-t2v');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove sandbox-t2v' }).waitFor();
    await page.getByLabel('Allowed models').press('Enter');
    const key = await page.getByTestId('revealed-key').innerText();
    const other = await withKey(running.product, '/v1/videos', key, { model: 'sandbox-i2v', prompt: 'a wave' });
    expect([other.status, await other.json()]).toMatchObject([403, { error: { code: 'model_not_allowed' } }]);
    const own = await withKey(running.product, '/v1/videos', key, {
      model: 'sandbox-t2v',
      prompt: 'a wave',
      seconds: 1,
      size: '640x360',
    });
    expect(own.status).toBe(202);
  });

  test('a viewer sees every key and no control, and direct requests are refused', async () => {
    const { page, context } = await running.signIn({ as: running.product.person, path: '/console/keys?mode=live' });
    await page.getByText('First live key').waitFor();
    for (const name of [/create/i, /^Actions for/, /^Rename/])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    const headers = {
      cookie: await cookieHeader(context),
      'content-type': 'application/json',
      origin: running.product.baseUrl,
    };
    const made = await fetch(`${running.product.baseUrl}/console/api/keys`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'x', mode: 'test' }),
    });
    expect(made.status).toBe(403);
  });

  test('rotated with an hour of overlap both keys work, and the old one shows its end and its last use', async () => {
    const { key: old } = await createKey(running.product, { name: 'Rotating', mode: 'test' });
    const { page } = await openKeys();
    await page.getByRole('button', { name: 'Actions for Rotating' }).click();
    await page.getByRole('menuitem', { name: 'Rotate…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rotate “Rotating”' });
    await dialog.getByLabel('The old key keeps working').selectOption('3600');
    await dialog.getByRole('button', { name: 'Rotate key' }).click();
    const made = await page.getByTestId('revealed-key').innerText();
    expect(made).not.toBe(old);
    expect([await statusWith(old), await statusWith(made)]).toEqual([200, 200]);
    // The usage of the old key updates while the new one is shown.
    await page.getByRole('dialog').getByText('Last used just now').waitFor({ timeout: 15_000 });
    expect(await page.getByRole('dialog').innerText()).toMatch(/ends in (?:59 min|1 h)/);
    await page.getByRole('button', { name: 'Copy key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    const row = keyRow(page, 'Replaced');
    expect(await row.innerText()).toMatch(/Replaced, ends in (?:59 min|1 h) · last used just now/);
    expect(await row.innerText()).toContain('Expires soon');
  });

  test('rotated without overlap the old key ends at once', async () => {
    const { key: old } = await createKey(running.product, { name: 'Cut off', mode: 'test' });
    const { page } = await openKeys();
    await page.getByRole('button', { name: 'Actions for Cut off' }).click();
    await page.getByRole('menuitem', { name: 'Rotate…' }).click();
    await page.getByLabel('The old key keeps working').selectOption('0');
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const made = await page.getByTestId('revealed-key').innerText();
    expect([await statusWith(old), await statusWith(made)]).toEqual([401, 200]);
    await page.getByText('has ended').waitFor();
  });

  test('a disabled key is refused until it is enabled again', async () => {
    const { key } = await createKey(running.product, { name: 'On and off', mode: 'test' });
    const { page } = await openKeys();
    const choose = async (entry: string) => {
      await page.getByRole('button', { name: 'Actions for On and off' }).click();
      await page.getByRole('menuitem', { name: entry, exact: true }).click();
    };
    await choose('Disable');
    await keyRow(page, 'On and off').getByText('Disabled').waitFor();
    expect(await statusWith(key)).toBe(401);
    await choose('Enable');
    await keyRow(page, 'On and off').getByText('Active').waitFor();
    expect(await statusWith(key)).toBe(200);
  });

  test('limit, expiry and access of a key are changed in one form, and hold for the next request', async () => {
    const { key } = await createKey(running.product, { name: 'To edit', mode: 'test' });
    const { page } = await openKeys();
    await page.getByRole('button', { name: 'Actions for To edit' }).click();
    await page.getByRole('menuitem', { name: 'Edit limit and access…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Limit and access of “To edit”' });
    await dialog.getByLabel('Spend limit in dollars').fill('lots');
    await dialog.getByRole('button', { name: 'Save' }).click();
    // The invalid field shows what is allowed, and has the focus.
    await dialog.getByText('Enter an amount such as 25.00.').waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'limit');
    await dialog.getByLabel('Spend limit in dollars').fill('0.02');
    await dialog.getByLabel('Per').selectOption('daily');
    await dialog.getByLabel('Expires').selectOption('30');
    await dialog.getByRole('button', { name: 'More options' }).click();
    await dialog.getByLabel('Allowed endpoints').fill('/v1/videos');
    await dialog.getByLabel('Allowed endpoints').press('Enter');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = keyRow(page, 'To edit');
    await row.getByText('of $0.02', { exact: true }).waitFor();
    expect(await row.innerText()).toMatch(/Daily, resets[\s\S]*(?:in 29 days|in 30 days)/);
    expect((await withKey(running.product, '/v1/credits', key)).status).toBe(403);
    const dear = await withKey(running.product, '/v1/videos', key, {
      model: 'sandbox-t2v',
      prompt: 'a wave',
      seconds: 5,
    });
    expect(dear.status).toBe(402);
  });

  test('an error below "More options" opens them and focuses the field', async () => {
    const { page } = await openKeys('mode=live&new=1');
    await page.getByRole('button', { name: 'More options' }).click();
    await page.getByLabel('Allowed addresses').fill('not an address');
    await page.getByRole('button', { name: 'More options' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByText('allowed_addresses must be null or a list').waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'allowed_addresses');
  });

  test('filters are in the URL: a reload shows the same, Back and Forward step through them', async () => {
    const { page } = await openKeys('mode=live');
    await page.getByLabel('Mode of the keys').selectOption('all');
    await page.getByLabel('Status').selectOption('unused');
    await page.getByLabel('Search keys').fill('first');
    const view = async () => [
      await page.getByLabel('Search keys').inputValue(),
      await page.getByLabel('Status').inputValue(),
      await page.getByLabel('Mode of the keys').inputValue(),
    ];
    expect(await view()).toEqual(['first', 'unused', 'all']);
    await page.waitForURL('**?*q=first*');
    await page.reload();
    await page.locator('h1').waitFor();
    expect(await view()).toEqual(['first', 'unused', 'all']);
    // Both modes: the other keys of this file were made in live mode.
    expect([await page.getByText('First test key').count(), await page.getByText('First live key').count()]).toEqual([
      1, 0,
    ]);
    await page.goBack();
    await expect.poll(view).toEqual(['', '', 'all']);
    await page.goForward();
    await expect.poll(view).toEqual(['first', 'unused', 'all']);
  });

  test('when the list cannot be refreshed, the page says so with the request id, keeps the list and tries again', async () => {
    const { page } = await openKeys('mode=live');
    await page.route('**/console/api/keys', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/json',
        headers: { 'x-request-id': 'req_seen' },
        body: '{"error":{"message":"The database is away for a moment. Try again.","code":"service_unavailable"}}',
      }),
    );
    const alert = page.getByRole('alert').filter({ hasText: 'The database is away for a moment.' });
    await alert.waitFor({ timeout: 15_000 });
    expect(await alert.innerText()).toContain('req_seen');
    await page.getByText('First live key').waitFor();
    await page.unroute('**/console/api/keys');
    await alert.getByRole('button', { name: 'Retry' }).click();
    await alert.waitFor({ state: 'detached' });
  });

  test('an organisation without keys of a mode sees what a key is for, and a button to make one', async () => {
    const { data } = await manage<{ data: { id: string; mode: string; status: string }[] }>(
      running.product,
      'GET',
      '/console/api/keys',
    );
    for (const { id, mode, status } of data)
      if (mode === 'test' && status !== 'revoked') await manage(running.product, 'DELETE', `/console/api/keys/${id}`);
    const { page } = await openKeys();
    await page.getByText('No test keys yet').waitFor();
    await page.getByRole('button', { name: 'Create a test key' }).click();
    await page.getByRole('dialog', { name: 'Create an API key' }).waitFor();
  });

  test.each([1440, 1024, 390, 320])('at %i px nothing is wider than the window, dialogs included', async (width) => {
    await createKey(running.product, {
      name: 'A key with a name that is long enough to meet the edge of every window there is, or nearly',
      mode: 'live',
      limit: { amount: '1000000.123456789', period: 'weekly' },
      allowed_models: ['sandbox-t2v'],
    });
    const { page, complaints } = await openKeys('mode=live', { viewport: { width, height: 800 } });
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(await overflow()).toBe(0);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'More options' }).click();
    expect(await overflow()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
