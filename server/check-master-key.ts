import { existsSync } from 'node:fs';
import { createSealer } from '../lib/accounts/seal';
import type { Config } from '../lib/config/config';
import { findMasterKey, SecretsFileError, secretsFileIn } from '../lib/config/secrets';
import { examineSomeSecrets, type SecretsState } from '../lib/credentials/examine-secrets';
import type { Db } from '../lib/db/database';
import { warning, wrong, type Finding } from './findings';

// Refuses to start with a master key other than the one that encrypted the stored secrets: every webhook would fail,
// and secrets created or rotated in the meantime would be encrypted with the wrong key.

/** The message is a sentence for the operator. */
export class MasterKeyError extends Error {}

/**
 * Throws a MasterKeyError if there are stored secrets and none can be read. A few that cannot be read do not prevent a
 * start, because their key may be lost. Generates no secrets.
 */
export async function checkMasterKey(db: Db, config: Config): Promise<SecretsState> {
  const key = findMasterKey(config);
  const sealer = key === undefined ? undefined : createSealer(key, config.masterKeyFallbacks);
  const state = await examineSomeSecrets(db, sealer);
  if (state.unreadable > 0 && state.unreadable === state.stored && !config.masterKeyLost)
    throw new MasterKeyError(sentenceFor(config, key));
  return state;
}

/** Returns the finding for the commands that examine an installation; undefined if the key is the right one. */
export async function examineMasterKey(db: Db, config: Config): Promise<Finding | undefined> {
  try {
    const { stored, unreadable } = await checkMasterKey(db, config);
    if (unreadable === 0) return undefined;
    return warning(
      'master key',
      `${unreadable} of ${stored} stored secrets cannot be decrypted with MASTER_KEY or MASTER_KEY_FALLBACKS.`,
    );
  } catch (error) {
    if (!(error instanceof MasterKeyError || error instanceof SecretsFileError)) throw error;
    return wrong('master key', error.message);
  }
}

function sentenceFor({ masterKey, databaseUrl, dataDir }: Config, key: string | undefined): string {
  const file = secretsFileIn(dataDir);
  const what = 'the stored secrets (of webhooks and provider credentials) were encrypted with another MASTER_KEY';
  const lost = 'If that key is lost, set MASTER_KEY_LOST=true, which starts without these secrets.';
  if (key === undefined)
    return `${file} is missing, and ${what}. Restore this file, or set MASTER_KEY to the former key. ${lost}`;
  if (masterKey === undefined)
    return `The MASTER_KEY in ${file} is not the right one: ${what}. Restore this file, or set MASTER_KEY to the former key; to replace a key, set MASTER_KEY_FALLBACKS to the former one. ${lost}`;
  const isKept = databaseUrl === undefined && existsSync(file);
  const former = isKept ? ` The former key may be masterKey in ${file}, which is used if MASTER_KEY is not set.` : '';
  return `MASTER_KEY is not the right one: ${what}. Set it to the former key; to replace a key, set MASTER_KEY_FALLBACKS to the former one.${former} ${lost}`;
}
