import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageRequest, runLoad, type LoadRequest } from '../load';
import { alternate, judge, median, percentile, print, sleep, WARM_UP_MS } from '../measure';
import { cpuSeconds, type BenchServer } from '../processes';
import type { Scenario } from '../scenario';

// What traces cost when 1 % of the requests are sampled. One process serves both rounds of a pair, with sampling switched
// on and off: two processes with the same code differ by more than traces cost (`cost` shows up to 8 %). The rounds are
// short and many, because the machine changes its speed by as much within seconds.

const PAIRS_OF_ROUNDS = 100;
const SHORT_ROUND_MS = 1_000;
const CONNECTIONS = 16;
const RATIO = 0.01;
/** More percent of the processor time of a request. */
const MAX_MORE = 2;
/** How long spans wait for their export; by default five seconds, and then there are fewer exports than here. */
const EXPORT_DELAY_MS = 100;
/** Until the spans of a round are exported, so that they count in it. */
const EXPORTED_MS = 250;

export const traces: Scenario = {
  name: 'traces',
  inSmokeRun: false,
  async run(harness) {
    let exports = 0;
    const receiver = createServer((request, response) => {
      exports += 1;
      request.resume().on('end', () => response.end('{}'));
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo; // Safe: a listening TCP server has an address with a port.
    const server = await harness.startServer('gateway', 'gateway.ts', {
      bundled: true,
      args: ['--switches-sampling'],
      env: {
        ...(await harness.gatewayEnv()),
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        OTEL_TRACES_SAMPLER_ARG: String(RATIO),
        OTEL_BSP_SCHEDULE_DELAY: String(EXPORT_DELAY_MS),
      },
    });
    let isSampling = false;
    const measure = async (samples: boolean, request: LoadRequest, ms: number): Promise<number> => {
      if (samples !== isSampling) server.child.kill('SIGUSR2');
      isSampling = samples;
      return cpuMicros(server, request, ms);
    };

    print(`Traces of ${RATIO * 100} % of the requests: CPU time per request, ${PAIRS_OF_ROUNDS} pairs of rounds`);
    let passed = true;
    for (const [label, request] of [
      ['JSON', messageRequest('Hello')],
      ['SSE in one chunk', messageRequest('Hello', true)],
    ] as const) {
      for (const samples of [true, false]) await measure(samples, request, WARM_UP_MS);
      exports = 0;
      const [without, sampled] = await alternate([false, true], PAIRS_OF_ROUNDS, (samples) =>
        measure(samples, request, SHORT_ROUND_MS),
      );
      if (exports === 0) throw new Error('No span was exported.');
      const more = sampled.map((micros, round) => (micros / (without[round] ?? Number.NaN) - 1) * 100);
      const uncertainty = uncertaintyOfMedian(more);
      // Only what is surely above the target misses it.
      const verdict = judge(median(more) - uncertainty <= MAX_MORE, 'too much');
      print(
        `  ${label}: ${median(without).toFixed(0)} µs, ${median(more).toFixed(1)} % more with traces, uncertain by ${uncertainty.toFixed(1)} %; target at most ${MAX_MORE} %: ${verdict.label}`,
      );
      passed &&= verdict.passed;
    }
    receiver.close();
    return passed;
  },
};

/** Half the width of the interval that has the median of such measurements in 95 of 100 runs, from their quartiles. */
const uncertaintyOfMedian = (values: readonly number[]): number =>
  (1.57 * (percentile(values, 0.75) - percentile(values, 0.25))) / Math.sqrt(values.length);

/** With the export of the spans after the last request. */
async function cpuMicros(server: BenchServer, request: LoadRequest, ms: number): Promise<number> {
  const before = cpuSeconds(server.child);
  const { count } = await runLoad(server, request, CONNECTIONS, ms);
  await sleep(EXPORTED_MS);
  return ((cpuSeconds(server.child) - before) * 1e6) / count;
}
