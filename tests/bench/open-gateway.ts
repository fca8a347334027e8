import path from 'node:path';
import { makeFirstOrganization } from '../../lib/accounts/first-organization';
import { makeKey } from '../../lib/accounts/keys';
import { createSealer } from '../../lib/accounts/seal';
import { unrestricted } from '../../lib/accounts/seed';
import { createLedger } from '../../lib/billing/ledger';
import { readConfig } from '../../lib/config/config';
import { readSecrets } from '../../lib/config/secrets';
import { insertKey } from '../../lib/db/keys';
import { openDatabase } from '../../lib/db/open-database';
import { systemClock } from '../../lib/domain/clock';
import { parseUsd } from '../../lib/domain/money';
import { createLog } from '../../lib/log';
import { providerDefinitions } from '../../lib/providers/registry';
import { createWorkerStarter } from '../../lib/workers';
import type { Gateway } from '../../lib/gateway';
import { composeGateway, type ComposeOverrides } from '../../server/compose';
import { benchModels, videoProvider } from './video-provider';

// Opens the gateway of the benchmarks, as it runs in the product with everything switched on, and creates a live API
// key with credits.

const providers = [...providerDefinitions, videoProvider];

export async function openGateway({
  makesKey = true,
  ...overrides
}: Pick<ComposeOverrides, 'random'> & { readonly makesKey?: boolean } = {}): Promise<{
  readonly gateway: Gateway;
  readonly key?: string;
}> {
  const config = readConfig(process.env, providers);
  const root = process.cwd();
  const database = await openDatabase({
    ...(config.databaseUrl === undefined ? { dataDir: config.dataDir } : { url: config.databaseUrl }),
    migrationsFolder: path.join(root, 'drizzle'),
    startWorker: createWorkerStarter(root, false),
    log: createLog('silent'),
  });
  const { gateway } = await composeGateway(config, { ...overrides, database, providers, models: benchModels() });
  if (!makesKey) return { gateway };
  const ledger = createLedger({ clock: systemClock });
  const key = await database.inTransaction(async (tx) => {
    const organization = await makeFirstOrganization(
      { ledger, sealer: createSealer(readSecrets(config).masterKey), clock: systemClock },
      tx,
      {
        name: 'Bench',
        owner: { email: 'bench-runner@example.com', passwordHash: 'none' },
        liveCredits: parseUsd('100000'),
      },
    );
    const { key: text, row } = makeKey(organization, systemClock.now(), {
      mode: 'live',
      scopes: ['inference'],
      name: 'Bench',
      ...unrestricted,
    });
    await insertKey(tx, row);
    return text;
  });
  return { gateway, key };
}
