import { message } from '../load';
import { judge, percentile, ROUND_MS, say, slack } from '../measure';
import { openLoop } from '../open-loop';
import type { Scenario } from '../scenario';

const PER_SECOND = 200;
const MAX_ADDED_MS = { p50: 1 * slack, p99: 5 * slack };

export const waits: Scenario = {
  name: 'open-loop',
  isShort: true,
  async run(stage) {
    const [raw, gateway] = await stage.pair();
    say(`JSON, an open loop of ${PER_SECOND} requests a second`);
    const ofRaw = await openLoop(raw, () => message('Hello'), PER_SECOND, ROUND_MS * 2);
    const ofGateway = await openLoop(gateway, () => message('Hello'), PER_SECOND, ROUND_MS * 2);
    const [error] = [...ofRaw.errors, ...ofGateway.errors];
    if (error !== undefined) throw new Error(error);
    const addedMs = (share: number) => percentile(ofGateway.delays, share) - percentile(ofRaw.delays, share);
    const { passed, word } = judge(addedMs(0.5) <= MAX_ADDED_MS.p50 && addedMs(0.99) <= MAX_ADDED_MS.p99, 'too slow');
    say(
      `  the gateway adds ${addedMs(0.5).toFixed(2)} ms (p50) and ${addedMs(0.99).toFixed(2)} ms (p99); at most ${MAX_ADDED_MS.p50} and ${MAX_ADDED_MS.p99} wanted: ${word}`,
    );
    return passed;
  },
};
