import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, whyNoBrowser } from '../support/browser';
import { startServer, type TestServer } from '../support/server';

// A finished file must work in a browser: load, report its true size and length, and play.

const reason = whyNoBrowser();
if (reason) console.log(reason);

describe.skipIf(reason !== undefined)('the finished MP4 in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  it('plays from its signed link, with picture and sound, and can seek', async () => {
    const headers = { authorization: `Bearer ${server.firstRun.keys.test}`, 'content-type': 'application/json' };
    const made = await fetch(`${server.baseUrl}/v1/videos`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: 'sandbox-t2v', prompt: 'a lighthouse', seconds: 2, size: '640x360', fps: 12 }),
    });
    const { id } = (await made.json()) as { id: string };
    let video: { status: string; video_url?: string };
    do {
      await new Promise((resolve) => setTimeout(resolve, 200));
      video = (await (await fetch(`${server.baseUrl}/v1/videos/${id}`, { headers })).json()) as typeof video;
    } while (video.status !== 'completed' && video.status !== 'failed');
    expect(video.status).toBe('completed');

    const page = await browser.newPage();
    await page.goto(`${server.baseUrl}/livez`);
    const seen = await page.evaluate(async (source) => {
      const element = document.createElement('video');
      document.body.append(element);
      element.muted = true;
      const event = (name: string) => new Promise((resolve) => element.addEventListener(name, resolve, { once: true }));
      const loaded = Promise.race([event('canplay'), event('error')]);
      element.src = source;
      await loaded;
      if (element.error) throw new Error(`the browser refused the file: ${element.error.message}`);
      const { videoWidth, videoHeight, duration } = element;
      const ended = event('ended');
      await element.play();
      await ended;
      const endedAt = element.currentTime;
      const sought = event('seeked');
      element.currentTime = 1;
      await sought;
      const canvas = new OffscreenCanvas(videoWidth, videoHeight);
      const context = canvas.getContext('2d')!;
      context.drawImage(element, 0, 0);
      const colours = new Set<number>();
      const { data } = context.getImageData(0, 0, videoWidth, videoHeight);
      for (let at = 0; at < data.length; at += 4 * 997)
        colours.add((data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!);
      // Chromium's own counter of decoded audio bytes.
      const sound = (element as unknown as { webkitAudioDecodedByteCount: number }).webkitAudioDecodedByteCount;
      return {
        videoWidth,
        videoHeight,
        duration,
        endedAt,
        soughtTo: element.currentTime,
        colours: colours.size,
        sound,
      };
    }, video.video_url ?? '');

    expect(seen).toMatchObject({ videoWidth: 640, videoHeight: 360, soughtTo: 1 });
    expect(seen.duration).toBeCloseTo(2, 1);
    expect(seen.endedAt).toBeCloseTo(2, 1);
    expect(seen.colours).toBeGreaterThan(20);
    expect(seen.sound).toBeGreaterThan(0);
  });
});
