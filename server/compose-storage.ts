import path from 'node:path';
import type { Config } from '../lib/config/config';
import { reportConnections, splitPool } from '../lib/db/connections';
import type { Database } from '../lib/db/database';
import { openDatabase, openPool } from '../lib/db/open-database';
import { errorForLog } from '../lib/domain/errors';
import type { Log } from '../lib/domain/log';
import { makePrivateDirectory } from '../lib/io/private-directory';
import type { StartWorker } from '../lib/workers';
import { isFirstProcess } from './supervise';

export interface Storage {
  readonly db: Database;
  /** For jobs; the same as `db` unless jobs have a connection pool of their own. */
  readonly jobDb: Database;
  /** The connection pools by their names in the metrics. */
  readonly pools: Readonly<Record<string, Database['pool']>>;
}

/** Opens the configured database and applies its migrations, or uses the database that is passed in. */
export async function composeStorage(
  { databaseUrl, databasePoolSize: poolSize, dataDir, role, webConcurrency }: Config,
  deps: {
    readonly projectRoot: string;
    readonly startWorker: StartWorker;
    readonly log: Log;
    readonly database?: Database | undefined;
    readonly neonProxy?: string | undefined;
  },
): Promise<Storage> {
  const { projectRoot, startWorker, log, database, neonProxy } = deps;
  closeDataDir(dataDir, log);
  const pools = splitPool(role, poolSize);
  const options = {
    ...(neonProxy === undefined ? {} : { neonProxy }),
    migrationsFolder: path.join(projectRoot, 'drizzle'),
    startWorker,
    log,
  };
  const db =
    database ??
    (await openDatabase({
      ...options,
      ...(databaseUrl === undefined ? { dataDir } : { url: databaseUrl }),
      poolSize: pools.requests || pools.jobs,
      // Without its database the process would still report that it is healthy. A new process opens the database again.
      onLost(error) {
        log.error('the embedded database is lost; the process ends', { error: errorForLog(error) });
        process.exit(1);
      },
    }));
  const hasTwoPools = databaseUrl !== undefined && database === undefined && pools.requests > 0 && pools.jobs > 0;
  const jobDb = hasTwoPools ? openPool({ ...options, url: databaseUrl, poolSize: pools.jobs }) : db;
  // Once per machine, not once per process.
  if (databaseUrl !== undefined && isFirstProcess())
    await reportConnections(db, log, { processes: webConcurrency, poolSize });
  return { db, jobDb, pools: hasTwoPools ? { requests: db.pool, jobs: jobDb.pool } : { all: db.pool } };
}

/** Closes the data directory to other users of this machine, and logs if they could read it until now. */
function closeDataDir(dataDir: string, log: Log): void {
  const privacy = makePrivateDirectory(dataDir);
  if (privacy === 'closed')
    log.warn('DATA_DIR was open to other users of this machine and is now closed to them (mode 0700)');
  if (privacy === 'open')
    log.warn(
      'DATA_DIR is open to other users of this machine and its mode cannot be changed: make it readable by the user of this process alone',
    );
}
