import { afterAll, describe, expect, it } from 'vitest';
import { reportConnections, splitPool } from '../../../lib/db/connections';
import { openPool } from '../../../lib/db/open-database';
import { projectRoot, startWorker } from '../../support/database';
import { recordLog } from '../../support/log';
import { openDatabaseAt, startPostgres } from '../../support/postgres';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

describe('splitPool', () => {
  it.each(['all', 'web', 'worker'] as const)('%s opens as many connections as the setting says', (role) => {
    for (const size of [2, 3, 10, 25]) {
      const { requests, jobs } = splitPool(role, size);
      expect(requests + jobs).toBe(size);
      expect([requests > 0, jobs > 0]).toEqual([role !== 'worker', role !== 'web']);
    }
  });

  it('gives two fifths to jobs where a process does both', () => {
    expect(splitPool('all', 10)).toEqual({ requests: 6, jobs: 4 });
  });
});

describe.skipIf(!postgres)('on Postgres', () => {
  it('the report warns when the processes may open more connections than the server allows', async () => {
    const db = await openDatabaseAt(await postgres!.createDatabase());
    // 200, of which the server reserves 3 for superusers.
    for (const { poolSize, level } of [
      { poolSize: 98, level: 'info' },
      { poolSize: 99, level: 'warn' },
    ] as const) {
      const log = recordLog();
      await reportConnections(db, log, { processes: 2, poolSize });
      expect(log.lines).toEqual([
        expect.objectContaining({
          level,
          fields: { processes: 2, connections: 2 * poolSize, maxConnections: 197 },
        }),
      ]);
    }
    await db.close();
  });

  it('a pool whose connections are all in use does not delay the other one', async () => {
    const url = await postgres!.createDatabase();
    const requests = await openDatabaseAt(url, { poolSize: 2 });
    const jobs = openPool({ url, poolSize: 1, migrationsFolder: projectRoot, startWorker, log: recordLog() });
    const busy = Promise.all([1, 2].map(() => requests.query('select pg_sleep(2)')));
    await expect(requests.query('select 1')).rejects.toThrow('timeout exceeded when trying to connect');
    expect((await jobs.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await busy;
    await Promise.all([requests.close(), jobs.close()]);
  });
});
