import { expect, describe, test } from 'vitest';
import type { Page } from 'playwright-core';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { manage } from '../support/console-keys';
import { awaitAlive, seriousFindings, widerThanWindow } from '../support/page-checks';
import type { FoundVideoPageJson } from '../../lib/contract/videos';

// Several videos in one submission: several models, prompts and seeds.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const running = consoleOfFile('viewer');

async function openBatch(models = 'sandbox-t2v'): Promise<Page> {
  const { page } = await running.open(`/console/playground/batch?mode=test&models=${models}`);
  await awaitAlive(page.getByTestId('generate'));
  return page;
}

/** The smallest videos of these prompts. */
async function fill(page: Page, prompts: string, seeds = ''): Promise<void> {
  await page.getByLabel('Prompt', { exact: true }).fill(prompts);
  await page.getByLabel('Seeds', { exact: true }).fill(seeds);
  await page.locator('[data-field="size"]').getByText('360p', { exact: true }).click();
  await page.getByRole('slider', { name: 'Length' }).press('Home');
}

const rows = (page: Page) => page.getByRole('table', { name: 'Videos of the batch' }).locator('tbody tr');

async function videosNow(): Promise<FoundVideoPageJson['data']> {
  return (await manage<FoundVideoPageJson>(running.product, 'GET', '/console/api/videos?mode=test&limit=100')).data;
}

describe.skipIf(skipReason)('a batch of videos', () => {
  test('shows every video with its price before, submits each once, and plays the results of a prompt together', async () => {
    const page = await openBatch();
    const before = await videosNow();
    await fill(page, 'A paper boat\n\nA lighthouse', '1, 2');
    expect(await page.getByTestId('generate').textContent()).toBe('Generate 4 videos · $0.04');
    const planned = page.getByRole('table', { name: 'Planned videos' }).locator('tbody tr');
    expect(await planned.count()).toBe(4);
    expect(await planned.first().textContent()).toContain('$0.01');

    await page.getByTestId('generate').dblclick();
    await page
      .getByTestId('batch-progress')
      .getByText('4 videos · 4 submitted · 4 completed')
      .waitFor({ timeout: 60_000 });
    const made = (await videosNow()).filter(({ id }) => !before.some((old) => old.id === id));
    expect(made.map(({ prompt }) => prompt ?? '').toSorted()).toEqual([
      'A lighthouse',
      'A lighthouse',
      'A paper boat',
      'A paper boat',
    ]);
    expect(made.reduce((sum, { cost }) => sum + cost, 0)).toBeCloseTo(0.04, 9);

    const results = page.getByRole('region', { name: 'Results' });
    expect(await results.locator('video').count()).toBe(4);
    const boats = results.getByRole('region', { name: 'A paper boat' });
    await boats.getByText('seed 2').waitFor();
    await boats.getByRole('button', { name: 'Play together' }).click();
    const states = () =>
      boats.locator('video').evaluateAll((players: HTMLVideoElement[]) => players.map(({ paused }) => paused));
    await expect.poll(states).toEqual([false, false]);
    expect(await seriousFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await widerThanWindow(page)).toEqual([]);
  });

  test('keeps the batch over a reload, and submits the rest of an interrupted one with the same keys', async () => {
    const page = await openBatch();
    const before = await videosNow();
    await fill(page, 'First of three\nSecond of three\nThird of three');
    const keys: string[] = [];
    let sent = 0;
    await page.route('**/console/api/videos?*', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      keys.push(route.request().headers()['idempotency-key'] ?? '');
      sent += 1;
      if (sent === 1) return route.fallback();
      // The server has it, and its answer is lost.
      if (sent === 2) await route.fetch();
      await route.abort();
    });
    await page.getByTestId('generate').click();
    await page.getByText('The submission was interrupted.').waitFor();
    await page.unroute('**/console/api/videos?*');
    await page.reload();
    await awaitAlive(page.getByTestId('generate'));
    expect(await rows(page).count()).toBe(3);
    await page.getByRole('button', { name: 'Submit the rest' }).click();
    await page.getByTestId('batch-progress').getByText('3 videos · 3 submitted').waitFor({ timeout: 30_000 });
    const made = (await videosNow()).filter(({ id }) => !before.some((old) => old.id === id));
    expect(made.map(({ prompt }) => prompt ?? '').toSorted()).toEqual([
      'First of three',
      'Second of three',
      'Third of three',
    ]);
    expect(new Set(keys).size).toBe(keys.length);
    await page.getByRole('button', { name: 'Close the batch' }).click();
    await page.getByRole('table', { name: 'Planned videos' }).waitFor();
    await page.reload();
    await page.getByRole('table', { name: 'Planned videos' }).waitFor();
  });

  test('a refused video keeps its reason, and is submitted at the next try', async () => {
    const page = await openBatch();
    await fill(page, 'Accepted\nRefused');
    let sent = 0;
    await page.route('**/console/api/videos?*', async (route) => {
      if (route.request().method() !== 'POST' || (sent += 1) !== 2) return route.fallback();
      await route.fulfill({
        status: 429,
        contentType: 'application/json',
        body: JSON.stringify({
          error: { message: 'Too many videos are running. Wait for one to finish.', code: 'rate_limited' },
        }),
      });
    });
    await page.getByTestId('generate').click();
    await page.getByText('Too many videos are running.').waitFor();
    expect(await page.getByTestId('batch-progress').textContent()).toContain('1 refused');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByTestId('batch-progress').getByText('2 videos · 2 submitted').waitFor({ timeout: 30_000 });
    expect(await page.getByText('Too many videos are running.').count()).toBe(0);
  });

  test('compares models with what all of them support, and orders the same of each', async () => {
    const page = await openBatch('sandbox-t2v,veo-3.1-fast-t2v');
    await page.getByLabel('Prompt', { exact: true }).fill('A boat');
    await page.getByText('The form has what all 2 models support').waitFor();
    expect(await page.getByRole('radio', { name: '360p' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Compare with another model' }).click();
    await page.getByText('what all 3 models support').waitFor();
    await page
      .getByRole('button', { name: /^Remove / })
      .last()
      .click();
    await page.getByText('what all 2 models support').waitFor();
    const before = await videosNow();
    await page.getByTestId('generate').click();
    await page.getByTestId('batch-progress').getByText('2 videos · 2 submitted').waitFor({ timeout: 30_000 });
    const made = (await videosNow()).filter(({ id }) => !before.some((old) => old.id === id));
    expect(made.map(({ model }) => model).sort()).toEqual(['sandbox-t2v', 'veo-3.1-fast-t2v']);
    expect(new Set(made.map(({ seconds, size }) => `${seconds} ${size}`)).size).toBe(1);
  });

  test('a batch above the credits is not submitted, and too many videos say so', async () => {
    const page = await openBatch();
    await fill(page, Array.from({ length: 51 }, (_, index) => `prompt ${index}`).join('\n'));
    await page.getByText('A batch has at most 50 videos; these are 51.').waitFor();
    expect(await page.getByTestId('generate').isDisabled()).toBe(true);
    await page.route('**/console/api/credits?*', async (route) => {
      const response = await route.fetch();
      const credits: Record<string, unknown> = await response.json();
      await route.fulfill({ response, json: { ...credits, available: '0.01' } });
    });
    await page.reload();
    await awaitAlive(page.getByTestId('generate'));
    await fill(page, 'One\nTwo');
    await page.getByRole('alert').getByText('These videos need $0.02; $0.01 are available.').waitFor();
    expect(await page.getByTestId('generate').isDisabled()).toBe(true);
  });
});
