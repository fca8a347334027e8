import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildClient } from '../../server/build-client';
import { sharedBrowser, whyNoBrowser } from '../support/browser';
import { freePort } from '../support/child-server';
import { projectRoot } from '../support/project';
import { startProduct, type Product } from '../support/product';

// examples/video-page, with the client installed next to it.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

let product: Product;
let folder: string;
beforeAll(async () => {
  if (skipReason) return;
  product = await startProduct('developer', { OUTBOUND_ALLOW: '127.0.0.0/8' });
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-page-'));
  await cp(path.join(projectRoot, 'examples/video-page'), folder, { recursive: true });
  await mkdir(path.join(folder, 'node_modules'));
  await symlink(path.join(projectRoot, 'node_modules/tsx'), path.join(folder, 'node_modules/tsx'));
  await buildClient(path.join(folder, 'node_modules/@patchbay/client'));
});
afterAll(async () => {
  await product?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

describe.skipIf(skipReason)('the page that makes videos', () => {
  it(
    'plays the video as soon as the webhook says that it is there',
    { timeout: 120_000 },
    async ({ onTestFinished }) => {
      const port = await freePort();
      const server = spawn(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'server.ts'], {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          NODE_ENV: 'production',
          PORT: String(port),
          PATCHBAY: product.baseUrl,
          PATCHBAY_API_KEY: product.firstRun.keys.test,
          WEBHOOK_SECRET: product.firstRun.webhook_secret,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void server.kill());
      await once(server.stdout, 'data');
      const context = await (await sharedBrowser()).newContext();
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${port}`);
      await page.getByRole('button', { name: 'Make it' }).click();
      await page.getByRole('status').filter({ hasText: 'In progress' }).waitFor();
      await page.getByRole('status').filter({ hasText: 'Completed' }).waitFor({ timeout: 90_000 });
      const length = () => page.locator('video').evaluate((video: HTMLVideoElement) => video.duration);
      await expect.poll(length, { timeout: 30_000 }).toBeGreaterThan(0);

      await page.getByLabel('Prompt').fill('[[fail]]');
      await page.getByRole('button', { name: 'Make it' }).click();
      await page
        .getByRole('status')
        .filter({ hasNotText: /Submitting|In progress|Completed/ })
        .waitFor({ timeout: 60_000 });

      const forged = await fetch(`http://127.0.0.1:${port}/webhook`, { method: 'POST', body: '{"id":"video_1"}' });
      expect(forged.status).toBe(400);
    },
  );
});
