import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { searchEntries } from '../../app/console/models/select-entries';
import { whyNoBrowser } from '../support/browser';
import { activeEntries, awaitCatalog, timeCopyOfPage, timeSearch } from '../support/catalog-page';
import { consoleOfFile } from '../support/console';
import { makeCodeDirectory, readPageCode, runPageCode } from '../support/page-code';

// The catalog and the page of a model in a browser; the longer scenarios are in tests/e2e.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const running = consoleOfFile('viewer');

describe.skipIf(skipReason)('the catalog page', () => {
  test('typing filters the list about as fast as the page can be shown at all, with the number of results; the arrows and Enter open a model', async () => {
    const { page, context, complaints } = await running.open('/console/models');
    const entries = await activeEntries(context, running.product.baseUrl);
    await page.getByRole('status').getByText(`${entries.length} models`).waitFor();
    await awaitCatalog(page);
    const found = (text: string) => `${searchEntries(entries, text).length} of ${entries.length}`;
    // Beside the time of a copy of the page, because a busy machine is slow with both. A search that waits before it
    // filters, or renders the whole list, takes far longer than the copy.
    const times: { readonly searchMs: number; readonly copyMs: number }[] = [];
    for (const text of ['kling', 'claude', 'wan', 'runway', 'gemini', 'veo'])
      times.push({
        copyMs: await timeCopyOfPage(page),
        searchMs: await timeSearch(page, text, new RegExp(`^${found(text)}`)),
      });
    const shown = times.map(({ searchMs, copyMs }) => `${Math.round(searchMs)} (${Math.round(copyMs)})`);
    console.log(`the model list was filtered (a copy of the page shown) in ${shown.join(', ')} ms`);
    expect(Math.min(...times.map(({ searchMs, copyMs }) => searchMs / copyMs))).toBeLessThan(5);
    expect(await page.getByRole('status').first().innerText()).toBe(`${found('veo')} models`);
    await page.waitForURL('**/console/models?q=veo');
    await page.getByLabel('Search models').press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Veo 3.1 text to video');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Veo 3.1 image to video', level: 1 }).waitFor();
    await page.goBack();
    await page
      .getByRole('status')
      .getByText(`${found('veo')} models`)
      .waitFor();
    expect(await page.getByLabel('Search models').inputValue()).toBe('veo');
    expect(complaints).toEqual([]);
  });

  test('filters are in the URL: Back removes the last one, and a reload shows the same', async () => {
    const { page, context, complaints } = await running.open('/console/models');
    await awaitCatalog(page);
    const entries = await activeEntries(context, running.product.baseUrl);
    const videos = entries.filter(({ output }) => output.includes('video'));
    const fromImages = videos.filter(({ operation }) => operation === 'i2v');
    expect([videos.length, fromImages.length].every((count) => count > 0 && count < entries.length)).toBe(true);
    const filters = page.getByRole('complementary', { name: 'Filters' });
    await filters.getByLabel('Video', { exact: true }).first().check();
    await filters.getByLabel('Image to video').check();
    await page.waitForURL(/output=video&operation=i2v/);
    const counted = await page.getByRole('status').first().innerText();
    expect(counted).toBe(`${fromImages.length} of ${entries.length} models`);
    await page.reload();
    await page.getByRole('status').getByText(counted).waitFor();
    await page.goBack();
    await page.getByRole('status').getByText(`${videos.length} of ${entries.length} models`).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a retired model is shown with the switch, and its page shows the date and the replacement', async () => {
    const { page } = await running.open('/console/models?q=sora');
    await page.getByText('No models match').waitFor();
    await page.getByRole('complementary', { name: 'Filters' }).getByLabel('Show retired').check();
    await page.getByRole('link', { name: 'OpenAI Sora 2 (retired)' }).click();
    const banner = page.getByRole('region', { name: 'Lifecycle' });
    await banner.waitFor();
    expect(await banner.innerText()).toContain('Retired on 2026-09-24');
    expect(await banner.innerText()).toContain('+ "model": "veo-3.1-t2v"');
    expect(await page.getByTestId('quote').count()).toBe(0);
  });

  test('the limits of a provider are what it lacks of the model', async () => {
    const { page } = await running.open('/console/models/veo-3.1-fast-t2v');
    const limitsOf = (provider: string) =>
      page
        .getByRole('table', { name: 'Providers' })
        .getByRole('row')
        .filter({ hasText: `${provider}/veo-3.1-fast-t2v` })
        .getByRole('cell')
        .nth(3)
        .innerText();
    expect(await limitsOf('runway')).toContain('Only 720p, 1080p');
    // It serves all three resolutions.
    expect(await limitsOf('fal')).not.toContain('Only');
  });

  test('the shown price is what the shown code is charged', async () => {
    const { page, complaints } = await running.open('/console/models/sandbox-t2v?mode=test');
    await page.getByRole('button', { name: '$0.02' }).first().click();
    await page.getByRole('button', { name: '$0.02', pressed: true }).waitFor();
    const quoted = Number(await page.getByLabel('Price', { exact: true }).getAttribute('data-total'));
    expect(quoted).toBe(0.02);
    const { directory, dispose } = await makeCodeDirectory();
    const key = running.product.firstRun.keys.test;
    const credits = async () =>
      (await (
        await fetch(`${running.product.baseUrl}/v1/credits`, { headers: { authorization: `Bearer ${key}` } })
      ).json()) as { spent: string };
    const [python] = (await readPageCode(page)).filter(({ language }) => language === 'python');
    const before = Number((await credits()).spent);
    const ran = await runPageCode(python!, directory, { PATCHBAY_API_KEY: key });
    expect(ran).toMatchObject({ status: 0, output: expect.stringContaining('video.mp4') });
    expect((await readFile(path.join(directory, 'video.mp4'))).subarray(4, 8).toString()).toBe('ftyp');
    expect(Number((await credits()).spent) - before).toBeCloseTo(quoted, 9);
    await dispose();

    // The page now has performance data of the model.
    await page.reload();
    await page.getByText('100 % of 1 succeeded').waitFor();
    expect(complaints).toEqual([]);
  });

  test('names the resolutions at which a provider ignores a parameter that it takes at others', async () => {
    const { page } = await running.open('/console/models/kling-3.0-i2v');
    const row = page.getByRole('table', { name: 'Parameters' }).getByRole('row', { name: 'reference_voice' });
    expect(await row.getByRole('cell').last().innerText()).toBe('fal at 4k, replicate, wavespeed');
  });
});
