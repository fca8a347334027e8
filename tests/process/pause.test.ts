import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../lib/domain/clock';
import { videoPoints } from '../support/crash-gateway';
import { makeFleet, type Fleet } from '../support/fleet';
import { runPostgres } from '../support/run-postgres';
import { isFullRun, leftToGate } from '../support/proof-runs';

// Two processes for the requests and two for the jobs on one Postgres. One of them is stopped (SIGSTOP), as by a
// virtual machine that migrates, for longer than its lease, and then continues. At each point every video ends once, is
// charged once and has one webhook. Two points run in the gate, otherwise one, and the test expires the lease itself;
// PAUSE_SECONDS=60 runs all points in real time (about ten minutes).

const postgres = runPostgres();
afterAll(() => postgres?.close());

const seconds = process.env.PAUSE_SECONDS === undefined ? undefined : Number(process.env.PAUSE_SECONDS);
/** Long enough for a round of the queue's maintenance to give the job to the other worker. */
const SHORT_PAUSE_SECONDS = 14;
const VIDEOS = 4;

const points =
  seconds === undefined ? (['before save of the receipt', 'before terminal commit'] as const) : videoPoints;

describe.skipIf(!postgres)(
  'a process that is paused for longer than its lease',
  { concurrent: seconds !== undefined },
  () => {
    describe.each(points)('%s', (point) => {
      const isLeft = seconds === undefined && !isFullRun();
      it(
        'every video ends once, charged once, with one webhook',
        { timeout: 420_000, ...leftToGate(isLeft) },
        async ({ onTestFinished }) => {
          const fleet = await makeFleet(postgres!);
          onTestFinished(() => fleet.remove());
          const pauseFile = path.join(fleet.dataDir, 'paused');
          const options = { point, env: { PAUSE_FILE: pauseFile } };
          await Promise.all((['web', 'web', 'worker', 'worker'] as const).map((role) => fleet.add(role, options)));
          const submitting = Promise.all(Array.from({ length: VIDEOS }, (_, n) => fleet.submit(order, { first: n })));
          await pauseProcess(fleet, pauseFile);
          const ids = await submitting;
          for (const id of ids)
            expect(await fleet.ended(id)).toMatchObject({ status: 'completed', cost: 0.01, duration_seconds: 1 });
          await expect.poll(() => ids.filter((id) => !fleet.webhooks.has(id)), { timeout: 60_000 }).toEqual([]);
          expect(await fleet.finish()).toEqual([]);
          for (const id of ids) expect(new Set(fleet.webhooks.get(id)).size).toBe(1);
          expect((await fleet.db.query('select count(*)::int as n from videos')).rows).toEqual([{ n: VIDEOS }]);
          expect(
            (await fleet.db.query('select spent_nano_usd::text as spent from accounts where mode = $1', ['test'])).rows,
          ).toEqual([{ spent: String(VIDEOS * 10_000_000) }]);
        },
      );
    });
  },
);

const order = { model: 'sandbox-t2v', prompt: 'a cat', seconds: 1, size: '640x360', fps: 8 };

/** Continues the process that has stopped itself, after its lease is over. */
async function pauseProcess({ db }: Fleet, pauseFile: string): Promise<void> {
  const readPid = () => readFile(pauseFile, 'utf8').catch(() => '');
  await expect.poll(readPid, { timeout: 120_000 }).not.toBe('');
  const pid = Number(await readPid());
  await systemClock.sleep(1_000);
  if (seconds === undefined)
    await db.query(
      `update jobs set leased_until = leased_until - interval '31 seconds' where leased_until is not null`,
    );
  await systemClock.sleep((seconds ?? SHORT_PAUSE_SECONDS) * 1_000);
  process.kill(pid, 'SIGCONT');
}
