import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDirectoryStore } from '../../../lib/store/directory-store';
import { createTestClock } from '../../support/clock';
import { recordLog } from '../../support/log';
import { wholeFile } from '../../support/whole-file';

let parent: string;
let directory: string;
beforeEach(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'patchbay-store-'));
  directory = path.join(parent, 'media');
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const clock = createTestClock();
const call = { signal: new AbortController().signal, log: recordLog() };
const modeOf = (file: string) => statSync(path.join(directory, file)).mode & 0o777;
const open = () => openDirectoryStore(directory, { clock, log: recordLog() });

describe('openDirectoryStore', () => {
  it('makes the directory, its folders and its files for this user alone', async () => {
    const store = await open();
    await store.put('videos/a.mp4', wholeFile(Readable.from([Buffer.from('a')])), { maxBytes: 1 }, call);
    expect([modeOf(''), modeOf('videos'), modeOf('videos/a.mp4')]).toEqual([0o700, 0o700, 0o600]);
  });

  it('shows a file under its key only when it is complete', async () => {
    const store = await open();
    const source = new Readable({ read() {} });
    source.push('first ');
    const putting = store.put('videos/a.mp4', wholeFile(source), { maxBytes: 100 }, call);
    await expect.poll(async () => (await readdir(path.join(directory, '.unfinished'))).length).toBe(1);
    expect(existsSync(path.join(directory, 'videos/a.mp4'))).toBe(false);
    source.push('last');
    source.push(null);
    expect(await putting).toEqual({ bytes: 10 });
    expect(await readdir(path.join(directory, '.unfinished'))).toEqual([]);
  });

  it('removes what a killed process left unfinished a day ago, and nothing that may still grow', async () => {
    const unfinished = path.join(directory, '.unfinished');
    await mkdir(unfinished, { recursive: true });
    for (const [name, hours] of [
      ['old', 25],
      ['recent', 23],
    ] as const) {
      await writeFile(path.join(unfinished, name), 'part');
      const written = new Date(clock.nowMs() - hours * 3_600_000);
      await utimes(path.join(unfinished, name), written, written);
    }
    const store = await open();
    expect(await readdir(unfinished)).toEqual(['recent']);
    const older = new Date(clock.nowMs() - 25 * 3_600_000);
    await utimes(path.join(unfinished, 'recent'), older, older);
    await store.tidy?.();
    expect(await readdir(unfinished)).toEqual([]);
  });
});
