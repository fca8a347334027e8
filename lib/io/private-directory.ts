import { chmodSync, mkdirSync, statSync } from 'node:fs';

/** Read, write and search permission for the owner only. */
const OWNER_ONLY = 0o700;
const OTHERS = 0o077;

/**
 * The result: `private` if it was new or already private, `closed` if this call closed it to other users, `open` if it
 * stays open to them because its mode cannot be changed.
 */
export type DirectoryPrivacy = 'private' | 'closed' | 'open';

/**
 * Creates a directory that only its owner can enter, or closes an existing one to other users: the directory of the
 * database, whose files contain password hashes, keys and prompts, and that of finished videos. PGlite creates files
 * with mode 0666 whatever the umask is, so the directory around them must be closed.
 */
export function makePrivateDirectory(directory: string): DirectoryPrivacy {
  mkdirSync(directory, { recursive: true, mode: OWNER_ONLY });
  // Windows has no such modes; a folder inherits the rights of its parent.
  if (process.platform === 'win32' || !isOpen(directory)) return 'private';
  try {
    chmodSync(directory, OWNER_ONLY);
  } catch {
    // Changing the mode fails if the directory belongs to another user, as a mounted volume may.
    return 'open';
  }
  return isOpen(directory) ? 'open' : 'closed';
}

const isOpen = (directory: string) => (statSync(directory).mode & OTHERS) !== 0;
