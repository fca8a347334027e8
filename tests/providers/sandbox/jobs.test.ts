import { once } from 'node:events';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { constants, getPriority } from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import type { Json } from '../../../lib/domain/json';
import { GatewayError } from '../../../lib/domain/errors';
import type { VideoProgress, VideoStart } from '../../../lib/domain/video';
import { MAX_WAITING } from '../../../lib/providers/sandbox/renderer/render-queue';
import { providerFailureOf } from '../../../lib/routing/try-routes';
import { makeCall, makeRunning, readBody, settle } from '../contract/video';
import { startWorker } from '../../support/workers';
import { makeSandbox, makeStart, projectRoot } from './make-sandbox';
import type { TestSandbox } from './make-sandbox';

const open: TestSandbox[] = [];
afterEach(async () => {
  for (const sandbox of open.splice(0).reverse()) await sandbox.close();
});

async function make(change?: Parameters<typeof makeSandbox>[0]): Promise<TestSandbox> {
  const sandbox = await makeSandbox(change);
  open.push(sandbox);
  return sandbox;
}

const start = (sandbox: TestSandbox, order: VideoStart) => sandbox.video.start(order, makeCall(sandbox.log));
const check = (sandbox: TestSandbox, receipt: Json) => sandbox.video.check(makeRunning(receipt), makeCall(sandbox.log));
const cancel = (sandbox: TestSandbox, receipt: Json) =>
  sandbox.video.cancel?.(makeRunning(receipt), makeCall(sandbox.log));
const end = (sandbox: TestSandbox, receipt: Json) =>
  settle({ provider: sandbox.video, log: sandbox.log, pause: () => systemClock.sleep(20) }, receipt);
const folderOf = (sandbox: TestSandbox, order: VideoStart) => path.join(sandbox.dataDir, 'videos', order.videoId);

/** Below the time limit of a test, so that the error can name what is missing; only a hanging test reaches it. */
const UNTIL_TIMEOUT_MS = 120_000;

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const startedMs = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedMs > UNTIL_TIMEOUT_MS) throw new Error(`This did not happen: ${what}`);
    await systemClock.sleep(10);
  }
}

/** The priorities of all threads of this process. */
async function priorities(): Promise<number[]> {
  const threads = await readdir('/proc/self/task');
  const stats = await Promise.all(threads.map((id) => readFile(`/proc/self/task/${id}/stat`, 'utf8').catch(() => '')));
  // The name of a thread is in parentheses and may contain spaces. A thread that has just ended has no file.
  return stats.filter((line) => line !== '').map((line) => Number(line.split(') ').at(-1)?.split(' ')[16]));
}

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );
/** Long enough for a test to act before it ends. */
const longOrder = () => makeStart({ seconds: 15, fps: 30, width: 1280, height: 720 });

describe('an organisation with as many waiting videos as the sandbox holds for it', () => {
  it('gets no other one, which is no failure of the sandbox, and others do', async () => {
    const sandbox = await make({ cores: 1 });
    const { owner } = makeStart();
    const refused = await (async () => {
      for (let n = 0; n <= MAX_WAITING; n += 1) await start(sandbox, { ...longOrder(), owner });
    })().catch((error: unknown) => error);
    expect(providerFailureOf(refused)?.kind).toBe('busy');
    expect(await check(sandbox, (await start(sandbox, longOrder())).receipt)).toMatchObject({ status: 'queued' });
  });
});

describe('a video that waits', () => {
  it('is queued while another is rendered, then rendered', async () => {
    const sandbox = await make({ cores: 1 });
    const first = await start(sandbox, makeStart({ seconds: 3, fps: 24, width: 640, height: 360 }));
    const second = await start(sandbox, makeStart());
    expect(await check(sandbox, first.receipt)).toMatchObject({ status: 'in_progress' });
    expect(await check(sandbox, second.receipt)).toMatchObject({ status: 'queued' });
    expect((await end(sandbox, second.receipt)).status).toBe('completed');
    expect((await check(sandbox, first.receipt)).status).toBe('completed');
  });

  it('is checked at its turn, at the latest after a minute', async () => {
    const sandbox = await make({ cores: 1 });
    await start(sandbox, longOrder());
    const inMs: unknown[] = [];
    for (let place = 1; place <= 14; place += 1) {
      const { receipt } = await start(sandbox, makeStart());
      inMs.push(await check(sandbox, receipt));
    }
    // No render has been measured yet, so each counts as five seconds.
    const expected = Array.from({ length: 14 }, (_, index) => Math.min((index + 1) * 5_000, 60_000));
    expect(inMs).toEqual(expected.map((nextInMs) => ({ status: 'queued', nextInMs })));
  });

  it('is rendered in the order of the starts, also by the next process', async () => {
    const before = await make({ cores: 1 });
    await start(before, longOrder());
    const [first, second] = [makeStart(), makeStart()];
    await start(before, first);
    before.clock.skip(1_000);
    await start(before, second);
    await before.stop();

    const next = await make({ dataDir: before.dataDir, cores: 1 });
    const changed = new Set<string>();
    next.video.onChange?.((videoId) => changed.add(videoId));
    const running = longOrder();
    const { receipt } = await start(next, running);
    for (const { videoId } of [second, first])
      expect(await check(next, { videoId })).toMatchObject({ status: 'queued' });
    await cancel(next, receipt);
    await end(next, { videoId: second.videoId });
    expect([...changed]).toEqual([running.videoId, first.videoId, second.videoId]);
  });

  it('is refused without being begun when a thousand wait already', async () => {
    const sandbox = await make({ cores: 1 });
    await start(sandbox, longOrder());
    await Promise.all(Array.from({ length: 1_000 }, () => start(sandbox, makeStart())));
    const order = makeStart();
    await expect(start(sandbox, order)).rejects.toMatchObject({
      code: 'concurrency_limit_exceeded',
      extra: { upstream: { retry: 'later', started: 'no' } },
    });
    expect(await exists(folderOf(sandbox, order))).toBe(false);
  });
});

describe('another process', () => {
  it('takes over when the rendering one is killed', async () => {
    const sandbox = await make();
    const order = makeStart({ seconds: 2, fps: 30, width: 1280, height: 720 });
    const child = spawn(
      process.execPath,
      ['--require', 'tsx/cjs', fileURLToPath(new URL('./render-and-wait.ts', import.meta.url)), sandbox.dataDir],
      { cwd: projectRoot, stdio: ['pipe', 'ignore', 'inherit'] },
    );
    const gone = once(child, 'exit');
    child.stdin.end(JSON.stringify({ videoId: order.videoId, order: order.order }));
    const lock = path.join(folderOf(sandbox, order), 'lock');
    await until('the child renders', () => exists(lock));
    child.kill('SIGKILL');
    await gone;
    const receipt = { videoId: order.videoId };
    expect(await exists(path.join(folderOf(sandbox, order), 'video.mp4'))).toBe(false);

    // The lock is fresh, so its holder counts as alive.
    expect(await check(sandbox, receipt)).toEqual({ status: 'in_progress', nextInMs: 15_000 });
    const aMinuteAgo = new Date(Date.now() - 60_000);
    await utimes(lock, aMinuteAgo, aMinuteAgo);
    expect(await end(sandbox, receipt)).toMatchObject({
      status: 'completed',
      video: { durationSeconds: 2, width: 1280 },
    });
    // Released just after the video becomes visible.
    await until('the lock is let go', async () => !(await exists(lock)));
  });

  it('is not needed while the lock is renewed: two renderers of one directory make one video', async () => {
    const one = await make();
    const other = await make({ dataDir: one.dataDir });
    const order = makeStart({ seconds: 2, fps: 24, width: 640, height: 360 });
    const { receipt } = await start(one, order);
    await until('the first renders', () => exists(path.join(folderOf(one, order), 'lock')));
    expect((await start(other, order)).receipt).toEqual(receipt);
    expect(await check(other, receipt)).toMatchObject({ status: 'in_progress' });
    expect((await end(other, receipt)).status).toBe('completed');
    const rendered = (sandbox: TestSandbox) =>
      sandbox.log.lines.filter((line) => line.message === 'sandbox video rendered').length;
    await until('the first has noted it', async () => rendered(one) === 1);
    expect(rendered(other)).toBe(0);
  });

  it('renders again a video that was decided but never stored', async () => {
    const sandbox = await make();
    const order = makeStart();
    const { receipt } = await start(sandbox, order);
    await end(sandbox, receipt);
    const folder = folderOf(sandbox, order);
    // Its renderer cleans up after the video becomes visible.
    await until('the renderer is done', async () => !(await exists(path.join(folder, 'lock'))));
    // As after a kill between the last two steps.
    const { rendered: _rendered, ...job } = JSON.parse(await readFile(path.join(folder, 'finished.json'), 'utf8'));
    await writeFile(path.join(folder, 'finished.json'), JSON.stringify(job));
    await writeFile(path.join(folder, 'order.json'), JSON.stringify(order.order));
    await rm(path.join(folder, 'video.mp4'));
    expect((await check(sandbox, receipt)).status).not.toBe('completed');
    expect((await end(sandbox, receipt)).status).toBe('completed');
  });

  it('measures a video whose facts were never stored', async () => {
    const sandbox = await make();
    const order = makeStart({ seconds: 2 });
    const { receipt } = await start(sandbox, order);
    await end(sandbox, receipt);
    await until('the renderer is done', async () => !(await exists(path.join(folderOf(sandbox, order), 'lock'))));
    const noted = path.join(folderOf(sandbox, order), 'finished.json');
    const { rendered: _rendered, ...job } = JSON.parse(await readFile(noted, 'utf8'));
    await writeFile(noted, JSON.stringify(job));
    expect(await check(sandbox, receipt)).toMatchObject({
      status: 'completed',
      video: { durationSeconds: 2, fps: 8, width: 320, height: 180 },
    });
  });

  it('retries later for a video that it does not know', async () => {
    const sandbox = await make();
    await expect(check(sandbox, { videoId: makeStart().videoId })).rejects.toMatchObject({
      extra: { upstream: { retry: 'later', started: 'maybe' } },
    });
  });
});

describe('a video of another machine', () => {
  it('is not answered for here: check, open, cancel and remove say where it is', async () => {
    const [here, there] = [await make(), await make()];
    const order = makeStart();
    const { receipt } = await start(there, order);
    const done = await end(there, receipt);
    if (done.status !== 'completed') throw new Error(done.message);
    const elsewhere = { code: 'video_on_other_machine', extra: { upstream: { retry: 'later', retryAfterMs: 2_000 } } };
    const call = makeCall(here.log);
    await expect(check(here, receipt)).rejects.toMatchObject(elsewhere);
    await expect(cancel(here, receipt)).rejects.toMatchObject(elsewhere);
    await expect(here.video.open(done.video.file, undefined, call)).rejects.toMatchObject(elsewhere);
    await expect(here.video.remove?.(done.video.file, call)).rejects.toMatchObject(elsewhere);
    expect((await readBody(await there.video.open(done.video.file, undefined, call))).length).toBeGreaterThan(1_000);
  });

  it('with the same DATA_DIR is a video of this machine', async () => {
    const there = await make();
    const here = await make({ dataDir: there.dataDir });
    const done = await end(there, (await start(there, makeStart())).receipt);
    if (done.status !== 'completed') throw new Error(done.message);
    const content = await here.video.open(done.video.file, undefined, makeCall(here.log));
    expect((await readBody(content)).length).toBe(content.length);
  });
});

describe('onChange', () => {
  it('announces the begin and the end of a rendering when a check can see them', async () => {
    const sandbox = await make();
    const order = makeStart();
    const seen: Promise<VideoProgress>[] = [];
    sandbox.video.onChange?.((videoId) => seen.push(check(sandbox, { videoId })));
    await start(sandbox, order);
    await until('it has ended', async () => seen.length === 2);
    expect(await Promise.all(seen)).toMatchObject([{ status: 'in_progress' }, { status: 'completed' }]);
  });

  it('announces a rendering that fails', async () => {
    const url = 'https://media.test/refused';
    const sandbox = await make({ media: { [url]: new GatewayError('media_invalid', 'The image was refused.') } });
    const seen: Promise<VideoProgress>[] = [];
    sandbox.video.onChange?.((videoId) => seen.push(check(sandbox, { videoId })));
    await start(sandbox, makeStart({ kind: 'i2v', media: [{ role: 'first_frame', url }] }));
    await until('it has failed', async () => seen.length === 2);
    expect((await Promise.all(seen))[1]).toMatchObject({ status: 'failed', code: 'media_invalid' });
  });

  it('announces nothing to a listener that was removed, nor that a rendering was stopped', async () => {
    const sandbox = await make();
    const seen: string[] = [];
    const removed: string[] = [];
    sandbox.video.onChange?.((videoId) => seen.push(videoId));
    sandbox.video.onChange?.((videoId) => removed.push(videoId))();
    const order = longOrder();
    const { receipt } = await start(sandbox, order);
    await until('it renders', async () => seen.length === 1);
    await cancel(sandbox, receipt);
    await end(sandbox, (await start(sandbox, makeStart())).receipt);
    expect(seen.filter((videoId) => videoId === order.videoId)).toHaveLength(1);
    expect(removed).toEqual([]);
  });
});

describe('cancel', () => {
  it('stops a rendering: the video never appears', async () => {
    const sandbox = await make();
    const order = longOrder();
    const { receipt } = await start(sandbox, order);
    await until('it renders', () => exists(path.join(folderOf(sandbox, order), 'lock')));
    expect(await cancel(sandbox, receipt)).toBe('cancelled');
    expect(await readdir(folderOf(sandbox, order))).toEqual(['cancelled.json']);
    expect(await check(sandbox, receipt)).toMatchObject({ status: 'failed' });
    expect(await cancel(sandbox, receipt)).toBe('cancelled');
    // The thread is free for the next one.
    expect((await end(sandbox, (await start(sandbox, makeStart())).receipt)).status).toBe('completed');
  });

  it('stops a video that another process renders', async () => {
    const one = await make();
    const other = await make({ dataDir: one.dataDir });
    const order = makeStart({ seconds: 2, fps: 24, width: 640, height: 360 });
    const { receipt } = await start(one, order);
    await until('it renders', () => exists(path.join(folderOf(one, order), 'lock')));
    expect(await cancel(other, receipt)).toBe('cancelled');
    await until('the first lets go', async () => (await readdir(folderOf(one, order))).length === 1);
    expect(await readdir(folderOf(one, order))).toEqual(['cancelled.json']);
    expect(await check(one, receipt)).toMatchObject({ status: 'failed' });
  });

  it('has no effect on a completed and on a failed video', async () => {
    const sandbox = await make();
    const { receipt } = await start(sandbox, makeStart());
    await end(sandbox, receipt);
    expect(await cancel(sandbox, receipt)).toBe('too_late');
    const moderated = await start(sandbox, makeStart({}, 'moderated-input'));
    expect(await cancel(sandbox, moderated.receipt)).toBe('too_late');
  });

  it('withdraws a video that is rendered but held back', async () => {
    const sandbox = await make();
    const order = makeStart({}, 'slow:60');
    const { receipt } = await start(sandbox, order);
    await until('it is rendered', () => exists(path.join(folderOf(sandbox, order), 'video.mp4')));
    await until('it is noted', async () => !(await exists(path.join(folderOf(sandbox, order), 'lock'))));
    expect(await cancel(sandbox, receipt)).toBe('cancelled');
    expect(await exists(path.join(folderOf(sandbox, order), 'video.mp4'))).toBe(false);
  });
});

describe('the stored data', () => {
  it('the prompt and media of an order are removed when there is nothing left to render', async () => {
    const sandbox = await make();
    const order = makeStart({ prompt: 'canary in the order' });
    await end(sandbox, (await start(sandbox, order)).receipt);
    const folder = folderOf(sandbox, order);
    await until('the folder is tidy', async () => (await readdir(folder)).length === 2);
    expect((await readdir(folder)).sort()).toEqual(['finished.json', 'video.mp4']);
    expect(await readFile(path.join(folder, 'finished.json'), 'utf8')).not.toContain('canary');
  });

  it('a removed video leaves nothing, and its file has expired', async () => {
    const sandbox = await make();
    const order = makeStart();
    const done = await end(sandbox, (await start(sandbox, order)).receipt);
    if (done.status !== 'completed') throw new Error(done.message);
    await sandbox.video.remove?.(done.video.file, makeCall(sandbox.log));
    expect(await exists(folderOf(sandbox, order))).toBe(false);
    await expect(sandbox.video.open(done.video.file, undefined, makeCall(sandbox.log))).rejects.toMatchObject({
      code: 'video_expired',
    });
  });

  it('a file reference that is not the sandbox’s own opens nothing', async () => {
    const sandbox = await make();
    for (const file of [{ videoId: '../../etc/passwd' }, { videoId: 'video_1' }, 'video', null, [], {}]) {
      await expect(sandbox.video.open(file, undefined, makeCall(sandbox.log))).rejects.toThrow();
    }
  });

  it('a download streams: the reader decides how much is in memory', async () => {
    const sandbox = await make();
    const done = await end(
      sandbox,
      (await start(sandbox, makeStart({ width: 1280, height: 720, seconds: 2, audio: true }))).receipt,
    );
    if (done.status !== 'completed') throw new Error(done.message);
    const content = await sandbox.video.open(done.video.file, undefined, makeCall(sandbox.log));
    expect(content.body.readableHighWaterMark).toBeLessThanOrEqual(65_536);
    expect((await readBody(content)).length).toBe(content.length);
  });
});

describe('the rendering threads', () => {
  const { PRIORITY_BELOW_NORMAL: low } = constants.priority;
  // Elsewhere a priority is that of the whole process, and one that is low already stays as it is.
  const lowers = process.platform === 'linux' && getPriority() < low;
  if (!lowers)
    console.log(`The priority of renderings is not tested: this is ${process.platform} at ${getPriority()}.`);
  it.skipIf(!lowers)('render at a low priority, and all other threads keep theirs', async () => {
    const sandbox = await make({ cores: 1 });
    const { receipt } = await start(sandbox, longOrder());
    await until('the thread has begun', async () => (await priorities()).includes(low));
    expect((await priorities()).filter((priority) => priority !== getPriority())).toEqual([low]);
    await cancel(sandbox, receipt);
  });

  it('close ends a rendering at once, and the next process renders the video without waiting for the lock', async () => {
    const sandbox = await make();
    const order = makeStart({ seconds: 3, fps: 30, width: 1280, height: 720 });
    const { receipt } = await start(sandbox, order);
    const lock = path.join(folderOf(sandbox, order), 'lock');
    await until('it renders', () => exists(lock));
    const stopStartedMs = performance.now();
    await sandbox.stop();
    const stopMs = performance.now() - stopStartedMs;
    expect(await exists(lock)).toBe(false);
    expect(await exists(path.join(folderOf(sandbox, order), 'video.mp4'))).toBe(false);
    const renderStartedMs = performance.now();
    const next = await make({ dataDir: sandbox.dataDir });
    expect((await end(next, receipt)).status).toBe('completed');
    // Compared with the rendering on the same machine: an absolute limit would measure how busy the machine is.
    expect(stopMs).toBeLessThan(performance.now() - renderStartedMs);
  });

  it('a thread that ends is retried once, then the video fails', async () => {
    let started = 0;
    const sandbox = await make({
      startWorker: () => {
        started++;
        return new Worker('setTimeout(() => process.exit(7), 20)', { eval: true });
      },
    });
    const { receipt } = await start(sandbox, makeStart());
    expect(await end(sandbox, receipt)).toMatchObject({
      status: 'failed',
      code: 'generation_failed',
      message: expect.stringContaining('You were not charged.'),
    });
    expect(started).toBe(2);
  });

  it('a thread that fails once does not fail the video', async () => {
    let started = 0;
    const sandbox = await make({
      startWorker: (source, data) => {
        started++;
        return started === 1
          ? new Worker('throw new Error("out of memory")', { eval: true })
          : startWorker(source, data);
      },
    });
    expect((await end(sandbox, (await start(sandbox, makeStart())).receipt)).status).toBe('completed');
    expect(started).toBe(2);
  });

  it('one thread renders one video after another', async () => {
    let started = 0;
    const sandbox = await make({
      cores: 1,
      startWorker: (source, data) => {
        started++;
        return startWorker(source, data);
      },
    });
    const receipts = await Promise.all([1, 2, 3].map(async () => (await start(sandbox, makeStart())).receipt));
    for (const receipt of receipts) expect((await end(sandbox, receipt)).status).toBe('completed');
    expect(started).toBe(1);
  });
});
