import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { createVideo, videoIs } from '../support/console-videos';
import { createKey, manage, withKey } from '../support/console-keys';
import { startSentinel, type Sentinel } from '../support/sentinel';

// The longer scenarios of videos: failing webhooks, filters, pages, cancelling and deleting.

const skipReason = whyNoBrowser();

const running = consoleOfFile('viewer', { OUTBOUND_ALLOW: '127.0.0.0/8' });
let receiver: Sentinel;
let answerWith = 500;

describe.skipIf(skipReason)('videos in the console: longer scenarios', () => {
  beforeAll(async () => {
    receiver = await startSentinel(
      (_request, response) => void response.writeHead(answerWith).end('said the receiver'),
    );
  });
  afterAll(async () => {
    await receiver?.close();
  });

  test('attempts of a failing receiver appear by themselves, with the time of the next; Resend delivers the same webhook-id, signed with the shown secret', async () => {
    answerWith = 500;
    const path = '/failing';
    const { id } = await createVideo(running.product, { webhook: `http://127.0.0.1:${receiver.port}${path}` });
    const { page } = await running.open(`/console/videos/${id}`);
    const part = page.getByRole('region', { name: 'Webhook' });
    await part.getByText('Attempt 2').waitFor({ timeout: 20_000 });
    // The second comes five seconds after the first, the third five minutes later.
    await part.getByText('Attempt 3').waitFor({ timeout: 20_000 });
    expect(await part.innerText()).toMatch(/Attempt 3 in [45] min/);
    await part.getByText('Response').first().click();
    await part.getByText('said the receiver').first().waitFor();
    expect(await page.getByRole('list', { name: 'Timeline' }).innerText()).toMatch(
      /Webhook not delivered[\s\S]*Attempt 2: 500/,
    );

    answerWith = 200;
    await part.getByRole('button', { name: 'Resend' }).click();
    await part.getByText('Delivered').waitFor({ timeout: 10_000 });
    const sent = receiver.requests.filter(({ url }) => url === path);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const { secret } = await manage<{ secret: string }>(running.product, 'GET', '/console/api/webhook-secret');
    const last = sent[2];
    const header = (name: string) => String(last?.headers[name]);
    const verified = new Webhook(secret).verify(last?.body ?? '', {
      'webhook-id': header('webhook-id'),
      'webhook-timestamp': header('webhook-timestamp'),
      'webhook-signature': header('webhook-signature'),
    });
    expect(verified).toMatchObject({ id, status: 'completed' });
  });

  test('a running video is cancelled: nothing is charged, and the books balance', async () => {
    const { id } = await createVideo(running.product, { prompt: 'To cancel' }, { scenario: 'slow:60' });
    await videoIs(running.product, id, 'in_progress');
    const { page } = await running.open(`/console/videos/${id}`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The video was cancelled. You were not charged.').waitFor();
    await page.getByRole('region', { name: 'Cost' }).getByText('Released').waitFor();
    await page.getByRole('list', { name: 'Timeline' }).getByText('Cancelled', { exact: true }).waitFor();
  });

  test('a finished video is deleted after a confirmation, and its id then leads nowhere', async () => {
    const { id } = await createVideo(running.product, { prompt: 'To delete' }, { scenario: 'fail' });
    await videoIs(running.product, id, 'failed');
    const { page } = await running.open(`/console/videos/${id}`);
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this video?' });
    await dialog.waitFor();
    // The safe choice has the focus.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Keep it');
    await dialog.getByRole('button', { name: 'Delete video' }).click();
    await page.waitForURL('**/console/videos?mode=test');
    expect((await withKey(running.product, `/v1/videos/${id}`, running.product.firstRun.keys.test)).status).toBe(404);
    await page.goto(`${running.product.baseUrl}/console/videos/${id}`);
    await page.getByRole('heading', { name: 'Video not found' }).waitFor();
  });

  test('the list is narrowed by status, model, key and time, in the URL; Back undoes one step', async () => {
    const { product } = running;
    const other = await createKey(product, { name: 'Another app', mode: 'test' });
    await createVideo(product, { prompt: 'Of another key' }, { key: other.key, scenario: 'fail' });
    const last = await createVideo(product, { prompt: 'Of the first key' });
    await videoIs(product, last.id, 'completed');
    const { page } = await running.open('/console/videos?mode=test');
    const shows = async (prompt: string, isThere: boolean) =>
      page.getByRole('link', { name: prompt, exact: true }).waitFor({ state: isThere ? 'visible' : 'detached' });
    await page.getByLabel('Key', { exact: true }).selectOption({ label: 'Another app' });
    await shows('Of the first key', false);
    await shows('Of another key', true);
    await page.getByLabel('Status').selectOption('completed');
    await page.getByText('No videos match').waitFor();
    await page.goBack();
    await shows('Of another key', true);
    await page.getByLabel('Model').selectOption('sandbox-i2v');
    await page.getByText('No videos match').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await shows('Of the first key', true);
    await page.getByLabel('Created').selectOption('dates');
    await page.getByLabel('From, UTC').fill('2001-01-01');
    await page.getByLabel('To, UTC').fill('2001-01-02');
    await page.getByText('No videos match').waitFor();
    await page.reload();
    await page.getByText('No videos match').waitFor();
    expect(await page.getByLabel('To, UTC').inputValue()).toBe('2001-01-02');
    await page.getByLabel('Created').selectOption('1h');
    await shows('Of the first key', true);
  });

  test('pages follow each other without gaps or repetitions', async () => {
    const { product } = running;
    const key = await createKey(product, { name: 'Many videos', mode: 'test' });
    for (let number = 0; number < 22; number += 1)
      await createVideo(product, { prompt: `Number ${number}.` }, { key: key.key, scenario: 'fail' });
    const { page } = await running.open(`/console/videos?mode=test&key=${key.id}`);
    const links = page.getByRole('link', { name: /^Number \d+\.$/ });
    await expect.poll(() => links.count()).toBe(20);
    const first = await links.allInnerTexts();
    await page.getByRole('button', { name: 'Older' }).click();
    await expect.poll(() => links.count()).toBe(2);
    const all = [...first, ...(await links.allInnerTexts())];
    expect(all).toEqual(Array.from({ length: 22 }, (_, index) => `Number ${21 - index}.`));
    await page.goBack();
    await expect.poll(() => links.count()).toBe(20);
  });

  test('when the list cannot be read, the page says so with the request id; Retry reads it', async () => {
    const { page } = await running.open('/console/videos?mode=test');
    // Until Retry is pressed: the page also retries by itself, and would be faster.
    await page.evaluate(() =>
      document.addEventListener('pointerdown', () => (document.documentElement.dataset.pressed = 'yes'), {
        once: true,
      }),
    );
    await page.route('**/console/api/videos?**', async (route) => {
      if (await page.evaluate(() => document.documentElement.dataset.pressed === 'yes')) await route.continue();
      else
        await route.fulfill({
          status: 503,
          contentType: 'application/json',
          headers: { 'x-request-id': 'req_seen' },
          body: '{"error":{"message":"The database is away for a moment. Try again.","code":"service_unavailable"}}',
        });
    });
    await page.getByLabel('Status').selectOption('failed');
    const alert = page.getByRole('alert').filter({ hasText: 'The database is away for a moment.' });
    await alert.waitFor({ timeout: 15_000 });
    expect(await alert.innerText()).toContain('req_seen');
    await alert.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('table', { name: 'Videos' }).waitFor();
  });

  test('a slow answer shows a skeleton within a quarter of a second, a fast one none', async () => {
    const { page } = await running.open('/console/videos?mode=test');
    let delayMs = 1_200;
    await page.route('**/console/api/videos?**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      await route.continue();
    });
    const skeleton = page.getByRole('status', { name: 'Loading videos' });
    // Measured in the page, and the best of several: a busy machine may be slow to check and to paint.
    const waitsMs: number[] = [];
    for (const status of ['failed', 'queued', 'in_progress']) {
      await page.evaluate(noteWaitOf, '[data-loading]');
      await page.getByLabel('Status').selectOption(status);
      await skeleton.waitFor();
      waitsMs.push(Number(await page.evaluate(() => document.documentElement.dataset.waitedMs)));
      await skeleton.waitFor({ state: 'detached' });
    }
    expect(Math.min(...waitsMs)).toBeGreaterThan(100);
    expect(Math.min(...waitsMs)).toBeLessThan(250);
    delayMs = 100;
    await page.evaluate(() => {
      delete document.documentElement.dataset.waitedMs;
    });
    await page.evaluate(noteWaitOf, '[data-loading]');
    await page.getByLabel('Status').selectOption('completed');
    await page.getByRole('table', { name: 'Videos' }).waitFor();
    // On a busy machine the answer may be late; the skeleton is then shown rightly.
    const flashedAfterMs = await page.evaluate(() => document.documentElement.dataset.waitedMs);
    expect(flashedAfterMs === undefined || Number(flashedAfterMs) > 140).toBe(true);
  });

  test('a mode without videos explains what a video is, and links to the playground', async () => {
    const { page } = await running.open('/console/videos?mode=live');
    await page.getByText('No live videos yet').waitFor();
    expect(await page.getByRole('main').getByRole('link', { name: 'Open the playground' }).count()).toBe(1);
  });

  test.each([1440, 1024, 390, 320])('at %i px nothing is wider than the window', async (width) => {
    const { id } = await createVideo(running.product, { prompt: 'wide'.repeat(100), unknown_field: 'x'.repeat(300) });
    const { page, complaints } = await running.open('/console/videos?mode=test', { viewport: { width, height: 800 } });
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await page.getByRole('table', { name: 'Videos' }).waitFor();
    expect(await overflow()).toBe(0);
    await page.goto(`${running.product.baseUrl}/console/videos/${id}`);
    await page.getByRole('region', { name: 'Request', exact: true }).waitFor();
    expect(await overflow()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('a running video updates by itself, in the list and on its page', async () => {
    const { page } = await running.open('/console/videos?mode=test');
    const { id } = await createVideo(running.product, { prompt: 'Watched', seconds: 2 }, { scenario: 'slow:10' });
    const row = page.getByRole('row').filter({ hasText: 'Watched' });
    await row.waitFor({ timeout: 10_000 });
    await row.getByRole('link', { name: 'Watched' }).click();
    await page.waitForURL(`**/console/videos/${id}`);
    await page.getByText('This page updates automatically.').waitFor();
    await page.locator('video[controls]').waitFor({ timeout: 40_000 });
    await page.getByRole('region', { name: 'Timeline' }).getByText('Completed').waitFor();
  });

  test('the request of a video is copied as curl and shown in other languages, with the key read from the environment', async () => {
    const { id } = await createVideo(running.product, { prompt: 'A paper boat' });
    await videoIs(running.product, id, 'completed');
    const { page } = await running.open(`/console/videos/${id}`);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`${running.product.baseUrl}/v1/videos`);
    expect(copied).toContain('"prompt": "A paper boat"');
    expect(copied).toContain('$PATCHBAY_API_KEY');
    await page.getByRole('button', { name: 'Show the code' }).click();
    await page.getByRole('tab', { name: 'Python' }).click();
    expect(await page.getByRole('tabpanel').innerText()).toContain('A paper boat');
  });

  test('a viewer sees a video and no control that changes it', async () => {
    const { id } = await createVideo(running.product, { prompt: 'A paper boat' });
    await videoIs(running.product, id, 'completed');
    const { page } = await running.signIn({ as: running.product.person, path: `/console/videos/${id}` });
    await page.getByRole('heading', { name: 'sandbox-t2v', level: 1 }).waitFor();
    for (const name of [/delete/i, /cancel/i, /resend/i])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await page.getByRole('link', { name: /download/i }).count()).toBe(1);
  });
});

/** Records on the page how many milliseconds pass from the next change of a field until an element appears. */
function noteWaitOf(selector: string): void {
  document.addEventListener(
    'change',
    () => {
      const since = performance.now();
      const observer = new MutationObserver(() => {
        if (!document.querySelector(selector)) return;
        document.documentElement.dataset.waitedMs = String(performance.now() - since);
        observer.disconnect();
      });
      observer.observe(document.body, { childList: true, subtree: true });
    },
    { once: true, capture: true },
  );
}
