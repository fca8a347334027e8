import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { createWorkerPool, type WorkerPoolOptions } from '../../../lib/io/worker-pool';
import { createTestClock } from '../../support/clock';

/** Answers with its task and the number of tasks so far. Some tasks have a special meaning. */
const worker = `const { parentPort } = require('node:worker_threads');
let tasks = 0;
parentPort.on('message', (task) => {
  tasks += 1;
  if (task === 'never') return;
  if (task === 'endless loop') for (;;);
  if (task === 'throw') throw new Error('out of memory');
  if (task === 'exit') process.exit(7);
  if (task === 'fail') return parentPort.postMessage({ failure: 'The task failed.' });
  if (task.flag) return Atomics.wait(task.flag, 0, 0), parentPort.postMessage({ answer: 'flag' });
  parentPort.postMessage({ answer: task.bytes ? task.bytes.byteLength : task + ' ' + tasks });
});`;

type Task = string | { readonly flag: Int32Array } | { readonly bytes: Uint8Array<ArrayBuffer> };
type Answer = string | number;

const signal = new AbortController().signal;
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function make(change: Partial<WorkerPoolOptions<Task>> = {}) {
  const clock = createTestClock();
  /** For each thread that was started, the promise of its end. */
  const exits: Promise<unknown>[] = [];
  const pool = createWorkerPool<Task, Answer>({
    source: 'not used here',
    maxThreads: 1,
    idleTimeoutMs: 30_000,
    taskTimeoutMs: 60_000,
    clock,
    startWorker: () => {
      const thread = new Worker(worker, { eval: true });
      exits.push(new Promise((resolve) => thread.once('exit', resolve)));
      return thread;
    },
    ...change,
  });
  closers.push(() => pool.close());
  return { pool, clock, exits };
}

/** A task that runs until `release`; `started` resolves once it runs on the only thread. */
function blocker() {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  return {
    task: { flag },
    release: () => {
      Atomics.store(flag, 0, 1);
      Atomics.notify(flag, 0);
    },
  };
}

describe('a thread of the pool', () => {
  it('takes one task after another', async () => {
    const { pool, exits } = make();
    const answers = await Promise.all(['a', 'b', 'c'].map((task) => pool.run(task, { signal })));
    expect(answers).toEqual(['a 1', 'b 2', 'c 3']);
    expect(exits).toHaveLength(1);
  });

  it('is joined by others up to the maximum while tasks wait', async () => {
    const { pool, exits } = make({ maxThreads: 2 });
    const [first, second] = [blocker(), blocker()];
    const running = [first, second].map(({ task }) => pool.run(task, { signal }));
    const waiting = pool.run('c', { signal });
    expect([exits.length, pool.waiting()]).toEqual([2, 1]);
    first.release();
    expect(await waiting).toBe('c 2');
    second.release();
    expect(await Promise.all(running)).toEqual(['flag', 'flag']);
  });

  it('ends after the idle timeout, and another starts when one is needed', async () => {
    const { pool, clock, exits } = make();
    await pool.run('a', { signal });
    await clock.advance(29_000);
    await pool.run('b', { signal });
    expect(exits).toHaveLength(1);
    await clock.advance(30_000);
    await exits[0];
    expect(await pool.run('c', { signal })).toBe('c 1');
    expect(exits).toHaveLength(2);
  });

  it('is replaced after its last task', async () => {
    const { pool, exits } = make({ isLastTask: (task) => task === 'large' });
    expect(await pool.run('large', { signal })).toBe('large 1');
    await exits[0];
    expect(await pool.run('a', { signal })).toBe('a 1');
    expect(exits).toHaveLength(2);
  });

  it('is replaced after the maximum number of tasks', async () => {
    const { pool } = make({ maxTasksPerThread: 2 });
    const answers = await Promise.all(['a', 'b', 'c'].map((task) => pool.run(task, { signal })));
    expect(answers).toEqual(['a 1', 'b 2', 'c 1']);
  });

  it('that crashes while it is idle is replaced', async () => {
    let thread: Worker | undefined;
    const { pool } = make({ startWorker: () => (thread = new Worker(worker, { eval: true })) });
    await pool.run('a', { signal });
    await thread?.terminate();
    expect(await pool.run('b', { signal })).toBe('b 1');
  });

  it('can be started before the first task, and is started once', async () => {
    const { pool, exits } = make();
    pool.start();
    pool.start();
    expect(await pool.run('a', { signal })).toBe('a 1');
    expect(exits).toHaveLength(1);
  });

  it('is warm after its first answer', async () => {
    const { pool } = make();
    await pool.warmUp('a', { signal });
    await pool.warmUp('b', { signal });
    expect(await pool.run('c', { signal })).toBe('c 2');
  });
});

describe('a task', () => {
  it('that is urgent overtakes those that wait', async () => {
    const { pool } = make();
    const first = blocker();
    const order: Answer[] = [];
    const tasks = [
      pool.run(first.task, { signal }),
      pool.run('a', { signal }).then((answer) => order.push(answer)),
      pool.run('b', { signal, urgent: true }).then((answer) => order.push(answer)),
    ];
    first.release();
    await Promise.all(tasks);
    expect(order).toEqual(['b 2', 'a 3']);
  });

  it.each([
    ['throw', 'out of memory'],
    ['exit', 'A worker thread ended.'],
    ['fail', 'The task failed.'],
  ])('that ends its thread (%s) fails alone', async (task, message) => {
    const { pool, exits } = make();
    const failing = expect(pool.run(task, { signal })).rejects.toThrow(message);
    expect(await pool.run('next', { signal })).toBe('next 1');
    await failing;
    await exits[0];
    expect(exits).toHaveLength(2);
  });

  it.each(['never', 'endless loop'])('that does not end (%s) fails after the timeout', async (task) => {
    const { pool, clock, exits } = make();
    const failing = expect(pool.run(task, { signal })).rejects.toThrow('too long');
    await clock.advance(60_000);
    await failing;
    await exits[0];
  });

  it('hands over the buffers of its transfer list and copies the others', async () => {
    const transferList = (task: Task) =>
      typeof task === 'object' && 'bytes' in task && task.bytes.byteLength > 500 ? [task.bytes.buffer] : [];
    const { pool } = make({ transferList });
    const [large, small] = [new Uint8Array(1_000), new Uint8Array(100)];
    expect(await pool.run({ bytes: large }, { signal })).toBe(1_000);
    expect(await pool.run({ bytes: small }, { signal })).toBe(100);
    expect([large.byteLength, small.byteLength]).toEqual([0, 100]);
  });
});

describe('an abort', () => {
  it('before the task starts nothing', async () => {
    const { pool, exits } = make();
    await expect(pool.run('a', { signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow('left');
    expect(exits).toHaveLength(0);
  });

  it.each(['end-thread', 'drop-answer'] as const)('of a waiting task removes it (%s)', async (onAbort) => {
    const { pool, exits } = make({ onAbort });
    const first = blocker();
    const leaving = new AbortController();
    const running = pool.run(first.task, { signal });
    const waiting = pool.run('a', { signal: leaving.signal });
    leaving.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    expect(pool.waiting()).toBe(0);
    first.release();
    await running;
    expect(await pool.run('b', { signal })).toBe('b 2');
    expect(exits).toHaveLength(1);
  });

  it('of a running task ends its thread before it rejects', async () => {
    const { pool, exits } = make({ onAbort: 'end-thread' });
    const leaving = new AbortController();
    let hasEnded = false;
    const pending = pool.run('endless loop', { signal: leaving.signal });
    void exits[0]?.then(() => (hasEnded = true));
    leaving.abort(new Error('left'));
    await expect(pending).rejects.toThrow('left');
    expect(hasEnded).toBe(true);
    expect(await pool.run('a', { signal })).toBe('a 1');
  });

  it('of a running task keeps its thread if only the answer is dropped', async () => {
    const { pool, exits } = make({ onAbort: 'drop-answer' });
    const first = blocker();
    const leaving = new AbortController();
    const pending = pool.run(first.task, { signal: leaving.signal });
    leaving.abort(new Error('left'));
    await expect(pending).rejects.toThrow('left');
    const next = pool.run('a', { signal });
    expect(pool.waiting()).toBe(1);
    first.release();
    expect(await next).toBe('a 2');
    expect(exits).toHaveLength(1);
  });
});

describe('close', () => {
  it('ends every thread, idle or busy, and rejects every task', async () => {
    const { pool, exits } = make({ maxThreads: 2 });
    await pool.run('a', { signal });
    const tasks = ['endless loop', 'never', 'waiting'].map((task) => pool.run(task, { signal }));
    const rejected = Promise.allSettled(tasks);
    await pool.close();
    expect((await rejected).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await Promise.all(exits);
    expect(exits).toHaveLength(2);
    await expect(pool.run('b', { signal })).rejects.toThrow('closed');
  });
});
