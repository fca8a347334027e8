import { existsSync, readdirSync } from 'node:fs';
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
  /** The files below app/console that have it, without `.tsx`. */
  readonly files: readonly string[];
  readonly path: string;
  /** Absent: both. */
  readonly width?: typeof DESKTOP | typeof PHONE;
  readonly role: 'dialog' | 'menu' | 'listbox';
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

const ofKey = (name: string, file: string, entry: string): Layer => ({
  name,
  files: [`keys/${file}`],
  path: keys,
  role: 'dialog',
  opener: button(`Actions for ${KEY}`),
  entry,
});
const ofMember = (name: string, file: string, entry: string): Layer => ({
  name,
  files: [`members/${file}`],
  path: '/console/members',
  role: 'dialog',
  opener: button('Actions for viewer@patchbay.local'),
  entry,
});
const ofEndpoint = (name: string, file: string, entry: string): Layer => ({
  name,
  files: [`webhooks/${file}`],
  path: webhooks,
  role: 'dialog',
  opener: button(`Actions for ${ENDPOINT}`),
  entry,
});
/** Opened by a button alone. */
const by = (opener: Layer['opener'], name: string, file: string, path: string): Layer => ({
  name,
  files: [file],
  path,
  role: 'dialog',
  opener,
});

const layers: readonly Layer[] = [
  by(button('Create key'), 'the form for a new key', 'keys/create-key-dialog', keys),
  {
    name: 'the menu of a key',
    files: ['keys/key-menu'],
    path: keys,
    role: 'menu',
    opener: button(`Actions for ${KEY}`),
  },
  ofKey('limit and access of a key', 'edit-key-dialog', 'Edit limit and access…'),
  ofKey('rotating a key', 'rotate-key-dialog', 'Rotate…'),
  ofKey('revoking a key', 'revoke-key-dialog', 'Revoke…'),
  by(button('Rotate…'), 'rotating the webhook secret', 'components/webhook/rotate-secret-dialog', overview),
  {
    name: 'the menu of the account',
    files: ['components/shell/account-menu'],
    path: overview,
    width: DESKTOP,
    role: 'menu',
    opener: button(/^Account of/),
  },
  {
    name: 'the menu of organisations',
    files: [],
    path: overview,
    role: 'menu',
    opener: button(/^Switch organisation/),
  },
  by(button('Invite someone'), 'inviting someone', 'members/invite-dialog', '/console/members'),
  ofMember('the role of a member', 'role-dialog', 'Change role…'),
  ofMember('removing a member', 'member-dialog', 'Remove…'),
  by(button('Delete organisation…'), 'deleting the organisation', 'settings/delete-dialog', '/console/settings'),
  {
    ...by(button(/^Search/), 'the palette', 'components/shell/command-palette', overview),
    width: DESKTOP,
  },
  {
    ...by(button(/^Search/), 'the shortcut sheet', 'components/shell/shortcut-sheet', overview),
    width: DESKTOP,
    keys: '?',
  },
  {
    ...by(button('Open navigation'), 'the navigation', 'components/shell/navigation-drawer', overview),
    width: PHONE,
  },
  {
    ...by(button('Filters'), 'the filters of the catalog', 'models/filter-dialog', '/console/models'),
    width: PHONE,
  },
  by(button('Delete…'), 'deleting a video', 'components/video/delete-video-dialog', '/console/videos/{video}'),
  by(button('View code'), 'the code of the playground', 'playground/code-drawer', playground),
  {
    name: 'the history of the playground',
    files: [],
    path: playground,
    width: PHONE,
    role: 'dialog',
    opener: button('History'),
  },
  {
    name: 'deleting a video of the playground',
    files: [],
    path: playground,
    width: DESKTOP,
    role: 'dialog',
    opener: button('Delete this video'),
  },
  {
    name: 'the models of the playground',
    files: [],
    path: playground,
    role: 'listbox',
    opener: (page) => page.locator('[data-field="model"] button').first(),
  },
  by(button('View code'), 'the code of a conversation', 'messages/code-drawer', '/console/messages?mode=test'),
  {
    name: 'the settings of a conversation',
    files: [],
    path: '/console/messages?mode=test',
    width: PHONE,
    role: 'dialog',
    opener: exactly('Settings'),
  },
  by(button('View code: text to speech'), 'the code of speech', 'speech/code-drawer', '/console/speech?mode=test'),
  by(button('Create project'), 'the form for a new project', 'projects/project-dialog', '/console/projects?mode=test'),
  by(button('Delete Search'), 'deleting a project', 'projects/delete-project-dialog', '/console/projects?mode=test'),
  by(exactly('Edit'), 'the policy of the organisation', 'policies/policy-dialog', '/console/policies?mode=test'),
  by(button('Add an alert'), 'a new alert', 'usage/alerts/alert-dialog', '/console/usage/alerts?mode=test'),
  by(button('Add an account'), 'an account at a provider', 'providers/store-account-dialog', '/console/providers'),
  by(button('Add an endpoint'), 'a new endpoint', 'webhooks/endpoint-dialog', webhooks),
  {
    name: 'the menu of an endpoint',
    files: ['webhooks/endpoint-menu'],
    path: webhooks,
    role: 'menu',
    opener: button(`Actions for ${ENDPOINT}`),
  },
  ofEndpoint('a test of an endpoint', 'test-dialog', 'Send a test…'),
  ofEndpoint('the secret of an endpoint', 'endpoint-secret-dialog', 'Signing secret…'),
  {
    name: 'sending deliveries again',
    files: [],
    path: webhooks,
    role: 'dialog',
    opener: button('Send again…'),
  },
  by(
    button('Create organisation'),
    'a new organisation of the installation',
    'installation/new-organization-dialog',
    '/console/installation',
  ),
  by(button('Move credits'), 'moving credits', 'installation/transfer-dialog', organization),
  by(exactly('Suspend'), 'suspending an organisation', 'installation/suspension-dialog', organization),
  by(
    button('Add an operator'),
    'a new operator',
    'installation/add-operator-dialog',
    '/console/installation/operators',
  ),
  by(
    button('Remove viewer@patchbay.local'),
    'removing an operator',
    'installation/remove-operator-dialog',
    '/console/installation/operators',
  ),
];

/** They open only after something else was done: where they are tested. */
const testedElsewhere: Readonly<Record<string, string>> = {
  'keys/reveal-key-dialog': 'tests/e2e/dialogs.test.ts',
  'members/invitation-link-dialog': 'tests/console/organizations.test.ts',
  'providers/remove-account-dialog': 'tests/e2e/own-accounts.test.ts',
  'components/auth/confirm-identity-dialog': 'tests/console/console.test.ts',
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
      async ([address, person]) => {
        const headers = { 'content-type': 'application/json' };
        return (await fetch(address!, { method: 'POST', headers, body: JSON.stringify({ person }) })).status;
      },
      ['/console/api/installation/operators', product.person.email],
    );
    expect(added).toBeLessThan(300);
  });

  test('is in the list of the checked ones', () => {
    const listed = [...layers.flatMap(({ files }) => files), ...Object.keys(testedElsewhere)];
    expect(layerFiles().toSorted()).toEqual(listed.toSorted());
    for (const file of Object.values(testedElsewhere)) expect(existsSync(path.join(projectRoot, file))).toBe(true);
  });

  test.each(cases)(
    '%s: no serious finding of axe, fits the window, keeps the focus and returns it',
    async (_name, { path: address, role, opener, entry, keys: pressed }, width) => {
      const ids = address.replace('{video}', videoId).replace('{organization}', organizationId);
      const { page, complaints } = await running.open(ids, {
        viewport: { width, height: 800 },
      });
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
