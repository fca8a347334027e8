import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ByteRange, Content, ContentPart } from '../../../lib/domain/files';
import type { FileResponse } from '../../../lib/io/file-response';
import { openFile, rangeHeader } from '../../../lib/io/file-response';
import { createTestClock } from '../../support/clock';
import { mp4Bytes } from '../../support/media-bytes';
import { proofRuns } from '../../support/proof-runs';

const file = mp4Bytes(5_000).map((byte, at) => (at < 32 ? byte : (at * 7) % 251));

function* pieces(bytes: Uint8Array, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size));
}

function open(
  response: Omit<FileResponse, 'body'> & { body?: Readable },
  part: ContentPart,
  { signal = new AbortController().signal, clock = createTestClock() } = {},
): Promise<Content> {
  const body = response.body ?? Readable.from(pieces(file, 1_000));
  return openFile(async () => ({ ...response, body }), part, { clock, signal });
}

const whole = { status: 200, headers: { 'content-length': '5000' } };

describe('rangeHeader', () => {
  it.each<[ContentPart, string | undefined]>([
    [undefined, undefined],
    ['head', undefined],
    [{ start: 0, end: 0 }, 'bytes=0-0'],
    [{ start: 5 }, 'bytes=5-'],
    [{ start: -5 }, 'bytes=-5'],
  ])('of %j is %s', (part, range) => {
    expect(rangeHeader(part).range).toBe(range);
  });
});

describe('openFile', () => {
  const anyPart: fc.Arbitrary<ByteRange> = fc.oneof(
    fc.integer({ min: -6_000, max: -1 }).map((start) => ({ start })),
    fc.nat(6_000).map((start) => ({ start })),
    fc.tuple(fc.nat(6_000), fc.nat(2_000)).map(([start, more]) => ({ start, end: start + more })),
  );

  it('cuts any part out of a response that ignores the range, however it is split', async () => {
    await fc.assert(
      fc.asyncProperty(anyPart, fc.integer({ min: 1, max: 6_000 }), async (part, size) => {
        const content = await open({ ...whole, body: Readable.from(pieces(file, size)) }, part);
        const start = part.start < 0 ? Math.max(0, 5_000 + part.start) : part.start;
        const expected = file.subarray(start, part.end === undefined ? undefined : part.end + 1);
        if (start >= 5_000) expect(content).toMatchObject({ status: 416, total: 5_000 });
        else expect(content).toMatchObject({ status: 206, start, length: expected.length, total: 5_000 });
        expect(Buffer.compare(await buffer(content.body), expected)).toBe(0);
      }),
      { numRuns: proofRuns(1_000) },
    );
  });

  it('of a part with an unknown length of the file takes the place that the server states', async () => {
    const of = (range: string, part: ByteRange) => open({ status: 206, headers: { 'content-range': range } }, part);
    expect(await of('bytes 10-5009/*', { start: 10 })).toMatchObject({ status: 206, start: 10, length: 5_000 });
    expect(await of('bytes 7000-11999/*', { start: -5_000 })).toMatchObject({ start: 7_000, length: 5_000 });
    expect(await of('bytes 0-4999/*', { start: -6_000 })).toMatchObject({ start: 0, length: 5_000 });
    for (const [range, part] of [
      ['bytes 10-5009/*', { start: 11 }],
      ['bytes 10-5009/*', { start: 10, end: 5_008 }],
      ['bytes 10-5009/*', { start: -4_999 }],
      ['bytes 5009-10/*', { start: 5_009 }],
      ['bytes */5000', { start: 0 }],
    ] as const)
      await expect(of(range, part)).rejects.toMatchObject({ code: 'upstream_content_unavailable' });
  });

  it('delivers a part that has arrived, also if the response fails behind it before the consumer reads', async () => {
    const source = new Readable({ read() {} });
    source.push(file.subarray(0, 1_000));
    const { body } = await open({ ...whole, body: source }, { start: 0, end: 499 });
    source.destroy(new Error('The connection was reset.'));
    await new Promise((resolve) => setImmediate(resolve));
    expect((await buffer(body)).equals(file.subarray(0, 500))).toBe(true);
  });

  it('reads only as much as its consumer takes', async () => {
    let taken = 0;
    const source = new Readable({
      highWaterMark: 2_000,
      read() {
        taken += 1_000;
        this.push(file.subarray(0, 1_000));
      },
    });
    const { body } = await open({ status: 200, headers: { 'content-length': '1000000' }, body: source }, undefined);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(taken).toBeLessThanOrEqual(5_000);
    let received = 0;
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      received += (chunk as Buffer).length;
      if (received > 10_000) break;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(taken - received).toBeLessThanOrEqual(5_000);
    body.destroy();
    await expect.poll(() => source.destroyed).toBe(true);
  });

  it('can be waited for with `readable` and then piped', async () => {
    const { body } = await open(whole, undefined);
    await new Promise((resolve) => body.once('readable', resolve));
    expect(Buffer.compare(await buffer(body), file)).toBe(0);
  });

  it('counts silence only while its consumer waits', async () => {
    const clock = createTestClock();
    const source = new Readable({ read() {} });
    source.push(file.subarray(0, 1_000));
    const { body } = await open({ ...whole, body: source }, undefined, { clock });
    await clock.advance(300_000);
    expect(body.destroyed).toBe(false);
    const reading = buffer(body);
    reading.catch(() => {});
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(29_000);
    source.push(file.subarray(1_000, 2_000));
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(29_000);
    expect(body.destroyed).toBe(false);
    await clock.advance(2_000);
    await expect(reading).rejects.toMatchObject({ extra: { detail: 'The server sent nothing for 30000 ms.' } });
    expect([source.destroyed, clock.pending()]).toEqual([true, 0]);
  });

  it('destroys the body of a response that it refuses, and of one whose call was aborted before', async () => {
    const page = Readable.from(pieces(file, 1_000));
    await expect(open({ status: 500, headers: {}, body: page }, undefined)).rejects.toMatchObject({
      code: 'upstream_content_unavailable',
    });
    const late = Readable.from(pieces(file, 1_000));
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(open({ ...whole, body: late }, undefined, { signal })).rejects.toThrow('enough');
    expect([page.destroyed, late.destroyed]).toEqual([true, true]);
  });

  it('leaves no listener at the signal of the call', async () => {
    const { signal } = new AbortController();
    const { body } = await open(whole, undefined, { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await buffer(body);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
