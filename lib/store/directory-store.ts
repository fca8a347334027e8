import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { nanoid } from 'nanoid';
import type { Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import type { MediaStore } from '../domain/files';
import type { Log } from '../domain/log';
import { isMissing, openFile } from '../io/open-file';
import { makePrivateDirectory } from '../io/private-directory';
import { limitBody } from './limit-body';
import { checkKey } from './store-key';

/** Files that are being written. No key begins with a dot. */
const UNFINISHED = '.unfinished';
/** A file that has not grown for this long belongs to a process that has ended. */
const ABANDONED_MS = 24 * 3_600_000;
const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * The archive in a directory that only this user can read. A file is written beside the others, flushed to the disk and
 * then renamed, so that a key has either a complete file or none.
 */
export async function openDirectoryStore(directory: string, deps: { clock: Clock; log: Log }): Promise<MediaStore> {
  const unfinished = path.join(directory, UNFINISHED);
  if (makePrivateDirectory(directory) === 'open')
    deps.log.warn(
      'MEDIA_STORE is open to other users of this machine and its mode cannot be changed: make it readable by the user of this process alone',
    );
  makePrivateDirectory(unfinished);
  await removeAbandoned(unfinished, deps);

  function fileOf(key: string): string {
    checkKey(key);
    return path.join(directory, key);
  }

  return {
    async put(key, source, { maxBytes }, call) {
      const target = fileOf(key);
      const draft = path.join(unfinished, nanoid());
      const { body, bytes } = limitBody(source, maxBytes, call.signal);
      try {
        const file = await open(draft, 'wx', FILE_MODE);
        try {
          // Safe: a stream that is not in object mode has no other chunks. Each is written behind the last.
          for await (const chunk of body) await file.writeFile(chunk as Buffer);
          await file.sync();
        } finally {
          await file.close();
        }
        await mkdir(path.dirname(target), { recursive: true, mode: DIRECTORY_MODE });
        await rename(draft, target);
        await syncDirectory(path.dirname(target));
      } catch (error) {
        body.destroy();
        await rm(draft, { force: true });
        throw error;
      }
      return { bytes: bytes() };
    },
    open: async (key, part, call) => openFile(fileOf(key), part, call),
    remove: async (key) => rm(fileOf(key), { force: true }),
  };
}

/** Without this, the rename itself may be lost in a power failure. */
async function syncDirectory(directory: string): Promise<void> {
  // Windows cannot open directories.
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeAbandoned(directory: string, { clock, log }: { clock: Clock; log: Log }): Promise<void> {
  for (const name of await readdir(directory)) {
    const file = path.join(directory, name);
    try {
      if (clock.nowMs() - (await stat(file)).mtimeMs > ABANDONED_MS) await rm(file, { force: true });
    } catch (error) {
      // Another process may have finished or removed it.
      if (!isMissing(error)) log.warn('an unfinished file could not be removed', { error: errorForLog(error) });
    }
  }
}
