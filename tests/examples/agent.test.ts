import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { projectRoot } from '../support/project';
import { startProduct, type Product } from '../support/product';

// examples/agent, as its README says.

let product: Product;
beforeAll(async () => {
  product = await startProduct('developer');
});
afterAll(() => product?.stop());

it('makes a video with a tool, saves it, and reads the result', { timeout: 120_000 }, async ({ onTestFinished }) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-agent-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const tsx = path.join(projectRoot, 'node_modules/tsx/dist/cli.mjs');
  const agent = spawn(process.execPath, [tsx, path.join(projectRoot, 'examples/agent/agent.ts'), 'A paper boat'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      PATCHBAY: product.baseUrl,
      PATCHBAY_API_KEY: product.firstRun.keys.test,
    },
  });
  const [output, errors, [code]] = await Promise.all([text(agent.stdout), text(agent.stderr), once(agent, 'exit')]);
  expect(errors).toBe('');
  expect(code).toBe(0);
  expect(output).toContain('> make_video {"prompt":"A paper boat"}');
  const file = /< Saved as (video_\w+\.mp4)\./.exec(output)?.[1];
  expect(await readdir(folder)).toEqual([file]);
  const video = await readFile(path.join(folder, file ?? ''));
  expect(video.subarray(4, 8).toString()).toBe('ftyp');
  expect(output).toContain('Thank you for the result of the tool.');
});
