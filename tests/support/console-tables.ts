import type { Page } from 'playwright-core';

/** The visible text of the last cell of each row of a table, without its heading: the sums of the tables about usage. */
export function lastCells(page: Page, name: string): Promise<readonly string[]> {
  return page
    .getByRole('table', { name })
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.slice(1).map((row) => (row.lastElementChild instanceof HTMLElement ? row.lastElementChild.innerText : '')),
    );
}
