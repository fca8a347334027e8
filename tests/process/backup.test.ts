import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeCli, type Cli } from '../support/cli';
import { startProduct, type Product } from '../support/product';

// An operator loses the data of an installation, and gets it back from a backup.

let product: Product;
let cli: Cli;
beforeAll(async () => {
  product = await startProduct('viewer');
  cli = await makeCli({ DATA_DIR: product.dataDir });
});
afterAll(async () => {
  await product?.stop();
  await cli?.remove();
});

const json = (text: string) => JSON.parse(text) as Record<string, unknown>;

it('the embedded installation is backed up, destroyed and restored, with its keys, credits and videos', async () => {
  const env = { PATCHBAY_BASE_URL: product.baseUrl, PATCHBAY_API_KEY: product.firstRun.keys.test };
  const order = ['--model', 'sandbox-t2v', '--prompt', 'a boat', '--seconds', '1', '--size', '640x360'];
  const made = await cli.run(['video', 'create', ...order, '--wait', '--out', 'before.mp4', '--json'], { env });
  expect(made).toMatchObject({ code: 0 });
  const { id } = json(made.stdout);
  const credits = (await cli.run(['credits', '--json'], { env })).stdout;

  const refused = await cli.run(['backup', '--out', 'backup']);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('which only one process can open. Stop it'),
  ]);
  await product.crash();
  const written = await cli.run(['backup', '--out', 'backup']);
  expect(written).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('its books add up. It contains the secrets'),
  });

  await rm(product.dataDir, { recursive: true });
  const restored = await cli.run(['restore', 'backup']);
  expect(restored).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('its books add up, and its secrets can be read'),
  });
  const again = await cli.run(['restore', 'backup']);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('This installation is not empty.')]);
  const check = await cli.run(['upgrade', '--check', '--json']);
  expect(json(check.stdout)).toMatchObject({ data: [{ state: 'ok' }, { state: 'ok' }, { state: 'ok' }] });

  await product.startAgain();
  expect((await cli.run(['credits', '--json'], { env })).stdout).toBe(credits);
  expect(await cli.run(['video', 'download', String(id), '--out', 'after.mp4'], { env })).toMatchObject({ code: 0 });
  const [before, after] = await Promise.all(
    ['before.mp4', 'after.mp4'].map((name) => readFile(path.join(cli.directory, name))),
  );
  expect(after?.equals(before!)).toBe(true);
});

it.each([
  [['backup'], 'Name a new folder with --out.'],
  [['restore'], 'Name the folder of one backup.'],
  [['restore', 'nowhere'], 'nowhere is not a backup, or the backup was not finished: it has no manifest.json.'],
  [['upgrade'], '--check'],
])('%j says what is missing, and changes nothing', async (args, sentence) => {
  const { code, stdout, stderr } = await cli.run(args, { env: { DATA_DIR: path.join(cli.directory, 'new') } });
  expect([code, stdout, stderr]).toEqual([args.length === 1 ? 2 : 1, '', expect.stringContaining(sentence)]);
});
