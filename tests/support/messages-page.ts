import type { Locator, Page } from 'playwright-core';
import type { Console, Visit } from './console';
import { PICTURE } from './media-bytes';
import { awaitAlive } from './page-checks';

// Operates the messages playground as a user does. In test mode the sandbox answers for every model.

/** A PNG of one pixel, in base64. */
export const PIXEL = PICTURE.slice(PICTURE.indexOf(',') + 1);

export interface MessagesPage extends Visit {
  readonly prompt: Locator;
  readonly answers: Locator;
}

/** The page in test mode, signed in as the owner. */
export async function openMessages(
  running: Console,
  { model, hash = '' }: { readonly model?: string; readonly hash?: string } = {},
  options: Parameters<Console['open']>[1] = {},
): Promise<MessagesPage> {
  const query = new URLSearchParams({ mode: 'test', ...(model !== undefined && { model }) });
  const seen = await running.open(`/console/messages?${query}${hash}`, options);
  const prompt = seen.page.getByLabel('Prompt', { exact: true });
  await awaitAlive(prompt);
  return { ...seen, prompt, answers: seen.page.getByTestId('answer') };
}

/** Sends a prompt and waits until every answer has ended. */
export async function sendPrompt(page: Page, text: string): Promise<void> {
  await page.getByLabel('Prompt', { exact: true }).fill(text);
  await page.getByTestId('send').click();
  await answersEnded(page);
}

/** Waits until there is an answer and none runs any more. */
export async function answersEnded(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      const states = [...document.querySelectorAll('[data-testid="answer"]')].map((answer) =>
        answer.getAttribute('data-state'),
      );
      return states.length > 0 && !states.includes('running');
    },
    undefined,
    { timeout: 30_000 },
  );
}

/** The request of the newest answer, as the page shows it. */
export async function sentRequest(page: Page): Promise<Record<string, unknown>> {
  const wire = page.getByTestId('wire').last();
  if (!(await wire.evaluate((element: HTMLDetailsElement) => element.open))) await wire.locator('summary').click();
  return JSON.parse(await wire.getByRole('region', { name: /^Request to/ }).innerText()) as Record<string, unknown>; // Safe: a request is an object.
}
