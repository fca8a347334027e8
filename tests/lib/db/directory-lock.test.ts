import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DirectoryInUse, lockDirectory, waitForDirectoryLock } from '../../../lib/db/directory-lock';
import { bundleServer } from '../../support/bundle-server';
import { createTestClock } from '../../support/clock';
import { projectRoot } from '../../support/database';

let directory: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'patchbay-lock-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

/** Another process that locks the directories it is given. */
async function startOther() {
  const child = spawn(process.execPath, [bundleServer('tests/lib/db/lock-child.ts')], {
    cwd: projectRoot,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => String((await lines.next()).value);
  expect(await answer()).toBe('ready');
  return {
    child,
    lock(what: string) {
      child.stdin.write(`${what}\n`);
      return answer();
    },
  };
}

const lockFile = () => path.join(directory, 'database.lock');
const writeLock = (holder: object) =>
  writeFileSync(
    lockFile(),
    JSON.stringify({ token: 'other', pid: process.pid, host: hostname(), started: '', ...holder }),
  );
const makeOld = (file: string, ms: number) => {
  const then = new Date(Date.now() - ms);
  utimesSync(file, then, then);
};
const locks = async () => {
  try {
    await (await lockDirectory(directory)).release();
    return 'locked';
  } catch (error) {
    return error instanceof DirectoryInUse ? 'in use' : error;
  }
};

describe('lockDirectory', () => {
  it('makes the directory, and leaves nothing behind when it is released', async () => {
    const deep = path.join(directory, 'a', 'b');
    const lock = await lockDirectory(deep);
    expect(readdirSync(deep)).toEqual(['database.lock']);
    await lock.release();
    await lock.release();
    expect(readdirSync(deep)).toEqual([]);
  });

  it('refuses a second time in the same process, with a message that says what to do', async () => {
    const lock = await lockDirectory(directory);
    await expect(lockDirectory(directory)).rejects.toThrow(
      `${directory} is in use by process ${process.pid} on ${hostname()}. The embedded database takes one process: stop the other one, choose another DATA_DIR, or set DATABASE_URL.`,
    );
    await lock.release();
    expect(await locks()).toBe('locked');
  });

  it('refuses another process while the holder lives, and gives it the lock at once when the holder is killed', async () => {
    const [holder, other] = await Promise.all([startOther(), startOther()]);
    expect(await holder.lock(directory)).toBe('locked');
    expect(await other.lock(directory)).toContain(
      `${directory} is in use by process ${holder.child.pid} on ${hostname()}.`,
    );
    const gone = once(holder.child, 'exit');
    holder.child.kill('SIGKILL');
    await gone;
    expect(await other.lock(directory)).toBe('locked');
    expect(await locks()).toBe('in use');
  });

  it(
    'gives the lock of a dead holder to exactly one of several simultaneous processes',
    { timeout: 60_000 },
    async () => {
      const others = await Promise.all(Array.from({ length: 5 }, startOther));
      for (let round = 0; round < 40; round += 1) {
        const contested = path.join(directory, String(round));
        // Half of the rounds begin without any lock, half with that of a dead process.
        if (round % 2) {
          await (await lockDirectory(contested)).release();
          writeFileSync(
            path.join(contested, 'database.lock'),
            JSON.stringify({ token: 'dead', pid: 4_194_304, host: hostname(), started: '1' }),
          );
        }
        const answers = await Promise.all(others.map((other) => other.lock(contested)));
        expect(answers.filter((answer) => answer === 'locked')).toHaveLength(1);
        expect(answers.filter((answer) => answer.includes('is in use'))).toHaveLength(4);
      }
    },
  );

  it('takes over from a process whose pid was reused', async () => {
    writeLock({ started: '12345' });
    expect(await locks()).toBe('locked');
  });

  it('respects a holder on another host until its last renewal is 20 seconds old', async () => {
    writeLock({ host: 'another-machine', pid: 1 });
    expect(await locks()).toBe('in use');
    makeOld(lockFile(), 15_000);
    expect(await locks()).toBe('in use');
    makeOld(lockFile(), 25_000);
    expect(await locks()).toBe('locked');
  });

  it('renews its lock every five seconds', async () => {
    const clock = createTestClock();
    const lock = await lockDirectory(directory, clock);
    for (let renewal = 0; renewal < 3; renewal++) {
      makeOld(lockFile(), 60_000);
      await vi.waitFor(async () => {
        await clock.advance(5_000);
        expect(Date.now() - statSync(lockFile()).mtimeMs).toBeLessThan(30_000);
      });
    }
    await lock.release();
    expect(clock.pending()).toBe(0);
  });

  it('treats a lock that cannot be read as one that is being written, until it is old', async () => {
    writeFileSync(lockFile(), '');
    expect(await locks()).toBe('in use');
    makeOld(lockFile(), 25_000);
    expect(await locks()).toBe('locked');
  });

  it('does not wait for a process that died during a takeover', async () => {
    writeLock({ started: '12345' });
    writeFileSync(`${lockFile()}.takeover`, '');
    expect(await locks()).toBe('in use');
    makeOld(`${lockFile()}.takeover`, 15_000);
    expect(await locks()).toBe('locked');
  });

  it('does not remove the lock of another holder', async () => {
    const lock = await lockDirectory(directory);
    writeLock({ token: 'the next holder', host: 'another-machine' });
    await lock.release();
    expect(JSON.parse(readFileSync(lockFile(), 'utf8'))).toMatchObject({ token: 'the next holder' });
  });

  // Only Linux reports that a process has ended and is not yet collected.
  it.runIf(process.platform === 'linux')(
    'takes over from a killed process that its parent has not collected yet',
    async () => {
      // `exec` replaces the shell by a program that never collects its children.
      const parent = spawn(
        'sh',
        ['-c', `"$0" "$1" <&3 & echo $!; exec sleep 60`, process.execPath, bundleServer('tests/lib/db/lock-child.ts')],
        {
          cwd: projectRoot,
          stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
        },
      );
      children.push(parent);
      const lines = createInterface({ input: parent.stdout! })[Symbol.asyncIterator]();
      const pid = Number((await lines.next()).value);
      expect((await lines.next()).value).toBe('ready');
      (parent.stdio[3] as Writable).write(`${directory}\n`);
      expect((await lines.next()).value).toBe('locked');
      process.kill(pid, 'SIGKILL');
      // Its threads may end a moment after it.
      await expect.poll(locks, { timeout: 30_000 }).toBe('locked');
      expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
    },
  );
});

describe('waitForDirectoryLock', () => {
  it('waits for a process that is ending', async () => {
    const holder = await startOther();
    expect(await holder.lock(directory)).toBe('locked');
    const waiting = waitForDirectoryLock(directory);
    const early = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 300, 'still waiting'))]);
    expect(early).toBe('still waiting');
    holder.child.kill('SIGKILL');
    await (await waiting).release();
  });

  it('fails with the same message when the process continues', { timeout: 20_000 }, async () => {
    const lock = await lockDirectory(directory);
    await expect(waitForDirectoryLock(directory)).rejects.toThrow(`${directory} is in use by process ${process.pid}`);
    await lock.release();
  });

  it('waits until the last renewal of a process on another host is old', async () => {
    writeLock({ host: 'another-machine', pid: 1 });
    makeOld(lockFile(), 13_000);
    // Longer than the wait for a process on this host.
    await (await waitForDirectoryLock(directory)).release();
  });
});
