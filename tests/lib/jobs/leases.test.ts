import { expect, it } from 'vitest';
import type { Db } from '../../../lib/db/database';
import type { ClaimedJob } from '../../../lib/jobs/claimed-job';
import { createLeases } from '../../../lib/jobs/leases';
import { createTestClock } from '../../support/clock';

it('the lease of a job is renewed in time, even if the clock of the machine is set back', async () => {
  const clock = createTestClock();
  let setBackMs = 0;
  const renewed: number[] = [];
  // Safe: `createLeases` uses only this part of a database, and the id and the run of a job.
  const db = { query: async (_text: string, [ids]: [number[]]) => void renewed.push(...ids) } as unknown as Db;
  const jobOf = (id: number) => ({ id, run: 1 }) as ClaimedJob;
  const leases = createLeases({ db, clock: { ...clock, nowMs: () => clock.nowMs() - setBackMs } });
  leases.keep(jobOf(1));
  await clock.advance(6_000);
  leases.keep(jobOf(2));
  setBackMs = 3_600_000;
  await clock.advance(4_000);
  expect(renewed).toContain(1);
  await clock.advance(10_000);
  expect(renewed.filter((id) => id === 2)).not.toEqual([]);
  leases.stop();
});
