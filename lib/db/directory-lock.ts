import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { systemClock } from '../domain/clock';
import { isWrittenWithin, readLock, takeFileLock, type FileLock } from '../io/file-lock';
import { makePrivateDirectory } from '../io/private-directory';

// The embedded database has no lock of its own: a second process that opens the same directory is not refused, and rows
// of both are silently lost (seen with PGlite 0.5.16). So a process takes this lock before it opens the directory. A
// killed process leaves its lock behind. Another process takes it over only if the first one has provably ended. A
// process number alone proves nothing, because numbers are used again (in containers at once), so the start time of the
// process is compared too. The processes of another host cannot be seen; for them the age of the last renewal decides.

interface Holder {
  /** Different for every lock, even of the same process. */
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  /** The kernel's start time of the process; empty where it cannot be read. */
  readonly started: string;
}

const RENEWAL_INTERVAL_MS = 5_000;
const DEAD_AFTER_MS = 20_000;

/** A killed or stopping process usually ends within this time; a start waits for it. */
const HOLDER_EXIT_WAIT_MS = 5_000;
const RETRY_INTERVAL_MS = 100;

export class DirectoryInUse extends Error {
  /** `holderHost` is the host of the process that has the lock, if known. */
  constructor(
    message: string,
    readonly holderHost?: string,
  ) {
    super(message);
  }
}

/**
 * Takes the lock of a directory like `lockDirectory`, and waits for a holder that is ending: 5 s on this host; on
 * another host until its last renewal is old enough. Rejects with DirectoryInUse if the holder is still there
 * afterwards.
 */
export async function waitForDirectoryLock(directory: string, clock = systemClock): Promise<FileLock> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await lockDirectory(directory, clock);
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error;
      const isElsewhere = error.holderHost !== undefined && error.holderHost !== hostname();
      const waitMs = isElsewhere ? DEAD_AFTER_MS + RENEWAL_INTERVAL_MS : HOLDER_EXIT_WAIT_MS;
      if (performance.now() - startedAt >= waitMs) throw error;
    }
    await clock.sleep(RETRY_INTERVAL_MS);
  }
}

/** Takes the lock of a directory, and creates the directory if needed. Rejects with DirectoryInUse. */
export async function lockDirectory(directory: string, clock = systemClock): Promise<FileLock> {
  makePrivateDirectory(directory);
  const file = path.join(directory, 'database.lock');
  const holder: Holder = { token: randomUUID(), pid: process.pid, host: hostname(), started: startOf(process.pid) };
  const lock = await takeFileLock({
    file,
    holder: JSON.stringify(holder),
    isHeld: () => isHeld(file),
    renewalIntervalMs: RENEWAL_INTERVAL_MS,
    clock,
  });
  if (!lock) throw inUse(directory, await readHolder(file));
  return lock;
}

function inUse(directory: string, holder: Holder | 'unreadable' | undefined): DirectoryInUse {
  const who = typeof holder === 'object' ? ` by process ${holder.pid} on ${holder.host}` : '';
  return new DirectoryInUse(
    `${directory} is in use${who}. The embedded database takes one process: stop the other one, choose another DATA_DIR, or set DATABASE_URL.`,
    typeof holder === 'object' ? holder.host : undefined,
  );
}

async function isHeld(file: string): Promise<boolean> {
  const holder = await readHolder(file);
  if (holder === undefined) return false;
  // An unreadable file is being written at this moment, or its writer has died.
  if (holder === 'unreadable' || holder.host !== hostname()) return isWrittenWithin(file, DEAD_AFTER_MS);
  return isRunning(holder);
}

/** Resolves to undefined if there is no such file. */
async function readHolder(file: string): Promise<Holder | 'unreadable' | undefined> {
  try {
    const text = await readLock(file);
    // Safe: only `lockDirectory` writes this file, and an incomplete text is not JSON.
    return text === undefined ? undefined : (JSON.parse(text) as Holder);
  } catch {
    return 'unreadable';
  }
}

/** Whether the holder, a process on this host, is running. */
function isRunning(holder: Holder): boolean {
  if (holder.pid === process.pid && holder.started === startOf(process.pid)) return true;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // Any other error than "no such process" means that it exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return holder.started === startOf(holder.pid) && !isZombie(holder.pid);
}

/**
 * Whether the process has ended but was not collected by its parent yet. Its threads may outlive the first one for a
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
 * Returns the fields of /proc/<pid>/stat from the third on. The second field, the name, may contain any character, so
 * the fields are counted from its closing bracket.
 */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
