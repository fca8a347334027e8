import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';

// Checks that every page must pass.

/** The serious and critical violations that axe finds; empty if there are none. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  // Wait for animations: an element that is still fading in does not have its final contrast.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations === 1)
        .map((animation) => animation.finished.catch(() => undefined)),
    ),
  );
  // A notice that begins to fade out while axe works (on a slow machine it works for seconds) disappears at once.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets.push(sheet);
  });
  // Experimental, so off by default: voice control needs the visible label as the accessible name.
  const { violations } = await new AxeBuilder({ page })
    .options({ rules: { 'label-content-name-mismatch': { enabled: true } } })
    .analyze();
  await page.evaluate(() => document.adoptedStyleSheets.pop());
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.html.slice(0, 140)}`));
}

/** The elements that make the page scroll horizontally; empty if there are none. */
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

/** Waits until React has hydrated the control: the server's HTML is there earlier, but does not react to clicks yet. */
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
