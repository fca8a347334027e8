import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

// `first-run.json` is the only place where the first keys and the first password stand in the open. It is written under a
// pending name before the database commits, and renamed after: whatever happens in between, the secrets of a seeded
// database lie in one file or the other.

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
  /** Durable when it resolves; readable by its owner alone. */
  writePending(firstRun: FirstRun): Promise<void>;
  /** What `writePending` left; undefined when there is nothing or only half of it. */
  readPending(): Promise<FirstRun | undefined>;
  /** Gives the pending file its name, in place of an older one. */
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
      // Removed first: the mode is only applied to a file that is new.
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

/** Makes names durable, where the system lets a directory be opened (Windows does not, and keeps names by itself). */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  if (!handle) return;
  try {
    await handle.sync();
  } catch {
    // Some file systems refuse it; the file itself has been synced.
  } finally {
    await handle.close();
  }
}
