import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewayError, videoExpired } from '../../../lib/domain/errors';
import type { VideoJson } from '../../../lib/contract/videos';
import { chaosFile, completed, completedUntil } from '../../support/chaos-provider';
import { startS3Server } from '../../support/s3-server';
import { makeAcme, type Acme } from './make-acme';

// With MEDIA_STORE, a video whose file its provider deletes is copied before it is completed.

/** The check comes after five seconds, with jitter. */
const FIRST_CHECK_MS = 7_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const KEEP_SECONDS = 30 * 24 * 3_600;

let directory: string;
let acme: Acme;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'patchbay-archive-'));
  acme = await makeAcme({ env: { MEDIA_STORE: directory } });
});
afterEach(async () => {
  await acme.close();
  await rm(directory, { recursive: true, force: true });
});

const fileOf = (id: string) => path.join(directory, 'videos', `${id}.mp4`);
const inHours = (hours: number) => new Date(acme.clock.nowMs() + hours * HOUR_MS);
const webhook = 'https://receiver.example.com/';

/** Submits a video that the provider keeps for some hours, and lets it run. */
async function run(hours = 1): Promise<{ readonly id: string; read(): Promise<VideoJson> }> {
  const expiresAt = inHours(hours);
  acme.alpha.onCheck = async () => completedUntil(expiresAt, 'https://cdn.example.com/file.mp4');
  const { id } = await acme.submit(acme.live, { model: 'alpha/acme-t2v', webhook });
  await acme.settle();
  await acme.pass(FIRST_CHECK_MS);
  return { id, read: () => acme.read(acme.live, id) };
}

/** Lets the housekeeping of the gateway run. */
async function clean(): Promise<void> {
  await acme.db.query('delete from chores');
  await acme.pass(2 * MINUTE_MS);
}

async function download(id: string): Promise<Buffer> {
  const { body } = await acme.gateway.videos.open(acme.live, id, () => undefined, new AbortController().signal);
  return buffer(body);
}

describe('a video whose provider deletes its file', () => {
  it('at a time that is no date is copied all the same', async () => {
    acme.alpha.onCheck = async () => completedUntil(new Date(Number.NaN));
    const { id } = await acme.submit(acme.live, { model: 'alpha/acme-t2v' });
    await acme.settle();
    await acme.pass(FIRST_CHECK_MS);
    expect(await acme.read(acme.live, id)).toMatchObject({ status: 'completed' });
    expect(await readFile(fileOf(id))).toEqual(chaosFile);
  });

  it('is copied, and then completed with our own link for 30 days', async () => {
    const { id, read } = await run();
    const video = await read();
    expect(video).toMatchObject({ status: 'completed', cost: 0.5, width: 1280, duration_seconds: 5 });
    expect(video.expires_at).toBe(Number(video.completed_at) + KEEP_SECONDS);
    expect(video.video_url).toContain(`/v1/videos/${id}/content?expires=`);
    expect((await readFile(fileOf(id))).equals(chaosFile)).toBe(true);
  });

  it('is read from the archive, and no more from the provider', async () => {
    const { id } = await run();
    expect(acme.alpha.calls.opens).toHaveLength(1);
    await acme.pass(48 * HOUR_MS);
    expect((await download(id)).equals(chaosFile)).toBe(true);
    const part = await acme.gateway.videos.open(acme.live, id, () => ({ start: -5 }), new AbortController().signal);
    expect([part.status, (await buffer(part.body)).length]).toEqual([206, 5]);
    expect(acme.alpha.calls.opens).toHaveLength(1);
  });

  it('answers HEAD and 304 without opening the archive or the provider', async () => {
    const { id } = await run();
    await rm(directory, { recursive: true });
    const signal = new AbortController().signal;
    const head = await acme.gateway.videos.open(acme.live, id, () => 'head', signal);
    expect([head.status, head.length, await buffer(head.body)]).toEqual([200, chaosFile.length, Buffer.alloc(0)]);
    expect((await acme.gateway.videos.open(acme.live, id, () => 'unchanged', signal)).status).toBe(304);
    expect(acme.alpha.calls.opens).toHaveLength(1);
  });

  it('is in progress while it is copied, without a charge or a webhook, and cannot be cancelled', async () => {
    let release = () => {};
    acme.alpha.onOpen = () => new Promise((resolve) => (release = resolve));
    const expiresAt = inHours(1);
    acme.alpha.onCheck = async () => completedUntil(expiresAt);
    const { id } = await acme.submit(acme.live, { model: 'alpha/acme-t2v', webhook });
    await acme.settle();
    const passing = acme.pass(FIRST_CHECK_MS);
    await expect.poll(() => acme.alpha.calls.opens.length).toBe(1);
    expect(await acme.read(acme.live, id)).toMatchObject({ status: 'in_progress', progress: 0 });
    expect(await acme.count('webhook_deliveries')).toBe(0);
    await expect(acme.gateway.videos.cancel(acme.live, id)).rejects.toMatchObject({ code: 'cancel_not_supported' });
    release();
    await passing;
    expect(await acme.read(acme.live, id)).toMatchObject({ status: 'completed' });
    expect(await acme.count('webhook_deliveries')).toBe(1);
  });

  it('is copied again after a failure, with growing pauses', async () => {
    let failures = 0;
    acme.alpha.onOpen = async () => {
      failures += 1;
      if (failures <= 4) throw new Error('The connection was cut.');
    };
    acme.alpha.onRefresh = async () => {
      throw videoExpired();
    };
    const { id, read } = await run();
    expect(failures).toBe(1);
    for (const pauseMs of [10_000, 20_000, 40_000, 80_000]) {
      const before = failures;
      await acme.pass(pauseMs * 0.5);
      expect([failures, (await read()).status]).toEqual([before, 'in_progress']);
      await acme.pass(pauseMs * 0.75);
      expect(failures).toBe(before + 1);
    }
    expect(await read()).toMatchObject({ status: 'completed' });
    expect(existsSync(fileOf(id))).toBe(true);
    expect(await acme.count('webhook_deliveries')).toBe(1);
  });

  it('gets a new link from its provider, once, if the link is over', async () => {
    acme.alpha.onOpen = async (file) => {
      if (JSON.stringify(file) !== '{"link":2}') throw videoExpired();
    };
    acme.alpha.onRefresh = async () => ({ link: 2 });
    const { id, read } = await run();
    expect(await read()).toMatchObject({ status: 'completed' });
    expect(acme.alpha.calls.opens).toEqual([{ kept: 'here' }, { link: 2 }]);
    expect(existsSync(fileOf(id))).toBe(true);
  });

  it.each([
    ['its link is over', 0.1, 0.1 * HOUR_MS],
    ['it is as late as its generation took', 48, 15 * MINUTE_MS + 10_000],
  ])('is completed with the file of its provider when no copy succeeds until %s', async (_until, hours, waitMs) => {
    acme.alpha.onOpen = async () => {
      throw new Error('The connection was cut.');
    };
    const expiresAt = Math.floor(inHours(hours).getTime() / 1000);
    const { id, read } = await run(hours);
    await acme.pass(waitMs / 2);
    expect(await read()).toMatchObject({ status: 'in_progress' });
    for (let round = 0; round < 20; round += 1) await acme.pass(waitMs / 20);
    expect(await read()).toMatchObject({
      status: 'completed',
      cost: 0.5,
      video_url: 'https://cdn.example.com/file.mp4',
      expires_at: expiresAt,
    });
    expect(await readdir(directory, { recursive: true })).toEqual(['.unfinished']);
    expect(acme.log.lines).toContainEqual({
      level: 'error',
      message: 'a video was completed without a copy of its file in the archive',
      fields: { videoId: id, provider: 'alpha' },
    });
    expect(await acme.count('webhook_deliveries')).toBe(1);
  });

  it('is completed with the file of its provider at once if that is too large for the archive', async () => {
    acme.alpha.onOpen = async () => {
      throw new GatewayError('media_too_large', 'The file is larger than 5368709120 bytes.');
    };
    const { read } = await run();
    expect(await read()).toMatchObject({ status: 'completed', video_url: 'https://cdn.example.com/file.mp4' });
  });

  it('keeps its copy when another process, which has copied it at the same time, gives up', async () => {
    let cut = (_error: Error) => {};
    acme.alpha.onOpen = async () => {
      if (acme.alpha.calls.opens.length === 1) await new Promise((_resolve, reject) => (cut = reject));
    };
    acme.alpha.onRefresh = async () => {
      throw videoExpired();
    };
    const expiresAt = inHours(0.1);
    acme.alpha.onCheck = async () => completedUntil(expiresAt);
    const { id } = await acme.submit(acme.live, { model: 'alpha/acme-t2v' });
    await acme.settle();
    const passing = acme.pass(FIRST_CHECK_MS);
    await expect.poll(() => acme.alpha.calls.opens.length).toBe(1);
    // The lease has expired, so the job is run again.
    await acme.db.query(`update jobs set leased_until = null, due_at = now() where kind = 'video.archive'`);
    const status = async () => (await acme.read(acme.live, id)).status;
    while ((await status()) !== 'completed') await acme.clock.advance(1_000);
    await acme.clock.advance(0.1 * HOUR_MS);
    cut(new Error('The connection was cut.'));
    await passing;
    await acme.settle();
    expect((await download(id)).equals(chaosFile)).toBe(true);
  });

  it('can be copied to a bucket', async () => {
    const { close, keys, location } = await startS3Server();
    const bucket = await makeAcme({
      env: {
        MEDIA_STORE: `s3://${location.bucket}/media?endpoint=${location.endpoint}`,
        MEDIA_STORE_ACCESS_KEY_ID: location.credentials.accessKeyId,
        MEDIA_STORE_SECRET_ACCESS_KEY: location.credentials.secretAccessKey,
      },
    });
    const expiresAt = new Date(bucket.clock.nowMs() + HOUR_MS);
    bucket.alpha.onCheck = async () => completedUntil(expiresAt);
    const { id } = await bucket.submit(bucket.live, { model: 'alpha/acme-t2v' });
    await bucket.settle();
    await bucket.pass(FIRST_CHECK_MS);
    await expect.poll(async () => (await bucket.read(bucket.live, id)).status).toBe('completed');
    expect(await keys()).toEqual([`media/videos/${id}.mp4`]);
    const { body } = await bucket.gateway.videos.open(
      bucket.live,
      id,
      () => ({ start: 4, end: 7 }),
      new AbortController().signal,
    );
    expect((await buffer(body)).toString()).toBe('ftyp');
    await bucket.gateway.videos.remove(bucket.live, id);
    expect(await keys()).toEqual([]);
    await bucket.close();
    await close();
  });

  it('loses its file in the archive when it is deleted', async () => {
    const { id } = await run();
    await acme.gateway.videos.remove(acme.live, id);
    expect(existsSync(fileOf(id))).toBe(false);
  });

  it('loses its file in the archive after 30 days', async () => {
    const { id } = await run();
    await acme.pass(29 * 24 * HOUR_MS);
    expect(existsSync(fileOf(id))).toBe(true);
    await acme.pass(25 * HOUR_MS);
    await expect(download(id)).rejects.toMatchObject({ code: 'video_expired' });
    await clean();
    await expect.poll(() => existsSync(fileOf(id))).toBe(false);
  });

  it('is copied although its job was lost', async () => {
    let isCut = true;
    acme.alpha.onOpen = async () => {
      if (isCut) throw new Error('The connection was cut.');
    };
    const { read } = await run();
    await acme.db.query(`delete from jobs where kind = 'video.archive'`);
    isCut = false;
    await clean();
    await expect.poll(async () => (await read()).status).toBe('completed');
  });
});

describe('a video that is not copied', () => {
  it('is one that its provider keeps on this machine', async () => {
    acme.alpha.onCheck = async () => completed;
    const { id } = await acme.submit(acme.live, { model: 'alpha/acme-t2v' });
    await acme.settle();
    await acme.pass(FIRST_CHECK_MS);
    expect(await acme.read(acme.live, id)).toMatchObject({ status: 'completed' });
    expect(acme.alpha.calls.opens).toEqual([]);
  });

  it('is every video without MEDIA_STORE', async () => {
    const plain = await makeAcme();
    const expiresAt = new Date(plain.clock.nowMs() + HOUR_MS);
    plain.alpha.onCheck = async () => completedUntil(expiresAt, 'https://cdn.example.com/file.mp4');
    const { id } = await plain.submit(plain.live, { model: 'alpha/acme-t2v' });
    await plain.settle();
    await plain.pass(FIRST_CHECK_MS);
    expect(await plain.read(plain.live, id)).toMatchObject({
      status: 'completed',
      video_url: 'https://cdn.example.com/file.mp4',
      expires_at: Math.floor(expiresAt.getTime() / 1000),
    });
    expect(plain.alpha.calls.opens).toEqual([]);
    await plain.close();
  });
});
