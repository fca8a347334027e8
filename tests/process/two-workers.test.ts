import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { jobRules } from '../../lib/jobs/job';
import { makeFleet, type Fleet } from '../support/fleet';
import { runPostgres } from '../support/run-postgres';
import { isFullRun, leftToGate, longOrShort } from '../support/proof-runs';
import { startTcpRelay } from '../support/tcp-relay';
import { PIXVERSE_KEY, startFakePixverse } from '../support/upstreams/fake-pixverse';

// A backlog of videos at a slow vendor. Each worker reaches the vendor through a relay, which counts its submits. Two
// workers have twice as many submits on their way as one, and each takes its share; if one is killed, the other
// takes over what it had, and the vendor is never asked twice for a video.

const BACKLOG = longOrShort(2_000, 288);
/** The time of a submit at the vendor. */
const VENDOR_MS = 1_000;
/** The handlers of one process for the starts at one provider: half of all. */
const STARTS_OF_A_WORKER = jobRules['video.start'].parallel / 2;

const postgres = runPostgres();
afterAll(() => postgres?.close());

describe.skipIf(!postgres)(`a backlog of ${BACKLOG} videos`, () => {
  it(
    'is taken by two workers in about equal shares, with twice the submits of one at the same time; a killed one loses nothing',
    { timeout: longOrShort(1_800_000, 240_000), ...leftToGate(!isFullRun()) },
    async ({ onTestFinished }) => {
      const vendor = await startFakePixverse();
      onTestFinished(() => vendor.close());
      const fleet = await makeFleet(postgres!, { env: { CONFIRMED_PRICES: 'pixverse-v6-t2v' }, liveCredits: '10000' });
      onTestFinished(() => fleet.remove());
      let underWay = 0;
      let hold = makeHold();
      const addWorker = async () => {
        let submits = 0;
        const relay = await startTcpRelay({
          targetPort: Number(new URL(vendor.baseUrl).port),
          async onSent(piece) {
            if (!piece.includes('/generate')) return;
            submits += 1;
            underWay += 1;
            await Promise.all([hold.isOver, sleep(VENDOR_MS)]);
            underWay -= 1;
          },
        });
        onTestFinished(() => relay.close());
        const env = { PIXVERSE_API_KEY: PIXVERSE_KEY, PIXVERSE_BASE_URL: `http://127.0.0.1:${relay.port}` };
        const worker = await fleet.add('worker', { env });
        return { worker, submits: () => submits };
      };
      /** Holds the submits until so many are under way, and sees that there are not more. */
      const untilFull = async (count: number) => {
        await expect.poll(() => underWay, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
        await sleep(VENDOR_MS);
        expect(underWay).toBe(count);
        hold.end();
      };
      // It calls no vendor, but must offer it.
      await fleet.add('web', { env: { PIXVERSE_API_KEY: PIXVERSE_KEY, PIXVERSE_BASE_URL: vendor.baseUrl } });
      const countJobs = () => vendor.jobs.length;
      const untilJobs = (count: number) => expect.poll(countJobs, { timeout: 120_000 }).toBeGreaterThanOrEqual(count);

      const ofOne = await submitBacklog(fleet, 'alone');
      const first = await addWorker();
      await untilFull(STARTS_OF_A_WORKER);
      await untilJobs(BACKLOG);

      // Both find the whole backlog.
      await first.worker.stop();
      const ofTwo = await submitBacklog(fleet, 'together');
      const before = first.submits();
      hold = makeHold();
      const [second] = await Promise.all([addWorker(), first.worker.start()]);
      await untilFull(2 * STARTS_OF_A_WORKER);
      await untilJobs(2 * BACKLOG);
      const shares = [first.submits() - before, second.submits()];
      expect(Math.min(...shares), `shares ${String(shares)}`).toBeGreaterThan(BACKLOG / 4);

      const ofSurvivor = await submitBacklog(fleet, 'after a kill');
      await untilJobs(2 * BACKLOG + BACKLOG / 4);
      await second.worker.kill();
      // The leases of the killed one expire, and those of the survivor must not, however slow the machine is.
      await expect
        .poll(
          async () => {
            await fleet.passUnconfirmed();
            return countUnfinished(fleet);
          },
          { timeout: 180_000, interval: 1_000 },
        )
        .toBe(0);
      const finished = await Promise.all(
        [...ofOne, ...ofTwo, ...ofSurvivor].map((id) => fleet.ended(id, fleet.keys.live)),
      );
      const failed = finished.filter(({ status }) => status === 'failed');
      // A kill between the note of a submit and its receipt: it is unknown whether the vendor has begun.
      expect(failed.length).toBeLessThanOrEqual(STARTS_OF_A_WORKER);
      for (const video of failed) expect(video).toMatchObject({ cost: 0, error: { code: 'upstream_unconfirmed' } });
      const prompts = vendor.jobs.map(({ body }) => (body as { prompt: string }).prompt);
      expect(new Set(prompts).size).toBe(prompts.length);
      expect(await fleet.finish()).toEqual([]);
    },
  );
});

function makeHold() {
  let end = () => {};
  const isOver = new Promise<void>((resolve) => (end = resolve));
  return { isOver, end: () => end() };
}

async function submitBacklog(fleet: Fleet, name: string): Promise<string[]> {
  const ids: string[] = [];
  const numbers = Array.from({ length: BACKLOG }, (_, n) => n).values();
  // A few clients at the same time.
  const clients = Array.from({ length: 8 }, async () => {
    for (const n of numbers)
      ids.push(await fleet.submit({ model: 'pixverse-v6-t2v', prompt: `${name} ${n}.` }, { key: fleet.keys.live }));
  });
  await Promise.all(clients);
  return ids;
}

async function countUnfinished({ db }: Fleet): Promise<number> {
  return Number((await db.query('select count(*) as n from videos where completed_at is null')).rows[0]?.n);
}
