import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sharedBrowser, whyNoBrowser } from '../support/browser';
import { keptBy, startConsole, type Console } from '../support/console';
import { seriousFindings } from '../support/page-checks';
import { FAL_KEY, startFakeFal } from '../support/upstreams/fake-fal';
import type { FakeVideoVendor } from '../support/upstreams/fake-video-vendor';

// The accounts of an organisation at providers: added, verified, replaced and removed by an owner, seen by a viewer.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

let fal: FakeVideoVendor;
let running: Console;

describe.skipIf(skipReason)('the accounts of an organisation', () => {
  beforeAll(async () => {
    await sharedBrowser();
    fal = await startFakeFal();
    running = await startConsole('viewer', { FAL_BASE_URL: fal.baseUrl });
  });
  afterEach(() => running.closeWindows());
  afterAll(async () => {
    await running?.close();
    await fal?.close();
  });

  test('a key is entered, verified, never shown again, replaced and removed', async () => {
    const { page, complaints } = await running.open('/console/providers');
    await page.getByText('No accounts of your own').waitFor();
    await page.getByRole('button', { name: 'Add an account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add an account' });
    await dialog.getByLabel('Provider').selectOption({ label: 'fal' });
    await dialog.getByLabel('API key').fill('wrong');
    await dialog.getByRole('button', { name: 'Verify and add' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'fal refused these credentials' }).waitFor();
    await dialog.getByLabel('API key').fill(FAL_KEY);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });

    const row = page
      .getByRole('table', { name: 'Accounts of your organisation' })
      .getByRole('row')
      .filter({ hasText: `••••${FAL_KEY.slice(-4)}` });
    expect(await row.innerText()).toContain('Accepted');
    await row.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('fal accepted the account.').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.reload();
    await row.waitFor();
    expect(await keptBy(page)).not.toContain(FAL_KEY.slice(0, 20));

    // A model that only this account serves.
    await page.goto(`${running.product.baseUrl}/console/models/kling-3.0-t2v`);
    await page.getByRole('main').getByText('Live', { exact: true }).first().waitFor();

    // A key that is refused while it is used.
    const submitted = await fetch(`${running.product.baseUrl}/v1/videos`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${running.product.firstRun.keys.live}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ model: 'kling-3.0-t2v', prompt: 'A boat [[auth]]' }),
    });
    expect(submitted.status).toBe(202);
    await page.goto(`${running.product.baseUrl}/console/providers`);
    await expect
      .poll(async () => (await page.reload()) && row.innerText(), { timeout: 20_000 })
      .toMatch(/Refused[\s\S]*First refused just now, last just now\. fal refused this account\./);
    expect(await seriousFindings(page)).toEqual([]);

    await row.getByRole('button', { name: 'Replace' }).click();
    const replacing = page.getByRole('dialog', { name: 'Replace the key for fal' });
    await replacing.getByLabel('API key').fill(FAL_KEY);
    await replacing.getByRole('button', { name: 'Verify and replace' }).click();
    await replacing.waitFor({ state: 'detached' });

    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove account' }).click();
    await page.getByText('No accounts of your own').waitFor();
    // The refused key: the browser reports every answer with an error status.
    expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([]);
  });

  test('a viewer sees the accounts, and gets no button to change them', async () => {
    const { page } = await running.signIn({ as: running.product.person, path: '/console/providers' });
    await page.getByText('No accounts of your own').waitFor();
    expect(await page.getByRole('button', { name: 'Add an account' }).count()).toBe(0);
  });
});
