import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../domain/clock';
import { isWrittenWithin, takeFileLock, type FileLock } from '../../../io/file-lock';

// One process renders a video, and another takes over when it dies. A renderer that hangs counts as dead too, so only
// the age of its last renewal decides: two renderers at once waste work, but each writes to a file of its own.

const RENEWAL_INTERVAL_MS = 4_000;
const DEAD_AFTER_MS = 15_000;

/**
 * Takes the lock; undefined while another process holds it. `onLost` is called once if another process takes the lock
 * or removes the video.
 */
export async function takeRenderLock(file: string, clock: Clock, onLost: () => void): Promise<FileLock | undefined> {
  return takeFileLock({
    file,
    holder: randomBytes(12).toString('hex'),
    isHeld: () => isRenderLocked(file),
    renewalIntervalMs: RENEWAL_INTERVAL_MS,
    clock,
    onLost,
  });
}

/** Returns whether a living process is rendering the video. */
export async function isRenderLocked(file: string): Promise<boolean> {
  return isWrittenWithin(file, DEAD_AFTER_MS);
}
