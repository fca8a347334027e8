import { describe, expect, test } from 'vitest';
import { searchEntries } from '../../app/console/models/select-entries';
import { priceUnitTitles } from '../../app/console/components/price/price-labels';
import { priceUnits } from '../../lib/catalog/price-span';
import { whyNoBrowser } from '../support/browser';
import { activeEntries, awaitCatalog, timeSearch } from '../support/catalog-page';
import { consoleOfFile } from '../support/console';
import { seriousFindings, widerThanWindow } from '../support/page-checks';

// The longer scenarios of the catalog and the pages of models.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const running = consoleOfFile('viewer');

interface Published {
  readonly id: string;
  readonly architecture: {
    readonly input_modalities: readonly string[];
    readonly output_modalities: readonly string[];
  };
  readonly providers: readonly { readonly providerId: string }[];
  readonly stability: string;
}

/** The public list without retired models. */
async function published(): Promise<readonly Published[]> {
  return ((await (await fetch(`${running.product.baseUrl}/v1/models`)).json()) as { data: Published[] }).data;
}

/** A repeatable random choice: the same samples in every run. */
function chooser(seed: number) {
  let state = seed;
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
  return <T>(values: readonly T[], most: number): T[] =>
    values.filter(() => next() < most / values.length).slice(0, most);
}

describe.skipIf(skipReason)('the catalog', () => {
  test('twenty random combinations of facets show as many models as a recount of the public list', async () => {
    const models = await published();
    const pick = chooser(7);
    const all = (of: (model: Published) => readonly string[]) => [...new Set(models.flatMap(of))];
    const facets = {
      output: (model: Published) => model.architecture.output_modalities,
      input: (model: Published) => model.architecture.input_modalities,
      provider: (model: Published) => model.providers.map(({ providerId }) => providerId),
      stability: (model: Published) => [model.stability],
    };
    const { page } = await running.open('/console/models');
    for (let sample = 0; sample < 20; sample += 1) {
      const chosen = Object.entries(facets).map(([name, of]) => ({
        name,
        of,
        values: pick(all(of), name === 'provider' ? 6 : 2),
      }));
      const expected = models.filter((model) =>
        chosen.every(({ of, values }) => values.length === 0 || of(model).some((value) => values.includes(value))),
      ).length;
      const query = new URLSearchParams(chosen.flatMap(({ name, values }) => values.map((value) => [name, value])));
      await page.goto(`${running.product.baseUrl}/console/models?${query}`);
      const says = await page.getByRole('status').first().innerText();
      expect(says, String(query)).toBe(
        expected === models.length ? `${expected} models` : `${expected} of ${models.length} models`,
      );
    }
  });

  test('sorted by price each unit has a heading of its own, and no price has an exponent', async () => {
    const { page } = await running.open('/console/models?sort=price', { viewport: { width: 1440, height: 24_000 } });
    await awaitCatalog(page);
    const headings = await page.locator('th[scope=rowgroup]').allInnerTexts();
    expect(headings.map((heading) => heading.replace(/\s*\d+$/, ''))).toEqual(
      priceUnits.map((unit) => priceUnitTitles[unit]),
    );
    expect(await page.getByRole('main').innerText()).not.toMatch(/\d[eE][-+]?\d/);
  });

  test('compare shows up to four models side by side, at a URL that can be shared', async () => {
    const { page, complaints } = await running.open('/console/models?q=kling');
    for (const name of [
      'Kling 3.0 text to video',
      'Kling 3.0 image to video',
      'Kling 3.0 first and last frame',
      'Kling 3.0 Omni reference to video',
    ]) {
      await page.getByLabel(`Compare ${name}`).check();
    }
    expect(await page.getByLabel('Compare Kling 3.0 Omni video edit').isDisabled()).toBe(true);
    await page
      .getByRole('region', { name: 'Selected for comparison' })
      .getByRole('button', { name: 'Compare', exact: true })
      .click();
    const table = page.getByRole('table', { name: 'Comparison of models' });
    await table.waitFor();
    expect(await table.getByRole('columnheader').count()).toBe(5);
    expect(await table.getByRole('row', { name: /^Resolutions/ }).innerText()).toContain('720p, 1080p, 4k');
    const { page: other } = await running.open(new URL(page.url()).pathname + new URL(page.url()).search);
    await other.getByRole('table', { name: 'Comparison of models' }).waitFor();
    await page.getByRole('button', { name: 'Remove Kling 3.0 text to video' }).click();
    expect(await table.getByRole('columnheader').count()).toBe(4);
    await page.goBack();
    await page.goBack();
    await page.getByRole('table', { name: 'Models' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a thousand models: few rows are in the page, it scrolls with less work than 50 frames a second allow, and search answers at once', async () => {
    const { page, context } = await running.open('/console/models');
    await awaitCatalog(page);
    const real = await activeEntries(context, running.product.baseUrl);
    const thousand = Array.from({ length: 1_000 }, (_, index) => {
      const entry = real[index % real.length]!;
      return { ...entry, id: `${entry.id}-${index}`, name: `${entry.name} ${index}`, aliases: [] };
    });
    // The page reloads its data when it becomes visible again, and gets the answer of a larger installation.
    await page.route('**/console/api/models', (route) => route.fulfill({ json: { object: 'list', data: thousand } }));
    await expect
      .poll(
        async () => {
          await page.evaluate(() => window.dispatchEvent(new Event('focus')));
          return page.getByRole('status').first().innerText();
        },
        { timeout: 15_000, interval: 500 },
      )
      .toBe('1000 models');
    const linesInPage = () => page.locator('tbody tr[data-index]').count();
    expect(await linesInPage()).toBeLessThan(60);

    // Measured as processor time of the page's thread: the visible frame rate depends on other work of the machine and,
    // without a graphics card, on how fast its processor paints.
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const workedMs = async () =>
      1_000 *
      ((await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ??
        Number.NaN);
    const before = await workedMs();
    const { frames, seconds } = await page.evaluate(async () => {
      const startedAt = performance.now();
      let frames = 0;
      while (performance.now() - startedAt < 3_000) {
        // As fast as a user reads.
        window.scrollBy(0, 40);
        await new Promise((resolve) => requestAnimationFrame(resolve));
        frames += 1;
      }
      return { frames, seconds: (performance.now() - startedAt) / 1_000 };
    });
    const frameMs = ((await workedMs()) - before) / frames;
    console.log(
      `the list of a thousand models scrolled at ${(frames / seconds).toFixed(1)} frames a second, ${frameMs.toFixed(1)} ms of work each`,
    );
    expect(await linesInPage()).toBeLessThan(60);
    expect(frameMs).toBeLessThan(1_000 / 50);

    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.getByRole('link', { name: / 999$/ }).waitFor();
    await page.evaluate(() => window.scrollTo(0, 0));
    const found = (text: string) => new RegExp(`^${searchEntries(thousand, text).length} of 1000`);
    const tookMs = Math.min(
      await timeSearch(page, 'kling', found('kling')),
      await timeSearch(page, 'claude', found('claude')),
      await timeSearch(page, 'veo', found('veo')),
    );
    console.log(`a thousand models were searched in ${Math.round(tookMs)} ms`);
    expect(tookMs).toBeLessThan(100);
  });

  test.each([
    ['/console/models', 1440],
    ['/console/models?view=cards', 390],
    ['/console/models?sort=price', 320],
    ['/console/models/veo-3.1-t2v', 320],
    ['/console/models/claude-haiku-5-5', 360],
    ['/console/models/sandbox-stt', 320],
    ['/console/models/sandbox-tts', 390],
    ['/console/models/kling-3.0-omni-r2v', 320],
    ['/console/models/sora-2-t2v', 320],
    ['/console/models?compare=veo-3.1-t2v&compare=sandbox-t2v&view=compare', 320],
  ])(
    '%s at %i px is no wider than the window, has one h1 and a title, axe finds nothing serious, and the browser logs no error',
    async (path, width) => {
      const { page, complaints } = await running.open(path, {
        viewport: { width, height: 800 },
        colorScheme: width < 360 ? 'dark' : 'light',
      });
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await widerThanWindow(page)).toEqual([]);
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      expect(await page.title()).toMatch(/^(?:Models|Veo|Claude|Sandbox|Kling|OpenAI).* · Patchbay$/);
      expect(await seriousFindings(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  test('an alias and a pinned name lead to the page of their model; an unknown one to the 404 page', async () => {
    const { page } = await running.open('/console/models/veo-3.1?seconds=4');
    await page.waitForURL('**/console/models/veo-3.1-t2v?seconds=4');
    await page.goto(`${running.product.baseUrl}/console/models/fal/veo-3.1-t2v`);
    expect(await page.getByLabel('Provider', { exact: true }).inputValue()).toBe('fal');
    expect(await page.getByTestId('quote').innerText()).toContain('fal');
    const response = await page.goto(`${running.product.baseUrl}/console/models/no-such-model`);
    expect(response?.status()).toBe(404);
  });
});
