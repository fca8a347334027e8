import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { keptBy, startConsole, type Console, type Visit } from '../support/console';

// The frame around every page, and the overview's way from nothing to a playing video.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const KEY = /pb_(?:test|live)_[0-9A-Za-z]{36}/;

let running: Console;

async function openOverview(options: Parameters<Console['open']>[1] = {}, address = '/console?mode=test'): Promise<Visit> {
  const seen = await running.open(address, options);
  await seen.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  // Shortcuts are there once the page has come alive, which asks for the session first.
  await seen.page.waitForLoadState('networkidle').catch(() => undefined);
  return seen;
}

describe.skipIf(skipReason)('the frame', () => {
  beforeAll(async () => {
    running = await startConsole('viewer');
  });
  afterEach(async () => {
    await running?.closeWindows();
  });
  afterAll(async () => {
    await running?.close();
  });

  describe('the first steps', () => {
    test('O-01 from the printed address and password to a playing video in at most 6 clicks and 60 seconds', async () => {
      const startedAt = performance.now();
      const { page, complaints } = await running.visit();
      let clicks = 0;
      const click = async (name: string) => {
        clicks += 1;
        await page.getByRole('button', { name, exact: true }).click();
      };
      await page.goto(`${running.product.baseUrl}/`);
      await page.waitForURL('**/console/sign-in**');
      await page.getByLabel('E-mail').fill(running.product.firstRun.owner.email);
      await page.getByLabel('Password', { exact: true }).fill(running.product.firstRun.owner.password);
      await click('Sign in');
      await page.getByText('Waiting for your first request').waitFor();
      await click('Create a test key');
      const key = await page.getByTestId('revealed-key').innerText();
      expect(key).toMatch(KEY);
      expect(await page.locator('pre').innerText()).toContain(key);
      await click('Send it from here');
      await page.locator('video').waitFor({ timeout: 50_000 });
      await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2);
      expect(clicks).toBeLessThanOrEqual(6);
      expect(performance.now() - startedAt).toBeLessThan(60_000);
      console.log(`O-01 first video: ${clicks} clicks, ${Math.round(performance.now() - startedAt)} ms`);
      expect(complaints).toEqual([]);

      // O-03: what was done is still done after a reload; the key is gone.
      await page.reload();
      await page.locator('video').waitFor();
      expect(await keptBy(page)).not.toMatch(KEY);
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('heading', { name: 'Last activity' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'Last activity' }).waitFor();
      expect(await page.locator('video').count()).toBe(0);
      expect(await page.getByText('Completed').count()).toBeGreaterThan(0);
      await page.getByText('$999.96').first().waitFor();
    });

    test('O-02 the snippet runs in a terminal as it stands, and the page notices soon', async () => {
      const { page } = await openOverview({}, '/console?mode=live');
      await page.getByRole('button', { name: 'Create a live key' }).click();
      await page.getByTestId('revealed-key').waitFor();
      const snippet = await page.locator('pre[data-code="curl"]').innerText();
      const { stdout } = await promisify(execFile)('bash', ['-c', snippet]);
      const ranAt = performance.now();
      const { id } = JSON.parse(stdout) as { id: string };
      await page.getByText(`It has arrived as ${id}`).waitFor();
      const noticedMs = performance.now() - ranAt;
      console.log(`O-02 noticed after ${Math.round(noticedMs)} ms`);
      // Three times what a person should wait: the machine renders the video at the same time.
      expect(noticedMs).toBeLessThan(6_000);
    });

    test('cannot be taken by a viewer, who sees why', async () => {
      const { page } = await running.signIn({ as: running.product.person, path: '/console?mode=live' });
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      expect(await page.getByRole('button', { name: /create/i }).count()).toBe(0);
      expect(await page.getByRole('button', { name: /send it/i }).count()).toBe(0);
    });
  });

  describe('the command palette', () => {
    test('G-10 finds a model, a key by name and a job by its id, and Enter goes there', async () => {
      const { page, complaints } = await openOverview();
      const find = async (text: string, option: RegExp) => {
        await page.keyboard.press('Control+k');
        await page.getByPlaceholder('Search pages').waitFor();
        await page.keyboard.type(text);
        await page.getByRole('option', { name: option }).first().waitFor();
        await page.keyboard.press('Enter');
      };
      await find('First live', /First live key/);
      await page.waitForURL(/\/console\/keys\?.*First\+live\+key/, { timeout: 10_000 });
      const video = (await (await fetch(`${running.product.baseUrl}/v1/videos`, { headers: { authorization: `Bearer ${running.product.firstRun.keys.test}` } })).json()) as { data: { id: string }[] };
      const id = video.data[0]?.id ?? '';
      await find(id.slice(0, 16), new RegExp(id));
      await page.waitForURL(`**/console/jobs/${id}?mode=test`);
      await find('veo-3.1', /veo-3\.1/);
      await page.waitForURL(/\/console\/models\/veo-3\.1/);
      expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([]);
    });

    test('says so when nothing is called that, and closes with Escape, giving the focus back', async () => {
      const { page } = await openOverview();
      const search = page.getByRole('complementary').getByRole('button', { name: /^Search/ });
      await search.focus();
      await page.keyboard.press('Enter');
      await page.getByPlaceholder('Search pages').fill('no such thing');
      await page.getByText('Nothing is called “no such thing”').waitFor();
      await page.keyboard.press('Escape');
      await page.getByPlaceholder('Search pages').waitFor({ state: 'detached' });
      await expect.poll(() => search.evaluate((button) => button === document.activeElement)).toBe(true);
    });

    test('shows nothing of another organisation and nothing without a sign-in', async () => {
      const response = await fetch(`${running.product.baseUrl}/console/api/search?q=First`);
      expect(response.status).toBe(401);
    });
  });

  describe('the keyboard', () => {
    test('G then a letter goes to a page, ? lists the keys, and both rest while somebody types', async () => {
      const { page } = await openOverview();
      await page.keyboard.press('g');
      await page.keyboard.press('s');
      await page.waitForURL('**/console/speech');
      await page.getByRole('heading', { level: 1, name: 'Speech' }).waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await page.keyboard.press('Escape');
      const field = page.locator('textarea').first();
      await field.focus();
      await page.keyboard.type('go?');
      expect(await field.inputValue()).toContain('go?');
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(page.url()).toContain('/console/speech');
    });
  });

  describe('the mode', () => {
    test('is switched in place, is in the address, and is remembered by pages whose address does not say it', async () => {
      const { page } = await openOverview();
      expect(await page.locator('[data-mode="test"]').count()).toBe(1);
      await page.getByRole('radio', { name: 'Live' }).click();
      await page.waitForURL('**/console?mode=live');
      await page.getByText('Available credits').waitFor();
      expect(await page.locator('[data-mode="test"]').count()).toBe(0);
      await page.getByRole('link', { name: 'Speech' }).click();
      await page.waitForURL('**/console/speech');
      expect(await page.getByRole('radio', { name: 'Live' }).isChecked()).toBe(true);
      await page.getByText('In live mode').waitFor();
      await page.goBack();
      await page.getByText('Available credits').waitFor();
    });
  });

  describe('on a phone', () => {
    test('the navigation opens as a drawer, keeps the focus inside and gives it back', async () => {
      const { page, complaints } = await openOverview({ viewport: { width: 390, height: 800 } });
      const opener = page.getByRole('button', { name: 'Open the navigation' });
      await opener.click();
      const drawer = page.getByRole('dialog', { name: 'Navigation' });
      await drawer.getByRole('link', { name: 'Speech' }).waitFor();
      for (let presses = 0; presses < 16; presses += 1) {
        await page.keyboard.press('Tab');
        expect(await page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true);
      }
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'detached' });
      await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true);
      await opener.click();
      await drawer.getByRole('link', { name: 'Speech' }).click();
      await page.waitForURL('**/console/speech');
      await drawer.waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
    });
  });

  describe('a page that is late', () => {
    test('G-05 gives way to a skeleton, never within the first 150 ms, and then for at least 300 ms', async () => {
      const { page } = await openOverview();
      let answer = () => {};
      const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
      await page.route('**/console/speech**', async (route) => {
        await mayAnswer;
        await route.continue();
      });
      await page.evaluate(() => {
        const seen = ((window as unknown as { seen: number[] }).seen = [] as number[]);
        document.addEventListener('click', () => (seen[0] ??= performance.now()), { capture: true });
        new MutationObserver(() => {
          const shown = document.querySelector('[data-loading]') !== null;
          if (shown !== (seen.length === 2)) seen.push(performance.now());
        }).observe(document.body, { childList: true, subtree: true });
      });
      await page.getByRole('link', { name: 'Speech' }).click();
      await page.getByRole('status', { name: 'Loading Speech' }).waitFor();
      expect(await page.getByRole('heading', { level: 1 }).filter({ visible: true }).innerText()).toBe('Speech');
      answer();
      await page.getByRole('heading', { name: 'Speech to text' }).waitFor();
      const [clicked = 0, shown = 0, gone = 0] = await page.evaluate(() => (window as unknown as { seen: number[] }).seen);
      // A timer may fire a fraction early.
      expect(shown - clicked).toBeGreaterThan(148);
      expect(gone - shown).toBeGreaterThan(298);
    });

    test('G-06 the API away: an inline error with the request id and Retry, and what was known stays', async () => {
      const { page } = await openOverview();
      let broken = true;
      await page.route('**/console/api/credits**', async (route) => {
        if (!broken) return route.continue();
        await route.fulfill({ status: 503, contentType: 'application/json', headers: { 'x-request-id': 'req_testing1234' }, body: JSON.stringify({ error: { message: 'The database cannot be reached. Try again in a moment.', code: 'database_unavailable' } }) });
      });
      const alert = page.getByRole('alert').filter({ hasText: 'out of date' });
      await alert.waitFor({ timeout: 10_000 });
      expect(await alert.innerText()).toContain('req_testing1234');
      expect(await page.getByText('Available test credits').count()).toBe(1);
      broken = false;
      await alert.getByRole('button', { name: 'Retry' }).click();
      await alert.waitFor({ state: 'detached' });
    });
  });
});
