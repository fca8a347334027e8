import type { Db } from './database';

/** The tables whose rows change often. */
const HOT_TABLES = [
  'accounts',
  'api_keys',
  'check_slots',
  'chores',
  'holds',
  'jobs',
  'spending',
  'meters',
  'videos',
  'waiting_starts',
  'webhook_deliveries',
] as const;

/**
 * Frees the space of changed rows for reuse, and shortens the write-ahead log. The embedded database has no background
 * processes for this, so its files would only grow. Must not be called inside a transaction.
 */
export async function vacuumHotTables(db: Db): Promise<void> {
  for (const table of HOT_TABLES) await db.query(`vacuum (analyze) ${table}`);
  await db.query('checkpoint');
}
