import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../support/browser';
import { freePort } from '../support/child-server';
import { projectRoot } from '../support/project';

// `npm run docs:pictures` takes the pictures of the README: the playground of the built product, with videos of its sandbox.

const SIZE = { width: 1280, height: 800 };
const WEBP_QUALITY = 82;
const PROMPTS = [
  'A lighthouse above a quiet sea, evening light',
  'Paper lanterns drifting over a river at night',
  'A sailing boat crossing the bay at dawn',
];

interface FirstRun {
  readonly owner: { readonly email: string; readonly password: string };
  readonly keys: { readonly test: string };
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-pictures-'));
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const server = spawn(process.execPath, ['dist/main.cjs'], {
    cwd: projectRoot,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      PORT: new URL(baseUrl).port,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(server, 'exit');
  try {
    await until(() =>
      fetch(`${baseUrl}/readyz`).then(
        (response) => response.ok,
        () => false,
      ),
    );
    // Safe: the first start writes it.
    const firstRun = JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8')) as FirstRun;
    for (const prompt of PROMPTS) await makeVideo(baseUrl, firstRun.keys.test, prompt);
    for (const [colorScheme, file] of [
      ['light', 'console.webp'],
      ['dark', 'console-dark.webp'],
    ] as const) {
      const picture = await takePicture(baseUrl, firstRun, colorScheme);
      await writeFile(path.join(projectRoot, 'docs/images', file), picture);
      console.log(`docs/images/${file}: ${Math.round(picture.length / 1024)} KB`);
    }
  } finally {
    server.kill('SIGTERM');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Submits a video and waits until it is completed. */
async function makeVideo(baseUrl: string, key: string, prompt: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'sandbox-t2v', prompt, seconds: 4, size: '1280x720' });
  const submitted = await fetch(`${baseUrl}/v1/videos`, { method: 'POST', headers, body });
  const { id } = (await submitted.json()) as { id: string }; // Safe: the response of a submission.
  await until(async () =>
    (await (await fetch(`${baseUrl}/v1/videos/${id}`, { headers })).text()).includes('completed'),
  );
}

async function takePicture(baseUrl: string, { owner }: FirstRun, colorScheme: 'light' | 'dark'): Promise<Buffer> {
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ viewport: SIZE, colorScheme });
    const page = await context.newPage();
    await page.goto(`${baseUrl}/console`);
    await page.getByLabel('E-mail').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((url) => !url.pathname.startsWith('/console/sign-in'));
    await page.goto(`${baseUrl}/console/playground?mode=test`);
    await showFrame(page);
    await page
      .locator('[data-field="prompt"] textarea')
      .fill('A paper boat crossing a pond at dawn, mist on the water');
    return await toWebp(await page.screenshot());
  } finally {
    await browser.close();
  }
}

/** Waits for the newest video on the stage and shows a frame from its middle. */
async function showFrame(page: Page): Promise<void> {
  await page.waitForFunction(
    () => (document.querySelector<HTMLVideoElement>('[data-player] video')?.readyState ?? 0) >= 2,
  );
  await page.evaluate(async () => {
    const video = document.querySelector<HTMLVideoElement>('[data-player] video');
    if (!video) return;
    const shown = new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }));
    video.pause();
    video.currentTime = video.duration / 2;
    await shown;
  });
  await page.waitForLoadState('networkidle');
}

async function toWebp(png: Buffer): Promise<Buffer> {
  const image = await loadImage(png);
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.encode('webp', WEBP_QUALITY);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 250));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
