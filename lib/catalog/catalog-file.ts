import { readFile, stat } from 'node:fs/promises';
import type { Cancel, Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import type { Log } from '../domain/log';
import type { Model } from '../domain/model';
import { applyCatalogFile, CatalogFileError, type CatalogData } from './apply-catalog-file';
import type { CanOrder } from './can-order';

// Reads the operator's file (CATALOG_FILE), and reads it again when it has changed. The file is polled and not watched:
// editors replace files, Kubernetes swaps links, and network drives send no events.

const LOOK_INTERVAL_MS = 1_000;

export interface CatalogFile {
  /** Throws a CatalogFileError with every error of the file, even if it cannot be read. */
  read(): Promise<CatalogData>;
  /**
   * Calls `adopt` with every later version that has no errors. A version with errors changes nothing: its errors are
   * logged and returned by `errors`. The returned function stops it.
   */
  watch(adopt: (data: CatalogData) => void): Cancel;
  /** Returns the errors of the file's current version; empty if that version is in force. */
  errors(): readonly string[];
}

export function createCatalogFile(deps: {
  readonly file: string;
  readonly base: readonly Model[];
  readonly canOrder: CanOrder;
  readonly clock: Clock;
  readonly log: Log;
}): CatalogFile {
  const { file, base, canOrder, clock, log } = deps;
  /** The version that was read last. */
  let readVersion: string | undefined;
  /** The text of the catalog in force. */
  let textInForce: string | undefined;
  let errors: readonly string[] = [];

  async function readAgain(adopt: (data: CatalogData) => void): Promise<void> {
    try {
      readVersion = await versionOf(file);
      const text = await textOf(file);
      if (text !== textInForce) {
        const data = applyCatalogFile(file, text, base, canOrder);
        adopt(data);
        textInForce = text;
        log.info('CATALOG_FILE was read again and is in force', { count: data.fromFile.size });
      }
      errors = [];
    } catch (error) {
      if (!(error instanceof CatalogFileError)) throw error;
      errors = error.errors;
      for (const reason of errors)
        log.error('CATALOG_FILE has an error; the catalog before it stays in force', { reason });
    }
  }

  return {
    async read() {
      readVersion = await versionOf(file);
      textInForce = await textOf(file);
      return applyCatalogFile(file, textInForce, base, canOrder);
    },
    watch(adopt) {
      let seen = readVersion;
      let cancel: Cancel;
      let isEnded = false;
      const look = async (): Promise<void> => {
        try {
          const version = await versionOf(file);
          // The version must be the same at two checks in a row, because an editor may still be writing.
          if (version !== readVersion && version === seen) await readAgain(adopt);
          seen = version;
        } catch (error) {
          log.error('CATALOG_FILE could not be read again', { error: errorForLog(error) });
        }
        if (!isEnded) cancel = clock.after(LOOK_INTERVAL_MS, () => void look());
      };
      cancel = clock.after(LOOK_INTERVAL_MS, () => void look());
      return () => {
        isEnded = true;
        cancel();
      };
    },
    errors: () => errors,
  };
}

/**
 * Returns a text that changes when the file is written or replaced, also behind a link; `missing` if there is no file.
 */
async function versionOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(file);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return 'missing';
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new CatalogFileError(file, [`the file ${unreadable[code] ?? `cannot be read (${code})`}.`]);
  }
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by the user of this process',
  EISDIR: 'is a directory',
};
