import { afterEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../lib/db/database';
import { makeAcme, type Acme } from './make-acme';

// A submission locks the account of its organisation, so that its round trips to the database decide how many an
// organisation can submit in a second.

let acme: Acme;
afterEach(() => acme.close());

/** The product on a database that keeps what changes the tables of videos and holds. */
async function makeWatched(): Promise<string[]> {
  const statements: string[] = [];
  acme = await makeAcme({
    viewOf: (db): Database => ({
      ...db,
      query(text, values) {
        if (text.includes('insert into holds')) statements.push(text);
        return db.query(text, values);
      },
      inTransaction: (run) =>
        db.inTransaction((tx) =>
          run({
            ...tx,
            query(text, values) {
              statements.push(`in a transaction: ${text}`);
              return tx.query(text, values);
            },
          }),
        ),
    }),
  });
  return statements;
}

describe('a submission', () => {
  it('stores video, price, hold and job with one statement and no transaction, also with an Idempotency-Key', async () => {
    const statements = await makeWatched();
    for (const how of [{}, { idempotencyKey: 'once' }]) {
      statements.length = 0;
      const submitted = acme.submit(acme.live, { prompt: `a cat ${Object.keys(how).join('')}` }, how);
      const { id } = await submitted;
      expect(statements).toHaveLength(1);
      expect(statements[0]).toMatch(/insert into holds[^]*insert into videos[^]*insert into jobs/);
      expect(statements[0]).not.toContain('in a transaction');
      expect(await acme.count(`videos v join holds h on h.id = v.hold_id where v.id = '${id}'`)).toBe(1);
      await acme.settle();
    }
    expect(await acme.count('idempotency_keys')).toBe(1);
  });

  it('that is refused leaves no row behind', async () => {
    await makeWatched();
    const poor = { ...acme.live, limits: { key: { running_videos: 1 } } };
    await acme.submit(poor);
    for (const how of [{}, { idempotencyKey: 'free' }]) {
      await expect(acme.submit(poor, { prompt: 'a dog' }, how)).rejects.toMatchObject({
        code: 'concurrency_limit_exceeded',
      });
    }
    expect([await acme.count('videos'), await acme.count('holds'), await acme.count('idempotency_keys')]).toEqual([
      1, 1, 0,
    ]);
  });
});
