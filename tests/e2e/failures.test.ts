import { describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile, cookieHeader } from '../support/console';
import { createKey } from '../support/console-keys';
import { generateUntil, openPlayground } from '../support/playground';

// The API fails, the network is away, or the role does not suffice: nothing that was typed is lost.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const running = consoleOfFile('viewer');

/** In the page: can a person see the whole element? */
function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
}

const away = {
  status: 503,
  contentType: 'application/json',
  headers: { 'x-request-id': 'req_seen' },
  body: '{"error":{"message":"The database is away for a moment. Try again.","code":"service_unavailable"}}',
};

describe.skipIf(skipReason)('the console during failures', () => {
  test('a form that the API could not accept says so, keeps its input, and works at the next try', async () => {
    const { page } = await running.open('/console/keys?mode=test&new=1');
    const dialog = page.getByRole('dialog', { name: 'Create an API key' });
    await dialog.waitFor();
    await page.route('**/console/api/keys', (route) =>
      route.request().method() === 'POST' ? route.fulfill(away) : route.continue(),
    );
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Typed once');
    await dialog.getByLabel('Spend limit in dollars').fill('12.50');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'The database is away for a moment.' }).waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Typed once');
    expect(await dialog.getByLabel('Spend limit in dollars').inputValue()).toBe('12.50');
    await page.unroute('**/console/api/keys');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByTestId('revealed-key').waitFor();
  });

  test('without a network the playground says so, keeps the form, and makes the video once it is back', async () => {
    const { page, generate, context } = await openPlayground(running, {
      model: 'sandbox-t2v',
      prompt: 'Typed offline',
      seconds: '1',
      size: '640x360',
      seed: '4',
    });
    await context.setOffline(true);
    await generate.click();
    await page
      .locator('form')
      .getByRole('alert')
      .filter({ hasText: /connection|reached|network/i })
      .waitFor();
    expect(await page.getByLabel('Prompt', { exact: true }).inputValue()).toBe('Typed offline');
    await context.setOffline(false);
    await page.locator('[data-testid="generate"]:not([aria-busy])').waitFor();
    await generateUntil(page, 'completed');
    expect(await page.getByLabel('Seed', { exact: true }).inputValue()).toBe('4');
  });

  test('without a network a list keeps its contents, says so, and continues by itself or with Retry', async () => {
    await createKey(running.product, { name: 'Seen before', mode: 'test' });
    const { page, context } = await running.open('/console/keys?mode=test');
    await page.getByText('Seen before').waitFor();
    await context.setOffline(true);
    const alert = page.getByRole('alert').filter({ hasText: 'out of date' });
    await alert.waitFor({ timeout: 30_000 });
    await page.getByText('Seen before').waitFor();
    await context.setOffline(false);
    const retry = alert.getByRole('button', { name: 'Retry' });
    await retry.click({ timeout: 2_000 }).catch(() => undefined);
    await alert.waitFor({ state: 'detached', timeout: 30_000 });
  });

  test('a sign-in without a network keeps the address and says so', async () => {
    const { page, context } = await running.visit();
    await page.goto(`${running.product.baseUrl}/console/sign-in`);
    await page.getByLabel('E-mail').fill('somebody@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /connection|reached|network/i })
      .waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe('somebody@example.com');
  });

  test('every endpoint that changes something refuses a viewer: 403', async () => {
    const { context } = await running.signIn({ as: running.product.person });
    const headers = {
      cookie: await cookieHeader(context),
      'content-type': 'application/json',
      origin: running.product.baseUrl,
    };
    const { id } = await createKey(running.product, { name: 'Not theirs', mode: 'test' });
    const changes: readonly (readonly [string, string, unknown?])[] = [
      ['POST', 'keys', { name: 'x', mode: 'test' }],
      ['PATCH', `keys/${id}`, { name: 'x' }],
      ['DELETE', `keys/${id}`],
      ['POST', `keys/${id}/rotate`, {}],
      ['POST', 'videos?mode=test', { model: 'sandbox-t2v', prompt: 'x' }],
      ['POST', 'videos/video_0/cancel'],
      ['DELETE', 'videos/video_0'],
      ['POST', 'credits/refill'],
      ['POST', 'socket-tickets', { path: '/v1/audio/speech/ws', mode: 'test' }],
      ['GET', 'webhook-secret'],
      ['POST', 'webhook-secret/rotate', {}],
      ['POST', 'webhook-deliveries/msg_0/resend'],
      ['GET', 'audit-entries'],
    ];
    const statuses = await Promise.all(
      changes.map(async ([method, path, body]) => {
        const response = await fetch(`${running.product.baseUrl}/console/api/${path}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        return [`${method} ${path}`, response.status];
      }),
    );
    expect(statuses).toEqual(changes.map(([method, path]) => [`${method} ${path}`, 403]));
  });

  test('signed out in one tab, the other tab of the same browser is signed out by its next action', async () => {
    const { page: one, context } = await running.signIn();
    const other = await context.newPage();
    await other.goto(`${running.product.baseUrl}/console/keys?mode=test`);
    await other.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await one.getByRole('button', { name: /^Account of/ }).click();
    await one.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await one.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.getByRole('link', { name: 'Videos', exact: true }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout: 5_000 });
  });

  test('Back restores the scroll position', async () => {
    const { page } = await running.open('/console/models?sort=name');
    const link = page.getByRole('link', { name: 'Veo 3.1 text to video', exact: true });
    await page.getByRole('status').first().waitFor();
    for (let step = 0; step < 40 && (await link.count()) === 0; step += 1) {
      await page.mouse.wheel(0, 400);
      await page.waitForTimeout(60);
    }
    await link.scrollIntoViewIfNeeded();
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(500);
    await link.click();
    await page.getByRole('heading', { name: 'Veo 3.1 text to video', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
    // The same rows are in view, although the heights of rows that were never shown are estimates.
    await expect.poll(() => link.evaluate(isInView)).toBe(true);
  });
});
