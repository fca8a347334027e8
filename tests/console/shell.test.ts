import { availableParallelism, loadavg } from 'node:os';
import { describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { awaitFrame, consoleOfFile, keptBy, openOverview } from '../support/console';

// The frame of every page, and the overview's first steps up to a playing video.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const KEY = /pb_(?:test|live)_[0-9A-Za-z]{36}/;

const running = consoleOfFile('viewer');

describe.skipIf(skipReason)('the frame', () => {
  describe('the first steps', () => {
    test('lead from the printed URL and password to a playing video in at most 6 clicks and 60 seconds', async () => {
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
      await awaitFrame(page);
      await click('Create a test key');
      const key = await page.getByTestId('revealed-key').innerText();
      expect(key).toMatch(KEY);
      expect(await page.locator('pre').innerText()).toContain(key);
      await click('Send it from here');
      await page.locator('video[controls]').waitFor({ timeout: 120_000 });
      await page.waitForFunction(
        () => (document.querySelector<HTMLVideoElement>('video[controls]')?.readyState ?? 0) >= 2,
      );
      expect(clicks).toBeLessThanOrEqual(6);
      const tookMs = performance.now() - startedAt;
      // On a machine with more to do than it has cores, everything takes that much longer.
      const overload = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
      console.log(
        `first video: ${clicks} clicks, ${Math.round(tookMs)} ms at ${overload.toFixed(1)} times the load of the cores`,
      );
      expect(tookMs / overload).toBeLessThan(60_000);
      expect(complaints).toEqual([]);

      // Completed steps stay completed after a reload; the key is gone. There is one player from the start: a
      // second one would load the file again.
      await page.addInitScript(() => {
        const players = new Set<Element>();
        Object.assign(window, { players });
        new MutationObserver(() =>
          document.querySelectorAll('video[controls]').forEach((player) => players.add(player)),
        ).observe(document, { childList: true, subtree: true });
      });
      for (let times = 0; times < 5; times += 1) {
        await page.reload();
        await page.locator('video[controls]').waitFor();
        await page.waitForLoadState('networkidle').catch(() => undefined);
        expect(await page.evaluate(() => (window as unknown as { players: Set<Element> }).players.size)).toBe(1);
      }
      expect(await keptBy(page)).not.toMatch(KEY);
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('heading', { name: 'Recent activity' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'Recent activity' }).waitFor();
      expect(await page.getByRole('heading', { name: 'Your first video' }).count()).toBe(0);
      expect(await page.getByText('Completed').count()).toBeGreaterThan(0);
      await page.getByText('$999.96').first().waitFor();
    });
  });

  describe('the command palette', () => {
    test('finds a model, a key by name and a video by its id, and Enter opens it', async () => {
      const { page, complaints } = await openOverview(running);
      const find = async (text: string, option: RegExp) => {
        await page.keyboard.press('Control+k');
        await page.getByPlaceholder('Search pages').and(page.locator(':focus')).waitFor();
        await page.keyboard.type(text);
        // Selected, and not only present: Enter takes the selected result, and results arrive during typing.
        await page.getByRole('option', { name: option, selected: true }).waitFor();
        await page.keyboard.press('Enter');
      };
      await find('First live', /First live key/);
      await page.waitForURL(/\/console\/keys\?.*First\+live\+key/, { timeout: 10_000 });
      const video = (await (
        await fetch(`${running.product.baseUrl}/v1/videos`, {
          headers: { authorization: `Bearer ${running.product.firstRun.keys.test}` },
        })
      ).json()) as { data: { id: string }[] };
      const id = video.data[0]?.id ?? '';
      await find(id.slice(0, 16), new RegExp(id));
      await page.waitForURL(`**/console/videos/${id}?mode=test`);
      await find('veo-3.1', /veo-3\.1/);
      await page.waitForURL(/\/console\/models\/veo-3\.1/);
      expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([]);
    });

    test('shows nothing of another organisation and nothing without a sign-in', async () => {
      const response = await fetch(`${running.product.baseUrl}/console/api/search?q=First`);
      expect(response.status).toBe(401);
    });
  });

  describe('the keyboard', () => {
    test('G then a letter opens a page, ? lists the shortcuts, and both are inactive while the user types', async () => {
      const { page } = await openOverview(running);
      await page.keyboard.press('g');
      await page.keyboard.press('s');
      await page.waitForURL('**/console/speech');
      await page.getByRole('heading', { level: 1, name: 'Speech' }).waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const field = page.locator('textarea').first();
      // It exists, but is hidden while the page shows its skeleton.
      await field.waitFor();
      await field.focus();
      await page.keyboard.type('go?');
      expect(await field.inputValue()).toContain('go?');
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(page.url()).toContain('/console/speech');
    });
  });

  describe('the mode', () => {
    test('is switched in place, is in the URL, and is remembered by pages whose URL does not contain it', async () => {
      const { page } = await openOverview(running);
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
});
