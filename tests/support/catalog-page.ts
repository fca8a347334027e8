import type { BrowserContext, Page } from 'playwright-core';
import type { CatalogEntry } from '../../lib/contract/models';
import { awaitAlive } from './page-checks';

/**
 * Opens the catalog and waits until it is interactive: the server's HTML is there earlier, but does not react to keys
 * yet.
 */
export async function awaitCatalog(page: Page): Promise<void> {
  await page.getByRole('status').first().waitFor();
  await awaitAlive(page.locator('input[type=search]'));
}

/** Types into the search with a script, and measures the time until the count of the results is shown. */
export function timeSearch(page: Page, text: string, shows: RegExp): Promise<number> {
  return page.evaluate(
    async ([typed, pattern]) => {
      // Safe: the page has both after it has loaded.
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

/**
 * The time until the browser has built and laid out a second copy of the page: the work of a page, in the measure of this
 * browser on this machine at this moment.
 */
export function timeCopyOfPage(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const startedAt = performance.now();
    const copy = document.createElement('div');
    copy.innerHTML = document.body.innerHTML;
    document.body.append(copy);
    copy.getBoundingClientRect();
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const tookMs = performance.now() - startedAt;
    copy.remove();
    return tookMs;
  });
}

/** The entries that the page shows without a search, from the installation at this URL. */
export async function activeEntries(context: BrowserContext, baseUrl: string): Promise<readonly CatalogEntry[]> {
  const response = await context.request.get(`${baseUrl}/console/api/models`);
  // Safe: the contract of this path.
  const { data } = (await response.json()) as { readonly data: readonly CatalogEntry[] };
  return data.filter(({ active }) => active);
}
