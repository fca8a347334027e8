import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../lib/domain/clock';
import { bundleServer } from '../support/bundle-server';
import type { FloodOrder, FloodReport } from '../support/flood-child';
import { callOnce, makeFleet, type Fleet } from '../support/fleet';
import { sharedSecrets } from '../support/gateway';
import { makeOrganization } from '../support/organization';
import { startPostgres } from '../support/postgres';
import { isFullRun, leftToGate, longOrShort } from '../support/proof-runs';
import { PIXVERSE_KEY } from '../support/upstreams/fake-pixverse';

// One organisation takes all that it can get: submits without an end, slow uploads, streams, videos of a provider that
// does not answer, webhooks to a receiver that does not answer. Another one works as on every day, and nothing of its
// work fails. How much slower it becomes is printed; with a flooding client and a database on the same two cores, that
// is more than the gateway adds.

const FLOOD = {
  submits: longOrShort(100_000, 3_000),
  uploads: longOrShort(300, 30),
  streams: longOrShort(2_000, 100),
  hanging: longOrShort(500, 50),
};
const UNLOADED_MS = longOrShort(60_000, 3_000);
const WORK_PAUSE_MS = 50;
/** Starts and answers of the other organisation's own videos, also while those of the flood wait. */
const VIDEO_TIMEOUT_MS = 120_000;

const postgres = await startPostgres();
afterAll(() => postgres?.close());

describe.skipIf(!postgres)(`an organisation that floods the gateway with ${FLOOD.submits} submits`, () => {
  it(
    'lets nothing of another one fail',
    { timeout: longOrShort(3_600_000, 300_000), ...leftToGate(!isFullRun()) },
    async ({ onTestFinished }) => {
      const silent = createServer((socket) => socket.on('error', () => {}).resume());
      silent.listen(0, '127.0.0.1');
      await once(silent, 'listening');
      onTestFinished(() => void silent.close());
      const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      const fleet = await makeFleet(postgres!, {
        env: {
          PIXVERSE_API_KEY: PIXVERSE_KEY,
          PIXVERSE_BASE_URL: silentUrl,
          CONFIRMED_PRICES: 'pixverse-v6-t2v',
        },
        liveCredits: '100000',
      });
      onTestFinished(() => fleet.remove());
      const other = await makeOrganization(fleet.db, {
        name: 'Other',
        masterKey: sharedSecrets.MASTER_KEY,
        clock: systemClock,
        liveCredits: '1000',
      });
      const web = await fleet.add('web');
      await fleet.add('worker');

      const worker = startWork(fleet, web.baseUrl, other.keys.live);
      await systemClock.sleep(UNLOADED_MS);
      const calm = worker.restart();
      const report = await flood({
        ...FLOOD,
        baseUrl: web.baseUrl,
        testKey: fleet.keys.test,
        liveKey: fleet.keys.live,
        silentUrl,
      });
      const flooded = await worker.stop();

      console.log('the flood was answered with', JSON.stringify(report));
      for (const [kind, before] of Object.entries(calm.ms)) {
        const during = flooded.ms[kind] ?? [];
        console.log(
          `${kind}: p50 ${quantile(before, 0.5)} -> ${quantile(during, 0.5)} ms, p99 ${quantile(before, 0.99)} -> ${quantile(during, 0.99)} ms (${before.length} and ${during.length} of them)`,
        );
        expect(during.length).toBeGreaterThan(0);
      }
      expect(flooded.failures).toEqual([]);
      expect(calm.failures).toEqual([]);
      expect(report.statuses.submits?.[202]).toBeGreaterThan(0);
      expect(report.open.streams).toBeGreaterThan(0);
      expect(report.open.uploads).toBeGreaterThan(0);
    },
  );
});

interface Work {
  /** The milliseconds of each kind of work. */
  readonly ms: Readonly<Record<string, readonly number[]>>;
  readonly failures: readonly string[];
}

/** Messages, reads and videos, one after the other, as an app sends them that does not retry. */
function startWork(fleet: Fleet, baseUrl: string, key: string) {
  let ms: Record<string, number[]> = {};
  let failures: string[] = [];
  let isRunning = true;

  async function timed(kind: string, expected: number, method: string, route: string, body?: unknown) {
    const sentAt = performance.now();
    const answer = await callOnce(baseUrl, method, route, { key, body }).catch((error: unknown) => ({
      status: 0,
      json: { error: String(error) } as Record<string, unknown>,
    }));
    (ms[kind] ??= []).push(performance.now() - sentAt);
    if (answer.status !== expected) failures.push(`${kind}: ${answer.status} ${JSON.stringify(answer.json)}`);
    return answer.json;
  }

  async function repeat(once: () => Promise<void>): Promise<void> {
    while (isRunning) {
      await once();
      await systemClock.sleep(WORK_PAUSE_MS);
    }
  }

  const message = { model: 'sandbox-text', max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] };
  const video = { model: 'sandbox-t2v', prompt: 'a boat', seconds: 1, size: '640x360', fps: 8, webhook: fleet.hook };
  const loops = [
    repeat(async () => void (await timed('message', 200, 'POST', '/v1/messages', message))),
    repeat(async () => void (await timed('credits', 200, 'GET', '/v1/credits'))),
    repeat(async () => void (await timed('list', 200, 'GET', '/v1/videos'))),
    repeat(async () => {
      const { id } = await timed('submit', 202, 'POST', '/v1/videos', video);
      if (typeof id !== 'string') return;
      const submittedAt = performance.now();
      for (;;) {
        const { status } = await timed('poll', 200, 'GET', `/v1/videos/${id}`);
        if (status === 'completed') break;
        if (status === 'failed' || performance.now() - submittedAt > VIDEO_TIMEOUT_MS) {
          failures.push(`video: ${String(status)} after ${Math.round(performance.now() - submittedAt)} ms`);
          break;
        }
        await systemClock.sleep(WORK_PAUSE_MS);
      }
      (ms.video ??= []).push(performance.now() - submittedAt);
    }),
  ];

  function taken(): Work {
    const done = { ms, failures };
    ms = {};
    failures = [];
    return done;
  }
  return {
    /** What was done so far. The next result is of what comes after it. */
    restart: taken,
    async stop(): Promise<Work> {
      isRunning = false;
      await Promise.all(loops);
      return taken();
    },
  };
}

/** Resolves when the flood is over. */
async function flood(order: FloodOrder): Promise<FloodReport> {
  const child = fork(bundleServer('tests/support/flood-child.ts'));
  try {
    await once(child, 'message');
    child.send(order);
    const [report] = (await once(child, 'message')) as [FloodReport];
    return report;
  } finally {
    child.kill();
  }
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN);
}
