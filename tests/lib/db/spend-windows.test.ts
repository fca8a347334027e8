import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../lib/db/database';
import { openSpendWindows } from '../../../lib/db/spend-windows';
import { systemClock } from '../../../lib/domain/clock';
import { createWindowCounters, type WindowCounters } from '../../../lib/limits/window-counters';
import { openTestDatabase } from '../../support/database';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

/** Counters as several processes have them, that share the windows of the database. */
const processesOf = (count: number): WindowCounters[] =>
  Array.from({ length: count }, () =>
    createWindowCounters({ clock: systemClock, shared: openSpendWindows(db), processes: () => count }),
  );
const minute = (name: string, max: number) => ({ name, max, windowMs: 60_000 });
const moveEnd = (name: string, by: string) =>
  db.query('update spend_windows set ends_at = ends_at + $2::interval where name = $1', [name, by]);
const rowOf = async (name: string) =>
  (await db.query('select spent, ends_at from spend_windows where name = $1', [name])).rows[0];

describe('the spending of all processes in a minute', () => {
  it('is exactly the limit at any concurrency, also where one price is more than the share of a process', async () => {
    const processes = processesOf(4);
    const price = { ...minute('exact', 1_000), points: 300 };
    const taken = await Promise.all(
      processes.flatMap((each) => Array.from({ length: 5 }, () => Promise.resolve(each.take(price)))),
    );
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(3);
    expect(await processes[0]!.read('exact')).toMatchObject({ count: 900 });
    const [later] = processesOf(1);
    expect(await later!.take({ ...price, points: 100 })).toMatchObject({ allowed: true, remaining: 0 });
    expect(await later!.take({ ...price, points: 0 })).toMatchObject({ allowed: false });
  });

  it('begins anew when the minute has ended, and also when the clock of the database was set back', async () => {
    for (const by of ['-61 seconds', '1 hour']) {
      const [one, other] = processesOf(2);
      expect(await one!.take({ ...minute(by, 10), points: 10 })).toMatchObject({ allowed: true });
      expect(await other!.take({ ...minute(by, 10), points: 1 })).toMatchObject({ allowed: false });
      await moveEnd(by, by);
      const [later] = processesOf(1);
      // As a request is admitted, before its price is counted.
      expect(await later!.take({ ...minute(by, 10), points: 0 })).toMatchObject({ allowed: true, remaining: 10 });
      expect(await later!.take({ ...minute(by, 10), points: 4 })).toMatchObject({ allowed: true, remaining: 6 });
      const { endsInMs } = (await later!.read(by))!;
      expect(endsInMs).toBeGreaterThan(50_000);
      expect(endsInMs).toBeLessThanOrEqual(60_000);
    }
  });

  it('is kept when a statement that began earlier counts after one that began the minute', async () => {
    const windows = openSpendWindows(db);
    await windows.add('late', 100, 60_000);
    await moveEnd('late', '-61 seconds');
    // The statements of a transaction take place at its beginning.
    await db.inTransaction(async (tx) => {
      await openSpendWindows(tx).add('other', 1, 60_000);
      await tx.query(
        `update spend_windows set spent = 5, ends_at = clock_timestamp() + interval '60 seconds' where name = 'late'`,
      );
      expect(await openSpendWindows(tx).add('late', 7, 60_000)).toMatchObject({ count: 12 });
    });
    expect(await windows.add('late', 1, 60_000)).toMatchObject({ count: 13 });
  });

  it('is only read by a request whose cost is not known yet', async () => {
    const [one] = processesOf(1);
    expect(await one!.take({ ...minute('read', 10), points: 0 })).toMatchObject({ allowed: true, remaining: 10 });
    expect(await rowOf('read')).toBeUndefined();
  });

  it('is given back by work that was not begun, but not out of the next minute', async () => {
    const windows = openSpendWindows(db);
    const { endsInMs } = await windows.add('back', 5, 60_000);
    await windows.takeBack('back', 2, endsInMs);
    expect(await windows.read('back')).toMatchObject({ count: 3 });
    await moveEnd('back', '5 seconds');
    await windows.takeBack('back', 2, endsInMs);
    expect(await windows.read('back')).toMatchObject({ count: 3 });
    await moveEnd('back', '-66 seconds');
    await windows.takeBack('back', 2, endsInMs);
    expect(await windows.read('back')).toBeUndefined();
    expect(await rowOf('back')).toMatchObject({ spent: '3' });
  });
});
