import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../lib/db/database';
import { listVideos, type VideoRow } from '../../../lib/db/videos';
import type { Account } from '../../../lib/domain/caller';
import {
  account,
  addWaiting,
  bigQueries,
  expectFewRowsRead,
  expectSweepByIndex,
  fill,
  findMiddle,
  STARTS_OF_PROVIDER,
  type Size,
  videoId,
} from '../../support/big-database';
import { openEmbeddedTestDatabase } from '../../support/database';
import { embeddedToo, openDatabaseAt } from '../../support/postgres';
import { runPostgres } from '../../support/run-postgres';

// Every list, search, sum and sweep reads what it needs and not the table: the database explains the statements that are
// sent, over so many rows that reading them all would be a different plan. `npm run test:long` does the same with
// millions of rows, and measures the time.

const postgres = runPostgres();
afterAll(() => postgres?.close());

describe('on the embedded database', embeddedToo(postgres), () =>
  suite(openEmbeddedTestDatabase, { videos: 20_000, messages: 20_000 }),
);
describe.skipIf(!postgres)('on Postgres', () =>
  suite(async () => openDatabaseAt(await postgres!.createDatabase()), { videos: 50_000, messages: 50_000 }),
);

function suite(open: () => Promise<Database>, size: Size): void {
  let db: Database;
  let middle: VideoRow;
  beforeAll(async () => {
    db = await open();
    await fill(db, size);
    middle = await findMiddle(db, size);
  }, 240_000);
  afterAll(() => db.close());

  it.each(bigQueries(size))('$name is read with an index, and no more than it needs', (query) =>
    expectFewRowsRead(db, middle, query),
  );

  it('the housekeeping reads no table from the beginning to the end', () => expectSweepByIndex(db));

  it('every page begins after the end of the one before, in both directions, even among videos of one instant', async () => {
    const oneInstant: Account = { ...account, mode: 'test' };
    for (const order of ['asc', 'desc'] as const) {
      const seen: string[] = [];
      let after: VideoRow | undefined;
      for (;;) {
        const rows = await listVideos(db, oneInstant, { limit: 7, order, ...(after ? { after } : {}) });
        if (rows.length === 0) break;
        seen.push(...rows.map(({ id }) => id));
        after = rows.at(-1);
      }
      const expected = Array.from({ length: 20 }, (_, n) => videoId(size.videos + 1 + n)).sort();
      expect(seen).toEqual(order === 'asc' ? expected : expected.toReversed());
    }
  });

  it('the count of the starts at a provider reads none of the videos that wait for another attempt', async () => {
    await addWaiting(db);
    const query = bigQueries(size).find(({ name }) => name === STARTS_OF_PROVIDER);
    await expectFewRowsRead(db, middle, query!);
  });
}
