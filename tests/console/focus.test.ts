import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { createKey, manage } from '../support/console-keys';
import { openMessages } from '../support/messages-page';
import { awaitAlive } from '../support/page-checks';
import { openPlayground } from '../support/playground';

// Where the keyboard focus is after an action, on the built product: at a control that the user expects, and in sight.

const running = consoleOfFile('viewer');

/** The control with the focus, by its label or its text; `body` if the focus is lost. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement: active } = document;
    if (!active || active === document.body) return 'body';
    const label = (active as HTMLInputElement).labels?.[0]?.innerText;
    return active.getAttribute('aria-label') ?? label ?? active.textContent;
  });
}

async function press(page: Page, name: string | RegExp, role: 'button' | 'menuitem' = 'button'): Promise<void> {
  const control = page.getByRole(role, { name });
  await awaitAlive(control);
  await control.focus();
  await page.keyboard.press('Enter');
}

describe.skipIf(whyNoBrowser())('the keyboard focus', () => {
  test('the password prompt over a form has it and keeps it, dims the form, and gives it back', async () => {
    const { page } = await running.open('/console/keys?mode=test');
    await page.route('**/console/api/keys', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 403,
            contentType: 'application/json',
            body: JSON.stringify({ error: { code: 'reauthentication_required', message: 'Sign in again.' } }),
          })
        : route.continue(),
    );
    await press(page, 'Create key');
    const form = page.getByRole('dialog', { name: 'Create an API key' });
    await form.waitFor();
    await page.keyboard.press('Enter');
    const prompt = page.getByRole('dialog', { name: 'Confirm your identity' });
    await prompt.waitFor();
    await page.keyboard.type('a secret');
    expect(await prompt.getByLabel(/^Password of/).inputValue()).toBe('a secret');
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press('Tab');
      expect(await prompt.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    }
    const isDimmed = await page.evaluate(() => {
      const [below] = document.querySelectorAll('[role="dialog"]');
      const shade = [...document.querySelectorAll('.bg-shade')].at(-1);
      if (!below || !shade) return false;
      const isLater = below.compareDocumentPosition(shade) & Node.DOCUMENT_POSITION_FOLLOWING;
      return Boolean(isLater) && Number(getComputedStyle(shade).zIndex) >= Number(getComputedStyle(below).zIndex);
    });
    expect(isDimmed).toBe(true);
    await page.keyboard.press('Escape');
    await prompt.waitFor({ state: 'detached' });
    await form.getByText('Sign in again.').waitFor();
    expect(await form.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).not.toContain('a secret');
  });

  test('after the revocation of a key it is in the next row', async () => {
    for (const name of ['First', 'Second', 'Third']) await createKey(running.product, { name, mode: 'test' });
    const { page } = await running.open('/console/keys?mode=test');
    await press(page, 'Actions for Second');
    await press(page, 'Revoke…', 'menuitem');
    await press(page, 'Revoke key');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toMatch(/^Actions for (First|Third)$/);
  });

  test('after the removal of an alert it is in the next row, and after the last one at the title', async () => {
    const path = '/console/api/alerts?mode=test';
    await manage(running.product, 'POST', path, { kind: 'low_balance', amount: '5' });
    await manage(running.product, 'POST', path, { kind: 'daily_spend', amount: '5000' });
    const { page } = await running.open('/console/usage/alerts?mode=test');
    for (const next of [/^Remove: /, /^Alerts$/]) {
      const remove = page.getByRole('button', { name: /^Remove: / }).first();
      await awaitAlive(remove);
      await remove.focus();
      await page.keyboard.press('Enter');
      await press(page, 'Remove alert');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(() => focused(page)).toMatch(next);
    }
  });

  test('after the withdrawal of the only invitation it is at the heading of the list', async () => {
    await manage(running.product, 'POST', '/console/api/invitations', { role: 'viewer' });
    const { page } = await running.open('/console/members');
    await press(page, /^Withdraw the invitation/);
    await press(page, /^Withdraw$/);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Invitations');
  });

  test('after a new name was saved it is in the field', async () => {
    const { page } = await running.open('/console/settings');
    const field = page.getByLabel('Name of the organisation');
    await awaitAlive(field);
    await field.fill('Renamed');
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await press(page, 'Save name');
    await saved;
    await expect.poll(() => focused(page)).toBe('Name of the organisation');
    await expect.poll(() => page.getByRole('button', { name: 'Save name' }).isDisabled()).toBe(true);
    expect(await focused(page)).toBe('Name of the organisation');
  });

  test('after a click on Send it is in the prompt', async () => {
    const { page, prompt } = await openMessages(running);
    await prompt.fill('Go on [[words:400]]');
    await page.getByTestId('send').click();
    await page.getByTestId('answer').getByText('word5').first().waitFor();
    expect(await prompt.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test.each([
    [1440, 600],
    [390, 700],
  ])('no control of the video form is behind its price, %i × %i px', async (width, height) => {
    const { page } = await openPlayground(running, undefined, { viewport: { width, height } });
    await page.locator('form[aria-label="New video"] button').first().focus();
    const covered: string[] = [];
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate(() => {
        const active = document.activeElement as HTMLInputElement | null;
        const foot = document.querySelector('[data-testid="generate"]')?.closest('.sticky');
        if (!active?.closest('form') || !foot || foot.contains(active)) return undefined;
        const box = (active.closest('label') ?? active).getBoundingClientRect();
        // Taller than what is left of the window: then its beginning is in sight.
        const seen = Math.min(box.bottom, box.top + 44);
        return seen > foot.getBoundingClientRect().top
          ? (active.labels?.[0]?.innerText ?? active.innerText)
          : undefined;
      });
      if (name !== undefined) covered.push(name);
    }
    expect(covered).toEqual([]);
  });
});
