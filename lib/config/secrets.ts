import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Config } from './config';

// With the embedded database, secrets are generated once and stored next to the data. With an external database,
// several machines must share them, so they come from the environment (`readConfig` requires them).

export interface Secrets {
  readonly authSecret: string;
  readonly masterKey: string;
  /** Absent only with an external database for which the operator has set none. */
  readonly operatorToken?: string;
}

/** Thrown if the stored secrets exist but cannot be read. The message is a sentence for the operator. */
export class SecretsFileError extends Error {}

/** Returns the secrets of the configuration, or those stored in DATA_DIR. Generates them if there are none. */
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

/** Returns the master key for a start, from the configuration or from DATA_DIR. Generates none. */
export function findMasterKey(config: Config): string | undefined {
  return config.masterKey ?? readKept(config.dataDir)?.masterKey;
}

/**
 * Returns the operator's token for a command on the server, from the configuration or from DATA_DIR. Generates none.
 */
export function findOperatorToken(config: Config): string | undefined {
  if (config.operatorToken !== undefined || config.databaseUrl !== undefined) return config.operatorToken;
  return readKept(config.dataDir, 'set OPERATOR_TOKEN')?.operatorToken;
}

const secret = z.string().min(32);
/** A file of an older version has no operator token yet. */
const kept = z.object({ authSecret: secret, masterKey: secret, operatorToken: secret.optional() });
type Kept = z.infer<typeof kept>;

/** Returns the path of the file with the generated secrets. */
export const secretsFileIn = (dataDir: string) => path.join(dataDir, 'secrets.json');

function readKept(dataDir: string, instead = 'set AUTH_SECRET and MASTER_KEY'): Kept | undefined {
  const file = secretsFileIn(dataDir);
  try {
    return kept.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    // A file that exists but cannot be read must not be replaced: everything encrypted with its key would be lost.
    throw new SecretsFileError(
      code === 'EACCES' || code === 'EPERM'
        ? `${file} cannot be read by this user. Run the command as the user that owns the file, or ${instead}.`
        : `${file} cannot be read. Restore it, or ${instead}.`,
      { cause: error },
    );
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
  const draft = `${secretsFileIn(dataDir)}.new`;
  writeFileSync(draft, JSON.stringify(secrets), { mode: 0o600 });
  renameSync(draft, secretsFileIn(dataDir));
  return secrets;
}

const newSecret = () => randomBytes(32).toString('base64url');
