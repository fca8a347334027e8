import { judge, minTargetFactor, print, sleep } from '../measure';
import { cpuSeconds } from '../processes';
import type { Harness } from '../harness';
import type { Scenario } from '../scenario';
import { fetchLateness, startVideoUpstream } from '../start-video-gateway';
import { submitVideos } from '../submit-videos';

const VIDEOS = 2_000;
const START_TIMEOUT_MS = 120_000;
const POLL_INTERVAL_MS = 50;
const MIN_PER_SECOND = 200 * minTargetFactor;

/** A worker process begins with a backlog of videos of one organisation at one provider. */
export const starts: Scenario = {
  name: 'starts',
  inSmokeRun: false,
  async run(harness) {
    if (harness.database !== 'Postgres') {
      print('Starts: skipped, because a worker process needs Postgres');
      return true;
    }
    print(`Starts of ${VIDEOS} waiting videos by one worker process`);
    // A vendor that answers at once shows what the gateway takes, one that answers late what its places are enough for.
    const isFast = await measure(harness, 0);
    return (await measure(harness, 300)) && isFast;
  },
};

async function measure(harness: Harness, answerMs: number): Promise<boolean> {
  const { upstream, env } = await startVideoUpstream(harness, [String(answerMs)]);
  const roles = { web: { ...env, PATCHBAY_ROLE: 'web' }, worker: { ...env, PATCHBAY_ROLE: 'worker' } };
  await submitVideos(await harness.startServer('gateway', 'gateway.ts', { env: roles.web, bundled: true }), VIDEOS);
  const worker = await harness.startServer('worker', 'gateway.ts', {
    env: roles.worker,
    args: ['--no-key'],
    bundled: true,
  });
  const cpuSecondsBefore = cpuSeconds(worker.child);
  const startedAt = performance.now();
  for (let running = 0; running < VIDEOS; { running } = await fetchLateness(upstream)) {
    if (performance.now() - startedAt > START_TIMEOUT_MS) {
      print(`  after ${START_TIMEOUT_MS / 1_000} s only ${running} videos have started: too slow`);
      return false;
    }
    await sleep(POLL_INTERVAL_MS);
  }
  const perSecond = VIDEOS / ((performance.now() - startedAt) / 1_000);
  const micros = ((cpuSeconds(worker.child) - cpuSecondsBefore) * 1e6) / VIDEOS;
  const verdict = judge(perSecond >= MIN_PER_SECOND, 'too slow');
  print(
    `  ${perSecond.toFixed(0)} per second, ${micros.toFixed(0)} µs of CPU time each, if the vendor answers within ${answerMs} ms; target at least ${MIN_PER_SECOND}: ${verdict.label}`,
  );
  return verdict.passed;
}
