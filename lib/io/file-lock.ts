import { randomBytes } from 'node:crypto';
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../domain/clock';

// A lock between processes: a file that only one of them can create. The holder writes it again at an interval, so that
// others see that it is alive; a process that was killed leaves the file behind, and another one takes it over. The
// caller decides when a holder counts as dead, because it depends on what is lost when two processes hold the lock.

export interface FileLock {
  /** Stops renewing and removes the file, unless it belongs to another holder by now. Safe to repeat. */
  release(): Promise<void>;
}

export interface FileLockOptions {
  readonly file: string;
  /** The content of the lock file. It must be different for every holder. */
  readonly holder: string;
  /**
   * Returns whether the holder of the file is alive; false if there is no file. Called again just before a takeover.
   */
  readonly isHeld: () => Promise<boolean>;
  readonly renewalIntervalMs: number;
  readonly clock: Clock;
  /** Called once, at a renewal, when another process has taken the lock or has removed the file. */
  readonly onLost?: () => void;
}

/** A takeover takes milliseconds, so an older guard file was left behind by a process that died. */
const GUARD_DEAD_AFTER_MS = 10_000;

/**
 * Takes the lock. Resolves with undefined if another holder is alive, or if another process is taking it over.
 */
export async function takeFileLock(options: FileLockOptions): Promise<FileLock | undefined> {
  const { file, holder, clock, renewalIntervalMs, onLost } = options;
  if (!(await create(file, holder)) && !(await takeOver(options))) return undefined;
  let isOurs = true;
  let renewing = Promise.resolve();
  let cancelTimer = () => {};

  function schedule(): void {
    cancelTimer = clock.after(renewalIntervalMs, () => {
      renewing = renewOnce();
    });
  }
  async function renewOnce(): Promise<void> {
    if (!isOurs) return;
    // A disk error does not mean that the lock is lost; the next renewal tries again.
    const isRenewed = await renew(file, holder).catch(() => true);
    if (!isOurs) return;
    if (isRenewed) return schedule();
    isOurs = false;
    onLost?.();
  }

  schedule();
  return {
    async release() {
      if (!isOurs) return;
      isOurs = false;
      cancelTimer();
      await renewing;
      // A file that cannot be read is left in place; the next holder takes over when it is old enough.
      if ((await readLock(file).catch(() => undefined)) === holder) await rm(file, { force: true });
    },
  };
}

/** Returns whether the file was written in the last `ms` milliseconds; false if there is no file. */
export async function isWrittenWithin(file: string, ms: number): Promise<boolean> {
  return ((await msSinceWritten(file)) ?? Infinity) < ms;
}

/** Returns the age of the file's last write in milliseconds; undefined if there is no file. */
async function msSinceWritten(file: string): Promise<number | undefined> {
  const writtenAt = await modifiedMs(file);
  if (writtenAt === undefined) return undefined;
  // Both times come from the file system: the clocks of two machines may differ, and tests set the process's clock.
  const probe = path.join(path.dirname(file), `now-${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(probe, '');
    const now = await modifiedMs(probe);
    return now === undefined ? undefined : now - writtenAt;
  } finally {
    await rm(probe, { force: true });
  }
}

/** Returns the content of a lock file; undefined if there is no file. */
export async function readLock(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
}

/**
 * Replaces the file of a dead holder. Only the process that has created the guard file may do so, and it checks the
 * holder again: of two processes that saw the same dead holder, the second would otherwise remove the fresh file of the
 * first.
 */
async function takeOver({ file, holder, isHeld }: FileLockOptions): Promise<boolean> {
  if (await isHeld()) return false;
  const guard = `${file}.takeover`;
  if (((await msSinceWritten(guard)) ?? 0) > GUARD_DEAD_AFTER_MS) await rm(guard, { force: true });
  if (!(await create(guard, holder))) return false;
  try {
    if (await isHeld()) return false;
    await rm(file, { force: true });
    return await create(file, holder);
  } finally {
    await rm(guard, { force: true });
  }
}

/** Creates the file. Resolves with false if it exists already. */
async function create(file: string, holder: string): Promise<boolean> {
  try {
    await writeFile(file, holder, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Writes the same content in place, which sets the file's time. False when the file is gone or belongs to another
 * holder.
 */
async function renew(file: string, holder: string): Promise<boolean> {
  if ((await readLock(file)) !== holder) return false;
  const handle = await open(file, 'r+');
  try {
    await handle.write(holder, 0);
    return true;
  } finally {
    await handle.close();
  }
}

async function modifiedMs(file: string): Promise<number | undefined> {
  return stat(file).then(
    (found) => found.mtimeMs,
    () => undefined,
  );
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
