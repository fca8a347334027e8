import { Pool } from 'undici';
import { ensureBuilt } from '../built';
import { sendRequest, type LoadRequest } from '../load';
import { judge, maxTargetFactor, percentile, print, ROUND_MS, sleep } from '../measure';
import { runOpenLoop } from '../open-loop';
import { mainThreadCpuSeconds, residentMegabytes, type BenchServer } from '../processes';
import type { Scenario } from '../scenario';
import { videoRequest } from '../video-request';

const VIDEOS = 250;
const CONNECTIONS = 16;
const POLL_INTERVAL_MS = 200;
/** Until the videos have been started and checked for the first time. */
const SETTLE_MS = 10_000;
const READS_PER_SECOND = 20;
const MEASURE_DURATION_MS = ROUND_MS * 6;
/** What the videos may add to the time of a read. */
const MAX_ADDED_MS = 5 * maxTargetFactor;
/** What they may add to the load of the gateway's thread, in percent of a core. */
const MAX_ADDED_LOAD = 5 * maxTargetFactor;

/** Reads a video, first while nothing is rendered, then while one video is rendered and the others wait. */
export const renders: Scenario = {
  name: 'renders',
  inSmokeRun: false,
  async run(harness) {
    // The renderer is one of the built workers.
    await ensureBuilt();
    const env = await harness.gatewayEnv();
    const gateway = await harness.startServer('gateway', 'gateway.ts', { env, bundled: true });
    print(`Reads of a video while ${VIDEOS} videos wait for the renderer of the sandbox`);
    const [id = ''] = await submitVideos(gateway, 1);
    await untilRendered(gateway, id);
    const idle = await readVideo(gateway, id);
    await submitVideos(gateway, VIDEOS);
    await sleep(SETTLE_MS);
    const loaded = await readVideo(gateway, id);

    const addedMs = loaded.p50Ms - idle.p50Ms;
    // NaN where the processor time of a thread is not known.
    const addedLoad = loaded.threadLoad - idle.threadLoad;
    const isWithinTarget = addedMs <= MAX_ADDED_MS && !(addedLoad > MAX_ADDED_LOAD);
    const verdict = judge(isWithinTarget, 'too slow');
    for (const [name, { p50Ms, p99Ms, threadLoad, megabytes }] of Object.entries({ idle, loaded }))
      print(
        `  ${name}: ${p50Ms.toFixed(1)} ms (p50), ${p99Ms.toFixed(1)} ms (p99); the gateway's thread uses ${threadLoad.toFixed(0)} % of a core; ${megabytes.toFixed(0)} MB`,
      );
    print(
      `  added: ${addedMs.toFixed(1)} ms (p50) and ${addedLoad.toFixed(0)} % of a core; target at most ${MAX_ADDED_MS} ms and ${MAX_ADDED_LOAD} %: ${verdict.label}`,
    );
    return verdict.passed;
  },
};

/** Resolves to the ids. */
async function submitVideos(gateway: BenchServer, count: number): Promise<string[]> {
  const pool = new Pool(gateway.baseUrl, { connections: CONNECTIONS });
  const ids: string[] = [];
  let submitted = 0;
  const submit = async () => {
    while (submitted < count) {
      submitted += 1;
      await sendRequest(
        pool,
        gateway,
        videoRequest(`A paper boat, number ${submitted}`, (id) => ids.push(id), 'sandbox-t2v'),
      );
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, submit));
  await pool.close();
  return ids;
}

async function untilRendered(gateway: BenchServer, id: string): Promise<void> {
  const pool = new Pool(gateway.baseUrl, { connections: 1 });
  let status = '';
  const read = readRequest(id, (answer) => (status = answer));
  while (status !== 'completed') {
    await sleep(POLL_INTERVAL_MS);
    await sendRequest(pool, gateway, read);
  }
  await pool.close();
}

async function readVideo(gateway: BenchServer, id: string) {
  const cpuSecondsBefore = mainThreadCpuSeconds(gateway.child);
  const request = readRequest(id);
  const { latenciesMs, errors } = await runOpenLoop(gateway, () => request, READS_PER_SECOND, MEASURE_DURATION_MS);
  if (errors.length > 0) throw new Error(`${errors.length} reads failed, for example: ${errors[0]}`);
  return {
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    threadLoad: ((mainThreadCpuSeconds(gateway.child) - cpuSecondsBefore) * 100_000) / MEASURE_DURATION_MS,
    megabytes: residentMegabytes(gateway.child),
  };
}

function readRequest(id: string, onStatus: (status: string) => void = () => {}): LoadRequest {
  return {
    method: 'GET',
    path: `/v1/videos/${id}`,
    async findError({ statusCode, body }) {
      const received = await body.text();
      if (statusCode !== 200) return `${statusCode}: ${received.slice(0, 300)}`;
      onStatus((JSON.parse(received) as { status: string }).status); // Safe: a 200 carries a video.
      return undefined;
    },
  };
}
