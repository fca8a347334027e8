import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { freePort } from '../support/child-server';
import { checkTypes, makeCodeDirectory, readPageCode, servePageCode } from '../support/page-code';
import { startSpeechPage, type SpeechPage } from '../support/page-speech';

// The longer scenarios of the speech playground: barge-in, files and formats, no microphone, silence, and a server that
// dies.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

let speech: SpeechPage;

describe.skipIf(skipReason)('the speech playground: longer scenarios', () => {
  beforeAll(async () => {
    speech = await startSpeechPage();
  }, 300_000);
  afterAll(async () => {
    await speech?.close();
  });

  it('speaks from the page, shows the latency, and the next text cuts it off', async () => {
    const { page } = speech;
    const cards = page.getByTestId('utterance');
    await page.getByRole('button', { name: 'Speak' }).click();
    await page
      .getByTestId('first-sound')
      .getByText(/^\d+ ms$|^\d\.\d s$/)
      .waitFor({ timeout: 20_000 });
    await page
      .getByLabel('Text', { exact: true })
      .fill('The second text, which is cancelled with the Escape key, is longer.');
    await page.getByLabel('Text', { exact: true }).press('Control+Enter');
    await cards.nth(1).getByText('Cut off by the next text').waitFor();
    expect(await cards.nth(1).getByTestId('cut-off').textContent()).toMatch(
      /^Heard \d+\.\d s of the \d+\.\d s that had arrived\.$/,
    );
    await cards.first().getByTestId('first-sound').waitFor({ timeout: 20_000 });
    await page.keyboard.press('Escape');
    await cards.first().getByText('Cancelled', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    // Both were charged when their first audio arrived.
    await expect.poll(() => page.getByTestId('charged').count(), { timeout: 20_000 }).toBe(2);
  }, 60_000);

  it('saves what was spoken as a WAV file, which the page transcribes faster than it was spoken', async () => {
    const { page } = speech;
    await page.getByLabel('Text', { exact: true }).fill('The boat is on the lake.');
    await page.getByRole('button', { name: 'Speak' }).click();
    const card = page.getByTestId('utterance').first();
    await card.getByText('Played').waitFor({ timeout: 20_000 });
    const downloading = page.waitForEvent('download');
    await card.getByRole('button', { name: 'Download WAV' }).click();
    const file = await (await downloading).path();
    const header = (await readFile(file)).subarray(0, 44);
    expect([header.toString('latin1', 0, 4), header.readUInt32LE(24)]).toEqual(['RIFF', 24_000]);

    await page.getByText('File', { exact: true }).click();
    await page
      .getByLabel('Choose a recording')
      .setInputFiles({ name: 'boat.wav', mimeType: 'audio/wav', buffer: await readFile(file) });
    await page.getByText('boat.wav').waitFor();
    await page.getByLabel('Pace').selectOption('4');
    await page.getByLabel('Encoding').selectOption('pcm_mulaw');
    await page.getByLabel('Sample rate').selectOption('8000');
    const askedAt = performance.now();
    await page.getByRole('button', { name: 'Transcribe the file' }).click();
    await page.getByTestId('totals').waitFor({ timeout: 60_000 });
    expect((await page.getByTestId('transcript').textContent())?.toLowerCase()).toMatch(/boat|lake/);
    const seconds = Number(/^(\d+\.\d) s/.exec((await page.getByTestId('totals').textContent()) ?? '')?.[1]);
    console.log(`A file of ${seconds} s was transcribed in ${Math.round(performance.now() - askedAt)} ms.`);
    expect(seconds).toBeGreaterThan(1);

    await page.getByText('Messages of the socket').first().click();
    const log = page.getByRole('region', { name: 'Messages of the transcription' });
    await log.getByText('"encoding":"pcm_mulaw"').waitFor();
    await log
      .getByText(/^\d+ binary frames, [\d,]+ bytes$/)
      .first()
      .waitFor();
    await log.getByText('"type":"done"').waitFor();
    await page.getByLabel('Encoding').selectOption('pcm_s16le');
    await page.getByLabel('Sample rate').selectOption('16000');
  }, 120_000);

  it('refuses a file without audio in a sentence', async () => {
    const { page } = speech;
    await page.getByRole('button', { name: 'Remove the file' }).click();
    await page
      .getByLabel('Choose a recording')
      .setInputFiles({ name: 'notes.txt', mimeType: 'audio/wav', buffer: Buffer.from('no sound') });
    await page.getByRole('alert').getByText('notes.txt has no audio that this browser can read.').waitFor();
    expect(await page.getByRole('button', { name: 'Transcribe the file' }).isDisabled()).toBe(true);
    await page.getByText('Microphone', { exact: true }).click();
  });

  it.each(['pcm_f32le_48000', 'pcm_mulaw_8000', 'pcm_alaw_8000'])('plays %s, and has its samples', async (format) => {
    const { page } = speech;
    await page.getByLabel('Format').selectOption(format);
    await page.getByLabel('Text', { exact: true }).fill('Hello.');
    await page.getByRole('button', { name: 'Speak' }).click();
    const card = page.getByTestId('utterance').first();
    await card.getByText(format).waitFor();
    await card.getByText('Played').waitFor({ timeout: 20_000 });
    const downloading = page.waitForEvent('download');
    await card.getByRole('button', { name: 'Download WAV' }).click();
    const file = await readFile(await (await downloading).path());
    const samples = new Int16Array(new Uint8Array(file.subarray(44)).buffer);
    const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    const level = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length) / 32_768;
    // Noise, as of a wrong law or byte order, is louder.
    expect([loudest > 1_000, level > 0.01, level < 0.3]).toEqual([true, true, true]);
  });

  it.each([
    {
      panel: 'speech to text',
      async use(own: Page) {
        await own.getByRole('button', { name: 'Listen' }).click();
        await own.getByText(/walk in the park|my dog/i).waitFor({ timeout: 60_000 });
        await own.getByRole('button', { name: 'Stop' }).click();
      },
    },
    {
      panel: 'text to speech',
      async use(own: Page) {
        await own.getByRole('button', { name: 'Speak' }).click();
        await own.getByText('played').waitFor({ timeout: 60_000 });
      },
    },
  ])(
    'the code of $panel for the browser runs as a page of its own server',
    async ({ panel, use }) => {
      const { page, product } = speech;
      await page.getByRole('button', { name: `View code: ${panel}` }).click();
      const samples = await readPageCode(page);
      expect(samples.map(({ language }) => language)).toEqual(['typescript', 'browser']);
      const [, sample] = samples;
      await page.keyboard.press('Escape');
      const folder = await makeCodeDirectory();
      expect(await checkTypes(samples, folder.directory)).toBe('');
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const code = { ...sample!, text: sample!.text.replaceAll('8080', String(port)) };
      const served = await servePageCode(code, folder.directory, { PATCHBAY_API_KEY: product.firstRun.keys.live }, url);
      try {
        const own = await page.context().newPage();
        await own.goto(url);
        await use(own);
        await own.close();
      } finally {
        await served.stop();
        await folder.dispose();
      }
    },
    120_000,
  );

  it.each([
    ['NotAllowedError', 'The microphone was not allowed.'],
    ['NotFoundError', 'No microphone was found.'],
  ])(
    'without a microphone (%s) says so, and still transcribes a sample recording',
    async (name, sentence) => {
      const own = await speech.openPage((page) =>
        page.addInitScript((error) => {
          navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('refused', error));
        }, name),
      );
      await own.getByRole('button', { name: 'Start listening' }).click();
      await own.getByRole('alert').getByText(sentence).waitFor();
      await own.getByRole('button', { name: 'Use a sample recording' }).click();
      const final = own.locator('[data-final]').first();
      await final.waitFor({ timeout: 60_000 });
      expect((await final.textContent())?.toLowerCase()).toMatch(/walk in the park|my dog/);
      await own.getByTestId('totals').waitFor({ timeout: 20_000 });
      expect(await own.getByRole('alert').allTextContents()).not.toContain(sentence);
      await own.close();
    },
    180_000,
  );

  it('says where browsers offer a microphone when this page has none', async () => {
    const own = await speech.openPage((page) =>
      page.addInitScript(() => Object.defineProperty(navigator, 'mediaDevices', { value: undefined })),
    );
    await own.getByRole('button', { name: 'Start listening' }).click();
    await own.getByRole('alert').getByText('Browsers offer the microphone only over https and on localhost.').waitFor();
    await own.getByRole('button', { name: 'Use a sample recording' }).waitFor();
    await own.close();
  }, 60_000);

  it('counts down from 45 seconds of silence, and stops counting at the next speech', async () => {
    const own = await speech.openPage((page) => page.clock.install());
    await own.getByRole('button', { name: 'Speak' }).click();
    await own.getByTestId('first-sound').first().waitFor({ timeout: 20_000 });
    await own.getByRole('button', { name: 'Cancel' }).click();
    await own.clock.fastForward(44_000);
    expect(await own.getByText('the connection closes in').count()).toBe(0);
    await own.clock.fastForward(3_000);
    await own.getByText(/the connection closes in 1\d s/).waitFor();
    await own.getByRole('button', { name: 'Speak' }).click();
    await own.getByTestId('first-sound').first().waitFor({ timeout: 20_000 });
    await own.clock.fastForward(1_000);
    await own.getByText('the connection closes in').waitFor({ state: 'detached' });
    await own.close();
  }, 180_000);

  it('says that the connection was lost when the server dies in the middle, and reconnects on request', async () => {
    await speech.page.getByRole('button', { name: 'Start listening' }).click();
    await speech.page.locator('[data-interim]').waitFor({ timeout: 60_000 });
    await speech.product.crash();
    await speech.page.getByRole('alert').getByText('The connection was lost.').waitFor();
    await speech.product.startAgain();
    await speech.page.getByRole('button', { name: 'Connect again' }).click();
    await speech.page.getByRole('button', { name: 'Stop' }).waitFor({ timeout: 20_000 });
    await speech.page.locator('[data-interim]').waitFor({ timeout: 60_000 });
    expect(await speech.page.getByRole('button', { name: 'Connect again' }).count()).toBe(0);
  }, 240_000);
});
