import { describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile, cookieHeader } from '../support/console';
import { generateUntil, openPlayground, quick, stageIs } from '../support/playground';

// The essentials of the playground; its longer scenarios are in tests/e2e.

const running = consoleOfFile('viewer');

describe.skipIf(whyNoBrowser())('the playground', () => {
  async function listed(): Promise<{ id: string; status: string }[]> {
    const response = await fetch(`${running.product.baseUrl}/v1/videos?limit=100`, {
      headers: { authorization: `Bearer ${running.product.firstRun.keys.test}` },
    });
    return ((await response.json()) as { data: { id: string; status: string }[] }).data;
  }

  test('a submitted form becomes a video that plays and downloads, without a reload', async () => {
    const { page, generate, stage, complaints } = await openPlayground(running);
    expect(await generate.innerText()).toBe('Generate · $0.01');
    const id = await generateUntil(page, 'completed');
    await page.waitForFunction(
      () => (document.querySelector<HTMLVideoElement>('[data-player] video')?.readyState ?? 0) >= 2,
    );
    expect(await stage.innerText()).toContain('$0.01');
    const download = await stage.getByRole('link', { name: 'Download' }).getAttribute('href');
    const file = new Uint8Array(await (await fetch(running.product.baseUrl + download)).arrayBuffer());
    expect(new TextDecoder().decode(file.slice(4, 8))).toBe('ftyp');
    expect((await listed()).find((video) => video.id === id)?.status).toBe('completed');
    expect(complaints).toEqual([]);
  });

  test('a double click and repeated Enter make one video', async () => {
    const before = (await listed()).length;
    const { generate } = await openPlayground(running, { ...quick, prompt: 'Only once' });
    // Within the page, because the window is one second, and a busy machine needs longer for twelve key presses from
    // outside.
    await generate.evaluate((button: HTMLButtonElement) => {
      const prompt = document.querySelector('[data-field="prompt"] textarea');
      for (let press = 0; press < 8; press += 1) {
        // The events that a click and Enter on the button cause.
        button.click();
        prompt?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }),
        );
      }
    });
    // By then a second request would have been sent.
    await expect
      .poll(async () => (await listed()).filter(({ status }) => status === 'completed').length, { timeout: 30_000 })
      .toBe(before + 1);
    expect((await listed()).length).toBe(before + 1);
  });

  test('a link to a video that is older than those of the gallery shows it', async () => {
    const first = await openPlayground(running, { ...quick, prompt: 'The oldest' });
    const id = await generateUntil(first.page, 'completed');
    for (let newer = 0; newer < 60; newer += 1) {
      const response = await fetch(`${running.product.baseUrl}/v1/videos`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${running.product.firstRun.keys.test}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ ...quick, prompt: 'A boat [[moderated-input]]' }),
      });
      expect(response.status).toBe(202);
    }
    const { page, complaints } = await openPlayground(running, { ...quick, video: id });
    expect(await stageIs(page, 'completed')).toBe(id);
    expect(complaints).toEqual([]);
  });

  test('a failure shows its reason and that nothing was charged, and the balance is unchanged', async () => {
    const { page, stage, context } = await openPlayground(running, { ...quick, prompt: 'A boat [[moderated-output]]' });
    const credits = async () =>
      (
        await fetch(`${running.product.baseUrl}/console/api/credits?mode=test`, {
          headers: { cookie: await cookieHeader(context) },
        })
      ).json() as Promise<{ available: string }>;
    const { available } = await credits();
    await generateUntil(page, 'failed');
    const said = await stage.innerText();
    expect(said).toContain('Not charged');
    expect(said).toContain('content_policy_violation');
    expect((await credits()).available).toBe(available);
  });
});
