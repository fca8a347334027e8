import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { createVideo, videoIs, type MadeVideo } from '../support/console-videos';
import { startSentinel, type Sentinel } from '../support/sentinel';

// The list of videos and the page of one, on the built product. The numbers are those of the acceptance criteria.

const skipReason = whyNoBrowser();

const running = consoleOfFile('viewer', { OUTBOUND_ALLOW: '127.0.0.0/8' });
let receiver: Sentinel;
let done: MadeVideo;
let failed: MadeVideo;

describe.skipIf(skipReason)('videos in the console', () => {
  beforeAll(async () => {
    receiver = await startSentinel();
    const { product } = running;
    done = await createVideo(product, {
      prompt: 'A paper boat',
      color: 'red',
      negative_prompt: 'people',
      webhook: `http://127.0.0.1:${receiver.port}/done?token=hidden`,
    });
    failed = await createVideo(product, { prompt: 'A dragon' }, { scenario: 'fail' });
    await videoIs(product, done.id, 'completed');
    await videoIs(product, failed.id, 'failed');
  });
  afterAll(async () => {
    await receiver?.close();
  });

  test('the timeline lists the events in order, with exact times', async () => {
    const { page, complaints } = await running.open(`/console/videos/${done.id}`);
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByText('Webhook delivered').waitFor();
    const titles = await timeline
      .getByRole('listitem')
      .evaluateAll((items) => items.map((item) => item.querySelector('.font-medium')?.textContent ?? ''));
    const order = titles.map((title) => title.replace(/\d+×|once/, 'n×'));
    expect(order.filter((title) => title !== 'In progress')).toEqual([
      'Accepted',
      'Submitted to sandbox',
      'sandbox accepted it',
      'Polled n×',
      'Completed',
      'Webhook delivered',
    ]);
    const times = await timeline
      .locator('time')
      .evaluateAll((elements) => elements.map((element) => Date.parse(element.getAttribute('datetime') ?? '')));
    expect(times).toHaveLength(titles.length);
    expect([...times].sort((a, b) => a - b)).toEqual(times);
    expect(await timeline.innerText()).toContain(done.requestId);
    expect(await timeline.innerText()).toContain(`sbx_${done.id.slice('video_'.length)}`);
    expect(complaints).toEqual([]);
  });

  test('the price is shown from quote to charge with its formula, and the file plays', async () => {
    const { page } = await running.open(`/console/videos/${done.id}`);
    const cost = page.getByRole('region', { name: 'Cost' });
    expect((await cost.innerText()).replace(/\s+/g, ' ')).toMatch(
      /Quoted \$0\.01 Held \$0\.01 Charged \$0\.01 1 s of output at 360p 1 × \$0\.01 \$0\.01/,
    );
    const entries = await cost.getByRole('table', { name: 'Ledger entries' }).innerText();
    expect(entries.replace(/\s+/g, ' ')).toMatch(
      /Held \d\d:\d\d:\d\d −\$0\.01 \+\$0\.01 – Charged \d\d:\d\d:\d\d – −\$0\.01 \+\$0\.01/,
    );
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2);
  });

  test('the request is shown next to what was sent, and ignored fields are struck through with a reason', async () => {
    const { page } = await running.open(`/console/videos/${done.id}`);
    const asked = page.getByRole('list', { name: 'You sent' });
    const struck = await asked
      .locator('del')
      .evaluateAll((elements) => elements.map((element) => element.getAttribute('data-ignored')));
    expect(struck).toEqual(['color', 'negative_prompt']);
    expect(await asked.innerText()).toContain('Ignored. Not a parameter of this API.');
    expect(await asked.innerText()).toContain('Ignored. sandbox-t2v does not take it.');
    // In the order of arrival.
    expect((await asked.innerText()).indexOf('model')).toBeLessThan((await asked.innerText()).indexOf('prompt'));
    const sent = await page.getByRole('list', { name: 'Sent to sandbox' }).innerText();
    expect(sent).toContain('"A paper boat"');
    expect(sent).toMatch(/fps: 24/);
    expect(sent).not.toContain('color');
    for (const secret of [...Object.values(running.product.firstRun.keys), 'token=hidden'])
      expect(await page.content()).not.toContain(secret);
  });

  test('a failed video shows the reason, what to do, and that nothing was charged', async () => {
    const { page } = await running.open(`/console/videos/${failed.id}`);
    await page.getByRole('heading', { name: 'sandbox-t2v', level: 1 }).waitFor();
    const main = await page.getByRole('main').innerText();
    expect(main).toContain('The generation failed, as the test scenario "fail" asks. You were not charged.');
    expect(main).toContain('Not charged');
    expect(main).toContain('Otherwise use a shorter prompt');
    expect(main.replace(/\s+/g, ' ')).toMatch(/Released \d\d:\d\d:\d\d \+\$0\.01 −\$0\.01 –/);
  });

  test('an id without a video of the organisation has a 404 page', async () => {
    const { page } = await running.open('/console/videos?mode=test');
    for (const id of [`video_${'0'.repeat(32)}`, 'nonsense']) {
      const response = await page.goto(`${running.product.baseUrl}/console/videos/${id}`);
      expect([id, response?.status()]).toEqual([id, 404]);
      await page.getByRole('heading', { name: 'Video not found' }).waitFor();
    }
  });

  test('the request id of an API answer leads to its video, by URL and by search', async () => {
    const { page } = await running.open(`/console/videos?request=${done.requestId}`);
    await page.waitForURL(`**/console/videos/${done.id}`);
    await page.goto(`${running.product.baseUrl}/console/videos?mode=test`);
    await page.getByLabel('Video or request id').fill(failed.requestId);
    await page.getByText('A paper boat').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'A dragon' }).click();
    await page.waitForURL(`**/console/videos/${failed.id}`);
    // An unknown id leads to a list with a message.
    await page.goto(`${running.product.baseUrl}/console/videos?request=req_of_nobody&mode=test`);
    await page.getByText('No videos match').waitFor();
  });

  test.each([
    ['/console/jobs?mode=test&status=failed', '/console/videos?mode=test&status=failed'],
    ['/console/jobs/video_1?mode=test', '/console/videos/video_1?mode=test'],
  ])('%s redirects permanently to %s', async (from, to) => {
    const response = await fetch(running.product.baseUrl + from, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([308, to]);
  });
});
