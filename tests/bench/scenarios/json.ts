import { compareLoad, message } from '../load';
import { gateShare, say, smoke } from '../measure';
import type { Scenario } from '../scenario';

export const json: Scenario = {
  name: 'json',
  isShort: true,
  async run(stage) {
    const pair = await stage.pair();
    say('JSON, a small message');
    let passed = true;
    for (const connections of smoke ? [16] : [1, 16, 64, 256]) {
      // The target is set for 16 at a time; the others are for information.
      passed =
        (await compareLoad(
          `JSON, c = ${connections}`,
          pair,
          message('Hello'),
          connections,
          connections === 16 ? 0.4 * gateShare : 0,
        )) && passed;
    }
    return passed;
  },
};
