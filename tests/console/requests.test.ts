import { beforeAll, describe, expect, test } from 'vitest';
import type { RequestJson } from '../../lib/contract/requests';
import { usd } from '../../lib/domain/money';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { loggedRequest, sendMessage, speakText } from '../support/console-requests';
import { createVideo, videoIs } from '../support/console-videos';
import { seriousFindings } from '../support/page-checks';

// The log of requests and the pages of a message and a spoken text, on the built product.

const skipReason = whyNoBrowser();

const running = consoleOfFile('viewer');
const SECRET_TEXT = 'The password of the lighthouse is heron';
let message: RequestJson;
let failed: RequestJson;
let spoken: RequestJson;
let videoId: string;

describe.skipIf(skipReason)('the log of requests in the console', () => {
  beforeAll(async () => {
    const { product } = running;
    const ids = [
      await sendMessage(product, SECRET_TEXT),
      await sendMessage(product, SECRET_TEXT, { scenario: 'fail' }),
      (await speakText(product, SECRET_TEXT)).contextId ?? '',
    ];
    ({ id: videoId } = await createVideo(product, { prompt: 'A paper boat' }));
    await videoIs(product, videoId, 'completed');
    [message, failed, spoken] = (await Promise.all(ids.map((id) => loggedRequest(product, id)))) as [
      RequestJson,
      RequestJson,
      RequestJson,
    ]; // Safe: three ids.
  }, 90_000);

  test('every kind is in one list, newest first, each row with its page, and without content', async () => {
    const { page, complaints } = await running.open('/console/requests?mode=test');
    const links = page.getByRole('table', { name: 'Requests' }).getByRole('link');
    await expect
      .poll(() => links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))))
      .toEqual([
        `/console/videos/${videoId}`,
        `/console/requests/sessions/${spoken.id}`,
        `/console/requests/messages/${failed.id}`,
        `/console/requests/messages/${message.id}`,
      ]);
    expect(await page.content()).not.toContain('heron');
    expect(complaints).toEqual([]);
  });

  test('one failed request is found in three clicks, with its code and the first sentence of the advice', async () => {
    const { page } = await running.open('/console?mode=test');
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Requests' }).click();
    await page.getByLabel('Outcome').selectOption('failed');
    await page.waitForURL((url) => url.searchParams.get('status') === 'failed');
    const row = page.getByRole('row').filter({ hasText: failed.code ?? '?' });
    // The list before stays until the answer arrives.
    await expect.poll(() => page.getByRole('table', { name: 'Requests' }).getByRole('link').count()).toBe(1);
    expect(await row.innerText()).toContain('your request is valid.');
    expect(await row.innerText()).toContain('Not charged');
    await row.getByRole('link').click();
    await page.waitForURL(`**/console/requests/messages/${failed.id}`);
    await page.getByText('The message failed.').waitFor();
    const main = await page.getByRole('main').innerText();
    expect(main).toContain('Try again, or pin another provider.');
    expect(main).toContain(failed.code);
    expect(main).toContain('Not charged');
    expect(await page.getByRole('list', { name: 'Attempts' }).innerText()).toMatch(/sandbox[\s\S]*Failed/);
  });

  test('a message shows its timeline, tokens, price and hold, and leads to its entries of the ledger', async () => {
    const { page, complaints } = await running.open(`/console/requests/messages/${message.id}`);
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByText('Completed').waitFor();
    expect(
      await timeline
        .getByRole('listitem')
        .evaluateAll((items) => items.map((item) => item.querySelector('.font-medium')?.textContent)),
    ).toEqual(['Accepted', 'Sent to sandbox', 'First token', 'Completed']);
    const cost = page.getByRole('region', { name: 'Cost' });
    expect((await cost.innerText()).replace(/\s+/g, ' ')).toContain(`Charged ${usd(message.cost)}`);
    expect(await cost.getByRole('table', { name: 'Price calculation' }).innerText()).toMatch(/ × \$/);
    const main = await page.getByRole('main').innerText();
    expect(main).toContain(message.request_id);
    expect(main).toMatch(/Output tokens\s+\d/);
    expect(await page.content()).not.toContain('heron');
    await page.keyboard.press('c');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(message.id);
    await cost.getByRole('link', { name: 'Show in the ledger' }).click();
    await page.waitForURL((url) => url.searchParams.get('subject') === message.id);
    const entries = page.getByRole('table', { name: 'Ledger' });
    await entries.getByText('Charge').first().waitFor();
    // The entry leads back.
    await entries.locator(`a[href="/console/requests/messages/${message.id}"]`).first().click();
    await page.waitForURL(`**/console/requests/messages/${message.id}`);
    expect(complaints).toEqual([]);
  });

  test('a spoken text shows its characters and its session, also by the id of the session', async () => {
    const { page, complaints } = await running.open(`/console/requests/sessions/${spoken.request_id}`);
    const list = page.getByRole('list', { name: 'Timeline' });
    await list.getByText('First audio').waitFor();
    const main = await page.getByRole('main').innerText();
    expect(main).toMatch(new RegExp(`Characters\\s+${SECRET_TEXT.length}\\b`));
    expect(main).toContain(spoken.id);
    await page.getByRole('link', { name: 'All of this session' }).click();
    await page.waitForURL((url) => url.searchParams.get('q') === spoken.request_id);
    await page.locator(`a[href="/console/requests/sessions/${spoken.id}"]`).waitFor();
    expect(complaints).toEqual([]);
  });

  test('an id without a message or session of the organisation has a 404 page', async () => {
    const { page } = await running.open('/console/requests?mode=test');
    for (const [path, title] of [
      ['messages/msg_nothing', 'Message not found'],
      ['sessions/nothing', 'Session not found'],
    ] as const) {
      const response = await page.goto(`${running.product.baseUrl}/console/requests/${path}`);
      expect([path, response?.status()]).toEqual([path, 404]);
      await page.getByRole('heading', { name: title }).waitFor();
    }
  });

  test('the request id of a response leads to its page by URL, and to messages and sessions in the search', async () => {
    const { page } = await running.open(`/console/requests?request=${failed.request_id}`);
    await page.waitForURL(`**/console/requests/messages/${failed.id}?mode=test`);
    for (const [text, path] of [
      [failed.request_id, `messages/${failed.id}`],
      [spoken.id, `sessions/${spoken.id}`],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Search pages').fill(text);
      await page.getByRole('option', { selected: true }).filter({ hasText: 'sandbox-t' }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/console/requests/${path}?mode=test`);
    }
  });

  test('a conversation is kept only after the settings say so, opens in the playground, and is erased when they say no', async () => {
    const { product } = running;
    const { page, complaints } = await running.open(`/console/requests/messages/${message.id}?mode=test`);
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Conversation' }).count()).toBe(0);

    await page.goto(`${product.baseUrl}/console/settings`);
    await page.getByLabel('Keep conversations').selectOption({ label: 'For 7 days' });
    await page.getByText('Conversations are kept for 7 days.').first().waitFor();
    const kept = await loggedRequest(product, await sendMessage(product, 'What is a patch bay?'));
    await page.goto(`${product.baseUrl}/console/requests/messages/${kept.id}`);
    const conversation = page.getByRole('region', { name: 'Conversation' });
    await conversation.getByRole('region', { name: 'User' }).getByText('What is a patch bay?').waitFor();
    await conversation.getByRole('region', { name: 'Answer' }).getByText(/\w/).first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await conversation.getByRole('button', { name: 'Open in the playground' }).click();
    await page.waitForURL('**/console/messages**');
    await expect.poll(() => page.getByLabel('Prompt', { exact: true }).inputValue()).toBe('What is a patch bay?');

    await page.goto(`${product.baseUrl}/console/settings`);
    await page.getByLabel('Keep conversations').selectOption({ label: 'Not kept' });
    await page.getByRole('dialog').getByRole('button', { name: 'Erase them' }).click();
    await page.getByText('Conversations are not kept.').first().waitFor();
    await page.goto(`${product.baseUrl}/console/requests/messages/${kept.id}`);
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    expect(await page.content()).not.toContain('What is a patch bay?');
    expect(complaints).toEqual([]);
  });
});
