import { compareAsShare, messageRequest } from '../load';
import { print } from '../measure';
import type { Scenario } from '../scenario';

export const sse: Scenario = {
  name: 'sse',
  inSmokeRun: true,
  async run(harness) {
    const pair = await harness.proxyAndGateway();
    print('Server-sent events, each stream sent at once');
    // A minimum of 0: the figures are for information.
    return compareAsShare('SSE, c = 16', pair, messageRequest('Hello', true), 16, 0);
  },
};
