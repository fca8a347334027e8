import { videoRequest } from '../video-request';
import { judge, maxTargetFactor, percentile, print, ROUND_MS, WARM_UP_MS } from '../measure';
import { runOpenLoop } from '../open-loop';
import type { Scenario } from '../scenario';
import { startVideoGateway } from '../start-video-gateway';

const SUBMISSIONS_PER_SECOND = 100;
const MAX_MS = { p50: 10 * maxTargetFactor, p99: 40 * maxTargetFactor };

export const submits: Scenario = {
  name: 'submits',
  inSmokeRun: false,
  async run(harness) {
    const { gateway } = await startVideoGateway(harness);
    print(`Video submissions, ${SUBMISSIONS_PER_SECOND} per second`);
    // Each body is different, because requests with equal bodies wait for each other.
    await runOpenLoop(
      gateway,
      (number) => videoRequest(`A harbour at dawn, warming up, number ${number}`),
      SUBMISSIONS_PER_SECOND,
      WARM_UP_MS,
    );
    const { latenciesMs, errors } = await runOpenLoop(
      gateway,
      (number) => videoRequest(`A harbour at dawn, number ${number}`),
      SUBMISSIONS_PER_SECOND,
      ROUND_MS * 4,
    );
    const verdict = judge(
      errors.length === 0 && percentile(latenciesMs, 0.5) <= MAX_MS.p50 && percentile(latenciesMs, 0.99) <= MAX_MS.p99,
      'too slow',
    );
    if (errors.length > 0)
      print(`  ${errors.length} of ${errors.length + latenciesMs.length} were not accepted, for example: ${errors[0]}`);
    print(
      `  accepted after ${percentile(latenciesMs, 0.5).toFixed(1)} ms (p50) and ${percentile(latenciesMs, 0.99).toFixed(1)} ms (p99), maximum ${Math.max(...latenciesMs).toFixed(0)}; target at most ${MAX_MS.p50} and ${MAX_MS.p99}: ${verdict.label}`,
    );
    return verdict.passed;
  },
};
