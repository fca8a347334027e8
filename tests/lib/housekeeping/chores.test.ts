import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { removeUnusedChores } from '../../../lib/db/chores';
import type { Database } from '../../../lib/db/database';
import { createChores, type Chore } from '../../../lib/housekeeping/chores';
import { createTestClock, type TestClock } from '../../support/clock';
import { openTestDatabase } from '../../support/database';
import { recordLog } from '../../support/log';

const patience = { timeout: 15_000, interval: 10 };

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());
beforeEach(() => db.query('delete from chores'));

const process = (...chores: Chore[]) => processIn('here', ...chores);

function processIn(directory: string, ...chores: Chore[]) {
  const clock = createTestClock();
  const log = recordLog();
  const made = createChores({ db, clock, log, readDirectoryId: async () => directory }, chores);
  made.start();
  return { ...made, clock, log };
}
/** The row of a chore, with the times of the database's clock. */
const dueInSeconds = async (name: string) =>
  (await db.query(`select round(extract(epoch from due_at - now()))::int as s from chores where name = $1`, [name]))
    .rows[0]?.s;
const makeDue = () => db.query('update chores set due_at = now()');
/** Makes the process check, and waits until it has. */
async function look(clock: TestClock, looks: () => boolean): Promise<void> {
  await clock.advance(60_000);
  await expect.poll(looks, patience).toBe(true);
}

describe('a chore', () => {
  it('runs a minute after the start, then when it is due, and in one process at a time', async () => {
    let runs = 0;
    let finish: () => void = () => {};
    const chore: Chore = {
      name: 'counted',
      everyMs: 300_000,
      run: () => new Promise((resolve) => ((runs += 1), (finish = resolve))),
    };
    const [one, two] = [process(chore), process(chore)];
    await one.clock.advance(59_999);
    expect(runs).toBe(0);
    await look(one.clock, () => runs === 1);
    // The other process checks while it runs, and again when it is done and not due.
    const looked = () => two.clock.pending() > 0;
    await look(two.clock, looked);
    finish();
    await expect.poll(() => dueInSeconds('counted'), patience).toBeGreaterThan(290);
    await look(two.clock, looked);
    expect(runs).toBe(1);
    await makeDue();
    await look(two.clock, () => runs === 2);
    finish();
    one.stop();
    two.stop();
  });

  it('that fails is due again after its interval, and delays no other chore', async () => {
    let others = 0;
    const { clock, log, stop } = process(
      { name: 'failing', everyMs: 3_600_000, run: async () => Promise.reject(new Error('no')) },
      { name: 'other', everyMs: 3_600_000, run: async () => void (others += 1) },
      { name: 'endless', everyMs: 3_600_000, run: () => new Promise(() => {}) },
    );
    await look(clock, () => others === 1);
    await expect.poll(() => dueInSeconds('failing'), patience).toBeGreaterThan(3_590);
    expect(log.lines.map(({ message, fields }) => [message, fields.chore])).toEqual([
      ['a part of the housekeeping failed and will be tried again', 'failing'],
    ]);
    stop();
  });

  it('of a process that died or is paused is taken by another one when the lease expires, and the first one is aborted', async () => {
    const asked: (() => Promise<boolean>)[] = [];
    const chore: Chore = {
      name: 'paused',
      everyMs: 300_000,
      run: (goesOn) => (asked.push(goesOn), new Promise(() => {})),
    };
    const [one, two] = [process(chore), process(chore)];
    await look(one.clock, () => asked.length === 1);
    await one.clock.advance(10_000);
    expect(await asked[0]!()).toBe(true);
    await makeDue();
    await look(two.clock, () => asked.length === 2);
    await one.clock.advance(10_000);
    expect([await asked[0]!(), await asked[1]!()]).toEqual([false, true]);
    two.stop();
    expect(await asked[1]!()).toBe(false);
    one.stop();
  });

  it('that is interrupted by a stop is due at once, for another process', async () => {
    const asked: (() => Promise<boolean>)[] = [];
    let finish: () => void = () => {};
    const chore: Chore = {
      name: 'long',
      everyMs: 3_600_000,
      run: (goesOn) => new Promise((resolve) => (asked.push(goesOn), (finish = resolve))),
    };
    const [one, two] = [process(chore), process(chore)];
    await look(one.clock, () => asked.length === 1);
    one.stop();
    expect(await asked[0]!()).toBe(false);
    finish();
    await expect.poll(() => dueInSeconds('long'), patience).toBeLessThanOrEqual(0);
    await look(two.clock, () => asked.length === 2);
    two.stop();
  });

  it('of each directory runs in one process of those that share it', async () => {
    const ran: string[] = [];
    const names = ['one, first', 'one, second', 'two'];
    const processes = names.map((name) =>
      processIn(name.split(',')[0]!, {
        name: 'files',
        everyMs: 3_600_000,
        inEachDirectory: true,
        run: async () => void ran.push(name),
      }),
    );
    for (const { clock } of processes) await look(clock, () => clock.pending() > 0);
    expect(ran).toEqual(['one, first', 'two']);
    for (const { stop } of processes) stop();
  });

  it('that nobody has done for a week is forgotten', async () => {
    await db.query(`insert into chores (name, holder, due_at) values
      ('gone', 'x', now() - interval '169 hours'), ('late', 'x', now() - interval '167 hours')`);
    await removeUnusedChores(db);
    expect((await db.query('select name from chores')).rows).toEqual([{ name: 'late' }]);
  });
});
