import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { awaitAlive } from '../support/page-checks';

// Where the keyboard focus is after an action, on the built product: at a control that the user expects, and in sight.

const running = consoleOfFile('viewer');

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
});
