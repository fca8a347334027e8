import type { BrowserContext, Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { awaitAlive } from '../support/page-checks';
import { isFullRun, leftToGate } from '../support/proof-runs';

// Dialogs, menus and parts of a page whose script cannot load, because the server was stopped or upgraded while the page was
// open.

const running = consoleOfFile('viewer');

const UNREACHABLE = 'The server could not be reached. Check your connection.';

/** The notice in place of a dialog or a menu. */
const noticeOn = (page: Page) => page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Dismiss' }) });

const expectFocus = (element: Locator) =>
  expect.poll(() => element.evaluate((each) => each === document.activeElement)).toBe(true);

/** What the page itself needs has arrived: only the script of the part is missing. */
async function goOffline(page: Page, context: BrowserContext): Promise<void> {
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
}

/** After an upgrade the scripts are gone: `open` fails, and the second attempt loads the page again. */
async function expectReload(page: Page, open: () => Promise<void>): Promise<void> {
  await page.route('**/_next/static/**', (route) => route.fulfill({ status: 404 }));
  await open();
  await page.getByText('The console may have been updated.').waitFor();
  const again = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Retry' }).press('Enter');
  await page.waitForRequest((request) => request.isNavigationRequest());
  await page.unroute('**/_next/static/**');
  await again;
}

describe.skipIf(whyNoBrowser())('a dialog whose script cannot load', () => {
  /** The first of them stands for all in a short run. */
  const dialogs = [
    ['/console/keys?mode=test', 'Create key', 'API keys'],
    ['/console/projects?mode=test', 'Create project', 'Projects'],
    ['/console/members', 'Invite someone', 'Members'],
    ['/console/usage/alerts?mode=test', 'Add an alert', 'Alerts'],
    ['/console/webhooks?mode=test', 'Add an endpoint', 'Webhooks'],
    ['/console/playground?mode=test', 'View code', 'Playground'],
  ] as const;
  for (const [at, [path, button, title]] of dialogs.entries())
    test(`${path}: the page stays, says so, and loads it when it can`, leftToGate(at > 0 && !isFullRun()), async () => {
      const { page, context } = await running.open(path);
      const opener = page.getByRole('button', { name: button }).first();
      await awaitAlive(opener);
      await goOffline(page, context);
      await opener.focus();
      await page.keyboard.press('Enter');
      const failure = noticeOn(page);
      await failure.getByText(UNREACHABLE).waitFor();
      expect(await page.getByRole('heading', { name: title, level: 1 }).count()).toBe(1);
      await failure.getByRole('button', { name: 'Dismiss' }).click();
      await failure.waitFor({ state: 'detached' });
      await expectFocus(opener);

      await page.keyboard.press('Enter');
      await failure.waitFor();
      await context.setOffline(false);
      await failure.getByRole('button', { name: 'Retry' }).press('Enter');
      await page.getByRole('dialog').waitFor();
      expect(await failure.count()).toBe(0);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expectFocus(opener);
    });

  test('scripts that are gone after an upgrade: the second attempt loads the page again', async () => {
    const { page } = await running.open('/console/keys?mode=test');
    const opener = page.getByRole('button', { name: 'Create key' });
    await awaitAlive(opener);
    await expectReload(page, () => opener.press('Enter'));
    expect(new URL(page.url()).searchParams.get('new')).toBe('1');
  });
});

describe.skipIf(whyNoBrowser())('a menu whose script cannot load', () => {
  test('the page stays, says so, and opens the menu when it can', async () => {
    const { page, context } = await running.open('/console/keys?mode=test');
    const opener = page.getByRole('button', { name: /^Account of / });
    await awaitAlive(opener);
    await goOffline(page, context);
    await opener.click();
    const failure = noticeOn(page);
    await failure.getByText(UNREACHABLE).waitFor();
    await failure.getByRole('button', { name: 'Dismiss' }).click();
    await failure.waitFor({ state: 'detached' });
    expect(await page.getByRole('menu').count()).toBe(0);

    await opener.click();
    await failure.waitFor();
    await context.setOffline(false);
    await failure.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('menuitem', { name: 'Your account' }).waitFor();
    expect(await failure.count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await expectFocus(opener);
  });

  test('scripts that are gone after an upgrade: the second attempt loads the page again', async () => {
    const { page } = await running.open('/console/keys?mode=test');
    const opener = page.getByRole('button', { name: /^Account of / });
    await awaitAlive(opener);
    await expectReload(page, () => opener.click());
  });
});

describe.skipIf(whyNoBrowser())('a part of a page whose script cannot load', () => {
  test('the page stays, says so in its place, and loads it when it can', async () => {
    const { page, context } = await running.open('/console/models?mode=test');
    const cards = page.getByRole('button', { name: 'Cards' });
    await awaitAlive(cards);
    await goOffline(page, context);
    await cards.click();
    const failure = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Retry' }) });
    await failure.getByText(UNREACHABLE).waitFor();
    expect(await page.getByRole('heading', { name: 'Models', level: 1 }).count()).toBe(1);
    expect(await page.getByTestId('count').textContent()).toMatch(/models$/);

    await context.setOffline(false);
    await failure.getByRole('button', { name: 'Retry' }).click();
    await failure.waitFor({ state: 'detached' });
    await page.locator('main li').first().waitFor();
  });

  test('scripts that are gone after an upgrade: the second attempt loads the page again', async () => {
    const { page } = await running.open('/console/models?mode=test');
    const cards = page.getByRole('button', { name: 'Cards' });
    await awaitAlive(cards);
    await expectReload(page, () => cards.click());
    await page.locator('main li').first().waitFor();
  });
});
