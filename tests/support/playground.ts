import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Console, Visit } from './console';
import { awaitAlive } from './page-checks';

// Operates the playground as a user does, with the fastest video that it can make.

/** One second at 360p, which the sandbox renders in a moment. */
export const quick = { model: 'sandbox-t2v', prompt: 'A paper boat', seconds: '1', size: '640x360' };

export interface Playground extends Visit {
  readonly generate: Locator;
  readonly stage: Locator;
}

/** The playground in test mode, signed in as the owner, with its form filled from the fields of a request. */
export async function openPlayground(
  running: Console,
  fields: Readonly<Record<string, string>> = quick,
  options: Parameters<Console['open']>[1] = {},
): Promise<Playground> {
  const seen = await running.open(`/console/playground?${new URLSearchParams({ mode: 'test', ...fields })}`, options);
  await seen.page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
  await awaitAlive(seen.page.getByTestId('generate'));
  return { ...seen, generate: seen.page.getByTestId('generate'), stage: seen.page.getByTestId('stage') };
}

/** Waits until the stage shows a video with that status; returns its id. */
export async function stageIs(
  page: Page,
  status: 'queued' | 'in_progress' | 'completed' | 'failed',
  not?: string,
): Promise<string> {
  await page.waitForFunction(
    ([wanted, former]) => {
      const stage = document.querySelector('[data-testid="stage"]');
      return (
        stage?.getAttribute('data-status') === wanted &&
        !stage.getAttribute('aria-label')?.endsWith(former ?? 'nothing')
      );
    },
    [status, not] as const,
    { timeout: 30_000 },
  );
  return (await page.getByTestId('stage').getAttribute('aria-label'))!.replace('Video ', '');
}

/** Presses the button and waits until the new video has that status; returns its id. */
export async function generateUntil(page: Page, status: 'completed' | 'failed'): Promise<string> {
  const stage = page.getByTestId('stage');
  const former =
    (await stage.count()) > 0 ? (await stage.getAttribute('aria-label'))?.replace('Video ', '') : undefined;
  await page.getByTestId('generate').click();
  return stageIs(page, status, former);
}

/** The request fields that the form has controls for. */
export function shownFields(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...new Set(
        [...document.querySelectorAll('form [data-field]')].map((field) => field.getAttribute('data-field') ?? ''),
      ),
    ].sort(),
  );
}

/** An image of one colour, made by the browser; returns its path. */
export async function writePicture(page: Page, folder: string, colour: string): Promise<string> {
  const base64 = await page.evaluate((fill) => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [64, 36];
    const context = canvas.getContext('2d')!;
    context.fillStyle = fill;
    context.fillRect(0, 0, 64, 36);
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  }, colour);
  const file = path.join(folder, `${colour}.png`);
  await writeFile(file, Buffer.from(base64, 'base64'));
  return file;
}
