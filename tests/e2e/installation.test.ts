import { describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { seriousFindings, widerThanWindow } from '../support/page-checks';

// What operators change, seen from the other side: the members of a suspended organisation, and new operators.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const running = consoleOfFile('developer');

describe.skipIf(skipReason)('a suspension', () => {
  test('closes the console and the API of the organisation within seconds, and is lifted', async () => {
    const { baseUrl, firstRun, person } = running.product;
    const member = await running.signIn({ as: person, path: '/console/keys' });
    const credits = () =>
      fetch(`${baseUrl}/v1/credits`, { headers: { authorization: `Bearer ${firstRun.keys.test}` } });
    expect((await credits()).status).toBe(200);

    const { page } = await running.open('/console/installation');
    await page.getByRole('link', { name: 'My organisation' }).click();
    const decide = async (button: string, reason: string) => {
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByRole('dialog').getByLabel('Reason').fill(reason);
      await page
        .getByRole('dialog')
        .getByRole('button', { name: `${button} organisation` })
        .click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await decide('Suspend', 'Invoice 1742 is not paid');
    await expect.poll(async () => (await credits()).status, { timeout: 5_000 }).toBe(403);
    expect(await (await credits()).json()).toMatchObject({ error: { code: 'organization_suspended' } });
    await member.page.reload();
    await member.page.getByText('This organisation is suspended.').waitFor();
    // The operator is a member too, and still decides: it is no act of the organisation.
    await decide('Resume', 'It is paid');
    await expect.poll(async () => (await credits()).status, { timeout: 5_000 }).toBe(200);
    await member.page.reload();
    await member.page.getByRole('button', { name: 'Create key' }).waitFor();
    expect(await member.page.getByText('This organisation is suspended.').count()).toBe(0);

    await page.goto(`${baseUrl}/console/audit?actor=operator`);
    const audit = page.getByRole('table', { name: 'Audit log' });
    await audit.getByText('Suspended the organisation').waitFor();
    await audit.getByText('Invoice 1742 is not paid').waitFor();
    await audit.getByText(`The operator ${firstRun.owner.email}`).first().waitFor();
  });
});

describe.skipIf(skipReason)('operators', () => {
  test('are added and removed, and see the pages only in between', async () => {
    const { baseUrl, person } = running.product;
    const other = await running.signIn({ as: person });
    const link = other.page.getByRole('link', { name: 'Installation' });
    expect(await link.count()).toBe(0);
    const { page } = await running.open('/console/installation/operators');
    const add = async (name: string) => {
      await page.getByRole('button', { name: 'Add an operator' }).click();
      await page.getByRole('dialog').getByLabel('E-mail or id of the account').fill(name);
      await page.getByRole('dialog').getByRole('button', { name: 'Add operator' }).click();
    };
    await add('nobody@example.com');
    await page.getByRole('dialog').getByText('There is no account with this id or e-mail address.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await add(person.email);
    await page.getByText(`${person.email} is now an operator.`).waitFor();
    await other.page.reload();
    await link.click();
    await other.page.getByRole('heading', { name: 'Organisations', level: 1 }).waitFor();
    // No role comes with it: the developer still may not read the audit log.
    await other.page.goto(`${baseUrl}/console/audit`);
    await other.page.getByText('For owners and admins').waitFor();

    await page.getByRole('button', { name: `Remove ${person.email}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove operator' }).click();
    await page.getByText(`${person.email} is no longer an operator.`).waitFor();
    await other.page.goto(`${baseUrl}/console/installation`);
    await other.page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
    expect(await page.getByRole('button', { name: /^Remove / }).count()).toBe(0);
  });
});

describe.skipIf(skipReason)('the dialogs of the installation', () => {
  test.each(['light', 'dark'] as const)(
    'have no serious finding in the %s theme and fit a phone',
    async (colorScheme) => {
      const { page } = await running.open('/console/installation', {
        colorScheme,
        viewport: { width: 360, height: 740 },
      });
      const check = async () => {
        await page.getByRole('dialog').waitFor();
        expect(await seriousFindings(page)).toEqual([]);
        expect(await widerThanWindow(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      };
      await page.getByRole('button', { name: 'Create organisation' }).click();
      await check();
      await page.getByRole('link', { name: 'My organisation' }).click();
      await page.getByRole('button', { name: 'Transfer credits' }).click();
      await page.getByRole('dialog').getByText('Refund', { exact: true }).click();
      await check();
      await page.getByRole('button', { name: 'Suspend' }).click();
      await check();
    },
  );
});
