import { describe, expect, test } from 'vitest';
import type { ProviderListJson } from '../../lib/contract/providers';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { seriousFindings } from '../support/page-checks';

// The page that shows owners which providers the installation offers.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const running = consoleOfFile('viewer', { FAL_API_KEY: 'imitated:key' });

describe.skipIf(skipReason)('the providers', () => {
  test('are listed for an owner with their state, their models and what is missing', async () => {
    const { page, context, complaints } = await running.open('/console/models');
    const response = await context.request.get(`${running.product.baseUrl}/console/api/providers`);
    // Safe: the response was checked against the contract.
    const { data } = (await response.json()) as ProviderListJson;
    await page.getByRole('link', { name: 'See what each provider needs' }).click();
    await page.getByRole('heading', { name: 'Providers', level: 1 }).waitFor();
    const rows = page.getByRole('table', { name: 'Providers' }).getByRole('row');
    expect(await rows.count()).toBe(data.length + 1);
    for (const { id, name, offered, models, reason } of data) {
      const text = await rows.filter({ has: page.getByText(id, { exact: true }) }).innerText();
      expect([text.includes(name), text.includes(String(models))]).toEqual([true, true]);
      expect(text.includes('Not offered')).toBe(!offered);
      if (reason !== null) expect(text).toContain(reason);
    }
    expect(data.find(({ id }) => id === 'fal')?.offered).toBe(true);
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
