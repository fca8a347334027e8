import { describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { awaitAlive } from '../support/page-checks';

// Dialogs and parts of a page whose script cannot load, because the server was stopped or upgraded while the page was
// open.

const running = consoleOfFile('viewer');

describe.skipIf(whyNoBrowser())('a dialog whose script cannot load', () => {
  test.each([
    ['/console/keys?mode=test', 'Create key', 'API keys'],
    ['/console/projects?mode=test', 'Create project', 'Projects'],
    ['/console/members', 'Invite someone', 'Members'],
    ['/console/usage/alerts?mode=test', 'Add an alert', 'Alerts'],
    ['/console/webhooks?mode=test', 'Add an endpoint', 'Webhooks'],
    ['/console/playground?mode=test', 'View code', 'Playground'],
  ])('%s: the page stays, says so, and loads it when it can', async (address, button, title) => {
    const { page, context } = await running.open(address);
    const opener = page.getByRole('button', { name: button }).first();
    await awaitAlive(opener);
    // What the page itself needs has arrived: only the script of the part is missing.
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await opener.focus();
    await page.keyboard.press('Enter');
    const failure = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Dismiss' }) });
    await failure.getByText('The server could not be reached. Check your connection.').waitFor();
    expect(await page.getByRole('heading', { name: title, level: 1 }).count()).toBe(1);
    await failure.getByRole('button', { name: 'Dismiss' }).click();
    await failure.waitFor({ state: 'detached' });
    await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);

    await page.keyboard.press('Enter');
    await failure.waitFor();
    await context.setOffline(false);
    await failure.getByRole('button', { name: 'Retry' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await failure.count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('scripts that are gone after an upgrade: the second attempt loads the page again', async () => {
    const { page } = await running.open('/console/keys?mode=test');
    const opener = page.getByRole('button', { name: 'Create key' });
    await awaitAlive(opener);
    await page.route('**/_next/static/**', (route) => route.fulfill({ status: 404 }));
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.getByText('The console may have been updated.').waitFor();
    const again = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Retry' }).press('Enter');
    await page.waitForRequest((request) => request.isNavigationRequest());
    await page.unroute('**/_next/static/**');
    await again;
    expect(new URL(page.url()).searchParams.get('new')).toBe('1');
  });
});

describe.skipIf(whyNoBrowser())('a menu whose script cannot load', () => {
  test('the page stays, says so, and opens the menu when it can', async () => {
    const { page, context } = await running.open('/console/keys?mode=test');
    const opener = page.getByRole('button', { name: /^Account of / });
    await awaitAlive(opener);
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await opener.click();
    const failure = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Dismiss' }) });
    await failure.getByText('The server could not be reached. Check your connection.').waitFor();
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
    await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('scripts that are gone after an upgrade: the second attempt loads the page again', async () => {
    const { page } = await running.open('/console/keys?mode=test');
    const opener = page.getByRole('button', { name: /^Account of / });
    await awaitAlive(opener);
    await page.route('**/_next/static/**', (route) => route.fulfill({ status: 404 }));
    await opener.click();
    await page.getByText('The console may have been updated.').waitFor();
    const again = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.waitForRequest((request) => request.isNavigationRequest());
    await page.unroute('**/_next/static/**');
    await again;
  });
});

describe.skipIf(whyNoBrowser())('a part of a page whose script cannot load', () => {
  test('the page stays, says so in its place, and loads it when it can', async () => {
    const { page, context } = await running.open('/console/models?mode=test');
    const cards = page.getByRole('button', { name: 'Cards' });
    await awaitAlive(cards);
    // What the page itself needs has arrived: only the script of the part is missing.
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await cards.click();
    const failure = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Retry' }) });
    await failure.getByText('The server could not be reached. Check your connection.').waitFor();
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
    await page.route('**/_next/static/**', (route) => route.fulfill({ status: 404 }));
    await cards.click();
    await page.getByText('The console may have been updated.').waitFor();
    const again = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.waitForRequest((request) => request.isNavigationRequest());
    await page.unroute('**/_next/static/**');
    await again;
    await page.locator('main li').first().waitFor();
  });
});
