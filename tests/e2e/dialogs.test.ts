import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { createVideo, videoIs } from '../support/console-videos';
import { createKey, manage } from '../support/console-keys';
import { awaitAlive, seriousFindings, widerThanWindow } from '../support/page-checks';
import { projectRoot } from '../support/project';

// Every dialog, drawer and menu opens by keyboard, is readable in both themes, is no wider than a desktop or a phone, closes
// with Escape, and returns the focus.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const KEY = 'Of the dialogs';
const ENDPOINT = 'http://127.0.0.1:9/hooks';
const DESKTOP = 1440;
const PHONE = 390;

interface Layer {
  readonly name: string;
  /** The file below app/console that has it, without `.tsx`; absent: a part of a page. */
  readonly file?: string;
  readonly path: string;
  /** Absent: both. */
  readonly width?: typeof DESKTOP | typeof PHONE;
  /** Absent: a dialog. */
  readonly role?: 'menu' | 'listbox';
  /** The control that opens it, or opens the menu that `entry` is in. */
  opener(page: Page): Locator;
  readonly entry?: string | RegExp;
  /** Keys instead of the control. */
  readonly keys?: string;
}

const running = consoleOfFile('viewer', { OUTBOUND_ALLOW: '127.0.0.0/8' });
let videoId = '';
let organizationId = '';

const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).filter({ visible: true }).first();
const exactly = (name: string) => button(new RegExp(`^${name}$`));
const keys = '/console/keys?mode=test';
const overview = '/console?mode=test';
const playground = '/console/playground?mode=test&model=sandbox-t2v&prompt=A+boat';
const webhooks = '/console/webhooks?mode=test';
const organization = '/console/installation/organizations/{organization}';

const menuOfKey = button(`Actions for ${KEY}`);
const menuOfMember = button('Actions for viewer@patchbay.local');
const menuOfEndpoint = button(`Actions for ${ENDPOINT}`);

const layers: readonly Layer[] = [
  { name: 'the form for a new key', file: 'keys/create-key-dialog', path: keys, opener: button('Create key') },
  {
    name: 'the menu of a key',
    file: 'keys/key-menu',
    path: keys,
    role: 'menu',
    opener: menuOfKey,
  },
  {
    name: 'limit and access of a key',
    file: 'keys/edit-key-dialog',
    path: keys,
    opener: menuOfKey,
    entry: 'Edit limit and access…',
  },
  { name: 'rotating a key', file: 'keys/rotate-key-dialog', path: keys, opener: menuOfKey, entry: 'Rotate…' },
  { name: 'revoking a key', file: 'keys/revoke-key-dialog', path: keys, opener: menuOfKey, entry: 'Revoke…' },
  {
    name: 'rotating the webhook secret',
    file: 'components/webhook/rotate-secret-dialog',
    path: overview,
    opener: button('Rotate…'),
  },
  {
    name: 'the menu of the account',
    file: 'components/shell/account-menu',
    path: overview,
    width: DESKTOP,
    role: 'menu',
    opener: button(/^Account of/),
  },
  {
    name: 'the menu of organisations',
    path: overview,
    role: 'menu',
    opener: button(/^Switch organisation/),
  },
  {
    name: 'inviting someone',
    file: 'members/invite-dialog',
    path: '/console/members',
    opener: button('Invite someone'),
  },
  {
    name: 'the role of a member',
    file: 'members/role-dialog',
    path: '/console/members',
    opener: menuOfMember,
    entry: 'Change role…',
  },
  {
    name: 'removing a member',
    file: 'members/member-dialog',
    path: '/console/members',
    opener: menuOfMember,
    entry: 'Remove…',
  },
  {
    name: 'deleting the organisation',
    file: 'settings/delete-dialog',
    path: '/console/settings',
    opener: button('Delete organisation…'),
  },
  {
    name: 'the palette',
    file: 'components/shell/command-palette',
    path: overview,
    opener: button(/^Search/),
    width: DESKTOP,
  },
  {
    name: 'the shortcut sheet',
    file: 'components/shell/shortcut-sheet',
    path: overview,
    opener: button(/^Search/),
    width: DESKTOP,
    keys: '?',
  },
  {
    name: 'the navigation',
    file: 'components/shell/navigation-drawer',
    path: overview,
    opener: button('Open navigation'),
    width: PHONE,
  },
  {
    name: 'the filters of the catalog',
    file: 'models/filter-dialog',
    path: '/console/models',
    opener: button('Filters'),
    width: PHONE,
  },
  {
    name: 'deleting a video',
    file: 'components/video/delete-video-dialog',
    path: '/console/videos/{video}',
    opener: button('Delete…'),
  },
  { name: 'the code of the playground', file: 'playground/code-drawer', path: playground, opener: button('View code') },
  {
    name: 'the history of the playground',
    path: playground,
    width: PHONE,
    opener: button('History'),
  },
  {
    name: 'deleting a video of the playground',
    path: playground,
    width: DESKTOP,
    opener: button('Delete this video'),
  },
  {
    name: 'the models of the playground',
    path: playground,
    role: 'listbox',
    opener: (page) => page.locator('[data-field="model"] button').first(),
  },
  {
    name: 'the code of a conversation',
    file: 'messages/code-drawer',
    path: '/console/messages?mode=test',
    opener: button('View code'),
  },
  {
    name: 'the settings of a conversation',
    path: '/console/messages?mode=test',
    width: PHONE,
    opener: exactly('Settings'),
  },
  {
    name: 'the code of speech',
    file: 'speech/code-drawer',
    path: '/console/speech?mode=test',
    opener: button('View code: text to speech'),
  },
  {
    name: 'the form for a new project',
    file: 'projects/project-dialog',
    path: '/console/projects?mode=test',
    opener: button('Create project'),
  },
  {
    name: 'deleting a project',
    file: 'projects/delete-project-dialog',
    path: '/console/projects?mode=test',
    opener: button('Delete Search'),
  },
  {
    name: 'the policy of the organisation',
    file: 'policies/policy-dialog',
    path: '/console/policies?mode=test',
    opener: exactly('Edit'),
  },
  {
    name: 'a new alert',
    file: 'usage/alerts/alert-dialog',
    path: '/console/usage/alerts?mode=test',
    opener: button('Add an alert'),
  },
  {
    name: 'an account at a provider',
    file: 'providers/store-account-dialog',
    path: '/console/providers',
    opener: button('Add an account'),
  },
  { name: 'a new endpoint', file: 'webhooks/endpoint-dialog', path: webhooks, opener: button('Add an endpoint') },
  {
    name: 'the menu of an endpoint',
    file: 'webhooks/endpoint-menu',
    path: webhooks,
    role: 'menu',
    opener: menuOfEndpoint,
  },
  {
    name: 'a test of an endpoint',
    file: 'webhooks/test-dialog',
    path: webhooks,
    opener: menuOfEndpoint,
    entry: 'Send a test…',
  },
  {
    name: 'the secret of an endpoint',
    file: 'webhooks/endpoint-secret-dialog',
    path: webhooks,
    opener: menuOfEndpoint,
    entry: 'Signing secret…',
  },
  {
    name: 'sending deliveries again',
    path: webhooks,
    opener: button('Resend…'),
  },
  {
    name: 'a new organisation of the installation',
    file: 'installation/new-organization-dialog',
    path: '/console/installation',
    opener: button('Create organisation'),
  },
  {
    name: 'transferring credits',
    file: 'installation/transfer-dialog',
    path: organization,
    opener: button('Transfer credits'),
  },
  {
    name: 'suspending an organisation',
    file: 'installation/suspension-dialog',
    path: organization,
    opener: exactly('Suspend'),
  },
  {
    name: 'a new operator',
    file: 'installation/add-operator-dialog',
    path: '/console/installation/operators',
    opener: button('Add an operator'),
  },
  {
    name: 'removing an operator',
    file: 'installation/remove-operator-dialog',
    path: '/console/installation/operators',
    opener: button('Remove viewer@patchbay.local'),
  },
];

/** They open only after something else was done: where that is tested, and a text of theirs. */
const testedElsewhere: Readonly<Record<string, readonly [string, string]>> = {
  'keys/reveal-key-dialog': ['tests/e2e/dialogs.test.ts', 'revealed-key'],
  'members/invitation-link-dialog': ['tests/console/installation.test.ts', 'The invitation is ready'],
  'providers/remove-account-dialog': ['tests/e2e/own-accounts.test.ts', 'Remove account'],
  'components/auth/confirm-identity-dialog': ['tests/e2e/sign-in.test.ts', 'Confirm your identity'],
};

/** The files below app/console that are a dialog, a drawer or a menu; `open-key-dialog` chooses one of those of a key. */
function layerFiles(): readonly string[] {
  const root = path.join(projectRoot, 'app/console');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(-dialog|-drawer|-menu|-palette|-sheet)\.tsx$/.test(file) && !file.startsWith('components/ui/'))
    .map((file) => file.slice(0, -'.tsx'.length))
    .filter((file) => file !== 'keys/open-key-dialog');
}

const cases = layers.flatMap((layer) =>
  (layer.width === undefined ? [DESKTOP, PHONE] : [layer.width]).map(
    (width) => [`${layer.name}, ${width} px`, layer, width] as const,
  ),
);

describe.skipIf(skipReason)('every dialog, drawer and menu', () => {
  beforeAll(async () => {
    const { product } = running;
    await createKey(product, { name: KEY, mode: 'test' });
    await manage(product, 'POST', '/console/api/projects', { name: 'Search' });
    await manage(product, 'POST', '/console/api/webhook-endpoints?mode=test', { url: ENDPOINT });
    ({ id: organizationId } = await manage<{ id: string }>(product, 'GET', '/console/api/organization'));
    ({ id: videoId } = await createVideo(product));
    await videoIs(product, videoId, 'completed');
    const { page } = await running.open(overview);
    const added = await page.evaluate(
      async ([url, person]) => {
        const headers = { 'content-type': 'application/json' };
        return (await fetch(url!, { method: 'POST', headers, body: JSON.stringify({ person }) })).status;
      },
      ['/console/api/installation/operators', product.person.email],
    );
    expect(added).toBeLessThan(300);
  });

  test('is in the list of the checked ones', () => {
    const listed = [...layers.flatMap(({ file = [] }) => file), ...Object.keys(testedElsewhere)];
    expect(layerFiles().toSorted()).toEqual(listed.toSorted());
    for (const [file, text] of Object.values(testedElsewhere))
      expect(readFileSync(path.join(projectRoot, file), 'utf8')).toContain(text);
  });

  test.each(cases)(
    '%s: no serious finding of axe, fits the window, keeps the focus and returns it',
    async (_name, { path: pagePath, role = 'dialog' as const, opener, entry, keys: pressed }, width) => {
      const withIds = pagePath.replace('{video}', videoId).replace('{organization}', organizationId);
      const { page, complaints } = await running.open(withIds, { viewport: { width, height: 800 } });
      const control = opener(page);
      await awaitAlive(control);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await control.focus();
        await page.keyboard.press(pressed ?? 'Enter');
        if (entry !== undefined) {
          await page.getByRole('menuitem', { name: entry }).focus();
          await page.keyboard.press('Enter');
        }
        const layer = page.getByRole(role).filter({ visible: true }).last();
        await layer.waitFor();
        expect(await seriousFindings(page)).toEqual([]);
        expect(await widerThanWindow(page)).toEqual([]);
        if (role === 'dialog' && colorScheme === 'light') {
          for (let presses = 0; presses < 24; presses += 1) {
            await page.keyboard.press('Tab');
            expect(await page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true);
          }
        }
        await page.keyboard.press('Escape');
        await layer.waitFor({ state: 'detached' });
        await expect.poll(() => control.evaluate((element) => element === document.activeElement)).toBe(true);
      }
      expect(complaints).toEqual([]);
    },
  );

  test('the dialog with a new key: no serious finding of axe, fits a phone, Enter copies, Escape returns the focus', async () => {
    const { page } = await running.open(keys, { viewport: { width: 320, height: 700 } });
    const create = page.getByRole('button', { name: 'Create key' });
    await awaitAlive(create);
    await create.press('Enter');
    await page.getByRole('dialog', { name: 'Create an API key' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByTestId('revealed-key').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await seriousFindings(page)).toEqual([]);
    }
    expect(await widerThanWindow(page)).toEqual([]);
    // It has the focus, so the next Enter copies.
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => create.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});
