import type { Page } from 'playwright-core';
import type { Visit } from './console';

// The page that sets up tools and SDKs.

/** Creates a test key on the page, whose cards then contain it. */
export async function createKeyForCards({ page }: Visit): Promise<void> {
  await page.getByText('pb_test_YOUR_KEY').first().waitFor();
  await page.getByRole('button', { name: 'Create a test key' }).click();
  await page.getByText('contain your new key').waitFor();
}

/** The texts of a card, in their order. */
export function textsOfCard(page: Page, name: string): Promise<string[]> {
  return page.getByRole('region', { name, exact: true }).locator('pre').allTextContents();
}
