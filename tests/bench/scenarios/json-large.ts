import { compareAsShare, messageRequest } from '../load';
import { print } from '../measure';
import type { Scenario } from '../scenario';

/** 97 KB. */
const largeText = 'A conversation that has gone on for a while. '.repeat(2_150);

export const jsonLarge: Scenario = {
  name: 'json-large',
  inSmokeRun: false,
  async run(harness) {
    const pair = await harness.proxyAndGateway();
    print('JSON, a message of 97 KB');
    // A minimum of 0: the figures are for information.
    return compareAsShare('97 KB', pair, messageRequest(largeText), 16, 0);
  },
};
