import { judge, percentile, print, sleep } from '../measure';
import { cpuSeconds, residentMegabytes } from '../processes';
import type { Scenario } from '../scenario';
import { fetchLateness, startVideoGateway } from '../start-video-gateway';
import { submitVideos } from '../submit-videos';

const VIDEOS = 5_000;
const START_TIMEOUT_MS = 180_000;
/** Covers the first minute of the videos, in which the gateway polls most often, and a part of the slower schedule. */
const MEASURE_DURATION_MS = 60_000;
/** One fifth of the shortest interval between two polls, which is as much as the schedule's own jitter. */
const MAX_LATENESS_MS = 1_000;

export const polls: Scenario = {
  name: 'polls',
  inSmokeRun: false,
  async run(harness) {
    const { gateway, upstream } = await startVideoGateway(harness, ['--no-jitter']);
    print(`Polls of ${VIDEOS} videos that run at the same time`);
    const startedAt = performance.now();
    await submitVideos(gateway, VIDEOS);
    print(`  submitted within ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
    for (let running = 0; running < VIDEOS; { running } = await fetchLateness(upstream)) {
      if (performance.now() - startedAt > START_TIMEOUT_MS) {
        print(`  after ${START_TIMEOUT_MS / 1_000} s only ${running} videos have started: too slow`);
        return false;
      }
      await sleep(500);
    }
    const startSeconds = (performance.now() - startedAt) / 1_000;
    print(`  started within ${startSeconds.toFixed(0)} s: ${(VIDEOS / startSeconds).toFixed(0)} starts per second`);
    const cpuSecondsBefore = cpuSeconds(gateway.child);
    await sleep(MEASURE_DURATION_MS);
    const { polls: pollCount, overdue, latenessMs } = await fetchLateness(upstream);
    const pollMicros = ((cpuSeconds(gateway.child) - cpuSecondsBefore) * 1e6) / pollCount;
    const lateMs = (share: number) => percentile(latenessMs, share);
    const verdict = judge(lateMs(0.99) <= MAX_LATENESS_MS, 'too late');
    print(
      `  ${(pollCount / (MEASURE_DURATION_MS / 1_000)).toFixed(0)} polls per second, ${pollMicros.toFixed(0)} µs of CPU time each, ${residentMegabytes(gateway.child).toFixed(0)} MB; ${overdue} overdue at the end`,
    );
    print(
      `  late by ${lateMs(0.5).toFixed(0)} ms (p50) and ${lateMs(0.99).toFixed(0)} ms (p99), maximum ${lateMs(1).toFixed(0)}; target p99 at most ${MAX_LATENESS_MS}: ${verdict.label}`,
    );
    return verdict.passed;
  },
};
