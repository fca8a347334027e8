import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, whyNoBrowser } from '../support/browser';
import { startProduct, type Product } from '../support/product';
import { openSocket } from '../support/socket-client';

// The speech playground in a real browser, whose microphone plays a file that the product itself has spoken.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

describe.skipIf(skipReason)('the speech playground', () => {
  let product: Product;
  let browser: Browser;
  let page: Page;
  let folder: string;
  const sockets: string[] = [];

  beforeAll(async () => {
    product = await startProduct('developer');
    folder = await mkdtemp(path.join(tmpdir(), 'patchbay-speech-'));
    const file = path.join(folder, 'microphone.wav');
    await writeFile(file, wav(await say('I would like to walk in the park with my dog.'), 48_000));
    browser = await launchBrowser(['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', `--use-file-for-fake-audio-capture=${file}`, '--autoplay-policy=no-user-gesture-required']);
    const context = await browser.newContext({ permissions: ['microphone'] });
    page = await context.newPage();
    page.on('websocket', (socket) => sockets.push(socket.url()));
    await page.goto(`${product.baseUrl}/console/speech`);
    await page.getByLabel('E-mail').fill(product.firstRun.owner.email);
    await page.getByLabel('Password', { exact: true }).fill(product.firstRun.owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Speech', exact: true, level: 1 }).waitFor();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  async function say(input: string): Promise<Buffer> {
    const socket = openSocket(`${product.baseUrl.replace('http', 'ws')}/v1/audio/speech/ws`, { key: product.firstRun.keys.test });
    socket.send({ type: 'tts', model: 'sandbox-tts', input, voice: 'rms', output_format: 'pcm_48000' });
    const parts: Buffer[] = [];
    for (;;) {
      const message = await socket.next();
      if (message.type === 'done') break;
      parts.push(Buffer.from(String(message.data), 'base64'));
    }
    socket.cut();
    // The browser plays the file over and over: the pause ends the sentence.
    return Buffer.concat([Buffer.alloc(48_000), ...parts, Buffer.alloc(192_000)]);
  }

  it('A-01 shows interim text while somebody speaks, puts the final one in its place, and the totals at the end', async () => {
    await page.getByRole('button', { name: 'Start listening' }).click();
    const interim = page.locator('[data-interim]');
    await interim.waitFor({ timeout: 30_000 });
    expect((await interim.textContent())?.length).toBeGreaterThan(0);
    const final = page.locator('[data-final]').first();
    await final.waitFor({ timeout: 30_000 });
    expect((await final.textContent())?.toLowerCase()).toMatch(/walk in the park|my dog/);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByTestId('totals').waitFor({ timeout: 20_000 });
    await page.getByRole('button', { name: 'Start listening' }).waitFor();
    expect(await page.getByRole('alert').allTextContents()).not.toContain('The connection was lost.');
  }, 90_000);

  it('A-03 A-04 is heard before done, goes silent at cancel, and a new text takes the place of the old', async () => {
    // As text, because the test runner rewrites imports.
    await page.evaluate(`import('/audio/patchbay-audio.js').then((library) => Object.assign(window, library))`);
    const heard = await page.evaluate(async () => {
      // Safe: the line above has put it there.
      const { openSpeaker } = window as unknown as typeof import('../../public/audio/patchbay-audio');
      const ticket = async () => {
        const response = await fetch('/console/api/socket-tickets', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ path: '/v1/audio/speech/ws', mode: 'test' }) });
        return ((await response.json()) as { ticket: string }).ticket;
      };
      const contexts: string[] = [];
      const speaker = await openSpeaker({ url: '/v1/audio/speech/ws', token: ticket, onChunk: ({ contextId }) => contexts.push(contextId) });
      const text = { model: 'sandbox-tts', voice: 'rms', input: 'One sentence after the other. This is the second one. And this is the third one, which is a little longer.' };
      let isDone = false;
      const first = speaker.speak(text).then((end) => {
        isDone = true;
        return end;
      });
      const loud = async () => {
        for (let look = 0; look < 500; look++) {
          if (speaker.level() > 0.01) return true;
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        return false;
      };
      const wasLoud = await loud();
      const wasDone = isDone;
      const cancelledAt = performance.now();
      speaker.cancel();
      const end = await first;
      while (speaker.level() > 0.001) await new Promise((resolve) => setTimeout(resolve, 5));
      const silentAfterMs = performance.now() - cancelledAt;
      const second = speaker.speak({ ...text, input: 'A first short text that is never finished because of the next one.' });
      await loud();
      const third = speaker.speak({ ...text, input: 'Hello.' });
      const ends = [await second, await third];
      await speaker.close();
      return { wasLoud, wasDone, end, silentAfterMs, ends, contexts: new Set(contexts).size };
    });
    expect(heard).toMatchObject({ wasLoud: true, wasDone: false, end: 'cancelled', ends: ['cancelled', 'played'], contexts: 3 });
    expect(heard.silentAfterMs).toBeLessThan(200);
  }, 60_000);

  it('speaks from the page, and says how soon', async () => {
    await page.getByRole('button', { name: 'Speak' }).click();
    await page.getByTestId('first-sound').waitFor({ timeout: 20_000 });
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
  }, 40_000);

  /** A page of its own, prepared before its scripts run. */
  async function openPage(prepare: (page: Page) => Promise<unknown>): Promise<Page> {
    const own = await page.context().newPage();
    await prepare(own);
    await own.goto(`${product.baseUrl}/console/speech`);
    await own.getByRole('heading', { name: 'Speech', exact: true, level: 1 }).waitFor();
    return own;
  }

  it.each([
    ['NotAllowedError', 'The microphone was not allowed.'],
    ['NotFoundError', 'No microphone was found.'],
  ])('A-02 without a microphone (%s) says so, and a sample recording is heard all the same', async (name, sentence) => {
    const own = await openPage((page) =>
      page.addInitScript((fault) => {
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('refused', fault));
      }, name),
    );
    await own.getByRole('button', { name: 'Start listening' }).click();
    await own.getByRole('alert').getByText(sentence).waitFor();
    await own.getByRole('button', { name: 'Use a sample recording' }).click();
    const final = own.locator('[data-final]').first();
    await final.waitFor({ timeout: 30_000 });
    expect((await final.textContent())?.toLowerCase()).toMatch(/walk in the park|my dog/);
    await own.getByTestId('totals').waitFor({ timeout: 20_000 });
    expect(await own.getByRole('alert').allTextContents()).not.toContain(sentence);
    await own.close();
  }, 60_000);

  it('A-06 at the cut-off of the credits shows the sentence, and offers nothing that would not help', async () => {
    const sentence = 'Credit budget exhausted: the estimated cost reached 90 % of the remaining credits. Add credits and start a new session.';
    const own = await openPage((page) =>
      page.routeWebSocket(/transcriptions/, (socket) => {
        socket.onMessage((message) => {
          if (typeof message !== 'string') return;
          socket.send('{"type":"session_started","session_id":"session_1"}');
          socket.send('{"type":"transcript","text":"Half a sentence","is_final":true}');
          socket.send(JSON.stringify({ type: 'error', message: sentence, code: 402 }));
          void socket.close({ code: 4402, reason: 'insufficient_credits' });
        });
      }),
    );
    await own.getByRole('button', { name: 'Start listening' }).click();
    await own.getByRole('alert').getByText(sentence).waitFor();
    expect(await own.locator('[data-final]').allTextContents()).toEqual(['Half a sentence ']);
    expect(await own.getByRole('button', { name: 'Connect again' }).count()).toBe(0);
    await own.close();
  }, 60_000);

  it('A-08 counts down from 45 seconds of silence, and stops counting when something is said', async () => {
    const own = await openPage((page) => page.clock.install());
    await own.getByRole('button', { name: 'Speak' }).click();
    await own.getByTestId('first-sound').waitFor({ timeout: 20_000 });
    await own.getByRole('button', { name: 'Cancel' }).click();
    await own.clock.fastForward(44_000);
    expect(await own.getByText('the connection closes in').count()).toBe(0);
    await own.clock.fastForward(3_000);
    await own.getByText(/the connection closes in 1\d s/).waitFor();
    await own.getByRole('button', { name: 'Speak' }).click();
    await own.getByTestId('first-sound').waitFor({ timeout: 20_000 });
    await own.clock.fastForward(1_000);
    await own.getByText('the connection closes in').waitFor({ state: 'detached' });
    await own.close();
  }, 60_000);

  it('A-07 puts nothing but a ticket into an address, and a used one opens nothing', async () => {
    expect(sockets.length).toBeGreaterThan(2);
    for (const url of sockets) expect(new URL(url).searchParams.get('token')).toMatch(/^wst_/);
    const again = openSocket(sockets[0]!, {});
    expect(await again.next()).toMatchObject({ type: 'error', code: 401 });
  });

  it('A-05 says that the connection was lost when the server dies in the middle, and connects again when asked', async () => {
    await page.getByRole('button', { name: 'Start listening' }).click();
    await page.locator('[data-interim]').waitFor({ timeout: 30_000 });
    await product.crash();
    await page.getByRole('alert').getByText('The connection was lost.').waitFor();
    await product.startAgain();
    await page.getByRole('button', { name: 'Connect again' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ timeout: 20_000 });
    await page.locator('[data-interim]').waitFor({ timeout: 30_000 });
    expect(await page.getByRole('button', { name: 'Connect again' }).count()).toBe(0);
  }, 120_000);
});

/** A file of 16-bit mono sound. */
function wav(samples: Buffer, sampleRateHz: number): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}
