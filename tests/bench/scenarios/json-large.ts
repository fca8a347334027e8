import { compareLoad, message } from '../load';
import { say } from '../measure';
import type { Scenario } from '../scenario';

/** 97 KB. */
const large = 'A conversation that has gone on for a while. '.repeat(2_150);

export const jsonLarge: Scenario = {
  name: 'json-large',
  isShort: false,
  async run(stage) {
    const pair = await stage.pair();
    say('JSON, a message of 97 KB');
    return compareLoad('97 KB', pair, message(large), 16, 0);
  },
};
