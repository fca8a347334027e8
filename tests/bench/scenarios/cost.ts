import { Client } from 'undici';
import { messageBody, messageRequest, runLoad } from '../load';
import { alternate, median, percentile, print, ROUND_MS, WARM_UP_MS } from '../measure';
import { cpuSeconds, type BenchServer } from '../processes';
import type { Scenario } from '../scenario';

// Measures what an optimisation saves: the CPU time of a request in this checkout and in a variant of it, which is
// another checkout (COST_AGAINST, a folder with its own `node_modules`), other arguments of Node (COST_NODE_ARGS), other
// settings (COST_ENV, such as `OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318`), or several of these. It has no
// target and no verdict. It compares CPU time instead of speed, so that other work on the machine matters little.

const PAIRS_OF_ROUNDS = 8;
const CONNECTIONS = 16;
const STREAMS = 20;

export const cost: Scenario = {
  name: 'cost',
  inSmokeRun: false,
  async run(harness) {
    const { COST_AGAINST: root, COST_NODE_ARGS: nodeArgs, COST_ENV: settings } = process.env;
    if (root === undefined && nodeArgs === undefined && settings === undefined) {
      print('Cost: skipped, because none of COST_AGAINST, COST_NODE_ARGS and COST_ENV names a variant');
      return true;
    }
    const startGateway = async (
      name: string,
      { env, ...variant }: { root?: string; nodeArgs?: readonly string[]; env?: Readonly<Record<string, string>> },
    ) =>
      harness.startServer(name, 'gateway.ts', {
        env: { ...(await harness.gatewayEnv()), ...env },
        bundled: true,
        ...variant,
      });
    const pair = [
      await startGateway('this checkout', {}),
      await startGateway('the variant', {
        ...(root !== undefined && { root }),
        ...(nodeArgs !== undefined && { nodeArgs: words(nodeArgs) }),
        ...(settings !== undefined && { env: Object.fromEntries(words(settings).map(nameAndValue)) }),
      }),
    ] as const;
    print(`CPU time per request, ${PAIRS_OF_ROUNDS} pairs of rounds`);
    for (const [label, measure] of Object.entries(measures)) {
      for (const server of pair) await measure(server, WARM_UP_MS);
      const [own, variant] = await alternate(pair, PAIRS_OF_ROUNDS, (server) => measure(server, ROUND_MS));
      const changes = own.map((micros, round) => (micros / (variant[round] ?? Number.NaN) - 1) * 100);
      const change = (share: number) => SIGNED.format(percentile(changes, share));
      print(
        `  ${label}: ${median(own).toFixed(0)} µs instead of ${median(variant).toFixed(0)}; ${change(0.5)} % (quartiles ${change(0.25)}..${change(0.75)}, range ${change(0)}..${change(1)})`,
      );
    }
    return true;
  },
};

const SIGNED = new Intl.NumberFormat('en', { signDisplay: 'always', maximumFractionDigits: 1 });
const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');

function nameAndValue(setting: string): [string, string] {
  const at = setting.indexOf('=');
  if (at < 1) throw new Error(`COST_ENV must be settings such as NAME=value, separated by spaces, not ${setting}.`);
  return [setting.slice(0, at), setting.slice(at + 1)];
}

/** Each resolves to the microseconds of CPU time per request. */
const measures: Readonly<Record<string, (server: BenchServer, ms: number) => Promise<number>>> = {
  JSON: async (server, ms) => (await runLoad(server, messageRequest('Hello'), CONNECTIONS, ms)).cpuMicros,
  'SSE in one chunk': async (server, ms) =>
    (await runLoad(server, messageRequest('Hello', true), CONNECTIONS, ms)).cpuMicros,
  'SSE of 400 events': measurePacedStreams,
};

/** Repeats streams whose events arrive one by one, for `ms`. */
async function measurePacedStreams(server: BenchServer, ms: number): Promise<number> {
  const until = performance.now() + ms;
  const cpuSecondsBefore = cpuSeconds(server.child);
  let count = 0;
  await Promise.all(
    Array.from({ length: STREAMS }, async () => {
      const client = new Client(server.baseUrl);
      while (performance.now() < until) {
        const { body } = await client.request({
          method: 'POST',
          path: '/v1/messages',
          headers: { 'content-type': 'application/json', ...server.headers },
          body: messageBody('[[paced:2]]', true),
        });
        await body.dump({ limit: Number.POSITIVE_INFINITY });
        count += 1;
      }
      await client.close();
    }),
  );
  return ((cpuSeconds(server.child) - cpuSecondsBefore) * 1e6) / count;
}
