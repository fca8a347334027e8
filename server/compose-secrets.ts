import { createSealer, type Sealer } from '../lib/accounts/seal';
import type { Config } from '../lib/config/config';
import { readSecrets, type Secrets } from '../lib/config/secrets';
import type { Database } from '../lib/db/database';
import type { Log } from '../lib/domain/log';
import type { ThinkingSigner } from '../lib/domain/messages';
import { createThinkingSigner } from '../lib/providers/kit/messages/thinking-signature';
import { checkMasterKey } from './check-master-key';

/**
 * Reads the secrets of the installation, and generates those that are missing, after the lock of the embedded database
 * was taken: two simultaneous first starts must not each generate secrets. Throws a MasterKeyError, and generates
 * nothing, if the stored secrets need another master key: a new key would replace one that could still be restored.
 */
export async function composeSecrets(
  config: Config,
  { db, log }: { readonly db: Database; readonly log: Log },
): Promise<{ readonly secrets: Secrets; readonly sealer: Sealer; readonly thinkingSigner: ThinkingSigner }> {
  const { unreadable } = await checkMasterKey(db, config);
  if (unreadable > 0)
    log.error('stored secrets can be read neither with MASTER_KEY nor with MASTER_KEY_FALLBACKS', {
      count: unreadable,
    });
  const secrets = readSecrets(config);
  return {
    secrets,
    sealer: createSealer(secrets.masterKey, config.masterKeyFallbacks),
    thinkingSigner: createThinkingSigner(secrets.masterKey, config.masterKeyFallbacks),
  };
}
