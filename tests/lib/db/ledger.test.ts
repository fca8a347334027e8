import { expect, it, onTestFinished } from 'vitest';
import { readOpenHolds } from '../../../lib/db/ledger';
import { newId } from '../../../lib/domain/ids';
import { openTestDatabase } from '../../support/database';

it('the open holds are counted by work and mode, with their amount and age, without those that are resolved', async () => {
  const db = await openTestDatabase();
  onTestFinished(() => db.close());
  const insert = (subject: string, mode: string, state: string, nanoUsd: bigint, age: string) =>
    db.query(
      `insert into holds (id, org_id, mode, key_id, subject_kind, subject_id, amount_nano_usd, state, created_at)
       values ($1, 'org_1', $2, 'key_1', $3, $1, $4, $5, now() - $6::interval)`,
      [newId('hold'), mode, subject, nanoUsd, state, age],
    );
  expect(await readOpenHolds(db)).toEqual([]);
  await insert('video', 'live', 'open', 1_500_000_000n, '2 hours');
  await insert('video', 'live', 'open', 500_000_000n, '1 second');
  await insert('video', 'test', 'open', 0n, '1 second');
  await insert('message', 'live', 'captured', 7_000_000_000n, '5 hours');
  const holds = (await readOpenHolds(db)).toSorted((one, other) => one.mode.localeCompare(other.mode));
  expect(holds.map(({ subject, mode, count, usd }) => [subject, mode, count, usd])).toEqual([
    ['video', 'live', 2, 2],
    ['video', 'test', 1, 0],
  ]);
  const oldestMs = holds.find(({ mode }) => mode === 'live')!.oldestMs;
  expect(oldestMs).toBeGreaterThanOrEqual(7_200_000);
  expect(oldestMs).toBeLessThan(7_200_000 + 60_000);
});
