import { describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile, openOverview } from '../support/console';

// The longer scenarios of the frame around every page.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const running = consoleOfFile('viewer');

describe.skipIf(skipReason)('the frame: longer scenarios', () => {
  test('a viewer cannot take the first steps', async () => {
    const { page } = await running.signIn({ as: running.product.person, path: '/console?mode=live' });
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: /create/i }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /send it/i }).count()).toBe(0);
  });

  test('the palette says when nothing matches, and closes with Escape, returning the focus', async () => {
    const { page } = await openOverview(running);
    const search = page.getByRole('complementary').getByRole('button', { name: /^Search/ });
    await search.focus();
    await page.keyboard.press('Enter');
    await page.getByPlaceholder('Search pages').fill('xyzzyplugh');
    await page.getByText('No results for “xyzzyplugh”').waitFor();
    await page.keyboard.press('Escape');
    await page.getByPlaceholder('Search pages').waitFor({ state: 'detached' });
    await expect.poll(() => search.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  test('on a phone the navigation opens as a drawer, keeps the focus inside and returns it', async () => {
    const { page, complaints } = await openOverview(running, { viewport: { width: 390, height: 800 } });
    const opener = page.getByRole('button', { name: 'Open navigation' });
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

  test('a late page shows a skeleton, never within the first 150 ms, and then for at least 300 ms', async () => {
    const { page } = await openOverview(running);
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
    const [clicked = 0, shown = 0, gone = 0] = await page.evaluate(
      () => (window as unknown as { seen: number[] }).seen,
    );
    // A timer may fire a fraction early.
    expect(shown - clicked).toBeGreaterThan(148);
    expect(gone - shown).toBeGreaterThan(298);
  });

  test('without the API an inline error shows the request id and Retry, and known data stays', async () => {
    const { page } = await openOverview(running);
    let broken = true;
    await page.route('**/console/api/credits**', async (route) => {
      if (!broken) return route.continue();
      await route.fulfill({
        status: 503,
        contentType: 'application/json',
        headers: { 'x-request-id': 'req_testing1234' },
        body: JSON.stringify({
          error: { message: 'The database cannot be reached. Try again in a moment.', code: 'database_unavailable' },
        }),
      });
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
