import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../lib/domain/clock';
import { callOnce, makeFleet, type Fleet, type FleetProcess } from '../support/fleet';
import { runPostgres } from '../support/run-postgres';
import { isFullRun, leftToGate, longOrShort } from '../support/proof-runs';
import { openSocket } from '../support/socket-client';
import { PIXVERSE_KEY, startFakePixverse, type FakePixverse } from '../support/upstreams/fake-pixverse';

// Three processes of different roles on one Postgres, with all kinds of work. One of them is killed (kill -9) and started
// again, many times. Nothing is lost or charged twice, no vendor is asked twice, each event has one webhook id, and the
// books are exact.

const KILLS = longOrShort(100, 4);
const VIDEOS_OF_A_ROUND = 2;
const MAX_ROUND_MS = longOrShort(3_000, 1_200);
/** A process writes what messages cost within 100 ms, and much later only if the machine is busy. */
const WRITTEN_MS = 5_000;

const postgres = runPostgres();
afterAll(() => postgres?.close());

describe.skipIf(!postgres)(`three processes that are killed ${KILLS} times`, () => {
  it(
    'lose nothing, charge nothing twice and send one webhook id for each event',
    { timeout: longOrShort(1_800_000, 240_000), ...leftToGate(!isFullRun()) },
    async ({ onTestFinished }) => {
      const vendor = await startFakePixverse();
      onTestFinished(() => vendor.close());
      const fleet = await makeFleet(postgres!, {
        env: {
          PIXVERSE_API_KEY: PIXVERSE_KEY,
          PIXVERSE_BASE_URL: vendor.baseUrl,
          CONFIRMED_PRICES: 'pixverse-v6-t2v',
        },
        liveCredits: '1000',
      });
      onTestFinished(() => fleet.remove());
      const processes = await Promise.all([fleet.add('web'), fleet.add('worker'), fleet.add('all')]);
      const web = [processes[0], processes[2]];

      const kills: Kill[] = [];
      const traffic = startTraffic(fleet, web);
      const sandbox: Promise<string>[] = [];
      const atVendor: Promise<string>[] = [];
      for (let round = 0; round < KILLS; round += 1) {
        for (let n = 0; n < VIDEOS_OF_A_ROUND; n += 1) {
          sandbox.push(fleet.submit(smallVideo, { first: n }));
          atVendor.push(
            fleet.submit(
              { model: 'pixverse-v6-t2v', prompt: `boat ${round} ${n}.` },
              { key: fleet.keys.live, first: n },
            ),
          );
        }
        await systemClock.sleep(Math.random() * MAX_ROUND_MS);
        const victim = processes[round % processes.length]!;
        kills.push({ victim, at: performance.now() });
        await victim.kill();
        await victim.start();
      }
      const messages = await traffic.stop();
      await fleet.passLeases();

      const ids = await Promise.all(sandbox);
      for (const id of ids) expect(await fleet.ended(id)).toMatchObject({ status: 'completed', cost: 0.01 });
      const vendorIds = await Promise.all(atVendor);
      for (const id of vendorIds) {
        const video = await fleet.ended(id, fleet.keys.live);
        // A kill between the note of a submit and its receipt: it is unknown whether the vendor has begun.
        if (video.status === 'failed')
          expect(video).toMatchObject({ cost: 0, error: { code: 'upstream_unconfirmed' } });
      }
      const all = [...ids, ...vendorIds];
      await expect.poll(() => all.filter((id) => !fleet.webhooks.has(id)), { timeout: 90_000 }).toEqual([]);
      expect(await fleet.finish()).toEqual([]);

      expect(all.filter((id) => new Set(fleet.webhooks.get(id)).size !== 1)).toEqual([]);
      expect(await countRows(fleet, 'videos')).toBe(all.length);
      expect(submitsOf(vendor).filter((count) => count > 1)).toEqual([]);
      await checkMessages(fleet, messages, kills);
      expect(await countRows(fleet, 'meters')).toBeGreaterThan(0);
    },
  );
});

const smallVideo = { model: 'sandbox-t2v', prompt: 'a cat', seconds: 1, size: '640x360', fps: 8 };

interface Kill {
  readonly victim: FleetProcess;
  readonly at: number;
}

interface EndedMessage {
  readonly id: string;
  readonly process: FleetProcess;
  readonly sentAt: number;
  readonly endedAt: number;
}

/** Messages and speech, one after the other, at each process. `stop` returns the messages whose answer was complete. */
function startTraffic(fleet: Fleet, web: readonly FleetProcess[]) {
  let isRunning = true;
  const ended: EndedMessage[] = [];
  const loops = web.flatMap((process) => [
    repeat(async () => {
      const sentAt = performance.now();
      const { status, json } = await callOnce(process.baseUrl, 'POST', '/v1/messages', {
        key: fleet.keys.test,
        body: { model: 'sandbox-text', max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] },
      });
      if (status === 200) ended.push({ id: String(json.id), process, sentAt, endedAt: performance.now() });
    }),
    repeat(async () => {
      const socket = openSocket(`${process.baseUrl.replace('http', 'ws')}/v1/audio/speech/ws`, {
        key: fleet.keys.test,
      });
      socket.send({ type: 'tts', model: 'sandbox-tts', voice: 'rms', input: 'A boat. '.repeat(20) });
      await socket.next(({ type }) => type === 'done');
      socket.cut();
    }),
  ]);

  async function repeat(once: () => Promise<void>): Promise<void> {
    while (isRunning) {
      // A killed process, which is started again.
      await once().catch(() => undefined);
      await systemClock.sleep(100);
    }
  }

  return {
    async stop(): Promise<readonly EndedMessage[]> {
      isRunning = false;
      await Promise.all(loops);
      return ended;
    },
  };
}

/** Every answered message is recorded, except for those that ended just before their process was killed. */
async function checkMessages(fleet: Fleet, ended: readonly EndedMessage[], kills: readonly Kill[]): Promise<void> {
  const { rows } = await fleet.db.query('select id from messages');
  const recorded = new Set(rows.map(({ id }) => id));
  const isExcused = ({ process, sentAt, endedAt }: EndedMessage) =>
    kills.some(({ victim, at }) => victim === process && at > sentAt && at < endedAt + WRITTEN_MS);
  const lost = ended.filter((message) => !recorded.has(message.id) && !isExcused(message));
  expect(ended.length).toBeGreaterThan(0);
  const killsOf = ({ process, endedAt }: EndedMessage) =>
    kills.flatMap(({ victim, at }) => (victim === process ? [Math.round(at - endedAt)] : []));
  expect(lost.map((message) => [message.id, killsOf(message)])).toEqual([]);
}

/** How often the vendor was asked for each prompt. */
function submitsOf(vendor: FakePixverse): number[] {
  const counts = new Map<string, number>();
  for (const { path, json } of vendor.requests) {
    if (!path.endsWith('/generate')) continue;
    const { prompt } = json as { prompt: string };
    counts.set(prompt, (counts.get(prompt) ?? 0) + 1);
  }
  return [...counts.values()];
}

async function countRows(fleet: Fleet, table: string): Promise<number> {
  return Number((await fleet.db.query(`select count(*) as n from ${table}`)).rows[0]?.n);
}
