import { createLedger } from '../../lib/billing/ledger';
import type { Database } from '../../lib/db/database';
import type { Clock } from '../../lib/domain/clock';
import type { Log } from '../../lib/domain/log';
import type { Retention } from '../../lib/domain/retention';
import { createHousekeeping, type HousekeepingDeps } from '../../lib/housekeeping/housekeeping';
import { createQueue } from '../../lib/jobs/queue';

export interface HousekeepingOptions {
  /** Long enough that nothing is deleted by age, where it is not stated. */
  readonly retention?: Partial<Retention>;
  /** By default the providers keep the files of finished videos. */
  readonly providers?: HousekeepingDeps['providers'];
}

/** Runs all housekeeping of the product once, with a queue of its own. */
export async function keepHouse(
  { db, clock, log }: { readonly db: Database; readonly clock: Clock; readonly log: Log },
  { retention, providers = { of: async () => undefined } }: HousekeepingOptions = {},
): Promise<void> {
  const queue = await createQueue({ db, clock, log, exclusive: false });
  await createHousekeeping({
    db,
    clock,
    log,
    ledger: createLedger({ clock }),
    queue,
    providers,
    canMail: false,
    readDirectoryId: async () => 'here',
    isEmbedded: false,
    retention: { usageDays: 400, webhookDays: 90, inputDays: 30, auditDays: 365, ...retention },
  }).run();
  await queue.stop(0);
}
