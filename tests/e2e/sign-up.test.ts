import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, whyNoBrowser } from '../support/browser';
import { awaitAlive, seriousFindings, tabTo, widerThanWindow } from '../support/page-checks';
import { startPostgres } from '../support/postgres';
import { startEmptyProduct } from '../support/product';

// The first minutes of an installation on an external database, which starts empty; and its failures, when that
// database does not answer.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);
const postgres = skipReason ? undefined : await startPostgres();

describe.skipIf(!postgres)('a new installation', () => {
  let product: Awaited<ReturnType<typeof startEmptyProduct>>;
  let browser: Browser;
  let context: BrowserContext;

  beforeAll(async () => {
    product = await startEmptyProduct(await postgres!.createDatabase());
    browser = await launchBrowser();
    context = await browser.newContext();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await postgres?.close();
  });

  test.each(['light', 'dark'] as const)(
    'the page to sign up is in order in the %s theme and on a phone',
    async (colorScheme) => {
      const own = await browser.newContext({ colorScheme, viewport: { width: 320, height: 700 } });
      const page = await own.newPage();
      await page.goto(`${product.baseUrl}/console/sign-in`);
      await page.getByRole('heading', { name: 'Set up Patchbay', level: 1 }).waitFor();
      expect(await page.title()).toBe('Set up · Patchbay');
      expect(await seriousFindings(page)).toEqual([]);
      expect(await widerThanWindow(page)).toEqual([]);
      await own.close();
    },
  );

  test('by keyboard alone from signing up over a key to the first video', async () => {
    const page = await context.newPage();
    await page.goto(`${product.baseUrl}/console`);
    await page.getByRole('heading', { name: 'Set up Patchbay', level: 1 }).waitFor();
    await awaitAlive(page.locator('form'));
    // The first field has the focus.
    await page.keyboard.type('Ada');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Engines');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ada@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type('correct horse battery');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await tabTo(page, 'Create a test key');
    await page.keyboard.press('Enter');
    await page.getByTestId('revealed-key').waitFor();
    await tabTo(page, 'Send it from here');
    await page.keyboard.press('Enter');
    await page.getByText('It has arrived as').waitFor();
    await page.locator('video[controls]').waitFor();
    await page.close();
  });

  test('is open to the first user only', async () => {
    const own = await browser.newContext();
    const page = await own.newPage();
    await page.goto(`${product.baseUrl}/console/sign-up`);
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    expect(page.url()).toBe(`${product.baseUrl}/console/sign-in`);
    await own.close();
  });

  test('a page whose database does not answer says so with an id and Retry, and recovers with it', async () => {
    const page = await context.newPage();
    await postgres!.pause();
    try {
      await page.goto(`${product.baseUrl}/console/videos?mode=test`);
      await page.getByRole('heading', { name: 'This page could not be shown', level: 1 }).waitFor();
      expect(await page.getByText('Request id').innerText()).toMatch(/req_\w+/);
      expect(await seriousFindings(page)).toEqual([]);
    } finally {
      postgres!.resume();
    }
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Videos', level: 1 }).waitFor();
    await page.close();
  });
});
