import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { createVideo, videoIs } from '../support/console-videos';
import { createKey } from '../support/console-keys';
import { awaitAlive, seriousFindings, widerThanWindow } from '../support/page-checks';

// Every dialog, drawer and menu opens by keyboard, is readable in both themes, is no wider than the window, closes with
// Escape, and returns the focus.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const KEY = 'Of the dialogs';
const PHONE = 390;

interface Layer {
  readonly name: string;
  readonly path: string;
  readonly width?: number;
  readonly role: 'dialog' | 'menu' | 'listbox';
  /** The control that opens it, or opens the menu that `entry` is in. */
  opener(page: Page): Locator;
  readonly entry?: string | RegExp;
  /** Keys instead of the control. */
  readonly keys?: string;
}

const running = consoleOfFile('viewer');
let videoId = '';

const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).filter({ visible: true }).first();
const keys = '/console/keys?mode=test';
const playground = '/console/playground?mode=test&model=sandbox-t2v&prompt=A+boat';

const layers: readonly Layer[] = [
  { name: 'the form for a new key', path: keys, role: 'dialog', opener: button('Create key') },
  { name: 'the menu of a key', path: keys, role: 'menu', opener: button(`Actions for ${KEY}`) },
  {
    name: 'limit and access of a key',
    path: keys,
    role: 'dialog',
    opener: button(`Actions for ${KEY}`),
    entry: 'Edit limit and access…',
  },
  { name: 'rotating a key', path: keys, role: 'dialog', opener: button(`Actions for ${KEY}`), entry: 'Rotate…' },
  { name: 'revoking a key', path: keys, role: 'dialog', opener: button(`Actions for ${KEY}`), entry: 'Revoke…' },
  { name: 'rotating the webhook secret', path: '/console?mode=test', role: 'dialog', opener: button('Rotate…') },
  { name: 'the menu of the account', path: '/console?mode=test', role: 'menu', opener: button(/^Account of/) },
  {
    name: 'the menu of organisations',
    path: '/console?mode=test',
    role: 'menu',
    opener: button(/^Switch organisation/),
  },
  {
    name: 'the menu of organisations on a phone',
    path: '/console?mode=test',
    width: PHONE,
    role: 'menu',
    opener: button(/^Switch organisation/),
  },
  { name: 'inviting someone', path: '/console/members', role: 'dialog', opener: button('Invite someone') },
  {
    name: 'the role of a member',
    path: '/console/members',
    role: 'dialog',
    opener: button('Actions for viewer@patchbay.local'),
    entry: 'Change role…',
  },
  {
    name: 'removing a member',
    path: '/console/members',
    role: 'dialog',
    opener: button('Actions for viewer@patchbay.local'),
    entry: 'Remove…',
  },
  {
    name: 'deleting the organisation',
    path: '/console/settings',
    role: 'dialog',
    opener: button('Delete organisation…'),
  },
  { name: 'the palette', path: '/console?mode=test', role: 'dialog', opener: button(/^Search/) },
  { name: 'the shortcut sheet', path: '/console?mode=test', role: 'dialog', opener: button(/^Search/), keys: '?' },
  {
    name: 'the navigation of a phone',
    path: '/console?mode=test',
    width: PHONE,
    role: 'dialog',
    opener: button('Open navigation'),
  },
  {
    name: 'the filters of the catalog on a phone',
    path: '/console/models',
    width: PHONE,
    role: 'dialog',
    opener: button('Filters'),
  },
  { name: 'deleting a video', path: '/console/videos/{video}', role: 'dialog', opener: button('Delete…') },
  { name: 'the code of the playground', path: playground, role: 'dialog', opener: button('View code') },
  {
    name: 'the history of the playground on a phone',
    path: playground,
    width: PHONE,
    role: 'dialog',
    opener: button('History'),
  },
  { name: 'deleting a video', path: playground, role: 'dialog', opener: button('Delete this video') },
  {
    name: 'the models of the playground',
    path: playground,
    role: 'listbox',
    opener: (page) => page.locator('[data-field="model"] button').first(),
  },
];

describe.skipIf(skipReason)('every dialog, drawer and menu', () => {
  beforeAll(async () => {
    await createKey(running.product, { name: KEY, mode: 'test' });
    ({ id: videoId } = await createVideo(running.product));
    await videoIs(running.product, videoId, 'completed');
  });

  test.each(layers.map((layer) => [layer.name, layer] as const))(
    '%s: no serious finding of axe, fits the window, keeps the focus and returns it',
    async (_name, { path, width = 1440, role, opener, entry, keys: pressed }) => {
      const { page, complaints } = await running.open(path.replace('{video}', videoId), {
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
