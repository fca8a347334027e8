import { ensureBuilt } from '../built';
import { compareTimes, load, message } from '../load';
import { gateShare, say, WARM_UP_MS } from '../measure';
import type { Scenario } from '../scenario';

export const nextMount: Scenario = {
  name: 'next-mount',
  isShort: false,
  async run(stage) {
    await ensureBuilt();
    const [, gateway] = await stage.pair();
    say('JSON, a small message, beside the same gateway behind Next');
    const mounted = await stage.start('Next', 'next-mount.ts', { env: await stage.gatewayEnv(), bundled: true });
    await load(mounted, message('Hello'), 16, WARM_UP_MS);
    return compareTimes('JSON, c = 16', [mounted, gateway], message('Hello'), 16, 8 * gateShare);
  },
};
