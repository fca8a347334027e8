import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Config } from './config';

// With the embedded database, secrets are generated once and stored next to the data. With an external database several
// machines must share them, so they come from the environment (`readConfig` requires it).

export interface Secrets {
  readonly authSecret: string;
  readonly masterKey: string;
  /** Absent only with an external database whose operator has set none. */
  readonly operatorToken?: string;
}

/** The secrets of the configuration, or those stored in DATA_DIR, which are generated if there are none. */
export function readSecrets(config: Config): Secrets {
  const { authSecret, masterKey, operatorToken } = config;
  const isComplete = operatorToken !== undefined || config.databaseUrl !== undefined;
  if (authSecret !== undefined && masterKey !== undefined && isComplete)
    return { authSecret, masterKey, ...(operatorToken === undefined ? {} : { operatorToken }) };
  const own = keep(config.dataDir, readKept(config.dataDir));
  return {
    authSecret: authSecret ?? own.authSecret,
    masterKey: masterKey ?? own.masterKey,
    operatorToken: operatorToken ?? own.operatorToken,
  };
}

/** The operator's token for a command on the server: from the configuration, or from DATA_DIR. Generates none. */
export function findOperatorToken(config: Config): string | undefined {
  if (config.operatorToken !== undefined || config.databaseUrl !== undefined) return config.operatorToken;
  return readKept(config.dataDir)?.operatorToken;
}

const secret = z.string().min(32);
/** A file of an older version has no operator token yet. */
const kept = z.object({ authSecret: secret, masterKey: secret, operatorToken: secret.optional() });
type Kept = z.infer<typeof kept>;

const fileIn = (dataDir: string) => path.join(dataDir, 'secrets.json');

function readKept(dataDir: string): Kept | undefined {
  try {
    return kept.parse(JSON.parse(readFileSync(fileIn(dataDir), 'utf8')));
  } catch (error) {
    // A file that exists and cannot be read must not be replaced: everything encrypted with it would be lost.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new Error(`${fileIn(dataDir)} cannot be read. Restore it, or set AUTH_SECRET and MASTER_KEY.`, {
        cause: error,
      });
    return undefined;
  }
}

/** Adds the missing secrets to the stored ones. */
function keep(dataDir: string, found: Kept | undefined): Required<Secrets> {
  const secrets = {
    authSecret: newSecret(),
    masterKey: newSecret(),
    ...found,
    operatorToken: found?.operatorToken ?? newSecret(),
  };
  if (found?.operatorToken !== undefined) return secrets;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${fileIn(dataDir)}.new`;
  writeFileSync(draft, JSON.stringify(secrets), { mode: 0o600 });
  renameSync(draft, fileIn(dataDir));
  return secrets;
}

const newSecret = () => randomBytes(32).toString('base64url');
