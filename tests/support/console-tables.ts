import type { Page } from 'playwright-core';

/**
 * The visible text of the last cell of each row of a table, without its heading: the sums of the tables about usage. Waits
 * for the table: the heading of a page is there earlier, on its skeleton.
 */
export async function lastCells(page: Page, name: string): Promise<readonly string[]> {
  const table = page.getByRole('table', { name });
  await table.waitFor();
  return table
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.slice(1).map((row) => (row.lastElementChild instanceof HTMLElement ? row.lastElementChild.innerText : '')),
    );
}
