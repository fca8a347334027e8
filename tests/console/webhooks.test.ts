import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import type { EndpointListJson, WebhookSecretJson } from '../../lib/contract/webhooks';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { manage } from '../support/console-keys';
import { createVideo, videoIs } from '../support/console-videos';
import { seriousFindings, widerThanWindow } from '../support/page-checks';
import { startSentinel, type Sentinel } from '../support/sentinel';

// The page of endpoints, receivers and deliveries, on the built product with a receiver on loopback.

const skipReason = whyNoBrowser();

const running = consoleOfFile('viewer', { OUTBOUND_ALLOW: '127.0.0.0/8' });
let receiver: Sentinel;
let status = 200;
let url: string;

beforeAll(async () => {
  receiver = await startSentinel((_request, response) => void response.writeHead(status).end('thank you'));
  url = `http://127.0.0.1:${receiver.port}/videos`;
});
afterAll(() => receiver.close());

describe.skipIf(skipReason)('the webhooks page', () => {
  test('an endpoint is added, tried, and receives the next video, signed with the secret that the page shows', async () => {
    const { page, complaints } = await running.open('/console/webhooks?mode=test');
    await page.getByText('No test endpoints').waitFor();
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('https://10.0.0.1/');
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    const refusal = dialog.getByText('The URL does not lead to a public address', { exact: false });
    await refusal.waitFor();
    // At the field, which has the focus: screen readers read the note of a field with it.
    const field = dialog.getByLabel('URL');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    await field.fill('not a URL');
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await refusal.waitFor({ state: 'detached' });
    await field.fill(url);
    await dialog.getByLabel('Description').fill('Production');
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    const table = page.getByRole('table', { name: 'Endpoints' });
    await table.getByText('Production').waitFor();
    expect(await table.innerText()).toContain('Not used yet');

    await table.getByRole('button', { name: `Actions for ${url}` }).click();
    await page.getByRole('menuitem', { name: 'Send a test…' }).click();
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText('Delivered', { exact: true }).waitFor();
    await dialog.getByText('thank you').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).first().click();

    const { id } = await createVideo(running.product, {});
    await videoIs(running.product, id, 'completed');
    const row = page
      .getByRole('table', { name: 'Deliveries' })
      .getByRole('row')
      .filter({ hasText: id.slice(0, 18) });
    await row.getByText('Delivered').waitFor();
    await table.getByText('Healthy', { exact: true }).waitFor();

    await table.getByRole('button', { name: `Actions for ${url}` }).click();
    await page.getByRole('menuitem', { name: 'Signing secret…' }).click();
    await dialog.getByRole('button', { name: 'Reveal' }).click();
    await dialog.getByText('whsec_').waitFor();
    const shown = (await dialog.getByText('whsec_').innerText()).trim();
    const {
      data: [endpoint],
    } = await manage<EndpointListJson>(running.product, 'GET', '/console/api/webhook-endpoints?mode=test');
    const path = `/console/api/webhook-endpoints/${endpoint!.id}/secret`;
    expect(shown).toBe((await manage<WebhookSecretJson>(running.product, 'GET', path)).secret);
    const last = receiver.requests.at(-1)!;
    expect(JSON.parse(last.body)).toMatchObject({ id, status: 'completed' });
    expect(() => new Webhook(shown).verify(last.body, last.headers as Record<string, string>)).not.toThrow();
    expect(complaints.filter((complaint) => !complaint.includes('400'))).toEqual([]);
  });

  test('what a paused endpoint missed is sent again at once', async () => {
    const { page } = await running.open('/console/webhooks?mode=test');
    const actions = page.getByRole('button', { name: `Actions for ${url}` });
    await actions.click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page.getByRole('table', { name: 'Endpoints' }).getByText('Paused').waitFor();
    const { id } = await createVideo(running.product, {});
    await videoIs(running.product, id, 'completed');
    const sent = receiver.requests.length;
    await page.getByLabel('State').selectOption('disabled');
    const row = page
      .getByRole('table', { name: 'Deliveries' })
      .getByRole('row')
      .filter({ hasText: id.slice(0, 18) });
    await row.getByText('Not sent').waitFor();
    await actions.click();
    await page.getByRole('menuitem', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Resend…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
    await page.getByText('1 delivery is resent.').waitFor();
    await expect.poll(() => receiver.requests.length, { timeout: 20_000 }).toBe(sent + 1);
    expect(JSON.parse(receiver.requests.at(-1)!.body)).toMatchObject({ id });
  });

  test('a failing receiver is shown with its next attempt, and its row leads to the video', async () => {
    status = 500;
    const { id } = await createVideo(running.product, {});
    await videoIs(running.product, id, 'completed');
    const { page } = await running.open('/console/webhooks?mode=test&state=pending');
    const row = page
      .getByRole('table', { name: 'Deliveries' })
      .getByRole('row')
      .filter({ hasText: id.slice(0, 18) });
    await row.getByText('500', { exact: true }).waitFor();
    expect(await row.innerText()).toMatch(/1 · 500 · \d+ ms · next/);
    await page.getByRole('table', { name: 'Endpoints' }).getByText('Failing').waitFor();
    status = 200;
    await row.getByRole('link').click();
    await page.waitForURL(`**/console/videos/${id}*`);
  });

  test('the search finds the deliveries of a video, and half an id matches none', async () => {
    const { id } = await createVideo(running.product, {});
    await videoIs(running.product, id, 'completed');
    const { page, complaints } = await running.open('/console/webhooks?mode=test');
    const search = page.getByLabel('Video or delivery id');
    await search.fill(id.slice(0, 12));
    await page.getByText('No deliveries match').waitFor();
    await search.fill(id);
    const rows = page
      .getByRole('table', { name: 'Deliveries' })
      .getByRole('row')
      .filter({ hasText: id.slice(0, 18) });
    await rows.first().waitFor();
    expect(await rows.count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('has no serious accessibility finding and fits a phone', async () => {
    const { page } = await running.open('/console/webhooks?mode=test', { viewport: { width: 390, height: 844 } });
    await page.getByRole('table', { name: 'Deliveries' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await widerThanWindow(page)).toEqual([]);
  });

  test('a viewer sees the list, and no secret and no button that changes something', async () => {
    const { page } = await running.signIn({ as: running.product.person, path: '/console/webhooks?mode=test' });
    await page.getByRole('table', { name: 'Endpoints' }).waitFor();
    for (const name of ['Add an endpoint', 'Resend…', 'Reveal', /^Resend/, /^Actions for/])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
  });
});
