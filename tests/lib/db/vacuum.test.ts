import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../lib/db/database';
import { vacuumHotTables } from '../../../lib/db/vacuum';
import { openEmbeddedTestDatabase } from '../../support/database';

let db: Database;
beforeAll(async () => {
  db = await openEmbeddedTestDatabase();
});
afterAll(() => db.close());

const bytesOf = async (table: string) =>
  Number((await db.query('select pg_total_relation_size($1) as bytes', [table])).rows[0]?.bytes);

describe('vacuumHotTables', () => {
  it('lets a table whose rows change keep its size, which grows without it', async () => {
    await db.query(
      `insert into chores (name, holder, due_at) select 'chore ' || n, 'nobody', now() from generate_series(1, 500) n`,
    );
    // The indexed and the wide columns change, so that no row can be replaced within its page.
    const change = () =>
      db.query(`update chores set name = reverse(name), due_at = due_at + interval '1 second'`).then(() => undefined);
    for (let round = 0; round < 10; round += 1) await change();
    const grown = await bytesOf('chores');
    for (let round = 0; round < 10; round += 1) {
      await vacuumHotTables(db);
      await change();
    }
    expect(await bytesOf('chores')).toBeLessThanOrEqual(grown * 1.2);
    for (let round = 0; round < 30; round += 1) await change();
    expect(await bytesOf('chores')).toBeGreaterThan(grown * 1.2);
  });
});
