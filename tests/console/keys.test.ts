import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile, keptBy, type Console, type Visit } from '../support/console';
import { createKey, keyRow, withKey } from '../support/console-keys';

// The page of API keys, on the built product. The numbers are those of the acceptance criteria.

const skipReason = whyNoBrowser();

const running = consoleOfFile('viewer');
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
  test('a key made by keyboard alone is shown in full, is copied exactly, and works', async () => {
    const { page, complaints } = await openKeys();
    const create = page.getByRole('button', { name: 'Create key' });
    await create.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create an API key' }).waitFor();
    // The suggested name is selected, so Enter is enough and typing replaces it.
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

  test('after its dialog closes a key is not in the page, in its storage, or in any later answer', async () => {
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

  test('a revoked key is refused within 5 seconds, as its dialog says', async () => {
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

  test('for a limit that is used up the page shows 100 %, the API answers 402, and the page still loads', async () => {
    const { key } = await createKey(running.product, {
      name: 'Ten cents',
      mode: 'test',
      limit: { amount: '0.10', period: 'monthly' },
    });
    const ask = () =>
      withKey(running.product, '/v1/videos', key, {
        model: 'sandbox-t2v',
        prompt: 'a wave',
        seconds: 10,
        size: '640x360',
      });
    expect((await ask()).status).toBe(202);
    const refused = await ask();
    expect([refused.status, await refused.json()]).toMatchObject([402, { error: { code: 'key_limit_exceeded' } }]);
    const { page } = await openKeys();
    const row = keyRow(page, 'Ten cents');
    await row.getByText('100 %').waitFor();
    expect(await row.innerText()).toContain('Limit reached');
    expect(await row.getByRole('meter').getAttribute('value')).toBe('100');
  });

  test('a limit that is no amount is refused at its field, before it is sent', async () => {
    const { page, complaints } = await openKeys('mode=test&new=1');
    const dialog = page.getByRole('dialog', { name: 'Create an API key' });
    const limit = dialog.getByLabel('Spend limit in dollars');
    for (const refused of ['-5', '1,50', '1e3', '1000000001']) {
      await limit.fill(refused);
      await limit.press('Enter');
      await dialog.getByText(/^Enter an amount (such as 25\.00|of at most 1000000000)\.$/).waitFor();
      expect(await limit.getAttribute('aria-invalid')).toBe('true');
      await expect.poll(() => limit.evaluate((element) => element === document.activeElement)).toBe(true);
    }
    await limit.fill('1.50');
    await limit.press('Enter');
    await page.getByTestId('revealed-key').waitFor();
    expect(complaints).toEqual([]);
  });
});
