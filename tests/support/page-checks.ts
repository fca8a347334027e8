import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';

// What every page owes everybody, as questions that a test asks of any page.

/** What axe finds serious or critical; nothing when all is well. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  // What is still fading in has not the contrast that it will have.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations === 1)
        .map((animation) => animation.finished.catch(() => undefined)),
    ),
  );
  // Experimental, so not on by itself: who speaks to the computer says the words that they see.
  const { violations } = await new AxeBuilder({ page })
    .options({ rules: { 'label-content-name-mismatch': { enabled: true } } })
    .analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.html.slice(0, 140)}`));
}

/** What makes the page scroll sideways; nothing when it does not. */
export function widerThanWindow(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const limit = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= limit) return [];
    const over = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > limit + 0.5,
    );
    return [
      `${document.documentElement.scrollWidth - limit} px`,
      ...over.slice(0, 3).map((element) => `${element.tagName}.${element.className}`.slice(0, 120)),
    ];
  });
}

/** Waits until React has taken over the control: what the server sent is there earlier, and takes no clicks yet. */
export async function awaitAlive(control: Locator): Promise<void> {
  await control.waitFor();
  while (!(await control.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__reactProps')))))
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Presses Tab until the control with that text has the focus. */
export async function tabTo(page: Page, text: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await page.evaluate(() => document.activeElement?.textContent ?? '')).trim() === text) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab did not reach ${text}.`);
}
