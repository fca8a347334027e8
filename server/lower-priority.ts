import { readdirSync } from 'node:fs';
import { constants, getPriority, platform, setPriority } from 'node:os';

/** That of the sandbox's rendering, too. */
const JOBS_PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Lets the processes that answer requests and the database come first where they are on the same machine as this one,
 * which only runs jobs. A lower priority with which it was started stays.
 */
export function lowerPriority(): void {
  if (getPriority() >= JOBS_PRIORITY) return;
  if (platform() !== 'linux') return setPriority(JOBS_PRIORITY);
  // On Linux each thread has its own priority, which later ones get from the thread that starts them.
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      setPriority(Number(thread), JOBS_PRIORITY);
    } catch {
      // The thread has ended.
    }
  }
}
