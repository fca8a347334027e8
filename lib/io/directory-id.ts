import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Returns the id of a data directory, which is created at its first use. Machines that share the directory read the
 * same id; a machine with a directory of its own has another id. With it, a video records where its files are.
 */
export async function readDirectoryId(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'id');
  const known = await readFile(file, 'utf8').catch(() => undefined);
  if (known !== undefined) return known;
  // If several processes start at once, only one creates the link. The file is complete before it gets its name.
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, randomUUID(), { mode: 0o600 });
  try {
    await link(own, file);
  } catch {
    // Usually another process was first. Otherwise the file is missing, and reading it below reports the error.
  } finally {
    await rm(own, { force: true });
  }
  return readFile(file, 'utf8');
}
