import type { Config } from '../lib/config/config';
import type { Db } from '../lib/db/database';
import { findLastMigration, readMigrations } from '../lib/db/migrate';
import { examineMasterKey } from './check-master-key';
import { checkSchema, type Finding } from './findings';
import { migrationsFolder } from './maintained-installation';

/** Returns what a start will find in the database: its schema, and whether MASTER_KEY is the key of its secrets. */
export async function examineDatabase(config: Config, db: Db): Promise<readonly Finding[]> {
  const lastMigration = await findLastMigration(db);
  const schema = checkSchema(lastMigration, readMigrations(migrationsFolder));
  const masterKey = lastMigration === undefined ? undefined : await examineMasterKey(db, config);
  return masterKey === undefined ? [schema] : [schema, masterKey];
}
