import { Client } from 'undici';
import { messageBody, messageRequest, runLoad } from '../load';
import { alternate, judge, maxTargetFactor, median, percentile, print, ROUNDS, sleep, WARM_UP_MS } from '../measure';
import { cpuSeconds, type BenchServer } from '../processes';
import type { Scenario } from '../scenario';

const STREAMS = 40;
/**
 * Streams start one after the other, as those of real clients do. If all started at once, they would delay each other.
 */
const STREAM_START_INTERVAL_MS = 10;
const MAX_ADDED_MS = { firstWord: 1 * maxTargetFactor, p50: 0.3 * maxTargetFactor, p99: 5 * maxTargetFactor };
const MAX_CPU_RATIO = 1.4 * maxTargetFactor;

export const ssePaced: Scenario = {
  name: 'sse-paced',
  inSmokeRun: true,
  async run(harness) {
    const pair = await harness.proxyAndGateway();
    print(`Server-sent events, ${STREAMS} streams, one event every 5 ms`);
    // The paced streams are too few for V8 to compile the code before the rounds start, so unpaced streams warm it up.
    for (const server of pair) {
      await runLoad(server, messageRequest('Hello', true), 16, WARM_UP_MS);
      await measureStreams(server);
    }
    const [proxy, gateway] = await alternate(pair, ROUNDS, measureStreams);
    const latencyMs = (rounds: typeof proxy, share: number) =>
      percentile(
        rounds.flatMap(({ latenciesMs }) => latenciesMs),
        share,
      );
    const addedMs = (share: number) => latencyMs(gateway, share) - latencyMs(proxy, share);
    const firstWordMs = (rounds: typeof proxy) =>
      percentile(
        rounds.flatMap((round) => round.firstWordMs),
        0.5,
      );
    const addedFirstWordMs = firstWordMs(gateway) - firstWordMs(proxy);
    const cpuMicros = (rounds: typeof proxy) => median(rounds.map((round) => round.cpuMicros));
    const cpuRatio = cpuMicros(gateway) / cpuMicros(proxy);
    print(
      `  an event takes ${latencyMs(proxy, 0.5).toFixed(2)} ms (p50) and ${latencyMs(proxy, 0.99).toFixed(2)} ms (p99) through the raw proxy; the gateway adds ${addedMs(0.5).toFixed(2)} and ${addedMs(0.99).toFixed(2)} ms, and uses ${cpuRatio.toFixed(2)} times its CPU time: ${cpuMicros(gateway).toFixed(1)} µs instead of ${cpuMicros(proxy).toFixed(1)}`,
    );
    print(
      `  the first word arrives after ${firstWordMs(proxy).toFixed(2)} ms (p50) through the raw proxy; the gateway adds ${addedFirstWordMs.toFixed(2)} ms`,
    );
    const verdict = judge(
      addedMs(0.5) <= MAX_ADDED_MS.p50 &&
        addedMs(0.99) <= MAX_ADDED_MS.p99 &&
        addedFirstWordMs <= MAX_ADDED_MS.firstWord &&
        cpuRatio <= MAX_CPU_RATIO,
      'too slow or too much',
    );
    print(
      `  paced SSE: target at most ${MAX_ADDED_MS.p50.toFixed(1)} and ${MAX_ADDED_MS.p99} ms, ${MAX_ADDED_MS.firstWord} ms for the first word, and ${MAX_CPU_RATIO.toFixed(1)} times the CPU time: ${verdict.label}`,
    );
    return verdict.passed;
  },
};

interface StreamsResult {
  /** Milliseconds from the upstream to the client, one figure per event. */
  readonly latenciesMs: readonly number[];
  /** Milliseconds from the request to the first word of the response, one figure per stream. */
  readonly firstWordMs: readonly number[];
  /** CPU time of the server per event. */
  readonly cpuMicros: number;
}

async function measureStreams(server: BenchServer): Promise<StreamsResult> {
  const latenciesMs: number[] = [];
  const firstWordMs: number[] = [];
  const cpuSecondsBefore = cpuSeconds(server.child);
  await Promise.all(
    Array.from({ length: STREAMS }, async (_, index) => {
      const client = new Client(server.baseUrl);
      await sleep(index * STREAM_START_INTERVAL_MS);
      const requestedAt = performance.now();
      let hasStarted = false;
      const response = await client.request({
        method: 'POST',
        path: '/v1/messages',
        headers: { 'content-type': 'application/json', ...server.headers },
        body: messageBody('[[paced:5]]', true),
      });
      for await (const chunk of response.body) {
        const now = performance.timeOrigin + performance.now();
        for (const [, sentAt] of String(chunk).matchAll(/@(\d+\.\d+) /g)) {
          if (!hasStarted) firstWordMs.push(performance.now() - requestedAt);
          hasStarted = true;
          latenciesMs.push(now - Number(sentAt));
        }
      }
      await client.close();
    }),
  );
  return {
    latenciesMs,
    firstWordMs,
    cpuMicros: ((cpuSeconds(server.child) - cpuSecondsBefore) * 1e6) / latenciesMs.length,
  };
}
