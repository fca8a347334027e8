import { ensureBuilt } from '../built';
import { compareAsMultiple, messageRequest, runLoad } from '../load';
import { minTargetFactor, print, WARM_UP_MS } from '../measure';
import type { Scenario } from '../scenario';

export const nextMount: Scenario = {
  name: 'next-mount',
  inSmokeRun: false,
  async run(harness) {
    await ensureBuilt();
    const [, gateway] = await harness.proxyAndGateway();
    print('JSON, a small message, compared with the same gateway behind Next');
    const next = await harness.startServer('Next', 'next-mount.ts', { env: await harness.gatewayEnv(), bundled: true });
    await runLoad(next, messageRequest('Hello'), 16, WARM_UP_MS);
    return compareAsMultiple('JSON, c = 16', [next, gateway], messageRequest('Hello'), 16, 8 * minTargetFactor);
  },
};
