import path from 'node:path';
import { inject } from 'vitest';
import type { Database } from '../../lib/db/database';
import { openDatabase } from '../../lib/db/open-database';
import { recordLog } from './log';
import { projectRoot } from './project';
import type { ServerTemplate } from './postgres-worker';
import { reusableWorkersOf } from './reusable-worker';
import { startWorker } from './workers';

export { projectRoot, startWorker };

/** A test may ask a thousand things at once of the one connection, on a machine that is busy with something else. */
const CONNECT_TIMEOUT_MS = 120_000;

/**
 * An empty, migrated database, which the product sees as its embedded one (from a template that the run created once).
 * Behind it is a Postgres if this machine has one. Close it in `afterAll`.
 */
export const openTestDatabase = (): Promise<Database> => open(inject('serverTemplate'));

/** The same with the embedded database itself, on every machine. */
export const openEmbeddedTestDatabase = (): Promise<Database> => open(undefined);

function open(server: ServerTemplate | undefined): Promise<Database> {
  return openDatabase({
    template: inject('databaseTemplate'),
    migrationsFolder: path.join(projectRoot, 'drizzle'),
    startWorker: reusableWorkersOf(server),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    log: recordLog(),
  });
}
