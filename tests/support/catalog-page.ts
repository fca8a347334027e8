import type { Page } from 'playwright-core';
import { awaitAlive } from './page-checks';

/** The catalog once it can be used: what the server sent is there earlier, and takes no keys yet. */
export async function awaitCatalog(page: Page): Promise<void> {
  await page.getByRole('status').first().waitFor();
  await awaitAlive(page.locator('input[type=search]'));
}

/** Types into the search as a script, and says how long it took until the count of what is left was shown. */
export function timeSearch(page: Page, text: string, shows: RegExp): Promise<number> {
  return page.evaluate(
    async ([typed, pattern]) => {
      // Safe: the page has both once it is there.
      const field = document.querySelector<HTMLInputElement>('input[type=search]')!;
      const status = document.querySelector('[data-testid=count]')!;
      const startedAt = performance.now();
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, typed);
      field.dispatchEvent(new Event('input', { bubbles: true }));
      while (!new RegExp(pattern).test(status.textContent ?? '')) {
        if (performance.now() - startedAt > 5_000) throw new Error(`The status says: ${status.textContent}`);
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return performance.now() - startedAt;
    },
    [text, shows.source] as const,
  );
}
