import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import type { ContentPart, MediaStore, MediaStoreLocation } from '../../../lib/domain/files';
import { openMediaStore } from '../../../lib/store/open-store';
import { bundleServer } from '../../support/bundle-server';
import { recordLog } from '../../support/log';
import { wholeFile } from '../../support/whole-file';
import { projectRoot } from '../../support/project';
import { isFullRun, leftToGate } from '../../support/proof-runs';
import { patternFile, patternSource } from './pattern-source';
import { startS3Server, type S3Server } from '../../support/s3-server';

// What every archive does, proved for a directory and for a real S3 server.

const MiB = 1024 * 1024;
/** Larger than one part of a multipart upload. */
const large = randomBytes(12 * MiB);
const small = Buffer.from('0123456789');
const log = recordLog();
const call = { signal: new AbortController().signal, log };
const room = { maxBytes: 100 * MiB };

interface Backend {
  readonly location: MediaStoreLocation;
  /** Everything that exists in the archive: files and unfinished uploads. */
  contents(): Promise<string[]>;
  /** The bytes of the one put that is interrupted or running. */
  interruptedBytes(): Promise<number>;
  close(): Promise<void>;
}

async function directoryBackend(): Promise<Backend> {
  const directory = await mkdtemp(path.join(tmpdir(), 'patchbay-store-'));
  return {
    location: { kind: 'directory', directory },
    async contents() {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
        .sort();
    },
    async interruptedBytes() {
      const folder = path.join(directory, '.unfinished');
      const [draft] = await readdir(folder);
      return draft === undefined ? 0 : (await stat(path.join(folder, draft))).size;
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
}

async function s3Backend(): Promise<Backend> {
  const server: S3Server = await startS3Server();
  return {
    location: server.location,
    async contents() {
      const uploads = Array.from({ length: await server.openUploads() }, () => 'an unfinished upload');
      return [...(await server.keys()).map((key) => key.replace('patchbay/media/', '')), ...uploads];
    },
    async interruptedBytes() {
      const store = await openMediaStore(server.location, { clock: systemClock, log });
      const { body } = await store.open('unfinished/videos/killed.mp4.json', undefined, call);
      // Safe: the store wrote it.
      return (JSON.parse((await buffer(body)).toString()) as { parts: string[] }).parts.length * 5 * MiB;
    },
    close: server.close,
  };
}

/** The bytes in chunks of 64 KiB; `after` runs when this many bytes have been read. */
function streamOf(
  bytes: Buffer,
  after?: { readonly bytes: number; readonly run: (source: Readable) => void },
): Readable {
  let sent = 0;
  const source: Readable = new Readable({
    read() {
      if (after && sent >= after.bytes) return after.run(source);
      const chunk = bytes.subarray(sent, sent + 65_536);
      sent += chunk.length;
      this.push(chunk.length === 0 ? null : chunk);
    },
  });
  return source;
}

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.each([
  ['a directory', directoryBackend],
  ['a bucket', s3Backend],
])('%s', (_name, start) => {
  let backend: Backend;
  let store: MediaStore;
  beforeAll(async () => {
    backend = await start();
    store = await openMediaStore(backend.location, { clock: systemClock, log });
  });
  afterAll(() => backend.close());

  async function read(key: string, part?: ContentPart): Promise<object> {
    const { body, ...facts } = await store.open(key, part, call);
    return { ...facts, body: (await buffer(body)).toString() };
  }
  const put = (key: string, bytes: Buffer) => store.put(key, wholeFile(streamOf(bytes)), room, call);

  it('returns the whole file that was put, of any number of parts', async () => {
    expect(await put('videos/small.mp4', small)).toEqual({ bytes: 10 });
    expect(await read('videos/small.mp4')).toEqual({
      status: 200,
      length: 10,
      total: 10,
      start: 0,
      body: '0123456789',
    });
    expect(await put('videos/large.mp4', large)).toEqual({ bytes: large.length });
    const { body, length } = await store.open('videos/large.mp4', undefined, call);
    expect([length, hash(await buffer(body))]).toEqual([large.length, hash(large)]);
  });

  it.each([
    [{ start: 2, end: 5 }, 2, '2345'],
    [{ start: 9, end: 9 }, 9, '9'],
    [{ start: 6 }, 6, '6789'],
    [{ start: 8, end: 1_000 }, 8, '89'],
    [{ start: -3 }, 7, '789'],
    [{ start: -1_000 }, 0, '0123456789'],
  ])('returns the part %j', async (range, from, body) => {
    await put('videos/part.mp4', small);
    expect(await read('videos/part.mp4', range)).toEqual({
      status: 206,
      length: body.length,
      total: 10,
      start: from,
      body,
    });
  });

  it('answers a range that begins at the end or beyond with 416 and the length of the file', async () => {
    await put('videos/part.mp4', small);
    for (const start of [10, 1_000])
      expect(await read('videos/part.mp4', { start })).toEqual({
        status: 416,
        length: 0,
        total: 10,
        start: 0,
        body: '',
      });
  });

  it('answers head with the length and no bytes', async () => {
    await put('videos/part.mp4', small);
    expect(await read('videos/part.mp4', 'head')).toEqual({ status: 200, length: 10, total: 10, start: 0, body: '' });
  });

  it.each([[undefined], ['head'], [{ start: 1 }], [{ start: -1 }]] as [ContentPart][])(
    'rejects with video_expired for a missing file, read as %j',
    async (part) => {
      await expect(store.open('videos/missing.mp4', part, call)).rejects.toMatchObject({ code: 'video_expired' });
    },
  );

  it('removes a file, also one that is removed already', async () => {
    await put('videos/gone.mp4', small);
    await store.remove('videos/gone.mp4', call);
    await store.remove('videos/gone.mp4', call);
    await expect(store.open('videos/gone.mp4', undefined, call)).rejects.toMatchObject({ code: 'video_expired' });
    expect(await backend.contents()).not.toContain('videos/gone.mp4');
  });

  it('replaces a file that is put again', async () => {
    await put('videos/again.mp4', large);
    await put('videos/again.mp4', small);
    expect(await read('videos/again.mp4')).toMatchObject({ length: 10, body: '0123456789' });
  });

  it('has one whole file after two writers of one key', async () => {
    const other = randomBytes(7 * MiB);
    await Promise.all([put('videos/both.mp4', large), put('videos/both.mp4', other)]);
    const { body } = await store.open('videos/both.mp4', undefined, call);
    expect([hash(large), hash(other)]).toContain(hash(await buffer(body)));
  });

  it.each([
    ['in its first bytes', 5],
    ['after several parts', 11 * MiB],
  ])('refuses a file that exceeds its limit %s, and keeps what was there', async (_when, maxBytes) => {
    await put('videos/kept.mp4', small);
    const before = await backend.contents();
    const source = streamOf(large);
    await expect(store.put('videos/kept.mp4', wholeFile(source), { maxBytes }, call)).rejects.toMatchObject({
      code: 'media_too_large',
    });
    expect(source.destroyed).toBe(true);
    expect(await backend.contents()).toEqual(before);
    expect(await read('videos/kept.mp4')).toMatchObject({ body: '0123456789' });
  });

  it('takes a file of exactly its limit', async () => {
    expect(await store.put('videos/exact.mp4', wholeFile(streamOf(small)), { maxBytes: 10 }, call)).toEqual({
      bytes: 10,
    });
  });

  it.each([
    ['fails', (source: Readable) => void source.destroy(new Error('cut off')), { message: 'cut off' }],
    ['closes before its end', (source: Readable) => void source.destroy(), { code: 'ERR_STREAM_PREMATURE_CLOSE' }],
  ])('leaves nothing of a source that %s', async (_what, run, error) => {
    const before = await backend.contents();
    const source = streamOf(large, { bytes: 8 * MiB, run });
    await expect(store.put('videos/never.mp4', wholeFile(source), room, call)).rejects.toMatchObject(error);
    expect(await backend.contents()).toEqual(before);
  });

  it('stops when the call is aborted and leaves nothing', async () => {
    const before = await backend.contents();
    const leaving = new AbortController();
    // From 8 MiB on, the source is silent, as a connection that hangs.
    const source = streamOf(large, { bytes: 8 * MiB, run: () => leaving.abort() });
    await expect(
      store.put('videos/never.mp4', wholeFile(source), room, { ...call, signal: leaving.signal }),
    ).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(source.destroyed).toBe(true);
    expect(await backend.contents()).toEqual(before);
  });

  it('ends a download when the call is aborted', async () => {
    await put('videos/large.mp4', large);
    const leaving = new AbortController();
    const { body } = await store.open('videos/large.mp4', undefined, { ...call, signal: leaving.signal });
    body.once('data', () => leaving.abort());
    await expect(buffer(body)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it.each([
    '../outside.mp4',
    'videos/../../outside.mp4',
    '/etc/passwd',
    'videos//a',
    '.unfinished/a',
    'a%2Fb',
    '',
    'a\0',
  ])('takes no key that could lead elsewhere: %j', async (key) => {
    const refused = { message: 'A key of the archive has a name that is not allowed.' };
    await expect(store.put(key, wholeFile(streamOf(small)), room, call)).rejects.toMatchObject(refused);
    await expect(store.open(key, undefined, call)).rejects.toMatchObject(refused);
    await expect(store.remove(key, call)).rejects.toMatchObject(refused);
  });

  describe('a put after one that was interrupted', () => {
    const FILE_BYTES = 33 * MiB + 5;
    const CUT_AT = 26 * MiB;
    const file = patternFile(FILE_BYTES);
    const etag = '"one"';
    const cut = { at: CUT_AT, run: (stream: Readable) => void stream.destroy(new Error('cut off')) };

    async function interrupt(key: string, first = etag): Promise<void> {
      const { open } = patternSource(file, { etag: first, stop: cut });
      await expect(store.put(key, open, room, call)).rejects.toThrow('cut off');
    }
    const stored = async (key: string) => hash(await buffer((await store.open(key, undefined, call)).body));
    const leftOf = async (key: string, before: readonly string[]) =>
      (await backend.contents()).filter((name) => name !== key && !before.includes(name));

    it('continues where that one ended, and leaves nothing else', async () => {
      const before = await backend.contents();
      await interrupt('videos/cut.mp4');
      expect(await leftOf('videos/cut.mp4', before)).not.toEqual([]);
      const { open, starts } = patternSource(file, { etag });
      expect(await store.put('videos/cut.mp4', open, room, call)).toEqual({ bytes: FILE_BYTES });
      expect(starts).toHaveLength(1);
      expect(starts[0]).toBeGreaterThanOrEqual(20 * MiB);
      expect(await stored('videos/cut.mp4')).toBe(hash(file));
      expect(await leftOf('videos/cut.mp4', before)).toEqual([]);
    });

    it('continues also after kill -9', async () => {
      const before = await backend.contents();
      const args = [JSON.stringify(backend.location), String(FILE_BYTES), String(CUT_AT), etag];
      const child = spawn(process.execPath, [bundleServer('tests/lib/store/stalled-put-child.ts'), ...args], {
        cwd: projectRoot,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      // What the source gave before it stalled is on its way to the archive.
      await expect.poll(() => backend.interruptedBytes(), { timeout: 30_000 }).toBeGreaterThanOrEqual(20 * MiB);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const { open, starts } = patternSource(file, { etag });
      expect(await store.put('videos/killed.mp4', open, room, call)).toEqual({ bytes: FILE_BYTES });
      expect(starts).toHaveLength(1);
      expect(starts[0]).toBeGreaterThanOrEqual(20 * MiB);
      expect(await stored('videos/killed.mp4')).toBe(hash(file));
      expect(await leftOf('videos/killed.mp4', before)).toEqual([]);
    });

    it.each([
      ['the source has changed', { etag: '"two"' }],
      ['the source has only a weak tag', { etag: 'W/"one"' }],
      ['the source sends no parts', { etag, ignoresRanges: true }],
      ['the source refuses parts', { etag, refusesRanges: true }],
    ] as const)('begins again if %s', async (_why, options) => {
      const before = await backend.contents();
      await interrupt('videos/again.mp4');
      const other = Buffer.from(file).fill(7, 0, 1_000);
      const { open } = patternSource(other, options);
      expect(await store.put('videos/again.mp4', open, room, call)).toEqual({ bytes: FILE_BYTES });
      expect(await stored('videos/again.mp4')).toBe(hash(other));
      expect(await leftOf('videos/again.mp4', before)).toEqual([]);
    });

    it('counts what is stored already against the limit', async () => {
      const before = await backend.contents();
      await interrupt('videos/limit.mp4');
      const { open } = patternSource(file, { etag });
      const putting = store.put('videos/limit.mp4', open, { maxBytes: FILE_BYTES - 1 }, call);
      await expect(putting).rejects.toMatchObject({ code: 'media_too_large' });
      expect(await leftOf('videos/limit.mp4', before)).toEqual([]);
    });

    it('finds nothing after the key was removed', async () => {
      const before = await backend.contents();
      await interrupt('videos/gone.mp4');
      await store.remove('videos/gone.mp4', call);
      expect(await leftOf('videos/gone.mp4', before)).toEqual([]);
    });
  });

  // The server of the bucket takes ten seconds for it.
  it('needs the same memory for 300 MB as for 60 MB', leftToGate(start === s3Backend && !isFullRun()), async () => {
    const peak = async (bytes: number) => {
      const args = [bundleServer('tests/lib/store/put-child.ts'), JSON.stringify(backend.location), String(bytes)];
      return Number((await promisify(execFile)(process.execPath, args, { cwd: projectRoot })).stdout);
    };
    const [some, much] = [await peak(60e6), await peak(300e6)];
    // The additional 240 MB would be visible: they are more than the process needs in all.
    expect(much / some).toBeLessThan(1.5);
  });
});
