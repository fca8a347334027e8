import { randomBytes } from 'node:crypto';
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../../domain/clock';
import { isMissing } from '../job-folder';

// One process renders a video, and another takes over if it dies. The lock is a file that its holder rewrites every few
// seconds. Its age is measured by the file system alone, which timestamps the lock and a probe file next to it, so
// neither this machine's clock nor a test clock matters between processes.

const renewEveryMs = 4_000;
const staleMs = 15_000;

interface RenderLock {
  release(): Promise<void>;
}

/**
 * Returns undefined while another process holds the lock. `onLost` is called once if another process has taken it or
 * removed the video.
 */
export async function takeRenderLock(file: string, clock: Clock, onLost: () => void): Promise<RenderLock | undefined> {
  const token = randomBytes(12).toString('hex');
  if (!(await created(file, token)) && !(await takenOver(file, token))) return undefined;
  let held = true;
  let renewing = Promise.resolve();
  const renew = async () => {
    if (!held) return;
    // If the disk cannot be read, the holder is unknown, and we assume that the lock is still ours.
    if (await renewed(file, token).catch(() => true)) {
      stop = clock.after(renewEveryMs, () => void (renewing = renew()));
      return;
    }
    held = false;
    onLost();
  };
  let stop = clock.after(renewEveryMs, () => void (renewing = renew()));
  return {
    async release() {
      if (!held) return;
      held = false;
      stop();
      await renewing;
      // A lock that stays in a missing or unreadable folder only delays the next holder.
      if ((await readToken(file).catch(() => undefined)) === token) await rm(file, { force: true });
    },
  };
}

/** Returns whether a living process is rendering the video. */
export async function isRenderLocked(file: string): Promise<boolean> {
  const renewedAt = await modifiedMs(file);
  if (renewedAt === undefined) return false;
  const probe = path.join(path.dirname(file), `now-${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(probe, '');
    const now = await modifiedMs(probe);
    return now !== undefined && now - renewedAt < staleMs;
  } finally {
    await rm(probe, { force: true });
  }
}

async function created(file: string, token: string): Promise<boolean> {
  try {
    await writeFile(file, token, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Replaces a dead holder's lock. Only one process at a time may try, and it checks again when it has the turn: of two
 * processes that saw the same dead lock, the second would otherwise remove the first one's new lock.
 */
async function takenOver(file: string, token: string): Promise<boolean> {
  if (await isRenderLocked(file)) return false;
  const turn = `${file}-takeover`;
  if (!(await created(turn, token))) {
    // A process died within these few lines: the turn is free for the next one.
    if (!(await isRenderLocked(turn))) await rm(turn, { force: true });
    return false;
  }
  try {
    if (await isRenderLocked(file)) return false;
    await rm(file, { force: true });
    return await created(file, token);
  } finally {
    await rm(turn, { force: true });
  }
}

/** Rewrites the same content, which renews the file's time. Returns false if the lock is no longer ours. */
async function renewed(file: string, token: string): Promise<boolean> {
  if ((await readToken(file)) !== token) return false;
  const handle = await open(file, 'r+');
  try {
    await handle.write(token, 0);
    return true;
  } finally {
    await handle.close();
  }
}

async function readToken(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

async function modifiedMs(file: string): Promise<number | undefined> {
  return stat(file).then(
    (found) => found.mtimeMs,
    () => undefined,
  );
}
