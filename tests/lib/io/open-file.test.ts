import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFile, selectBytes } from '../../../lib/io/open-file';
import { recordLog } from '../../support/log';

describe('openFile', () => {
  let directory: string;
  let file: string;
  const call = { signal: new AbortController().signal, log: recordLog() };
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'patchbay-open-'));
    file = path.join(directory, 'digits');
    await writeFile(file, '0123456789');
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('streams a whole file, or the part that a range selects', async () => {
    const whole = await openFile(file, undefined, call);
    expect({ ...whole, body: (await buffer(whole.body)).toString() }).toEqual({
      status: 200,
      length: 10,
      total: 10,
      start: 0,
      body: '0123456789',
    });
    const part = await openFile(file, { start: -4 }, call);
    expect({ ...part, body: (await buffer(part.body)).toString() }).toEqual({
      status: 206,
      length: 4,
      total: 10,
      start: 6,
      body: '6789',
    });
  });

  it('answers head with the length and no bytes, and a range beyond the end with 416', async () => {
    const head = await openFile(file, 'head', call);
    expect([head.status, head.length, (await buffer(head.body)).length]).toEqual([200, 10, 0]);
    const beyond = await openFile(file, { start: 10 }, call);
    expect([beyond.status, beyond.total, (await buffer(beyond.body)).length]).toEqual([416, 10, 0]);
  });

  it('rejects with video_expired if there is no such file', async () => {
    await expect(openFile(path.join(directory, 'other'), undefined, call)).rejects.toMatchObject({
      code: 'video_expired',
    });
  });

  it('ends the body when the call is aborted', async () => {
    const leaving = new AbortController();
    const { body } = await openFile(file, undefined, { ...call, signal: leaving.signal });
    leaving.abort();
    await expect(buffer(body)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('selectBytes', () => {
  it('stays within the file for any range', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -2_000, max: 2_000 }),
        fc.option(fc.integer({ min: 0, max: 3_000 }), { nil: undefined }),
        fc.integer({ min: 0, max: 1_000 }),
        (start, end, total) => {
          const part = selectBytes(end === undefined ? { start } : { start, end }, total);
          if (part) expect(0 <= part.start && part.start <= part.end && part.end < total).toBe(true);
          else expect(total === 0 || start >= total || (end !== undefined && end < start)).toBe(true);
        },
      ),
    );
  });

  it.each([
    [
      { start: 0, end: 0 },
      { start: 0, end: 0 },
    ],
    [{ start: 5 }, { start: 5, end: 9 }],
    [
      { start: 5, end: 50 },
      { start: 5, end: 9 },
    ],
    [{ start: -3 }, { start: 7, end: 9 }],
    [{ start: -30 }, { start: 0, end: 9 }],
    [{ start: 10 }, undefined],
  ])('of ten bytes, %j means %j', (range, expected) => {
    expect(selectBytes(range, 10)).toEqual(expected);
  });
});
