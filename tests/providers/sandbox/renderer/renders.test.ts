import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { createRenderThreads } from '../../../../lib/providers/sandbox/renderer/renders';
import type { RenderTask } from '../../../../lib/providers/sandbox/renderer/task';
import { createTestClock } from '../../../support/clock';
import { proofRuns } from '../../../support/proof-runs';
import { makeOrder, projectRoot } from '../make-sandbox';

/** A thread that answers with the length of its first image instead of rendering. */
const worker = `const { parentPort } = require('node:worker_threads');
parentPort.on('message', (task) => parentPort.postMessage({
  answer: { status: 'failed', code: 'generation_failed', message: String(task.media[0]?.bytes.byteLength) },
}));`;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function make() {
  const exits: Promise<unknown>[] = [];
  const threads = createRenderThreads({
    maxThreads: 1,
    clock: createTestClock(),
    startWorker: () => {
      const thread = new Worker(worker, { eval: true });
      exits.push(new Promise((resolve) => thread.once('exit', resolve)));
      return thread;
    },
  });
  closers.push(() => threads.close());
  return { threads, exits };
}

const task = (change: Partial<RenderTask> = {}): RenderTask => ({
  order: makeOrder(),
  modelName: 'sandbox-t2v',
  media: [],
  outputPath: '',
  ...change,
});
const { signal } = new AbortController();

it('replaces a thread that has rendered more than a picture of 1080p, whose memory would stay', async () => {
  const { threads, exits } = make();
  await threads.run(task({ order: makeOrder({ width: 3840, height: 2160 }) }), { signal });
  await exits[0];
  await threads.run(task(), { signal });
  expect(exits).toHaveLength(2);
});

it('transfers large media, and copies small ones and parts of a larger buffer', async () => {
  const { threads } = make();
  const large = new Uint8Array(100_000);
  const small = new Uint8Array(100);
  const part = new Uint8Array(200_000).subarray(0, 100_000);
  for (const bytes of [large, small, part]) {
    const { byteLength } = bytes;
    const media = [{ role: 'first_frame', bytes, contentType: 'image/png' }] as const;
    expect(await threads.run(task({ media }), { signal })).toMatchObject({ message: String(byteLength) });
  }
  expect([large.byteLength, small.byteLength, part.byteLength]).toEqual([0, 100, 100_000]);
});

const RENDERS = proofRuns(100, 40);

it(`uses no more memory after ${RENDERS} renders than after ten`, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'renders-'));
  closers.push(() => rm(folder, { recursive: true }));
  const script = fileURLToPath(new URL('../render-and-measure-child.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--require', 'tsx/cjs', script, folder, String(RENDERS)],
    {
      cwd: projectRoot,
    },
  );
  const bytes = stdout.trim().split('\n').map(Number);
  expect(bytes).toHaveLength(RENDERS);
  const maximum = (from: number, to: number) => Math.max(...bytes.slice(from, to));
  // Half a megabyte for each render would be too much. The collection of garbage varies by a tenth.
  expect(maximum(RENDERS - 10, RENDERS)).toBeLessThan(maximum(0, 10) * 1.25);
});
