import { compareLoad, message } from '../load';
import { say } from '../measure';
import type { Scenario } from '../scenario';

export const sse: Scenario = {
  name: 'sse',
  isShort: true,
  async run(stage) {
    const pair = await stage.pair();
    say('Server-sent events, all at once');
    return compareLoad('SSE, c = 16', pair, message('Hello', true), 16, 0);
  },
};
