import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
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
  /** It changes nothing, although a viewer is not offered it. */
  readonly readsOnly?: true;
}
interface ShownPage {
  readonly path: string;
  readonly heading: string;
  readonly actions: readonly Action[];
  /** The weakest role that may read it; other roles see whom to ask. */
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
  {
    path: '/console/models',
    heading: 'Models',
    actions: [{ name: 'See what each provider needs', least: 'admin', readsOnly: true }],
  },
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
    actions: [{ name: /^CSV: audit log/, least: 'admin', readsOnly: true }],
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
    const { firstRun } = running.product;
    const asScript = { authorization: `Bearer ${firstRun.keys.live}` };
    await send('projects?mode=test', { name: 'Campaign', limit: { amount: '5', period: 'total' } }, asScript);
    await send('webhook-endpoints?mode=test', { url: 'https://hooks.example.com/' }, asScript);
    const join = async (role: Role): Promise<Credentials> => {
      const { link } = await send('invitations', { role }, asScript);
      const account = { email: `${role}@roles.example`, password: `the password of the ${role}` };
      const token = new URL(String(link)).hash.slice(1);
      await send('invitations/sign-up', { ...account, name: role, token }, { origin: running.product.baseUrl });
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
    await checkOffers(page, {
      isOffered: ({ least }) => mayDo(least),
      onPage: async ({ least = 'viewer' }) => {
        if (!mayDo(least)) await page.getByRole('main').getByText('Ask an owner or admin').first().waitFor();
      },
    });
    expect(complaints).toEqual([]);
    // The last page, in the state of this role.
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('offers the owner of a suspended organisation only what changes nothing, on every page', async () => {
    const { baseUrl, dataDir, firstRun } = running.product;
    // Safe: the product has written it.
    const secrets = JSON.parse(await readFile(path.join(dataDir, 'secrets.json'), 'utf8')) as { operatorToken: string };
    const { id } = await send('organization', undefined, { authorization: `Bearer ${firstRun.keys.live}` });
    const decide = (what: 'suspend' | 'resume') =>
      fetch(`${baseUrl}/internal/operator/organizations/${String(id)}/${what}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secrets.operatorToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ reason: 'Invoice 1742 is not paid' }),
      });
    expect((await decide('suspend')).status).toBe(200);
    onTestFinished(async () => void (await decide('resume')));

    const { page, complaints } = await running.signIn({ as: people.owner });
    await checkOffers(page, {
      isOffered: ({ least, readsOnly }) => least === 'viewer' || readsOnly === true,
      onPage: () => page.getByText('This organisation is suspended.').waitFor(),
    });
    await page.goto(`${baseUrl}/console/playground`);
    await page.getByText('You cannot generate videos: this organisation is suspended').first().waitFor();
    expect(complaints).toEqual([]);
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

/** Calls the API of the console; without a body it reads. */
async function send(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${running.product.baseUrl}/console/api/${path}`, {
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  expect([path, response.status, await response.clone().text()]).toEqual([
    path,
    response.status < 300 ? response.status : 201,
    expect.any(String),
  ]);
  // Safe: the API of the console answers with objects.
  return (await response.json()) as Readonly<Record<string, unknown>>;
}

/** Opens every page and compares the controls that it offers with those that it should. */
async function checkOffers(
  page: Page,
  expected: { isOffered(action: Action): boolean; onPage(shown: ShownPage): Promise<void> },
): Promise<void> {
  const found: unknown[] = [];
  const wanted: unknown[] = [];
  for (const shown of PAGES) {
    const response = await page.goto(running.product.baseUrl + shown.path);
    expect([shown.path, response?.status()]).toEqual([shown.path, 200]);
    await page.getByRole('main').getByRole('heading', { name: shown.heading, level: 1 }).waitFor();
    await expected.onPage(shown);
    for (const action of shown.actions) {
      const isWanted = expected.isOffered(action);
      wanted.push([shown.path, String(action.name), isWanted]);
      found.push([shown.path, String(action.name), await isOffered(page, action.name, isWanted)]);
    }
  }
  expect(found).toEqual(wanted);
}

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
