import { afterAll, describe, expect, it } from 'vitest';
import { startPostgres } from '../../support/postgres';
import { openDatabase } from '../../../lib/db/open-database';
import { projectRoot, startWorker } from '../../support/database';
import { recordLog } from '../../support/log';
import path from 'node:path';
const pg = await startPostgres();
afterAll(() => pg?.close());
describe.skipIf(!pg)('x', () => {
  it('inserts', async () => {
    const db = await openDatabase({ url: await pg!.createDatabase(), migrationsFolder: path.join(projectRoot,'drizzle'), startWorker, log: recordLog() });
    await db.query('create table t (n int)');
    let err: unknown;
    process.once('uncaughtException', (e) => { err = e; });
    const r = await db.inTransaction(async (tx) => {
      await tx.query('insert into t values (1)');
      await pg!.breakConnections();
      await new Promise((r) => setTimeout(r, 100));
    }).catch((e: unknown) => e);
    console.log('R', r, 'ERR', err);
    console.log(await db.query('select count(*) from t').then(x=>x.rows, e=>e));
    await db.close();
  });
});
