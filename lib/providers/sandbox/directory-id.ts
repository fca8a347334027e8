import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * The id of a data directory, made at its first use. Machines that share the directory read the same id; a machine with
 * a directory of its own has another one, so that a video can say where its files are.
 */
export async function readDirectoryId(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'id');
  const known = await readFile(file, 'utf8').catch(() => undefined);
  if (known !== undefined) return known;
  // Of several processes that start at once, one makes the link; the file is complete before it gets its name.
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, randomUUID(), { mode: 0o600 });
  try {
    await link(own, file);
  } catch {
    // Another process was first. If it was not that, the file is missing and the next line reports it.
  } finally {
    await rm(own, { force: true });
  }
  return readFile(file, 'utf8');
}
