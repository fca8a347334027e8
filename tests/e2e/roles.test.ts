import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { Role } from '../../lib/domain/caller';
import { sharedBrowser, whyNoBrowser } from '../support/browser';
import { startConsole, type Console, type Credentials } from '../support/console';
import { seriousFindings } from '../support/page-checks';

// Every page of an organisation as each role sees it: which actions it offers. That the server refuses the others is
// proven for every endpoint in tests/lib/http/console/access.test.ts.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const ROLES = ['viewer', 'developer', 'admin', 'owner'] as const satisfies readonly Role[];

interface Action {
  readonly name: string | RegExp;
  /** The weakest role that is offered it. */
  readonly least: Role;
}
interface ShownPage {
  readonly path: string;
  readonly heading: string;
  readonly actions: readonly Action[];
  /** The weakest role that may read it; the others are told whom to ask. */
  readonly least?: Role;
}

const PAGES: readonly ShownPage[] = [
  {
    path: '/console',
    heading: 'Overview',
    actions: [
      { name: 'Create a key', least: 'developer' },
      { name: 'Reveal', least: 'developer' },
      { name: 'Rotate…', least: 'developer' },
    ],
  },
  {
    path: '/console/keys',
    heading: 'API keys',
    actions: [
      { name: 'Create key', least: 'developer' },
      { name: 'Actions for First test key', least: 'developer' },
      { name: 'Rename First test key', least: 'developer' },
    ],
  },
  {
    path: '/console/projects',
    heading: 'Projects',
    actions: [
      { name: 'Create project', least: 'admin' },
      { name: 'Edit Campaign', least: 'admin' },
      { name: 'Delete Campaign', least: 'admin' },
    ],
  },
  {
    path: '/console/policies',
    heading: 'Policies',
    actions: [
      { name: 'Edit', least: 'admin' },
      { name: 'Simulate', least: 'viewer' },
    ],
  },
  { path: '/console/models', heading: 'Models', actions: [{ name: 'See what each provider needs', least: 'admin' }] },
  { path: '/console/providers', heading: 'Providers', actions: [{ name: 'Add an account', least: 'admin' }] },
  { path: '/console/playground', heading: 'Playground', actions: [{ name: 'View code', least: 'viewer' }] },
  { path: '/console/playground/batch', heading: 'Batch', actions: [{ name: 'One video', least: 'viewer' }] },
  { path: '/console/messages', heading: 'Messages', actions: [{ name: 'View code', least: 'viewer' }] },
  {
    path: '/console/speech',
    heading: 'Speech',
    actions: [
      { name: 'Start listening', least: 'developer' },
      { name: /^Speak/, least: 'developer' },
    ],
  },
  { path: '/console/videos', heading: 'Videos', actions: [] },
  { path: '/console/requests', heading: 'Requests', actions: [] },
  {
    path: '/console/webhooks',
    heading: 'Webhooks',
    actions: [
      { name: 'Add an endpoint', least: 'developer' },
      { name: 'Actions for https://hooks.example.com/', least: 'developer' },
    ],
  },
  { path: '/console/usage', heading: 'Usage', actions: [{ name: 'Ledger', least: 'viewer' }] },
  { path: '/console/usage/ledger', heading: 'Ledger', actions: [{ name: /^CSV: ledger/, least: 'viewer' }] },
  { path: '/console/usage/statement', heading: 'Statement', actions: [{ name: 'Print', least: 'viewer' }] },
  {
    path: '/console/usage/alerts',
    heading: 'Alerts',
    actions: [{ name: 'Add an alert', least: 'admin' }],
  },
  {
    path: '/console/members',
    heading: 'Members',
    actions: [
      { name: 'Invite someone', least: 'admin' },
      { name: 'Actions for owner@patchbay.local', least: 'owner' },
    ],
  },
  {
    path: '/console/audit',
    heading: 'Audit log',
    least: 'admin',
    actions: [{ name: /^CSV: audit log/, least: 'admin' }],
  },
  {
    path: '/console/settings',
    heading: 'Settings',
    actions: [
      { name: 'Keep conversations', least: 'admin' },
      { name: 'Keep texts of speech', least: 'admin' },
      { name: 'Answer an automatic retry with the first video', least: 'admin' },
      { name: 'Delete organisation…', least: 'owner' },
    ],
  },
];

let running: Console;
let people: Readonly<Record<Role, Credentials>>;

describe.skipIf(skipReason)('the console', () => {
  beforeAll(async () => {
    await sharedBrowser();
    running = await startConsole('viewer');
    const { baseUrl, firstRun } = running.product;
    const send = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
      const response = await fetch(`${baseUrl}/console/api/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      expect([path, response.status, await response.clone().text()]).toEqual([
        path,
        response.status < 300 ? response.status : 201,
        expect.any(String),
      ]);
      return (await response.json()) as Readonly<Record<string, unknown>>;
    };
    const asScript = { authorization: `Bearer ${firstRun.keys.live}` };
    await send('projects?mode=test', { name: 'Campaign', limit: { amount: '5', period: 'total' } }, asScript);
    await send('webhook-endpoints?mode=test', { url: 'https://hooks.example.com/' }, asScript);
    const join = async (role: Role): Promise<Credentials> => {
      const { link } = await send('invitations', { role }, asScript);
      const account = { email: `${role}@roles.example`, password: `the password of the ${role}` };
      const token = new URL(String(link)).hash.slice(1);
      await send('invitations/sign-up', { ...account, name: role, token }, { origin: baseUrl });
      return account;
    };
    people = {
      owner: firstRun.owner,
      admin: await join('admin'),
      developer: await join('developer'),
      viewer: await join('viewer'),
    };
  });
  afterEach(() => running.closeWindows());
  afterAll(() => running?.close());

  test.each(ROLES)('offers a person with the role %s what the role may do, on every page', async (role) => {
    const { page, complaints } = await running.signIn({ as: people[role] });
    const mayDo = (least: Role) => ROLES.indexOf(role) >= ROLES.indexOf(least);
    const found: unknown[] = [];
    const wanted: unknown[] = [];
    for (const { path, heading, actions, least = 'viewer' } of PAGES) {
      const response = await page.goto(running.product.baseUrl + path);
      expect([path, response?.status()]).toEqual([path, 200]);
      await page.getByRole('main').getByRole('heading', { name: heading, level: 1 }).waitFor();
      if (!mayDo(least)) await page.getByRole('main').getByText('Ask an owner or admin').first().waitFor();
      for (const { name, least: needed } of actions) {
        wanted.push([path, String(name), mayDo(needed)]);
        found.push([path, String(name), await isOffered(page, name, mayDo(needed))]);
      }
    }
    expect(found).toEqual(wanted);
    expect(complaints).toEqual([]);
    // The last page, in the state of this role.
    expect(await seriousFindings(page)).toEqual([]);
  });

  test.each(['admin', 'developer', 'viewer'] as const)('does not show the installation to %s', async (role) => {
    const { page } = await running.signIn({ as: people[role] });
    for (const path of ['', '/providers', '/status', '/operators', '/log']) {
      const response = await page.goto(`${running.product.baseUrl}/console/installation${path}`);
      expect([path, response?.status()]).toEqual([path, 404]);
    }
  });
});

/** Is there such a control that can be used? What should be offered is waited for. */
async function isOffered(page: Page, name: string | RegExp, expected: boolean): Promise<boolean> {
  const main = page.getByRole('main');
  const exact = typeof name === 'string';
  const control = main
    .getByRole('button', { name, exact })
    .or(main.getByRole('link', { name, exact }))
    .or(main.getByRole('switch', { name, exact }))
    .or(main.getByRole('combobox', { name, exact }))
    .first();
  if (expected) await control.waitFor({ timeout: 5_000 }).catch(() => undefined);
  return (await control.count()) > 0 && (await control.isEnabled());
}
