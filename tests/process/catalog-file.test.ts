import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FirstRun } from '../../lib/accounts/first-run-file';
import { fileOf, lantern } from '../lib/catalog/file-models';
import { freePort } from '../support/child-server';
import { makeBegunDataDir } from '../support/product';
import { projectRoot, SHORT_LIVED } from '../support/project';

// CATALOG_FILE as an operator uses it: the built product, which is started once and never again.

const MESSAGE = 'CATALOG_FILE has an error; the catalog before it stays in force';

let dataDir: string;
let folder: string;
let file: string;
let firstRun: FirstRun;
beforeAll(async () => {
  dataDir = await makeBegunDataDir();
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-catalog-'));
  file = path.join(folder, 'catalog.json');
  // Safe: the product has written it.
  firstRun = JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8')) as FirstRun;
}, 300_000);
afterAll(async () => {
  for (const directory of [dataDir, folder]) await rm(directory, { recursive: true, force: true });
});

function start(port: number) {
  const child = spawn(process.execPath, [...SHORT_LIVED, 'dist/main.cjs'], {
    cwd: projectRoot,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'info',
      CATALOG_FILE: file,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += String(chunk)));
  return { child, output, exited: once(child, 'close') };
}

/** Replaces the file, as an editor does. */
async function replace(text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

const priced = (usd: string) => fileOf({ ...lantern, price: { ...lantern.price, rates: [{ usd }] } });

describe('a start with CATALOG_FILE', () => {
  it('ends with every error of the file, and opens no database', { timeout: 120_000 }, async () => {
    await writeFile(file, fileOf({ ...lantern, price: { ...lantern.price, date: undefined } }, { id: 'lantern-9' }));
    const { output, exited } = start(await freePort());
    expect((await exited)[0]).toBe(1);
    expect(output.stderr).toMatch(
      /^The configuration has 2 errors:\n {2}- CATALOG_FILE .*catalog\.json: models\[0\]\.price\.date is missing\.\n {2}- CATALOG_FILE .*: models\[1\]\.id names no model of the catalog: "lantern-9"\. .*\n$/,
    );
  });

  describe('without errors', () => {
    let child: ChildProcess;
    let output: { stdout: string };
    let exited: Promise<unknown>;
    let baseUrl: string;
    beforeAll(async () => {
      await writeFile(file, priced('0.1'));
      const port = await freePort();
      baseUrl = `http://127.0.0.1:${port}`;
      ({ child, output, exited } = start(port));
      await vi.waitFor(() => expect(output.stdout).toContain('Patchbay is ready'), { timeout: 60_000 });
    }, 90_000);
    afterAll(async () => {
      child?.kill('SIGTERM');
      await exited;
    });

    async function ask(route: string, key: string, body?: object): Promise<Record<string, unknown>> {
      const response = await fetch(baseUrl + route, {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      // Safe: every answer of the API is a JSON object.
      return (await response.json()) as Record<string, unknown>;
    }
    const order = { model: 'lantern-t2v', prompt: 'a lantern', seconds: 2 };
    const submit = () => ask('/v1/videos', firstRun.keys.test, order);
    const total = async () => (await ask('/console/api/quotes?mode=test', firstRun.keys.live, order)).total;

    it('makes a video of the new model in test mode, at its price', { timeout: 90_000 }, async () => {
      const { id, cost } = await submit();
      expect(cost).toBe(0.2);
      await vi.waitFor(
        async () =>
          expect(await ask(`/v1/videos/${String(id)}`, firstRun.keys.test)).toMatchObject({
            status: 'completed',
            model: 'lantern-t2v',
            cost: 0.2,
          }),
        { timeout: 60_000, interval: 250 },
      );
    });

    it('quotes and sells at a changed price without a restart', { timeout: 60_000 }, async () => {
      expect(await total()).toBe('0.2');
      await replace(priced('0.35'));
      await vi.waitFor(async () => expect(await total()).toBe('0.7'), { timeout: 10_000, interval: 100 });
      expect(await submit()).toMatchObject({ cost: 0.7 });
      expect(await ask('/v1/models/lantern-t2v', firstRun.keys.test)).toMatchObject({
        video_pricing: { rates: [{ usd: '0.35' }] },
      });
    });

    it('logs the errors of a changed file and keeps the catalog before it', { timeout: 60_000 }, async () => {
      await replace(fileOf({ ...lantern, price: { ...lantern.price, rates: [{ usd: 0.5 }] } }, { id: 'lantern-9' }));
      const logged = () =>
        output.stdout
          .split('\n')
          .filter((line) => line.includes(MESSAGE))
          // Safe: a line of the log is a JSON object.
          .map((line) => JSON.parse(line) as { reason?: string });
      await vi.waitFor(() => expect(logged()).toHaveLength(2), { timeout: 10_000, interval: 100 });
      expect(logged().map(({ reason }) => reason)).toEqual([
        'models[0].price.rates[0].usd must be text; got 0.5.',
        expect.stringMatching(/^models\[1\]\.id names no model of the catalog: "lantern-9"\./),
      ]);
      expect(await total()).toBe('0.7');
      await replace(priced('0.5'));
      await vi.waitFor(async () => expect(await total()).toBe('1'), { timeout: 10_000, interval: 100 });
      expect(logged()).toHaveLength(2);
    });
  });
});
