import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { nanoid } from 'nanoid';
import type { Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import type { MediaStore } from '../domain/files';
import type { Log } from '../domain/log';
import { isMissing, openFile } from '../io/open-file';
import { makePrivateDirectory } from '../io/private-directory';
import { openSource, type Interrupted } from './continue-source';
import { isTooLarge, limitBody } from './limit-body';
import { checkKey } from './store-key';

/** The directory of files that are being written. It cannot collide with a key: no key begins with a dot. */
const UNFINISHED = '.unfinished';
/** A file that has not grown for this long belongs to a process that has ended. */
const ABANDONED_MS = 24 * 3_600_000;
const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Opens the archive in a directory that only this user can read. A file is written under another name, flushed to the
 * disk and then renamed, so that a key has either a complete file or none.
 *
 * The name of an unfinished file that can be continued contains the key and the version of the source. Two processes
 * that write it at once write the same bytes to the same offsets.
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

  /** The name of an unfinished file is this, followed by the version. No key has a `~`. */
  const draftPrefix = (key: string) => `${key.replaceAll('/', '~')}~`;

  async function findDrafts(key: string): Promise<string[]> {
    return (await readdir(unfinished)).filter((name) => name.startsWith(draftPrefix(key)));
  }

  async function findInterrupted(key: string): Promise<Interrupted | undefined> {
    const [name] = await findDrafts(key);
    if (name === undefined) return undefined;
    try {
      return { version: name.slice(draftPrefix(key).length), bytes: (await stat(path.join(unfinished, name))).size };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async function removeDrafts(key: string, except?: string): Promise<void> {
    for (const name of await findDrafts(key))
      if (name !== except) await rm(path.join(unfinished, name), { force: true });
  }

  return {
    async put(key, openFrom, { maxBytes }, call) {
      const target = fileOf(key);
      const { body: source, start, version } = await openSource(openFrom, await findInterrupted(key));
      const { body, bytes } = limitBody(source, maxBytes, call.signal, start);
      const name = version === undefined ? nanoid() : draftPrefix(key) + version;
      const draft = path.join(unfinished, name);
      try {
        await removeDrafts(key, name);
        await writeFrom(draft, start, body);
        await mkdir(path.dirname(target), { recursive: true, mode: DIRECTORY_MODE });
        await rename(draft, target).catch(async (error: unknown) => {
          // Another process has completed and renamed the same file.
          if (version === undefined || !isMissing(error)) throw error;
          await stat(target);
        });
        await syncDirectory(path.dirname(target));
      } catch (error) {
        body.destroy();
        if (version === undefined || isTooLarge(error)) await rm(draft, { force: true });
        throw error;
      }
      return { bytes: bytes() };
    },
    open: async (key, part, call) => openFile(fileOf(key), part, call),
    async remove(key) {
      await rm(fileOf(key), { force: true });
      await removeDrafts(key);
    },
    tidy: () => removeAbandoned(unfinished, deps),
  };
}

/** Writes a stream to a file from `start` on, cuts off what follows it, and flushes the file. */
async function writeFrom(name: string, start: number, body: Readable): Promise<void> {
  const file = await open(name, constants.O_WRONLY | constants.O_CREAT, FILE_MODE);
  try {
    let place = start;
    // Safe: a stream that is not in object mode has no other chunks.
    for await (const chunk of body) place = await writeAt(file, chunk as Buffer, place);
    await file.truncate(place);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Returns the offset after the written bytes. */
async function writeAt(file: FileHandle, bytes: Buffer, place: number): Promise<number> {
  let written = 0;
  while (written < bytes.length)
    written += (await file.write(bytes, written, bytes.length - written, place + written)).bytesWritten;
  return place + written;
}

/** Flushes a directory: without this, a rename in it may be lost in a power failure. */
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
