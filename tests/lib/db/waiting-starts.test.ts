import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, Tx } from '../../../lib/db/database';
import { hasTurn, listNext, markCalled } from '../../../lib/db/waiting-starts';
import type { OrgId, VideoId } from '../../../lib/domain/ids';
import { openTestDatabase } from '../../support/database';

const ORGANIZATIONS = 50;
const VIDEOS_EACH = 40;
const LONG_AGO = new Date(0);
const NO_SHARES = new Map<OrgId, number>();

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
  const all = `generate_series(1, ${ORGANIZATIONS}) org, generate_series(1, ${VIDEOS_EACH}) n`;
  const id = `'video_' || org || '_' || n`;
  await db.query(
    `insert into organizations (id, name, webhook_secret)
     select 'org_' || org, 'o', 'sealed' from generate_series(1, ${ORGANIZATIONS}) org`,
  );
  await db.query(
    `insert into videos (id, org_id, key_id, mode, request_id, model, candidates, seconds, size, quote_nano_usd, quote_lines, hold_id, provider, deadline_at, body_hash)
     select ${id}, 'org_' || org, 'key', 'live', 'req', 'm', '[]', '5', '1280x720', 1, '[]', 'hold', 'p', now(), 'hash' from ${all}`,
  );
  await db.query(
    `insert into waiting_starts (video_id, account, org_id, mode, created_at)
     select ${id}, 'full', 'org_' || org, 'live', now() + n * interval '1 second' from ${all}`,
  );
  await db.query('analyze waiting_starts, videos');
});
afterAll(() => db.close());

/** Runs `work` in a transaction that changes nothing; resolves with its result and the number of waiting starts read. */
async function reads<T>(work: (tx: Tx) => Promise<T>): Promise<{ readonly result: T; readonly rows: number }> {
  let done: { readonly result: T; readonly rows: number } | undefined;
  const undo = new Error('undo');
  const count = async (tx: Tx) => {
    const { rows } = await tx.query(
      `select seq_tup_read + coalesce(idx_tup_fetch, 0) as n from pg_stat_xact_user_tables where relname = 'waiting_starts'`,
    );
    return Number(rows[0]?.['n'] ?? 0);
  };
  await db
    .inTransaction(async (tx) => {
      const before = await count(tx);
      const result = await work(tx);
      done = { result, rows: (await count(tx)) - before };
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return done!;
}
const video = (org: number, n: number) => `video_${org}_${n}` as VideoId;

describe('the next starts of a queue', () => {
  it('are found by reading little more than their number, however many organisations wait', async () => {
    const { result, rows } = await reads((tx) => listNext(tx, 'full', NO_SHARES, 100));
    expect(result).toHaveLength(100);
    expect(new Set(result.map(({ id }) => id.split('_')[1])).size).toBe(ORGANIZATIONS);
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(400);
  });

  it('are those of the organisations with the smallest shares', async () => {
    const shares = new Map([1, 2, 3].map((org) => [`org_${org}` as OrgId, 0]));
    for (let org = 4; org <= ORGANIZATIONS; org += 1) shares.set(`org_${org}` as OrgId, 1);
    const { result } = await reads((tx) => listNext(tx, 'full', shares, 3));
    expect(result.map(({ id }) => id).toSorted()).toEqual([video(1, 1), video(2, 1), video(3, 1)]);
  });
});

describe('a start', () => {
  it('has its turn without a call only if there is a slot for each start that waits', async () => {
    const all = ORGANIZATIONS * VIDEOS_EACH;
    for (const [free, expected] of [
      [all, true],
      [all - 1, false],
      [1, false],
    ] as const)
      expect((await reads((tx) => hasTurn(tx, 'full', video(1, 1), free, LONG_AGO))).result).toBe(expected);
    // One that is not in the queue yet is one more.
    const newcomer = 'video_new' as VideoId;
    expect(await hasTurn(db, 'full', newcomer, all, LONG_AGO)).toBe(false);
    expect(await hasTurn(db, 'full', newcomer, all + 1, LONG_AGO)).toBe(true);
  });

  it('that was called has its turn if there is a slot for each that was called, and the others are not read', async () => {
    const { result, rows } = await reads(async (tx) => {
      await markCalled(tx, 'full', [video(1, 1), video(2, 1), video(3, 1)]);
      return Promise.all([3, 2].map((free) => hasTurn(tx, 'full', video(2, 1), free, LONG_AGO)));
    });
    expect(result).toEqual([true, false]);
    expect(rows).toBeLessThan(50);
  });

  it('that was just refused waits for a call, unless no other waits', async () => {
    const { result } = await reads(async (tx) => {
      const turn = () => hasTurn(tx, 'full', video(1, 1), 10_000, new Date(Date.now() - 60_000));
      await tx.query('update waiting_starts set refused_at = now() where video_id = $1', [video(1, 1)]);
      const among = await turn();
      await tx.query('delete from waiting_starts where video_id <> $1', [video(1, 1)]);
      return [among, await turn()];
    });
    expect(result).toEqual([false, true]);
  });
});
