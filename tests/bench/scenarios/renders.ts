import { Pool } from 'undici';
import { ensureBuilt } from '../built';
import { sendRequest, type LoadRequest } from '../load';
import { judge, maxTargetFactor, percentile, print, sleep } from '../measure';
import { runOpenLoop } from '../open-loop';
import { mainThreadCpuSeconds, residentMegabytes } from '../processes';
import type { Scenario } from '../scenario';
import { videoRequest } from '../video-request';

const VIDEOS = 250;
const CONNECTIONS = 16;
const SETTLE_MS = 10_000;
const MEASURE_MS = 30_000;
const READS_PER_SECOND = 20;
const MAX_MS = 10 * maxTargetFactor;
/** Percent of a core. */
const MAX_THREAD_LOAD = 10 * maxTargetFactor;

export const renders: Scenario = {
  name: 'renders',
  inSmokeRun: false,
  async run(harness) {
    // The renderer runs from the built workers.
    await ensureBuilt();
    const env = await harness.gatewayEnv();
    const gateway = await harness.startServer('gateway', 'gateway.ts', { env, bundled: true });
    print(`${VIDEOS} videos that wait for the renderer of the sandbox`);
    const pool = new Pool(gateway.baseUrl, { connections: CONNECTIONS });
    const ids: string[] = [];
    const submit = async (number: number) =>
      sendRequest(
        pool,
        gateway,
        videoRequest(`A paper boat, number ${number}`, (id) => ids.push(id), 'sandbox-t2v'),
      );
    for (let sent = 0; sent < VIDEOS; sent += CONNECTIONS) {
      const count = Math.min(CONNECTIONS, VIDEOS - sent);
      await Promise.all(Array.from({ length: count }, (_, index) => submit(sent + index)));
    }
    await pool.close();
    await sleep(SETTLE_MS);

    const cpuSecondsBefore = mainThreadCpuSeconds(gateway.child);
    // Of many videos, because what is read often is in a cache of the database.
    const read = (number: number) => readRequest(ids[number % ids.length] ?? '');
    const { latenciesMs, errors } = await runOpenLoop(gateway, read, READS_PER_SECOND, MEASURE_MS);
    const threadLoad = ((mainThreadCpuSeconds(gateway.child) - cpuSecondsBefore) * 100_000) / MEASURE_MS;
    const readMs = (share: number) => percentile(latenciesMs, share);
    const verdict = judge(errors.length === 0 && readMs(0.5) <= MAX_MS && !(threadLoad > MAX_THREAD_LOAD), 'too slow');
    if (errors.length > 0) print(`  ${errors.length} of the reads failed, for example: ${errors[0]}`);
    print(
      `  GET /v1/videos/{id} takes ${readMs(0.5).toFixed(1)} ms (p50) and ${readMs(0.99).toFixed(1)} ms (p99), maximum ${readMs(1).toFixed(0)}; the gateway's thread uses ${threadLoad.toFixed(0)} % of a core; ${residentMegabytes(gateway.child).toFixed(0)} MB`,
    );
    print(`  target at most ${MAX_MS} ms (p50) and ${MAX_THREAD_LOAD} %: ${verdict.label}`);
    return verdict.passed;
  },
};

function readRequest(id: string): LoadRequest {
  return {
    method: 'GET',
    path: `/v1/videos/${id}`,
    async findError({ statusCode, body }) {
      const received = await body.text();
      return statusCode === 200 ? undefined : `${statusCode}: ${received.slice(0, 300)}`;
    },
  };
}
