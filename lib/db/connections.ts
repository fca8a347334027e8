import type { Log } from '../domain/log';
import type { Database } from './database';

// How many connections the processes of an installation open to an external database.

/** The sizes of the two pools of one process. If one is 0, the process has only the other pool. */
export interface PoolSizes {
  readonly requests: number;
  readonly jobs: number;
}

/**
 * Splits the connections into pools for requests and for jobs. A process that does both has two pools, so that neither
 * kind of work waits for the other.
 */
export function splitPool(role: 'all' | 'web' | 'worker', size: number): PoolSizes {
  if (role === 'web') return { requests: size, jobs: 0 };
  if (role === 'worker') return { requests: 0, jobs: size };
  const jobs = Math.max(1, Math.floor(size * 0.4));
  return { requests: size - jobs, jobs };
}

/**
 * Logs how many connections the processes of this machine may open, with a warning if the server allows fewer. Never
 * rejects: a pooler may refuse the query.
 */
export async function reportConnections(
  db: Database,
  log: Log,
  { processes, poolSize }: { readonly processes: number; readonly poolSize: number },
): Promise<void> {
  const connections = processes * poolSize;
  const allowed = await allowedConnections(db);
  const fields = { processes, connections, ...(allowed === undefined ? {} : { maxConnections: allowed }) };
  if (allowed !== undefined && connections > allowed)
    log.warn(
      'the processes of this machine may open more database connections than the server allows: lower DATABASE_POOL_SIZE or WEB_CONCURRENCY, or raise max_connections',
      fields,
    );
  else log.info('database connections that the processes of this machine may open', fields);
}

/**
 * Returns the number of connections that the server does not reserve for superusers; undefined if it cannot be read.
 */
async function allowedConnections(db: Database): Promise<number | undefined> {
  try {
    const { rows } = await db.query(
      `select sum(case name when 'max_connections' then setting::int else -setting::int end)::int as allowed
       from pg_settings where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections')`,
    );
    return typeof rows[0]?.allowed === 'number' ? rows[0].allowed : undefined;
  } catch {
    return undefined;
  }
}
