import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';

// The embedded database has no lock of its own: a second opener of the same directory is not refused, and rows of both are
// silently lost (seen with PGlite 0.5.16). So whoever opens it first takes this lock. A process that was killed leaves its
// lock behind; it is taken over when the process is provably gone. A process number alone proves nothing (numbers are used
// again, in containers at once), so its start time is compared too, and on another host the age of the last sign of life.

interface Holder {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  /** Kernel's start time of the process; empty where it cannot be read. */
  readonly started: string;
}

const SIGN_OF_LIFE_MS = 5_000;
const DEAD_AFTER_MS = 20_000;
const GUARD_DEAD_AFTER_MS = 10_000;

export class DirectoryInUse extends Error {}

/** Takes the lock of a directory, making it if needed; returns the release. Throws DirectoryInUse. */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  const file = path.join(directory, 'database.lock');
  const holder: Holder = { token: randomUUID(), pid: process.pid, host: hostname(), started: startOf(process.pid) };
  if (!create(file, holder)) takeOver(file, holder, directory);

  const beat = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(file, now, now);
    } catch {
      // The directory was removed beneath us; the database itself will say so.
    }
  }, SIGN_OF_LIFE_MS);
  beat.unref();
  return () => {
    clearInterval(beat);
    const present = read(file);
    if (typeof present === 'object' && present.token === holder.token) rmSync(file, { force: true });
  };
}

/** Only the holder of the guard file may remove a dead lock; otherwise the second of two starters could remove the first's. */
function takeOver(file: string, holder: Holder, directory: string): void {
  const guard = `${file}.takeover`;
  if (age(guard) > GUARD_DEAD_AFTER_MS) rmSync(guard, { force: true });
  if (!create(guard, holder)) throw inUse(directory);
  try {
    const former = read(file);
    // One that cannot be read is just being written, or its writer died over it.
    if (former === 'unreadable' ? age(file) < DEAD_AFTER_MS : former && isAlive(former, file)) throw inUse(directory, former);
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
  );
}

function isAlive(holder: Holder, file: string): boolean {
  if (holder.host !== hostname()) return age(file) < DEAD_AFTER_MS;
  if (holder.pid === process.pid && holder.started === startOf(process.pid)) return true;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // Anything but "no such process" means that it exists and is somebody else's.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return holder.started === startOf(holder.pid);
}

/** Field 22 of /proc/<pid>/stat; the name in field 2 may contain anything, so fields are counted from its closing bracket. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
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

/** Undefined: there is no such file. */
function read(file: string): Holder | 'unreadable' | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable';
  }
}

function age(file: string): number {
  try {
    // Real time on purpose: the file's own time stamps are real.
    return performance.timeOrigin + performance.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}
