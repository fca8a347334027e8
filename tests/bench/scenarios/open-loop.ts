import { messageRequest } from '../load';
import { judge, maxTargetFactor, percentile, print, ROUND_MS } from '../measure';
import { runOpenLoop } from '../open-loop';
import type { Scenario } from '../scenario';

const REQUESTS_PER_SECOND = 200;
const MAX_ADDED_MS = { p50: 1 * maxTargetFactor, p99: 5 * maxTargetFactor };

export const openLoop: Scenario = {
  name: 'open-loop',
  inSmokeRun: true,
  async run(harness) {
    const [proxy, gateway] = await harness.proxyAndGateway();
    print(`JSON, an open loop of ${REQUESTS_PER_SECOND} requests per second`);
    const ofProxy = await runOpenLoop(proxy, () => messageRequest('Hello'), REQUESTS_PER_SECOND, ROUND_MS * 2);
    const ofGateway = await runOpenLoop(gateway, () => messageRequest('Hello'), REQUESTS_PER_SECOND, ROUND_MS * 2);
    const [error] = [...ofProxy.errors, ...ofGateway.errors];
    if (error !== undefined) throw new Error(error);
    const addedMs = (share: number) =>
      percentile(ofGateway.latenciesMs, share) - percentile(ofProxy.latenciesMs, share);
    const verdict = judge(addedMs(0.5) <= MAX_ADDED_MS.p50 && addedMs(0.99) <= MAX_ADDED_MS.p99, 'too slow');
    print(
      `  the gateway adds ${addedMs(0.5).toFixed(2)} ms (p50) and ${addedMs(0.99).toFixed(2)} ms (p99); target at most ${MAX_ADDED_MS.p50} and ${MAX_ADDED_MS.p99}: ${verdict.label}`,
    );
    return verdict.passed;
  },
};
