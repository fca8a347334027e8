import { beforeAll, describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { createKey } from '../support/console-keys';
import { loggedRequest, sendMessage, speakText } from '../support/console-requests';
import { createVideo, videoIs } from '../support/console-videos';
import { seriousFindings, tabTo, widerThanWindow } from '../support/page-checks';

// The longer scenarios of the log of requests: filters, pages, errors, and requests that run.

const skipReason = whyNoBrowser();

const running = consoleOfFile('viewer');
const MANY = 22;
let manyKey: Awaited<ReturnType<typeof createKey>>;
let failedId: string;
let spokenId: string;

describe.skipIf(skipReason)('the log of requests: longer scenarios', () => {
  beforeAll(async () => {
    const { product } = running;
    manyKey = await createKey(product, { name: 'Many messages', mode: 'test' });
    const requestIds: string[] = [];
    for (let number = 0; number < MANY; number += 1)
      requestIds.push(await sendMessage(product, `Number ${number}`, { key: manyKey.key }));
    for (const id of requestIds) await loggedRequest(product, id);
    failedId = (await loggedRequest(product, await sendMessage(product, 'Hello', { scenario: 'error-mid' }))).id;
    spokenId = (await speakText(product, 'A short sentence.')).contextId ?? '';
    await loggedRequest(product, spokenId);
    const { id } = await createVideo(product, {}, { scenario: 'fail' });
    await videoIs(product, id, 'failed');
  }, 120_000);

  const rows = (page: Awaited<ReturnType<typeof running.open>>['page']) =>
    page.getByRole('table', { name: 'Requests' }).getByRole('link');

  test('pages follow each other without gaps or repetitions, and Back returns', async () => {
    const { page } = await running.open(`/console/requests?mode=test&key=${manyKey.id}`);
    await expect.poll(() => rows(page).count()).toBe(20);
    const first = await rows(page).allInnerTexts();
    await page.getByRole('button', { name: 'Older' }).click();
    await expect.poll(() => rows(page).count()).toBe(MANY - 20);
    const all = [...first, ...(await rows(page).allInnerTexts())];
    expect(new Set(all).size).toBe(MANY);
    await page.goBack();
    await expect.poll(() => rows(page).count()).toBe(20);
  });

  test('is narrowed by kind, outcome, error, model, provider, key and time, in the URL; Back undoes one step', async () => {
    const { page } = await running.open('/console/requests?mode=test');
    const count = (expected: number) => expect.poll(() => rows(page).count()).toBe(expected);
    await page.getByLabel('Kind').selectOption('speech');
    await count(1);
    await page.getByLabel('Outcome').selectOption('failed');
    await page.getByText('No requests match').waitFor();
    await page.goBack();
    await count(1);
    await page.getByLabel('Kind').selectOption('');
    await page.getByLabel('Error').selectOption('generation_failed');
    await count(1);
    await page.getByLabel('Error').selectOption('upstream_overloaded');
    await count(1);
    await page.getByLabel('Model').selectOption('veo-3.1-t2v');
    await page.getByText('No requests match').waitFor();
    await page.reload();
    await page.getByText('No requests match').waitFor();
    expect(await page.getByLabel('Model').inputValue()).toBe('veo-3.1-t2v');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await count(20);
    await page.getByLabel('Provider').selectOption('fal');
    await page.getByText('No requests match').waitFor();
    await page.getByLabel('Provider').selectOption('sandbox');
    await page.getByLabel('Kind').selectOption('video');
    await count(1);
    await page.getByLabel('Created').selectOption('dates');
    await page.getByLabel('From, UTC').fill('2001-01-01');
    await page.getByLabel('To, UTC').fill('2001-01-02');
    await page.getByText('No requests match').waitFor();
    await page.getByLabel('Created').selectOption('1h');
    await count(1);
  });

  test('an answer that broke off shows what to do, the attempts, and that its hold was released', async () => {
    const { page } = await running.open(`/console/requests/messages/${failedId}`);
    await page.getByText('The provider had too many requests.').waitFor();
    expect(await page.getByRole('list', { name: 'Timeline' }).innerText()).toContain('upstream_overloaded');
    expect(await page.getByRole('list', { name: 'Attempts' }).innerText()).toContain('sandbox');
    expect(await page.getByRole('region', { name: 'Cost' }).innerText()).toMatch(/Not charged[\s\S]*Released/);
  });

  test('a new request appears by itself, and a running video opens its page', async () => {
    const { page } = await running.open('/console/requests?mode=test&kind=video');
    const { id } = await createVideo(running.product, { prompt: 'Watched', seconds: 2 }, { scenario: 'slow:10' });
    const link = page.locator(`a[href="/console/videos/${id}"]`);
    await link.waitFor({ timeout: 10_000 });
    await page.getByRole('row').filter({ has: link }).getByText('In progress').waitFor();
    await link.click();
    await page.waitForURL(`**/console/videos/${id}`);
    await videoIs(running.product, id, 'completed');
  });

  test('when the list cannot be read, the page says so with the request id; Retry reads it', async () => {
    const { page } = await running.open('/console/requests?mode=test');
    await rows(page).first().waitFor();
    await page.route('**/console/api/requests?**', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/json',
        headers: { 'x-request-id': 'req_seen' },
        body: '{"error":{"message":"The database is away for a moment. Try again.","code":"service_unavailable"}}',
      }),
    );
    await page.getByLabel('Outcome').selectOption('failed');
    const alert = page.getByRole('alert').filter({ hasText: 'The database is away for a moment.' });
    await alert.waitFor({ timeout: 15_000 });
    expect(await alert.innerText()).toContain('req_seen');
    await page.unroute('**/console/api/requests?**');
    await alert.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('table', { name: 'Requests' }).waitFor();
  });

  test('a mode without requests explains what they are, and links to the playground', async () => {
    const { page } = await running.open('/console/requests?mode=live');
    await page.getByText('No live requests yet').waitFor();
    expect(await page.getByRole('main').getByRole('link', { name: 'Open the playground' }).count()).toBe(1);
  });

  test('the other mode of a message leads to the log of that mode', async () => {
    const { page } = await running.open(`/console/requests/messages/${failedId}?mode=test`);
    await page.getByRole('radio', { name: 'Live' }).click();
    await page.waitForURL('**/console/requests?mode=live');
  });

  test('G then L opens the page, and everything of it works from the keyboard', async () => {
    const { page } = await running.open('/console?mode=test');
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    // The heading alone may belong to the skeleton.
    await rows(page).first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(spokenId);
    await expect.poll(() => rows(page).count()).toBe(1);
    const link = await rows(page).first().textContent();
    await tabTo(page, link ?? '');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/console/requests/sessions/${spokenId}`);
    await page.getByRole('heading', { name: 'sandbox-tts', level: 1 }).waitFor();
  });

  test.each([
    ['light', 1440],
    ['dark', 390],
    ['light', 320],
  ] as const)(
    'in the %s theme at %i px axe finds nothing serious, and nothing is wider than the window',
    async (colorScheme, width) => {
      const { page, complaints } = await running.open('/console/requests?mode=test', {
        colorScheme,
        viewport: { width, height: 900 },
      });
      for (const [path, ready] of [
        ['', 'Message · sandbox'],
        [`/messages/${failedId}`, 'Timeline'],
        [`/sessions/${spokenId}`, 'Timeline'],
        ['?status=failed&kind=speech', 'No requests match'],
      ] as const) {
        await page.goto(`${running.product.baseUrl}/console/requests${path}`);
        await page.getByText(ready).filter({ visible: true }).first().waitFor();
        expect([path, await widerThanWindow(page)]).toEqual([path, []]);
        expect([path, await seriousFindings(page)]).toEqual([path, []]);
      }
      expect(complaints).toEqual([]);
    },
  );

  test('a viewer sees the log and its pages', async () => {
    const { page } = await running.signIn({
      as: running.product.person,
      path: `/console/requests/messages/${failedId}`,
    });
    await page.getByRole('heading', { name: 'sandbox-text', level: 1 }).waitFor();
  });
});
