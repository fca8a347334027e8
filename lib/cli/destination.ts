import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { usageError } from './command-error';
import type { Terminal } from './terminal';

// The target of `--out`: standard output, or a file that gets its name only when it is complete.

export interface Destination {
  /** The name that the user gave. */
  readonly name: string;
  /** The absolute path; undefined for standard output. */
  readonly file: string | undefined;
  stream(): Writable;
  /** Completes the file. Call it when everything has been written. */
  finish(): Promise<void>;
}

/**
 * Runs `run` with the destination `name`, where `-` is standard output. The file is opened first, so that an unwritable
 * file fails with a CommandError before paid work. An incomplete file is removed.
 */
export async function savingTo<Result>(
  { cwd, stdout }: Terminal,
  name: string,
  run: (destination: Destination) => Promise<Result>,
): Promise<Result> {
  if (name === '-') return run({ name, file: undefined, stream: () => stdout, finish: async () => undefined });
  const file = path.resolve(cwd, name);
  const existing = await stat(file).catch(() => undefined);
  if (existing?.isDirectory()) throw usageError(`${file} cannot be written: it is a folder. Name a file in it.`);
  const draft = `${file}.part`;
  const opened = await open(draft, 'w').catch((error: unknown) => {
    throw usageError(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`);
  });
  try {
    return await run({ name, file, stream: () => opened.createWriteStream(), finish: () => rename(draft, file) });
  } finally {
    await opened.close().catch(() => undefined);
    await rm(draft, { force: true });
  }
}
