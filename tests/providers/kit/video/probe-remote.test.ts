import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../lib/domain/clock';
import { upstreamFailed } from '../../../../lib/domain/errors';
import type { ByteRange, Content, ContentPart } from '../../../../lib/domain/files';
import { factsOfRemote, probeRemote, withFacts } from '../../../../lib/providers/kit/video/probe-remote';
import { createTestClock } from '../../../support/clock';
import { recordLog } from '../../../support/log';
import { probeHere } from '../../../support/probe';

/** 160 × 90, 12 frames a second, two seconds; its index comes first. */
const VIDEO = readFileSync(path.join(__dirname, '../../sandbox/fixtures/high-profile-2s.mp4'));
const MEGABYTE = 1024 * 1024;

function box(type: string, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUInt32BE(length, 0);
  bytes.write(type, 4, 'latin1');
  return bytes;
}

/** The first box of a file, and the rest. */
function split(file: Buffer): readonly [Buffer, Buffer] {
  const length = file.readUInt32BE(0);
  return [file.subarray(0, length), file.subarray(length)];
}
const [TYPE, REST] = split(VIDEO);

function makeFile(bytes: Buffer) {
  const parts: ByteRange[] = [];
  const open = async (part: ByteRange): Promise<Content> => {
    parts.push(part);
    const end = Math.min(part.end ?? Infinity, bytes.length - 1);
    const body = bytes.subarray(part.start, end + 1);
    return { status: 206, start: part.start, length: body.length, total: bytes.length, body: Readable.from([body]) };
  };
  return { open, parts };
}

const makeCall = (signal = new AbortController().signal) => ({ signal, log: recordLog() });

describe('probeRemote', () => {
  it('reads the facts of a short file with one request', async () => {
    const { open, parts } = makeFile(VIDEO);
    expect(await probeRemote(open, { probe: probeHere, clock: systemClock }, makeCall())).toMatchObject({
      width: 160,
      height: 90,
      fps: 12,
      durationSeconds: 2,
    });
    expect(parts).toHaveLength(1);
  });

  it('reads the index at the end of a large file, and little else', async () => {
    const { open, parts } = makeFile(Buffer.concat([TYPE, box('free', 50 * MEGABYTE), REST]));
    expect(await probeRemote(open, { probe: probeHere, clock: systemClock }, makeCall())).toMatchObject({
      width: 160,
      durationSeconds: 2,
    });
    expect(parts.length).toBeLessThanOrEqual(3);
  });

  it('reads at most 3 MB of a file whose index is scattered', async () => {
    const scattered = Array.from({ length: 40 }, () => box('free', 300 * 1024));
    const { open, parts } = makeFile(Buffer.concat([TYPE, ...scattered, REST]));
    expect(await probeRemote(open, { probe: probeHere, clock: systemClock }, makeCall())).toBeUndefined();
    expect(parts.length).toBeLessThanOrEqual(12);
  });

  it.each<[string, (part: ByteRange) => Promise<Content>]>([
    ['is damaged', makeFile(Buffer.concat([TYPE, Buffer.alloc(4_000, 1)])).open],
    [
      'cannot be opened',
      () => Promise.reject(upstreamFailed({ retry: 'later', started: 'maybe' }, 'no', 'upstream_content_unavailable')),
    ],
    ['has no known length', async () => ({ status: 206, start: 0, body: Readable.from([VIDEO]) })],
    ['comes whole', async () => ({ status: 200, start: 0, total: VIDEO.length, body: Readable.from([VIDEO]) })],
    [
      'breaks off',
      async () => ({
        status: 206,
        start: 0,
        total: VIDEO.length,
        body: new Readable({ read() {} }).destroy(new Error('cut')),
      }),
    ],
  ])('knows nothing of a file that %s', async (_title, open) => {
    expect(await probeRemote(open, { probe: probeHere, clock: systemClock }, makeCall())).toBeUndefined();
  });

  const silent = (_part: ByteRange, { signal }: { signal: AbortSignal }) =>
    new Promise<Content>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

  it('gives a silent source up after six seconds', async () => {
    const clock = createTestClock();
    const probing = probeRemote(silent, { probe: probeHere, clock }, makeCall());
    await clock.advance(6_000);
    expect(await probing).toBeUndefined();
    expect(clock.pending()).toBe(0);
  });

  it('rejects with the reason of the call if that is aborted', async () => {
    const stop = new AbortController();
    const probing = probeRemote(silent, { probe: probeHere, clock: systemClock }, makeCall(stop.signal));
    const reason = new Error('enough');
    stop.abort(reason);
    await expect(probing).rejects.toBe(reason);
  });
});

describe('factsOfRemote', () => {
  const call = { signal: new AbortController().signal, log: recordLog() };
  const deps = { probe: probeHere, clock: systemClock };

  it('has the facts that a finished video states', async () => {
    expect(await factsOfRemote(makeFile(VIDEO).open, deps, call)).toEqual({
      width: 160,
      height: 90,
      fps: 12,
      durationSeconds: 2,
    });
  });

  it('has none of a file that cannot be read', async () => {
    expect(await factsOfRemote(makeFile(Buffer.alloc(5_000)).open, deps, call)).toEqual({});
  });
});

describe('withFacts', () => {
  const call = { signal: new AbortController().signal, log: recordLog() };
  const opened: string[] = [];
  const files = {
    open(url: string, part: ContentPart) {
      opened.push(url);
      return makeFile(VIDEO).open(typeof part === 'object' ? part : { start: 0 });
    },
  };
  const deps = { files, probe: probeHere, clock: systemClock };

  it('adds what the file of a completed video says, and keeps the rest', async () => {
    const video = { file: { url: 'https://cdn.example/1.mp4' }, durationSeconds: 5, expiresAt: new Date(0) };
    const bill = { units: '3 credits' };
    expect(await withFacts({ status: 'completed', video, bill }, deps, call)).toEqual({
      status: 'completed',
      video: { ...video, width: 160, height: 90, fps: 12, durationSeconds: 2 },
      bill,
    });
    expect(new Set(opened)).toEqual(new Set(['https://cdn.example/1.mp4']));
  });

  it('opens nothing for a video that is not completed', async () => {
    opened.length = 0;
    expect(await withFacts({ status: 'in_progress' }, deps, call)).toEqual({ status: 'in_progress' });
    expect(opened).toEqual([]);
  });
});
