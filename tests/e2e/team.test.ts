import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { KeyJson } from '../../lib/contract/keys';
import { sharedBrowser, whyNoBrowser } from '../support/browser';
import { startConsole, type Console, type Visit } from '../support/console';
import { createKey, keyRow, manage, withKey } from '../support/console-keys';
import { seriousFindings } from '../support/page-checks';

// A team as it works: an owner invites a colleague, gives a budget, the colleague exceeds it and sees why, and the owner
// raises it.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

let running: Console;

describe.skipIf(skipReason)('a team', () => {
  beforeAll(async () => {
    await sharedBrowser();
    running = await startConsole('viewer');
  });
  afterEach(() => running.closeWindows());
  afterAll(() => running?.close());

  test('invites a colleague, gives a budget, exceeds it, sees why, and raises it', async () => {
    const { product } = running;
    const owner = await running.open('/console/members');
    const colleague = await join(owner);

    await owner.page.goto(`${product.baseUrl}/console/projects?mode=test`);
    await owner.page.getByRole('button', { name: 'Create project' }).click();
    const create = owner.page.getByRole('dialog', { name: 'Create a project' });
    await create.getByLabel('Name', { exact: true }).fill('Campaign');
    await create.getByLabel('Budget in dollars').fill('0.05');
    await create.getByRole('button', { name: 'Create project' }).click();
    await create.waitFor({ state: 'detached' });
    const { data } = await manage<{ data: { id: string }[] }>(product, 'GET', '/console/api/projects?mode=test');
    const key = await createKey(product, { name: 'Campaign server', mode: 'test', project: data[0]!.id });

    // Four cents fit; two more do not, and the refusal says whose budget it is, and how much is left.
    const video = { model: 'sandbox-t2v', prompt: 'A paper boat', size: '640x360' };
    expect((await withKey(product, '/v1/videos', key.key, { ...video, seconds: 4 })).status).toBe(202);
    const refused = await withKey(product, '/v1/videos', key.key, { ...video, seconds: 2 });
    const { error } = (await refused.json()) as { error: { code: string; message: string } };
    expect([refused.status, error.code]).toEqual([402, 'project_limit_exceeded']);
    expect(error.message).toContain('“Campaign”');
    expect(error.message).toContain('$0.05');
    expect((await withKey(product, '/v1/videos', key.key, { ...video, seconds: 1 })).status).toBe(202);

    // Now nothing is left, and every page says so.
    await colleague.page.goto(`${product.baseUrl}/console?mode=test`);
    const notes = colleague.page.getByRole('list', { name: 'Needs attention' });
    await notes.getByText('The budget of the project “Campaign” is used up: its keys are refused.').waitFor();
    await notes.getByRole('link', { name: 'View' }).click();
    await colleague.page.getByRole('heading', { name: 'Campaign', level: 1 }).waitFor();
    await colleague.page.getByRole('main').getByText('100 %').first().waitFor();
    expect(await colleague.page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    await colleague.page.goto(`${product.baseUrl}/console/keys?mode=test`);
    const row = keyRow(colleague.page, 'Campaign server');
    await row.getByText('Limit reached').waitFor();
    await row.getByText(/^The budget of .+ is used up: paid requests are refused\.$/).waitFor();
    expect(await seriousFindings(colleague.page)).toEqual([]);

    await owner.page.goto(`${product.baseUrl}/console/projects?mode=test`);
    await owner.page.getByRole('button', { name: 'Edit Campaign' }).click();
    const edit = owner.page.getByRole('dialog');
    await edit.getByLabel('Budget in dollars').fill('1');
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.waitFor({ state: 'detached' });
    expect((await withKey(product, '/v1/videos', key.key, { ...video, seconds: 2 })).status).toBe(202);
    await colleague.page.reload();
    await row.getByText('Active', { exact: true }).waitFor();
    const { data: keys } = await manage<{ data: KeyJson[] }>(product, 'GET', '/console/api/keys');
    expect(keys.find(({ id }) => id === key.id)?.project).toMatchObject({
      name: 'Campaign',
      limit: { amount: '1', spent: '0.07' },
    });
    expect([...owner.complaints, ...colleague.complaints]).toEqual([]);
  });
});

/** Invites by link; the invited person creates an account in a browser of their own. */
async function join({ page }: Visit): Promise<Visit> {
  await page.getByRole('button', { name: 'Invite someone' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail (optional)').fill('grace@example.com');
  await dialog.getByText('Developer', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  const link = await dialog.getByTestId('invitation-link').innerText();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const other = await running.visit();
  await other.page.goto(link);
  await other.page.getByLabel('Your name').fill('Grace');
  await other.page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await other.page.getByRole('button', { name: 'Create account and join' }).click();
  await other.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  return other;
}
