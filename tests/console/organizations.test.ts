import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile, fillIn } from '../support/console';
import { awaitAlive, seriousFindings, widerThanWindow } from '../support/page-checks';

// Organisations, members and invitations as people use them, in several browsers and tabs.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const running = consoleOfFile('developer');

const switchOf = (page: Page) =>
  page.getByRole('button', { name: /^Switch organisation, now/ }).filter({ visible: true });

async function openSwitch(page: Page): Promise<void> {
  await awaitAlive(switchOf(page));
  await switchOf(page).click();
}

/** Opens the dialog of an invitation and returns its link. */
async function invite(page: Page, { email = '', role }: { readonly email?: string; readonly role: string }) {
  await page.getByRole('button', { name: 'Invite someone' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail (optional)').fill(email);
  await dialog.getByText(role, { exact: true }).click();
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  const link = await dialog.getByTestId('invitation-link').innerText();
  await dialog.getByRole('button', { name: 'Done' }).click();
  return link;
}

async function createOrganization(page: Page, name: string): Promise<void> {
  await openSwitch(page);
  await page.getByRole('menuitem', { name: 'Create an organisation' }).click();
  await page.getByRole('heading', { name: 'Create an organisation', level: 1 }).waitFor();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create organisation' }).click();
  await switchOf(page).filter({ hasText: name }).waitFor();
}

describe.skipIf(skipReason)('an invitation', () => {
  test('brings a new person into the organisation, in another browser, once', async () => {
    const { page, complaints } = await running.open('/console/members');
    const link = await invite(page, { email: 'grace@example.com', role: 'Developer' });
    await page.getByRole('table', { name: 'Invitations' }).getByText('grace@example.com').waitFor();
    expect(await page.content()).not.toContain(link);

    const other = await running.visit();
    await other.page.goto(link);
    await other.page.getByText('You are invited to join').waitFor();
    expect(await other.page.getByLabel('E-mail').inputValue()).toBe('grace@example.com');
    await other.page.getByLabel('Your name').fill('Grace');
    await other.page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await other.page.getByRole('button', { name: 'Create account and join' }).click();
    await other.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await other.page.getByRole('link', { name: 'Organisation', exact: true }).click();
    await other.page.getByRole('table', { name: 'Members' }).getByText('grace@example.com').waitFor();
    // A developer sees the members and may leave, nothing else.
    expect(await other.page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
    expect(await other.page.getByRole('heading', { name: 'Invitations' }).count()).toBe(0);
    await other.page.getByRole('button', { name: 'Leave organisation' }).waitFor();

    const cut = await running.visit();
    await cut.page.goto(link.slice(0, -3));
    await cut.page.getByText('This link is not complete').waitFor();

    const third = await running.visit();
    await third.page.goto(link);
    await third.page.getByText('Ask the person who invited you for a new link').waitFor();
    expect(complaints).toEqual([]);
    expect(other.complaints).toEqual([]);
  });

  test('for another address tells a signed-in user what to do, and a withdrawn one opens nothing', async () => {
    const { page } = await running.open('/console/members');
    const link = await invite(page, { email: 'alan@example.com', role: 'Viewer' });
    const developer = await running.signIn({ as: running.product.person });
    await developer.page.goto(link);
    await developer.page.getByText('This invitation is for alan@example.com').waitFor();
    await developer.page.getByRole('button', { name: 'Sign out' }).click();
    await developer.page.getByRole('button', { name: 'Create account and join' }).waitFor();

    await page.getByRole('button', { name: 'Withdraw the invitation for alan@example.com' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('The invitation is withdrawn.').waitFor();
    await developer.page.reload();
    await developer.page.getByText('This invitation was used or withdrawn').waitFor();
  });

  test('survives the sign-in of a person who has an account, and adds the organisation to theirs', async () => {
    const { page } = await running.open('/console/members');
    await createOrganization(page, 'Second home');
    await page.getByRole('link', { name: 'Organisation', exact: true }).click();
    const link = await invite(page, { role: 'Admin' });
    const { person } = running.product;
    const other = await running.visit();
    await other.page.goto(link);
    await other.page.getByRole('button', { name: 'Sign in instead' }).click();
    await other.page.getByRole('link', { name: 'Sign in to accept' }).click();
    await fillIn(other.page, person);
    await other.page.getByRole('button', { name: 'Join Second home' }).click();
    await other.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await openSwitch(other.page);
    await other.page.getByRole('menuitemcheckbox', { name: /Second home/, checked: true }).waitFor();
    expect(await other.page.getByRole('menuitemcheckbox').count()).toBe(2);
  });
});

describe.skipIf(skipReason)('the organisation of a tab', () => {
  test('stays the one that it shows when another is opened in another tab', async () => {
    const { page, context, complaints } = await running.open('/console/keys?mode=test');
    const second = await context.newPage();
    await second.goto(`${running.product.baseUrl}/console`);
    await createOrganization(second, 'Other tab');

    // The first tab still acts on its own organisation.
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Made in the first tab');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByTestId('revealed-key').waitFor();
    await second.goto(`${running.product.baseUrl}/console/keys?mode=test&keys=all`);
    await second.getByText('No keys yet').waitFor();

    // Its next page comes from the other one, so it asks.
    await page.goto(`${running.product.baseUrl}/console/keys?mode=test`);
    await switchOf(page).filter({ hasText: 'Other tab' }).waitFor();
    await second.getByRole('link', { name: 'Organisation', exact: true }).waitFor();
    await openSwitch(second);
    await second.getByRole('menuitemcheckbox', { name: /My organisation/ }).click();
    await second.getByText('Made in the first tab').waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Another organisation is open' }).waitFor();
    await page.getByRole('button', { name: 'Go back to Other tab' }).click();
    await page.getByText('No test endpoints').waitFor();
    await switchOf(page).filter({ hasText: 'Other tab' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('is switched by the command palette, and shown on a phone', async () => {
    const { page } = await running.open('/console', { viewport: { width: 390, height: 800 } });
    await createOrganization(page, 'A name that is much longer than the space on a phone');
    expect(await widerThanWindow(page)).toEqual([]);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search pages').fill('switch my');
    await page.keyboard.press('Enter');
    await switchOf(page).filter({ hasText: 'My organisation' }).waitFor();
    await openSwitch(page);
    const focusedRole = () => page.evaluate(() => document.activeElement?.getAttribute('role'));
    await expect.poll(focusedRole).toBe('menu');
    await page.keyboard.press('ArrowDown');
    await expect.poll(focusedRole).toBe('menuitemcheckbox');
  });
});

describe.skipIf(skipReason)('the members page', () => {
  test('offers the only owner neither to leave nor to be removed; the role of others can be changed', async () => {
    const { page, complaints } = await running.open('/console/members');
    await page.getByText('You are the only owner, so you cannot leave').waitFor();
    const { email } = running.product.person;
    await page.getByRole('button', { name: `Actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Change role…' }).click();
    await page.getByRole('dialog').getByText('Viewer', { exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText(`${email} is now viewer.`).waitFor();
    await page.getByRole('button', { name: `Actions for ${running.product.firstRun.owner.email}` }).click();
    await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['Change role…']);
    await page.getByRole('menuitem', { name: 'Change role…' }).click();
    await page.getByRole('dialog').getByText('Admin', { exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('This is the last owner').waitFor();
    expect(complaints.filter((complaint) => !complaint.includes('409'))).toEqual([]);
  });

  test.each(['light', 'dark'] as const)(
    'has no serious finding of axe in the %s theme, dialogs included',
    async (colorScheme) => {
      const { page } = await running.open('/console/members', { colorScheme });
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Invite someone' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
    },
  );

  test('a person who leaves the last organisation can create one, and is not signed out', async () => {
    const { page } = await running.signIn({
      as: { email: 'viewer@patchbay.local', password: 'correct horse battery' },
    });
    await page.goto(`${running.product.baseUrl}/console/members`);
    await page.getByRole('button', { name: 'Leave organisation' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave organisation' }).click();
    await page.getByText('viewer@patchbay.local belongs to no organisation').waitFor();
    await page.getByLabel('Name').fill('My own');
    await page.getByRole('button', { name: 'Create organisation' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  });
});

describe.skipIf(skipReason)('the audit log', () => {
  test('shows who did what, is filtered in the URL, and is downloaded with the same filter', async () => {
    const { page, complaints } = await running.open('/console/members');
    await invite(page, { email: 'audited@example.com', role: 'Viewer' });
    await page.getByRole('navigation', { name: 'Organisation' }).getByRole('link', { name: 'Audit log' }).click();
    const table = page.getByRole('table', { name: 'Audit log' });
    await table.getByText('audited@example.com: viewer').waitFor();
    await table.getByText('Signed in with the password').first().waitFor();
    await page.getByLabel('Action').selectOption('invitation');
    await page.waitForURL('**/console/audit?action=invitation');
    await table.getByText('Signed in with the password').first().waitFor({ state: 'detached' });
    await page.reload();
    await table.getByText('Created an invitation').first().waitFor();
    expect(await table.innerText()).not.toContain('Signed in');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV: audit log' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('patchbay-audit-log.csv');
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines[0]).toMatch(/^at,actor_type,/);
    expect(lines.slice(1).every((line) => line.includes(',invitation.'))).toBe(true);
    expect(await widerThanWindow(page)).toEqual([]);
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(skipReason)('the settings', () => {
  test('rename the organisation everywhere, and delete it after its name was typed; the banner restores it', async () => {
    const { page, complaints } = await running.open('/console/settings');
    await createOrganization(page, 'To be renamed');
    await page.goto(`${running.product.baseUrl}/console/settings`);
    await page.getByLabel('Name of the organisation').fill('Renamed');
    await page.getByRole('button', { name: 'Save name' }).click();
    await switchOf(page).filter({ hasText: 'Renamed' }).waitFor();
    await page.getByRole('switch', { name: 'Answer an automatic retry' }).click();
    await page.getByText('Retries create new videos.').waitFor();

    await page.getByRole('button', { name: 'Delete organisation…' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Delete organisation' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Type “Renamed” to confirm').fill('Renamed');
    await confirm.click();
    await page.getByText('This organisation is erased on').waitFor();
    expect(await page.getByRole('button', { name: 'Save name' }).count()).toBe(0);
    await page.goto(`${running.product.baseUrl}/console/keys`);
    await page.getByText('Until then everything can be read').waitFor();
    await page.getByRole('button', { name: 'Restore organisation' }).click();
    await page.getByText('This organisation is erased on').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  test('are only shown to a developer', async () => {
    const { page } = await running.signIn({ as: running.product.person, path: '/console/settings' });
    await page.getByText('Automatic SDK retries').waitFor();
    expect(
      await page
        .getByRole('main')
        .getByRole('button', { name: /Save|Delete/ })
        .count(),
    ).toBe(0);
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
  });
});
