import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../lib/db/database';
import { openTestDatabase } from '../../support/database';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

describe('inTransaction', () => {
  it('commits what it did when it resolves, then runs what waits for the commit', async () => {
    const seen: string[] = [];
    await db.query('create table pages (n int)');
    await db.inTransaction(async (tx) => {
      tx.afterCommit(() => seen.push('after'));
      await tx.query('insert into pages values ($1)', [1]);
      seen.push('inside');
    });
    expect(seen).toEqual(['inside', 'after']);
    expect((await db.query('select count(*)::int as n from pages')).rows).toEqual([{ n: 1 }]);
  });

  it('leaves nothing behind when it rejects, and the connection serves the next', async () => {
    await expect(
      db.inTransaction(async (tx) => {
        await tx.query('insert into pages values (2)');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect((await db.query('select count(*)::int as n from pages')).rows).toEqual([{ n: 1 }]);
  });

  it('runs parallel transactions one after the other on the embedded database', async () => {
    await Promise.all(
      Array.from({ length: 50 }, () =>
        db.inTransaction(async (tx) => {
          const { rows } = await tx.query('select max(n) as n from pages');
          await tx.query('insert into pages values ($1)', [Number(rows[0]?.n) + 1]);
        }),
      ),
    );
    expect((await db.query('select count(distinct n)::int as n from pages')).rows).toEqual([{ n: 51 }]);
  });
});
