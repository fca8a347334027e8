import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { wavFile } from '../../lib/io/wav';
import { launchBrowser } from './browser';
import { fillIn } from './console';
import { speakText } from './console-requests';
import { startProduct, type Product } from './product';

// The speech playground in a real browser, whose microphone plays a file that the product itself has synthesised.

export interface SpeechPage {
  readonly product: Product;
  /** The owner's page. */
  readonly page: Page;
  /** The URLs of all sockets that the page has opened. */
  readonly sockets: readonly string[];
  /** A separate page, prepared before its scripts run. */
  openPage(prepare: (page: Page) => Promise<unknown>): Promise<Page>;
  close(): Promise<void>;
}

export async function startSpeechPage(): Promise<SpeechPage> {
  const product = await startProduct('developer');
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-speech-'));
  const file = path.join(folder, 'microphone.wav');
  await writeFile(file, await spokenWav(product, 'I would like to walk in the park with my dog.'));
  const browser = await launchBrowser([
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-audio-capture=${file}`,
    '--autoplay-policy=no-user-gesture-required',
  ]);
  const context = await browser.newContext({ permissions: ['microphone'] });
  const page = await context.newPage();
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  const heading = (of: Page) => of.getByRole('heading', { name: 'Speech', exact: true, level: 1 });
  await page.goto(`${product.baseUrl}/console/speech`);
  await fillIn(page, product.firstRun.owner);
  await heading(page).waitFor();
  return {
    product,
    page,
    sockets,
    async openPage(prepare) {
      const own = await context.newPage();
      await prepare(own);
      await own.goto(`${product.baseUrl}/console/speech`);
      await heading(own).waitFor();
      return own;
    },
    async close() {
      await browser.close();
      await product.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A WAV file of 48 kHz for the microphone of a browser. */
export async function spokenWav(product: Product, input: string): Promise<Uint8Array> {
  const { audio } = await speakText(product, input, { format: 'pcm_48000' });
  // The browser loops the file; the pause ends the sentence.
  const padded = new Uint8Array(Buffer.concat([Buffer.alloc(48_000), audio, Buffer.alloc(192_000)]));
  return wavFile(new Int16Array(padded.buffer), 48_000);
}
