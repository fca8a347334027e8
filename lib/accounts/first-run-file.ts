import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

// `first-run.json` is the only place that has the first keys and the first password in plain text. It is written under
// a pending name before the database commits and renamed afterwards, so that after a crash at any point the secrets of
// a seeded database are in one of the two files.

const schema = z.object({
  base_url: z.string(),
  console_url: z.string(),
  owner: z.object({ email: z.string(), password: z.string() }),
  keys: z.object({ test: z.string(), live: z.string() }),
  webhook_secret: z.string(),
});

export type FirstRun = z.infer<typeof schema>;

export interface FirstRunFile {
  readonly path: string;
  /** Resolves when the file is durable; only its owner can read it. */
  writePending(firstRun: FirstRun): Promise<void>;
  /** Resolves to the content that `writePending` wrote; undefined if there is none or it is incomplete. */
  readPending(): Promise<FirstRun | undefined>;
  /** Renames the pending file to its final name, replacing an older one. */
  publish(): Promise<void>;
  discardPending(): Promise<void>;
}

export function firstRunFile(dataDir: string): FirstRunFile {
  const finalPath = path.join(dataDir, 'first-run.json');
  const pendingPath = `${finalPath}.pending`;
  return {
    path: finalPath,
    async writePending(firstRun) {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      // Removed first, because the mode is applied only to a new file.
      await rm(pendingPath, { force: true });
      const file = await open(pendingPath, 'wx', 0o600);
      try {
        await file.writeFile(`${JSON.stringify(firstRun, null, 2)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await syncDirectory(dataDir);
    },
    async readPending() {
      try {
        return schema.parse(JSON.parse(await readFile(pendingPath, 'utf8')));
      } catch (error) {
        const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
        const isBroken = error instanceof SyntaxError || error instanceof z.ZodError;
        if (isAbsent || isBroken) return undefined;
        throw error;
      }
    },
    async publish() {
      await rename(pendingPath, finalPath);
      await syncDirectory(dataDir);
    },
    discardPending: () => rm(pendingPath, { force: true }),
  };
}

/** Makes a rename durable, where the system can open a directory (Windows cannot, and does not need it). */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  if (!handle) return;
  try {
    await handle.sync();
  } catch {
    // Some file systems refuse to sync a directory; the file itself is synced.
  } finally {
    await handle.close();
  }
}
