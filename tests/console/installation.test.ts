import { describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile, cookieHeader } from '../support/console';
import { seriousFindings, widerThanWindow } from '../support/page-checks';

// The pages of the installation, as an operator uses them and as everyone else does not see them.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const running = consoleOfFile('developer');

describe.skipIf(skipReason)('the installation', () => {
  test('an operator creates an organisation, grants credits, suspends it with a reason, and looks inside', async () => {
    const { page, complaints } = await running.open('/console');
    await page.getByRole('link', { name: 'Installation' }).click();
    await page.getByRole('heading', { name: 'Organisations', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Create organisation' }).click();
    const create = page.getByRole('dialog', { name: 'Create an organisation' });
    await create.getByLabel('Name').fill('Globex');
    await create.getByLabel('E-mail of the owner (optional)').fill('hank@globex.example');
    await create.getByRole('button', { name: 'Create organisation' }).click();
    const invitation = page.getByRole('dialog', { name: 'The invitation is ready' });
    expect(await invitation.getByTestId('invitation-link').innerText()).toContain('/console/invitation#');
    await invitation.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('table', { name: 'Organisations' }).getByRole('row').filter({ hasText: 'Globex' });
    expect(await row.innerText()).toContain('No owner yet');

    await row.getByRole('link', { name: 'Globex' }).click();
    await page.getByRole('heading', { name: 'Globex', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Transfer credits' }).click();
    const grant = page.getByRole('dialog', { name: 'Transfer credits of Globex' });
    await grant.getByLabel('Account').selectOption('live');
    await grant.getByLabel('Amount in dollars').fill('none');
    await grant.getByLabel('Reason').fill('Contract 12');
    await grant.getByRole('button', { name: 'Grant credits' }).click();
    await grant.getByText('amount must be a decimal string').waitFor();
    await grant.getByLabel('Amount in dollars').fill('25');
    await grant.getByRole('button', { name: 'Grant credits' }).click();
    await grant.waitFor({ state: 'detached' });
    await page.getByText('$25.00 were granted to Globex.').waitFor();

    await page.getByRole('button', { name: 'Suspend' }).click();
    const suspend = page.getByRole('dialog', { name: 'Suspend Globex?' });
    await suspend.getByLabel('Reason').fill('Invoice 1742 is not paid');
    await suspend.getByRole('button', { name: 'Suspend organisation' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();

    await page.getByRole('link', { name: 'Support view' }).click();
    await page.getByRole('heading', { name: 'Support: Globex', level: 1 }).waitFor();
    await page.getByText('No members yet').waitFor();
    expect(
      await page
        .getByRole('main')
        .getByRole('button', { name: /Suspend|Resume|Move|Revoke/ })
        .count(),
    ).toBe(0);

    await page.getByRole('link', { name: 'Installation', exact: true }).click();
    await page.getByRole('navigation', { name: 'Installation' }).getByRole('link', { name: 'Log' }).click();
    const log = page.getByRole('table', { name: 'Log' });
    for (const text of [
      'Viewed the organisation',
      'Invoice 1742 is not paid',
      'Granted credits',
      'Created the organisation',
    ])
      await log.getByText(text).first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await widerThanWindow(page)).toEqual([]);
    // The browser logs the refused amount itself.
    expect(complaints).toEqual([expect.stringContaining('400')]);
  });

  test('shows its state, and asks a provider whether it accepts the credentials', async () => {
    const { page, complaints } = await running.open('/console/installation/status');
    await page.getByRole('table', { name: 'Queue' }).getByText('video.check').waitFor();
    await page.getByText('No provider is paused.').waitFor();
    await page.getByText('Not configured').waitFor();
    await page.getByRole('navigation', { name: 'Installation' }).getByRole('link', { name: 'Providers' }).click();
    await page.getByRole('button', { name: 'Verify Patchbay sandbox' }).click();
    await page.getByText('Videos: unknown').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('does not exist for others, not in the navigation and not by its URL', async () => {
    const { page, context } = await running.signIn({ as: running.product.person });
    expect(await page.getByRole('link', { name: 'Installation' }).count()).toBe(0);
    const cookie = await cookieHeader(context);
    const pages = [
      '',
      '/providers',
      '/status',
      '/operators',
      '/log',
      '/organizations/org_1',
      '/organizations/org_1/support',
    ];
    for (const path of pages) {
      const response = await fetch(`${running.product.baseUrl}/console/installation${path}`, { headers: { cookie } });
      expect([path, response.status]).toEqual([path, 404]);
    }
    for (const path of ['organizations', 'status', 'operators', 'audit-entries']) {
      const response = await fetch(`${running.product.baseUrl}/console/api/installation/${path}`, {
        headers: { cookie },
      });
      expect([path, response.status]).toEqual([path, 403]);
    }
    await page.goto(`${running.product.baseUrl}/console/installation`);
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
  });
});
