import path from 'node:path';
import { inject } from 'vitest';
import type { Database } from '../../lib/db/database';
import { openDatabase } from '../../lib/db/open-database';
import { recordLog } from './log';
import { projectRoot } from './project';
import { startReusableWorker } from './reusable-worker';
import { startWorker } from './workers';

export { projectRoot, startWorker };

/** A test may ask a thousand things at once of the one connection, on a machine that is busy with something else. */
const CONNECT_TIMEOUT_MS = 120_000;

/** An empty, migrated database in memory (from a template that the run created once). Close it in `afterAll`. */
export function openTestDatabase(): Promise<Database> {
  return openDatabase({
    template: inject('databaseTemplate'),
    migrationsFolder: path.join(projectRoot, 'drizzle'),
    startWorker: startReusableWorker,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    log: recordLog(),
  });
}
