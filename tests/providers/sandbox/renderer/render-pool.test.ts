import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import type { RenderTask } from '../../../../lib/providers/sandbox/renderer/task';
import { createRenderPool } from '../../../../lib/providers/sandbox/renderer/render-pool';
import { createTestClock } from '../../../support/clock';
import { makeOrder } from '../make-sandbox';

// Threads that answer, or do not, without rendering anything.
const answering = `const { parentPort } = require('node:worker_threads');
parentPort.on('message', (task) => parentPort.postMessage({ status: 'failed', code: 'generation_failed', message: String(task.media[0]?.bytes.byteLength) }));`;
const silent = `require('node:worker_threads').parentPort.on('message', () => {});`;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function make(source: string) {
  const clock = createTestClock();
  const exits: Promise<unknown>[] = [];
  const pool = createRenderPool({
    clock,
    startWorker: () => {
      const worker = new Worker(source, { eval: true });
      // The pool clears its own listeners, so the thread's end is watched from its port.
      exits.push(new Promise((resolve) => watchExit(worker, resolve)));
      return worker;
    },
  });
  closers.push(() => pool.close());
  return { pool, clock, exits };
}

function watchExit(worker: Worker, resolve: (value: unknown) => void): void {
  const timer = setInterval(() => {
    // A thread that has ended has no id.
    if (worker.threadId === -1) {
      clearInterval(timer);
      resolve(undefined);
    }
  }, 5);
}

const task = (change: Partial<RenderTask> = {}): RenderTask => ({
  order: makeOrder(),
  modelName: 'sandbox-t2v',
  media: [],
  outputPath: '',
  ...change,
});
const signal = new AbortController().signal;

describe('the pool of rendering threads', () => {
  it('ends a thread that has been idle for half a minute, and starts another when one is needed', async () => {
    const { pool, clock, exits } = make(answering);
    await pool.run(task(), signal);
    await clock.advance(29_000);
    await pool.run(task(), signal);
    expect(exits).toHaveLength(1);
    await clock.advance(30_000);
    await exits[0];
    await pool.run(task(), signal);
    expect(exits).toHaveLength(2);
  });

  it('ends a thread that has rendered more than a picture of 1080p, whose memory would stay', async () => {
    const { pool, exits } = make(answering);
    await pool.run(task({ order: makeOrder({ width: 3840, height: 2160 }) }), signal);
    await exits[0];
    await pool.run(task(), signal);
    expect(exits).toHaveLength(2);
  });

  it('rejects at once when it is told to stop, and the thread is gone', async () => {
    const { pool, exits } = make(silent);
    const stop = new AbortController();
    const pending = pool.run(task(), stop.signal);
    stop.abort();
    await expect(pending).rejects.toThrow();
    await exits[0];
  });

  it('gives up a rendering that never ends', async () => {
    const { pool, clock, exits } = make(silent);
    const pending = pool.run(task(), signal);
    const refused = expect(pending).rejects.toThrow('too long');
    await clock.advance(12 * 60_000);
    await refused;
    await exits[0];
  });

  it('hands large media over, and copies small ones and parts of a larger buffer', async () => {
    const { pool } = make(answering);
    const large = new Uint8Array(100_000);
    const small = new Uint8Array(100);
    const part = new Uint8Array(200_000).subarray(0, 100_000);
    for (const bytes of [large, small, part]) {
      const { byteLength } = bytes;
      const answer = await pool.run(
        task({ media: [{ role: 'first_frame', bytes, contentType: 'image/png' }] }),
        signal,
      );
      expect(answer).toMatchObject({ message: String(byteLength) });
    }
    expect([large.byteLength, small.byteLength, part.byteLength]).toEqual([0, 100, 100_000]);
  });

  it('close ends every thread, idle or at work', async () => {
    const { pool, exits } = make(silent);
    const pending = pool.run(task(), signal);
    const ended = expect(pending).rejects.toThrow();
    await pool.close();
    await ended;
    await Promise.all(exits);
  });
});
