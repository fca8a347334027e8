import { compareAsShare, messageRequest } from '../load';
import { isSmoke, minTargetFactor, print } from '../measure';
import type { Scenario } from '../scenario';

export const json: Scenario = {
  name: 'json',
  inSmokeRun: true,
  async run(harness) {
    const pair = await harness.proxyAndGateway();
    print('JSON, a small message');
    let passed = true;
    for (const connections of isSmoke ? [16] : [1, 16, 64, 256]) {
      // Only 16 connections have a target. The figures of the others are for information.
      passed =
        (await compareAsShare(
          `JSON, c = ${connections}`,
          pair,
          messageRequest('Hello'),
          connections,
          connections === 16 ? 0.4 * minTargetFactor : 0,
        )) && passed;
    }
    return passed;
  },
};
