import path from 'node:path';
import { openDatabase } from '../../../lib/db/open-database';
import { createWorkerStarter } from '../../../lib/workers';
import { recordLog } from '../../support/log';

// A bundled process that opens the embedded database of a directory, prints the rows that it finds, and then adds row after row
// until it is killed. It prints each row after the database has acknowledged it.

async function main(): Promise<void> {
  const [, , dataDir = ''] = process.argv;
  const root = process.cwd();
  const db = await openDatabase({
    dataDir,
    migrationsFolder: path.join(root, 'drizzle'),
    startWorker: createWorkerStarter(root, true),
    log: recordLog(),
  });
  await db.query('create table if not exists acknowledged (n int primary key, filling text)');
  const { rows } = await db.query('select n from acknowledged order by n');
  process.stdout.write(`found ${rows.map(({ n }) => n).join(',')}\n`);
  for (let n = rows.length; ; n += 1) {
    // In a transaction with a second row that is deleted again, because the product's own writes have several
    // statements.
    await db.inTransaction(async (tx) => {
      await tx.query('insert into acknowledged values ($1, repeat($2, 200))', [n, 'row']);
      await tx.query('insert into acknowledged values (-1, null)');
      await tx.query('delete from acknowledged where n = -1');
    });
    process.stdout.write(`${n}\n`);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
