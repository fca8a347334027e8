import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, whyNoBrowser } from '../support/browser';
import { freePort } from '../support/child-server';
import { spokenWav } from '../support/page-speech';
import { projectRoot } from '../support/project';
import { startProduct, type Product } from '../support/product';

// examples/voice-assistant, with a browser whose microphone repeats one sentence for as long as it is open: so it also
// speaks while the assistant does.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

let product: Product;
beforeAll(async () => {
  if (!skipReason) product = await startProduct('developer');
});
afterAll(() => product?.stop());

describe.skipIf(skipReason)('the voice assistant', () => {
  it(
    'answers what it hears, and falls silent when the user speaks',
    { timeout: 300_000 },
    async ({ onTestFinished }) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-assistant-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const microphone = path.join(folder, 'microphone.wav');
      await writeFile(microphone, await spokenWav(product, 'I would like to walk in the park with my dog.'));
      const port = await freePort();
      const tsx = path.join(projectRoot, 'node_modules/tsx/dist/cli.mjs');
      const server = spawn(process.execPath, [tsx, path.join(projectRoot, 'examples/voice-assistant/server.ts')], {
        env: {
          PATH: process.env.PATH,
          NODE_ENV: 'production',
          PORT: String(port),
          PATCHBAY: product.baseUrl,
          PATCHBAY_API_KEY: product.firstRun.keys.test,
          PATCHBAY_LIVE_KEY: product.firstRun.keys.live,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void server.kill());
      await once(server.stdout, 'data');
      const browser = await launchBrowser([
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        `--use-file-for-fake-audio-capture=${microphone}`,
      ]);
      onTestFinished(() => browser.close());
      const page = await (await browser.newContext({ permissions: ['microphone'] })).newPage();
      await page.goto(`http://127.0.0.1:${port}`);
      await page.getByRole('button', { name: 'Start' }).click();

      const conversation = page.getByRole('list', { name: 'Conversation' });
      await conversation
        .locator('[data-who="You"]')
        .first()
        .filter({ hasText: /park|dog/i })
        .waitFor({ timeout: 90_000 });
      // Not necessarily the first: the microphone repeats its file, which may cut an answer off before it has a text.
      const answers = conversation.locator('[data-who="Assistant"]').filter({ hasText: 'This is the sandbox' });
      await answers.first().waitFor({ timeout: 90_000 });
      await conversation.locator('[data-state="cut off"]').first().waitFor({ timeout: 90_000 });
      // The conversation goes on with what was heard.
      await conversation.locator('[data-who="You"]').nth(1).waitFor({ timeout: 90_000 });
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByRole('status').filter({ hasText: 'The conversation has ended.' }).waitFor({ timeout: 90_000 });
      // It can be started again.
      await page.getByRole('button', { name: 'Start' }).click();
      await page.getByRole('button', { name: 'Stop' }).waitFor({ timeout: 90_000 });
      expect(await page.content()).not.toContain(product.firstRun.keys.live);
    },
  );
});
