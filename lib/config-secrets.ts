import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Config } from './config';

// With the embedded database nobody should have to invent secrets: they are made once and kept beside the data. With an
// external database several machines must share them, so there they come from the environment (`readConfig` insists).

export interface Secrets {
  readonly authSecret: string;
  readonly masterKey: string;
}

/** The secrets of the configuration, or those kept in DATA_DIR, made now if there are none. */
export function readSecrets(config: Config): Secrets {
  const { authSecret, masterKey } = config;
  if (authSecret !== undefined && masterKey !== undefined) return { authSecret, masterKey };
  const own = readKept(config.dataDir) ?? keep(config.dataDir);
  return { authSecret: authSecret ?? own.authSecret, masterKey: masterKey ?? own.masterKey };
}

const kept = z.object({ authSecret: z.string().min(32), masterKey: z.string().min(32) });

const fileIn = (dataDir: string) => path.join(dataDir, 'secrets.json');

function readKept(dataDir: string): Secrets | undefined {
  try {
    return kept.parse(JSON.parse(readFileSync(fileIn(dataDir), 'utf8')));
  } catch (error) {
    // A file that is there and cannot be read must not be replaced: what it sealed would be lost.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw new Error(`${fileIn(dataDir)} cannot be read. Restore it, or set AUTH_SECRET and MASTER_KEY.`, { cause: error });
    return undefined;
  }
}

function keep(dataDir: string): Secrets {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const secrets: Secrets = { authSecret: randomBytes(32).toString('base64url'), masterKey: randomBytes(32).toString('base64url') };
  const draft = `${fileIn(dataDir)}.new`;
  writeFileSync(draft, JSON.stringify(secrets), { mode: 0o600 });
  renameSync(draft, fileIn(dataDir));
  return secrets;
}
