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
      query(text, values, options) {
        if (text.includes('insert into holds')) statements.push(text);
        return db.query(text, values, options);
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

describe('a flood of submissions of one organisation', () => {
  /** The product on a database whose submissions of one organisation wait until `release`. */
  async function makeBlocked() {
    let storing = 0;
    let blocked: string | undefined;
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    acme = await makeAcme({
      viewOf: (db): Database => ({
        ...db,
        async query(text, values, options) {
          if (text.includes('insert into holds') && values?.includes(blocked)) {
            storing += 1;
            await released;
          }
          return db.query(text, values, options);
        },
      }),
    });
    blocked = acme.live.orgId;
    return { release, storing: () => storing };
  }
  const codes = (runs: readonly Promise<unknown>[]) =>
    Promise.all(
      runs.map((run) =>
        run.then(
          () => 'accepted',
          (error: { code: string; extra: { retryAfterSeconds?: number } }) =>
            `${error.code} ${error.extra.retryAfterSeconds}`,
        ),
      ),
    );

  it('occupies two connections, lets others submit, and is refused what has waited too long', async () => {
    const { release, storing } = await makeBlocked();
    const flood = Array.from({ length: 20 }, (_, n) => acme.submit(acme.live, { prompt: `flood ${n}` }));
    const results = codes(flood);
    const other = await acme.stranger('Others');
    expect((await acme.submit(other)).replayed).toBe(false);
    expect(storing()).toBe(2);
    await acme.clock.advance(1_501);
    release();
    const numberOf = async (code: string) => (await results).filter((each) => each === code).length;
    expect([await numberOf('accepted'), await numberOf('overloaded 2')]).toEqual([2, 18]);
    expect(await acme.count('videos')).toBe(3);
  });
});
