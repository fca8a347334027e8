import { Client } from 'undici';
import { load, message, messageBody } from '../load';
import { inTurns, median, percentile, ROUND_MS, say, WARM_UP_MS } from '../measure';
import { cpuSeconds, type Target } from '../processes';
import type { Scenario } from '../scenario';

// Measures what an optimisation gains: the processor time of a request in this checkout and in a variant of it, which is
// another checkout (COST_AGAINST, a folder with its own `node_modules`) or other arguments of Node (COST_NODE_ARGS). It has
// no target and judges nothing. Processor time is compared instead of speed, so other work on the machine matters little.

const PAIRS = 8;
const CONNECTIONS = 16;
const STREAMS = 20;

export const cost: Scenario = {
  name: 'cost',
  isShort: false,
  async run(stage) {
    const { COST_AGAINST: root, COST_NODE_ARGS: nodeArgs } = process.env;
    if (root === undefined && nodeArgs === undefined) {
      say('Cost: left out, because neither COST_AGAINST nor COST_NODE_ARGS names a variant');
      return true;
    }
    const start = async (name: string, variant: { root?: string; nodeArgs?: readonly string[] }) =>
      stage.start(name, 'gateway.ts', { env: await stage.gatewayEnv(), bundled: true, ...variant });
    const pair = [
      await start('this checkout', {}),
      await start('the variant', {
        ...(root !== undefined && { root }),
        ...(nodeArgs !== undefined && { nodeArgs: nodeArgs.split(' ').filter((argument) => argument !== '') }),
      }),
    ] as const;
    say(`Processor time per request, ${PAIRS} pairs of rounds`);
    for (const [what, measure] of Object.entries(measures)) {
      for (const target of pair) await measure(target, WARM_UP_MS);
      const [own, other] = await inTurns(pair, PAIRS, (target) => measure(target, ROUND_MS));
      const gains = own.map((micros, round) => (1 - micros / (other[round] ?? Number.NaN)) * 100);
      const shown = [Math.min(...gains), percentile(gains, 0.25), percentile(gains, 0.75), Math.max(...gains)];
      say(
        `  ${what}: ${median(own).toFixed(0)} µs instead of ${median(other).toFixed(0)}; this checkout uses ${median(gains).toFixed(1)} % less (quartiles ${shown[1]?.toFixed(1)}..${shown[2]?.toFixed(1)}, range ${shown[0]?.toFixed(1)}..${shown[3]?.toFixed(1)})`,
      );
    }
    return true;
  },
};

/** Each returns the microseconds of processor time per request. */
const measures: Readonly<Record<string, (target: Target, ms: number) => Promise<number>>> = {
  JSON: async (target, ms) => (await load(target, message('Hello'), CONNECTIONS, ms)).cpuMicros,
  'SSE in one chunk': async (target, ms) => (await load(target, message('Hello', true), CONNECTIONS, ms)).cpuMicros,
  'SSE of 400 events': paced,
};

/** Streams whose events arrive one by one, as often as they fit into `ms`. */
async function paced(target: Target, ms: number): Promise<number> {
  const until = performance.now() + ms;
  const cpu = cpuSeconds(target.child);
  let count = 0;
  await Promise.all(
    Array.from({ length: STREAMS }, async () => {
      const client = new Client(target.baseUrl);
      while (performance.now() < until) {
        const { body } = await client.request({
          method: 'POST',
          path: '/v1/messages',
          headers: { 'content-type': 'application/json', ...target.headers },
          body: messageBody('[[paced:2]]', true),
        });
        await body.dump({ limit: Number.POSITIVE_INFINITY });
        count += 1;
      }
      await client.close();
    }),
  );
  return ((cpuSeconds(target.child) - cpu) * 1e6) / count;
}
