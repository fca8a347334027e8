import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'undici';
import { freePort } from '../../support/child-server';
import { ensureBuilt } from '../built';
import { formatRange, judge, median, minTargetFactor, print, ROUNDS, sleep } from '../measure';
import { PRODUCT_ARGS } from '../../support/project';
import { pinToCore, residentMegabytes, stopProcess } from '../processes';
import type { Scenario } from '../scenario';

const MAX_START_MS = 1_200 / minTargetFactor;
const MAX_MEGABYTES = 200 / minTargetFactor;
const POLL_INTERVAL_MS = 5;
const START_TIMEOUT_MS = 60_000;
const IDLE_MS = 10_000;

/** Starts the built product, with the console, on a database whose migrations have already run. */
export const start: Scenario = {
  name: 'start',
  inSmokeRun: false,
  async run(harness) {
    await ensureBuilt();
    const env = await harness.gatewayEnv();
    // Prepares the database and creates an API key.
    const gateway = await harness.startServer('gateway', 'gateway.ts', { env, bundled: true });
    await stopProcess(gateway.child);
    print(`From the start of the process to the first response, on ${harness.database}`);
    const startsMs: number[] = [];
    let megabytes = Number.NaN;
    for (let round = 0; round < ROUNDS; round += 1) {
      const port = await freePort();
      const startedAt = performance.now();
      const child = spawnProduct({ ...env, PORT: String(port) });
      try {
        await waitForResponse(child, `http://127.0.0.1:${port}/v1/videos`, gateway.headers);
        startsMs.push(performance.now() - startedAt);
        if (round > 0) continue;
        await sleep(IDLE_MS);
        megabytes = residentMegabytes(child);
      } finally {
        // SIGKILL, not SIGTERM: with an external database the product waits for its load balancer before it exits.
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    }
    const speed = judge(median(startsMs) <= MAX_START_MS, 'too slow');
    const memory = judge(megabytes <= MAX_MEGABYTES, 'too much');
    print(
      `  ${median(startsMs).toFixed(0)} ms (${formatRange(startsMs)}); target at most ${MAX_START_MS}: ${speed.label}`,
    );
    print(
      `  ${megabytes.toFixed(0)} MB after ${IDLE_MS / 1_000} s without a request; target at most ${MAX_MEGABYTES}: ${memory.label}`,
    );
    return speed.passed && memory.passed;
  },
};

function spawnProduct(env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, [...PRODUCT_ARGS, 'dist/main.cjs'], {
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  pinToCore(child.pid, 0);
  return child;
}

/** Resolves at the first 200 of `url`, which must need the database. Rejects if the process exits or takes too long. */
async function waitForResponse(
  child: ChildProcess,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const until = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < until && child.exitCode === null) {
    const response = await request(url, { headers }).catch(() => undefined);
    await response?.body.dump();
    if (response?.statusCode === 200) return;
    await sleep(POLL_INTERVAL_MS);
  }
  throw new Error('The product did not start.');
}
