import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePrivateDirectory } from './private-directory';

// A lock for the directory of the embedded database, which has none of its own: a second process can open the same
// directory, and rows of both are silently lost (seen with PGlite 0.5.16). So the first process takes this lock. A
// killed process leaves its lock behind; it is taken over when that process has provably ended. A process id is not
// proof (ids are reused, in containers immediately), so the start time is compared too, and on another host the age of
// the last heartbeat.

interface Holder {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  /** The kernel's start time of the process; empty where it cannot be read. */
  readonly started: string;
}

const SIGN_OF_LIFE_MS = 5_000;
const DEAD_AFTER_MS = 20_000;
const GUARD_DEAD_AFTER_MS = 10_000;

/** A killed or stopping process usually ends within this time; a start waits for it. */
const HOLDER_EXIT_WAIT_MS = 5_000;
const RETRY_INTERVAL_MS = 100;

export class DirectoryInUse extends Error {
  /** `holderHost`: the host of the process that has the lock, if known. */
  constructor(
    message: string,
    readonly holderHost?: string,
  ) {
    super(message);
  }
}

/**
 * Takes the lock of a directory like `lockDirectory`, and waits for a holder that is ending: 5 s on this host; on
 * another host until its last heartbeat is old enough. Throws DirectoryInUse if the holder is still running afterwards.
 */
export async function waitForDirectoryLock(directory: string): Promise<() => void> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return lockDirectory(directory);
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error;
      const isElsewhere = error.holderHost !== undefined && error.holderHost !== hostname();
      const waitMs = isElsewhere ? DEAD_AFTER_MS + SIGN_OF_LIFE_MS : HOLDER_EXIT_WAIT_MS;
      if (performance.now() - startedAt >= waitMs) throw error;
    }
    await sleep(RETRY_INTERVAL_MS);
  }
}

/** Takes the lock of a directory, which is created if needed; returns the release function. Throws DirectoryInUse. */
export function lockDirectory(directory: string): () => void {
  makePrivateDirectory(directory);
  const file = path.join(directory, 'database.lock');
  const holder: Holder = { token: randomUUID(), pid: process.pid, host: hostname(), started: startOf(process.pid) };
  if (!create(file, holder)) takeOver(file, holder, directory);

  const beat = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(file, now, now);
    } catch {
      // The directory was removed while in use; the database itself reports that.
    }
  }, SIGN_OF_LIFE_MS);
  beat.unref();
  return () => {
    clearInterval(beat);
    const present = read(file);
    if (typeof present === 'object' && present.token === holder.token) rmSync(file, { force: true });
  };
}

/**
 * Only the process with the guard file may remove a dead lock; otherwise the second of two starting processes could
 * remove the new lock of the first.
 */
function takeOver(file: string, holder: Holder, directory: string): void {
  const guard = `${file}.takeover`;
  if (age(guard) > GUARD_DEAD_AFTER_MS) rmSync(guard, { force: true });
  if (!create(guard, holder)) throw inUse(directory);
  try {
    const former = read(file);
    // An unreadable guard file is being written now, or its writer died.
    if (former === 'unreadable' ? age(file) < DEAD_AFTER_MS : former && isAlive(former, file))
      throw inUse(directory, former);
    rmSync(file, { force: true });
    if (!create(file, holder)) throw inUse(directory);
  } finally {
    rmSync(guard, { force: true });
  }
}

function inUse(directory: string, holder?: Holder | 'unreadable'): DirectoryInUse {
  const who = typeof holder === 'object' ? ` by process ${holder.pid} on ${holder.host}` : '';
  return new DirectoryInUse(
    `${directory} is in use${who}. The embedded database takes one process: stop the other one, choose another DATA_DIR, or set DATABASE_URL.`,
    typeof holder === 'object' ? holder.host : undefined,
  );
}

function isAlive(holder: Holder, file: string): boolean {
  if (holder.host !== hostname()) return age(file) < DEAD_AFTER_MS;
  if (holder.pid === process.pid && holder.started === startOf(process.pid)) return true;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // Any error but "no such process" means that the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return holder.started === startOf(holder.pid) && !isZombie(holder.pid);
}

/**
 * A zombie: the process has ended and its parent has not collected it yet. Its threads may outlive the first one for a
 * moment.
 */
function isZombie(pid: number): boolean {
  try {
    return statOf(pid)[0] === 'Z' && readdirSync(`/proc/${pid}/task`).length <= 1;
  } catch {
    return false;
  }
}

const startOf = (pid: number): string => statOf(pid)[19] ?? '';

/**
 * Fields 3 and following of /proc/<pid>/stat. The name in field 2 may contain anything, so they are counted from its
 * closing bracket.
 */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function create(file: string, holder: Holder): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  writeSync(descriptor, JSON.stringify(holder));
  closeSync(descriptor);
  return true;
}

/** Undefined if the file does not exist. */
function read(file: string): Holder | 'unreadable' | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable';
  }
}

function age(file: string): number {
  try {
    // Real time on purpose: the file's timestamps are real.
    return performance.timeOrigin + performance.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}
