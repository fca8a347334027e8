import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isWrittenWithin, takeFileLock } from '../../../lib/io/file-lock';
import { createTestClock } from '../../support/clock';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'file-lock-'));
  file = path.join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const age = (name: string, seconds: number) => utimes(name, new Date(), new Date(Date.now() - seconds * 1_000));
const take = (holder: string) =>
  takeFileLock({
    file,
    holder,
    isHeld: () => isWrittenWithin(file, 15_000),
    renewalIntervalMs: 4_000,
    clock: createTestClock(),
  });

it('is held by one process, which leaves nothing behind', async () => {
  const lock = await take('one');
  expect(await readFile(file, 'utf8')).toBe('one');
  expect(await take('other')).toBeUndefined();
  await lock?.release();
  expect(await readdir(folder)).toEqual([]);
});

it('goes to exactly one of many that find a dead holder at the same time', async () => {
  for (let round = 0; round < 20; round++) {
    await writeFile(file, 'dead');
    await age(file, 16);
    const locks = await Promise.all(Array.from({ length: 12 }, (_, index) => take(String(index))));
    expect(locks.filter((lock) => lock !== undefined)).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['lock']);
    for (const lock of locks) await lock?.release();
  }
});

it('waits ten seconds for a takeover whose process died in the middle of it', async () => {
  await writeFile(file, 'dead');
  await age(file, 16);
  await writeFile(`${file}.takeover`, 'dead');
  await age(`${file}.takeover`, 8);
  expect(await take('one')).toBeUndefined();
  await age(`${file}.takeover`, 12);
  expect(await take('one')).toBeDefined();
  expect(await readdir(folder)).toEqual(['lock']);
});
