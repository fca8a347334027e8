import { describe, expect, test } from 'vitest';
import type { ProjectJson } from '../../lib/contract/projects';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { createKey, keyRow, manage } from '../support/console-keys';
import { seriousFindings, widerThanWindow } from '../support/page-checks';

// The pages of projects and policies, on the built product.

const running = consoleOfFile('developer');

describe.skipIf(whyNoBrowser())('projects in the console', () => {
  test('a project is created with a budget and a policy, gets a key, and cannot be deleted while it has one', async () => {
    const { page, complaints } = await running.open('/console/projects?mode=test');
    await page.getByRole('button', { name: 'Create project' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a project' });
    await dialog.getByLabel('Name', { exact: true }).fill('Search');
    const budget = dialog.getByLabel('Budget in dollars');
    for (const refused of ['-5', '1,50', '1e3']) {
      await budget.fill(refused);
      await budget.press('Enter');
      await dialog.getByText('Enter an amount such as 25.00.').waitFor();
    }
    await budget.fill('25');
    await dialog.getByLabel('Allowed models').fill('sandbox-t2v');
    await dialog.getByLabel('Highest price of a request').fill('0.05');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('row').filter({ hasText: 'Search' });
    expect(await row.innerText()).toMatch(/\$0\.00 of \$25/);
    expect(await row.innerText()).toContain('2 restrictions');

    await row.getByRole('link', { name: 'Search' }).click();
    await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Create key' }).click();
    const create = page.getByRole('dialog', { name: 'Create an API key' });
    await create.getByLabel('Name', { exact: true }).fill('In search');
    expect(await create.getByLabel('Project', { exact: true }).locator('option:checked').innerText()).toBe('Search');
    await create.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'Copy key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await keyRow(page, 'In search').getByRole('link', { name: 'Search' }).click();

    await page.getByRole('button', { name: 'Delete' }).click();
    const removal = page.getByRole('dialog', { name: 'Delete “Search”?' });
    await removal.getByRole('button', { name: 'Delete project' }).click();
    await removal.getByText('The project “Search” still has a key. Move or revoke it first.').waitFor();
    // The browser logs the refusal itself.
    expect(complaints).toEqual([expect.stringContaining('409')]);
  });

  test('a policy with a model that does not exist is saved only with a second click', async () => {
    const { page, complaints } = await running.open('/console/policies?mode=test');
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Policy of the organisation' });
    // The suggestions come with the catalog.
    await dialog.locator('datalist option').first().waitFor({ state: 'attached' });
    await dialog.getByLabel('Allowed providers').fill('sandbxo');
    await dialog.getByLabel('Allowed models').fill('no-such-model');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/^Not saved yet\. There is no model no-such-model\./)
      .waitFor();
    await dialog.getByText('There is no provider sandbxo. Did you mean sandbox?', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Remove sandbxo' }).click();
    await dialog.getByRole('button', { name: 'Remove no-such-model' }).click();
    await dialog.getByText('Not saved yet').waitFor({ state: 'detached' });

    await dialog.getByLabel('Allowed data regions').fill('moon');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/^Not saved yet\./).waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await manage(running.product, 'PATCH', '/console/api/policies/organization', { allowed_regions: null });
    expect(complaints).toEqual([]);
  });

  test('the simulator names the rule that refuses a request, and the reason at each provider', async () => {
    const project = await manage<ProjectJson>(running.product, 'POST', '/console/api/projects', {
      name: 'Cheap',
      max_price_per_request: '0.05',
    });
    await createKey(running.product, { name: 'Simulated', mode: 'test', project: project.id });
    const { page } = await running.open('/console/policies?mode=test');
    await page.getByLabel('Key', { exact: true }).selectOption({ label: 'Simulated (Cheap)' });
    await page.getByLabel('Model', { exact: true }).fill('sandbox-t2v');
    await page.getByLabel('Seconds').fill('5');
    await page.getByRole('button', { name: 'Simulate' }).click();
    await page.getByText('Allowed', { exact: true }).waitFor();
    await page.getByLabel('Seconds').fill('10');
    await page.getByRole('button', { name: 'Simulate' }).click();
    await page.getByText('Project: price ceiling', { exact: true }).waitFor();
    await page.getByText('price_not_allowed').waitFor();
    expect(await page.getByRole('table', { name: 'Providers of the model' }).innerText()).toContain(
      'The project “Cheap” may not pay $0.1 for one request',
    );
  });

  test('the policy of the organisation is changed, and shown', async () => {
    const { page } = await running.open('/console/policies?mode=test');
    await page.getByText('It allows everything.').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Policy of the organisation' });
    await dialog.getByLabel('Highest price of a minute').fill('free');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter an amount such as 25.00.').waitFor();
    await dialog.getByLabel('Highest price of a minute').fill('0.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('$0.50 per minute').waitFor();
    await manage(running.product, 'PATCH', '/console/api/policies/organization', { max_price_per_minute: null });
  });

  test('a developer sees projects and policies, and cannot change them', async () => {
    for (const path of ['/console/projects', '/console/policies']) {
      const { page } = await running.signIn({ as: running.product.person, path: `${path}?mode=test` });
      await page.locator('h1').waitFor();
      expect(await page.getByRole('button', { name: /Create project|Edit|Delete/ }).count()).toBe(0);
    }
  });

  test('the pages are accessible and as wide as a phone, in both themes', async () => {
    const project = await manage<ProjectJson>(running.product, 'POST', '/console/api/projects', {
      name: 'On a phone',
      limit: { amount: '10', period: 'weekly' },
      allowed_addresses: ['2001:db8:ffff:ffff:ffff:ffff:ffff:ff00/120'],
    });
    for (const colorScheme of ['light', 'dark'] as const)
      for (const path of [`/console/projects`, `/console/projects/${project.id}`, '/console/policies']) {
        const { page } = await running.open(`${path}?mode=test`, {
          viewport: { width: 390, height: 844 },
          colorScheme,
        });
        expect(await seriousFindings(page), path).toEqual([]);
        expect(await widerThanWindow(page), path).toEqual([]);
      }
  });
});
