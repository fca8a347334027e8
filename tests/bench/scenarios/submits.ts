import { submission } from '../video-request';
import { judge, percentile, ROUND_MS, say, slack, WARM_UP_MS } from '../measure';
import { openLoop } from '../open-loop';
import type { Scenario } from '../scenario';
import { startVideoGateway } from '../start-video-gateway';

const PER_SECOND = 100;
const MAX_MS = { p50: 10 * slack, p99: 40 * slack };

export const submits: Scenario = {
  name: 'submits',
  isShort: false,
  async run(stage) {
    const { gateway } = await startVideoGateway(stage);
    say(`Videos accepted, ${PER_SECOND} submissions a second`);
    // No two bodies are equal: equal ones wait for each other.
    await openLoop(
      gateway,
      (count) => submission(`A harbour at dawn, warming up, number ${count}`),
      PER_SECOND,
      WARM_UP_MS,
    );
    const { delays, errors } = await openLoop(
      gateway,
      (count) => submission(`A harbour at dawn, number ${count}`),
      PER_SECOND,
      ROUND_MS * 4,
    );
    const { passed, word } = judge(
      errors.length === 0 && percentile(delays, 0.5) <= MAX_MS.p50 && percentile(delays, 0.99) <= MAX_MS.p99,
      'too slow',
    );
    if (errors.length > 0)
      say(`  ${errors.length} of ${errors.length + delays.length} were not accepted, such as: ${errors[0]}`);
    say(
      `  accepted after ${percentile(delays, 0.5).toFixed(1)} ms (p50) and ${percentile(delays, 0.99).toFixed(1)} ms (p99), at most ${Math.max(...delays).toFixed(0)}; at most ${MAX_MS.p50} and ${MAX_MS.p99} wanted: ${word}`,
    );
    return passed;
  },
};
