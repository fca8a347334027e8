import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'undici';
import { freePort } from '../../support/child-server';
import { ensureBuilt } from '../built';
import { gateShare, judge, median, pause, ROUNDS, say } from '../measure';
import { end, pin, productArgs, residentMegabytes } from '../processes';
import type { Scenario } from '../scenario';

const MAX_MS = 1_200 / gateShare;
const MAX_MEGABYTES = 200 / gateShare;
const ASK_EVERY_MS = 5;
const START_LIMIT_MS = 60_000;
const IDLE_MS = 10_000;

/** The product as it is built, console and all, on a database that it knows already. */
export const startUp: Scenario = {
  name: 'start',
  isShort: false,
  async run(stage) {
    await ensureBuilt();
    const env = await stage.gatewayEnv();
    const made = await stage.start('gateway', 'gateway.ts', { env, bundled: true });
    await end(made.child);
    say(`From the start of the process to the first answer, on ${stage.database}`);
    const startsMs: number[] = [];
    let megabytes = Number.NaN;
    for (let round = 0; round < ROUNDS; round += 1) {
      const port = await freePort();
      const startedAt = performance.now();
      const child = spawnProduct({ ...env, PORT: String(port) });
      try {
        await answered(child, `http://127.0.0.1:${port}/v1/videos`, made.headers);
        startsMs.push(performance.now() - startedAt);
        if (round > 0) continue;
        await pause(IDLE_MS);
        megabytes = residentMegabytes(child);
      } finally {
        // Not asked to: with an external database it waits for its balancer before it goes.
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    }
    const speed = judge(median(startsMs) <= MAX_MS, 'too slow');
    const memory = judge(megabytes <= MAX_MEGABYTES, 'too much');
    say(
      `  ${median(startsMs).toFixed(0)} ms (${Math.min(...startsMs).toFixed(0)}..${Math.max(...startsMs).toFixed(0)}); at most ${MAX_MS} wanted: ${speed.word}`,
    );
    say(
      `  ${megabytes.toFixed(0)} MB after ${IDLE_MS / 1_000} s without a request; at most ${MAX_MEGABYTES} wanted: ${memory.word}`,
    );
    return speed.passed && memory.passed;
  },
};

function spawnProduct(env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, [...productArgs, 'dist/main.cjs'], {
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  pin(child.pid, 0);
  return child;
}

/** Resolves when a question that the database must answer has been. */
async function answered(child: ChildProcess, url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const until = performance.now() + START_LIMIT_MS;
  while (performance.now() < until && child.exitCode === null) {
    const answer = await request(url, { headers }).catch(() => undefined);
    await answer?.body.dump();
    if (answer?.statusCode === 200) return;
    await pause(ASK_EVERY_MS);
  }
  throw new Error('The product did not start.');
}
