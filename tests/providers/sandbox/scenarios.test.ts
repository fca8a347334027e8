import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import { isGatewayError } from '../../../lib/domain/errors';
import type { Json } from '../../../lib/domain/json';
import type { VideoStart } from '../../../lib/domain/video';
import { parseScenario } from '../../../lib/providers/sandbox/scenario';
import { makeCall, makeRunning, settle } from '../contract/video';
import { makeSandbox, makeStart } from './make-sandbox';
import type { TestSandbox } from './make-sandbox';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await makeSandbox();
});
afterEach(() => sandbox.close());

const call = () => makeCall(sandbox.log);
const start = (order: VideoStart) => sandbox.video.start(order, call());
const check = (receipt: Json) => sandbox.video.check(makeRunning(receipt), call());
const end = (receipt: Json) =>
  settle({ provider: sandbox.video, log: sandbox.log, pause: () => systemClock.sleep(20) }, receipt);

async function begin(scenario: string): Promise<Json> {
  return (await start(makeStart({}, scenario))).receipt;
}

async function outcomeOf(pending: Promise<unknown>): Promise<unknown> {
  return pending.then(
    () => 'resolved',
    (error: unknown) => (isGatewayError(error) ? error.extra.upstream : error),
  );
}

describe('scenario', () => {
  it('fail › is accepted, then fails', async () => {
    const receipt = await begin('fail');
    expect(await check(receipt)).toEqual({ status: 'in_progress', nextInMs: 1_000 });
    sandbox.clock.skip(1_000);
    expect(await check(receipt)).toMatchObject({ status: 'failed', code: 'generation_failed' });
  });

  it('moderated-input › fails at the first check; moderated-output › after a while, with another message', async () => {
    const input = await check(await begin('moderated-input'));
    const receipt = await begin('moderated-output');
    expect(await check(receipt)).toMatchObject({ status: 'in_progress' });
    sandbox.clock.skip(2_000);
    const output = await check(receipt);
    expect(input).toMatchObject({ status: 'failed', code: 'content_policy_violation' });
    expect(output).toMatchObject({ status: 'failed', code: 'content_policy_violation' });
    expect(output).not.toEqual(input);
  });

  it('slow:N › holds the finished video back for N seconds, even over a restart', async () => {
    const receipt = await begin('slow:45');
    await systemClock.sleep(400);
    expect(await check(receipt)).toEqual({ status: 'in_progress', nextInMs: 15_000 });
    sandbox.clock.skip(34_000);
    const progress = await check(receipt);
    // Checked again when it may end.
    const inMs = progress.status === 'in_progress' ? (progress.nextInMs ?? 0) : 0;
    expect(inMs).toBeLessThanOrEqual(10_600);
    sandbox.clock.skip(10_000);
    expect(await check(receipt)).toEqual({ status: 'in_progress', nextInMs: 1_000 });
    const other = await makeSandbox({ dataDir: sandbox.dataDir });
    other.clock.skip(46_000);
    expect(
      await settle({ provider: other.video, log: other.log, pause: () => systemClock.sleep(20) }, receipt),
    ).toMatchObject({ status: 'completed' });
    await other.close();
  });

  it('hang › never ends', async () => {
    const receipt = await begin('hang');
    sandbox.clock.skip(3_600_000);
    expect(await check(receipt)).toEqual({ status: 'in_progress', nextInMs: 15_000 });
  });

  it('nourl › success without a file is a failure', async () => {
    const receipt = await begin('nourl');
    sandbox.clock.skip(1_000);
    expect(await check(receipt)).toMatchObject({
      status: 'failed',
      code: 'generation_failed',
      message: expect.stringContaining('no file'),
    });
  });

  it('ratelimit:N › refuses the first N starts of a video without beginning it', async () => {
    const order = makeStart({}, 'ratelimit:2');
    const refused = { retry: 'later', started: 'no', retryAfterMs: expect.any(Number) };
    expect(await outcomeOf(start(order))).toEqual(refused);
    expect(await outcomeOf(start(order))).toEqual(refused);
    const { receipt } = await start(order);
    expect(await outcomeOf(start(makeStart({}, 'ratelimit:2')))).toEqual(refused);
    expect((await end(receipt)).status).toBe('completed');
  });

  it('poll500:N › refuses the first N checks', async () => {
    const receipt = await begin('poll500:2');
    expect(await outcomeOf(check(receipt))).toEqual({ retry: 'later', started: 'maybe' });
    expect(await outcomeOf(check(receipt))).toEqual({ retry: 'later', started: 'maybe' });
    expect(await outcomeOf(check(receipt))).toBe('resolved');
  });

  it('drop › the video is begun although the start was lost, and found at the retry', async () => {
    const order = makeStart({}, 'drop');
    expect(await outcomeOf(start(order))).toEqual({ retry: 'later', started: 'maybe' });
    const { receipt } = await start(order);
    expect((await end(receipt)).status).toBe('completed');
    const files = await readdir(path.join(sandbox.dataDir, 'videos', order.videoId));
    expect(files.filter((name) => name.endsWith('.mp4'))).toEqual(['video.mp4']);
  });

  it('expired › completes, and the file is gone', async () => {
    const done = await end(await begin('expired'));
    if (done.status !== 'completed') throw new Error(done.message);
    await expect(sandbox.video.open(done.video.file, undefined, call())).rejects.toMatchObject({
      code: 'video_expired',
    });
  });

  it('weird › an unknown status counts as in progress, twice', async () => {
    const receipt = await begin('weird');
    await systemClock.sleep(600);
    expect(await check(receipt)).toEqual({ status: 'in_progress', nextInMs: 1_000 });
    expect(await check(receipt)).toEqual({ status: 'in_progress', nextInMs: 1_000 });
    expect((await end(receipt)).status).toBe('completed');
    expect(sandbox.log.lines.filter((line) => line.level === 'warn')).toHaveLength(2);
  });

  it('an unknown word changes nothing', async () => {
    expect((await end(await begin('no-such-word'))).status).toBe('completed');
  });
});

describe('parseScenario', () => {
  it.each(['slow', 'slow:', 'slow:x', 'slow:-1', 'slow:1.5', 'fail:1', 'FAIL', '', 'ratelimit:9999999', '__proto__'])(
    'does not accept %j',
    (word) => {
      expect(parseScenario(word)).toBeUndefined();
    },
  );

  it('limits numbers to what a test can wait for', () => {
    expect(parseScenario('slow:999999')).toEqual({ kind: 'slow', seconds: 3_600 });
    expect(parseScenario('poll500:999999')).toEqual({ kind: 'poll500', times: 1_000 });
    expect(parseScenario('ratelimit:3')).toEqual({ kind: 'ratelimit', times: 3 });
  });
});
