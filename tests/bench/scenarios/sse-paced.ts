import { Client } from 'undici';
import { load, message, messageBody } from '../load';
import { inTurns, judge, median, pause, percentile, ROUNDS, say, slack, WARM_UP_MS } from '../measure';
import { cpuSeconds, type Target } from '../processes';
import type { Scenario } from '../scenario';

const STREAMS = 40;
/** Streams begin one after the other, as callers do: what many at once wait for each other says nothing of one. */
const APART_MS = 10;
const MAX_ADDED_MS = { first: 1 * slack, p50: 0.3 * slack, p99: 5 * slack };
const MAX_CPU = 1.4 * slack;

export const ssePaced: Scenario = {
  name: 'sse-paced',
  isShort: true,
  async run(stage) {
    const pair = await stage.pair();
    say(`Server-sent events, ${STREAMS} streams, an event every 5 ms`);
    // Paced streams are too few to judge code by that is only then compiled.
    for (const target of pair) {
      await load(target, message('Hello', true), 16, WARM_UP_MS);
      await stream(target);
    }
    const [raw, gateway] = await inTurns(pair, ROUNDS, stream);
    const delaysOf = (rounds: typeof raw, share: number) =>
      percentile(
        rounds.flatMap(({ delays }) => delays),
        share,
      );
    const addedMs = (share: number) => delaysOf(gateway, share) - delaysOf(raw, share);
    const firstOf = (rounds: typeof raw) =>
      percentile(
        rounds.flatMap(({ firstMs }) => firstMs),
        0.5,
      );
    const addedFirstMs = firstOf(gateway) - firstOf(raw);
    const cpuOf = (rounds: typeof raw) => median(rounds.map(({ cpuMicros }) => cpuMicros));
    const cpuRatio = cpuOf(gateway) / cpuOf(raw);
    say(
      `  an event takes ${delaysOf(raw, 0.5).toFixed(2)} ms (p50) and ${delaysOf(raw, 0.99).toFixed(2)} ms (p99) through the raw proxy; the gateway adds ${addedMs(0.5).toFixed(2)} and ${addedMs(0.99).toFixed(2)} ms, and uses ${cpuRatio.toFixed(2)} times its processor: ${cpuOf(gateway).toFixed(1)} µs instead of ${cpuOf(raw).toFixed(1)}`,
    );
    say(
      `  the first word comes after ${firstOf(raw).toFixed(2)} ms (p50) through the raw proxy; the gateway adds ${addedFirstMs.toFixed(2)} ms`,
    );
    const { passed, word } = judge(
      addedMs(0.5) <= MAX_ADDED_MS.p50 &&
        addedMs(0.99) <= MAX_ADDED_MS.p99 &&
        addedFirstMs <= MAX_ADDED_MS.first &&
        cpuRatio <= MAX_CPU,
      'too slow or too much',
    );
    say(
      `  paced SSE: at most ${MAX_ADDED_MS.p50.toFixed(1)} and ${MAX_ADDED_MS.p99} ms, ${MAX_ADDED_MS.first} ms for the first word, and ${MAX_CPU.toFixed(1)} times the processor wanted: ${word}`,
    );
    return passed;
  },
};

interface Paced {
  /** Milliseconds that each event was on its way. */
  readonly delays: readonly number[];
  /** Milliseconds from each request to the first word of its answer. */
  readonly firstMs: readonly number[];
  /** Of an event. */
  readonly cpuMicros: number;
}

async function stream(target: Target): Promise<Paced> {
  const delays: number[] = [];
  const firstMs: number[] = [];
  const cpu = cpuSeconds(target.child);
  await Promise.all(
    Array.from({ length: STREAMS }, async (_, index) => {
      const client = new Client(target.baseUrl);
      await pause(index * APART_MS);
      const askedAt = performance.now();
      let hasBegun = false;
      const answer = await client.request({
        method: 'POST',
        path: '/v1/messages',
        headers: { 'content-type': 'application/json', ...target.headers },
        body: messageBody('[[paced:5]]', true),
      });
      for await (const chunk of answer.body) {
        const now = performance.timeOrigin + performance.now();
        for (const [, sent] of String(chunk).matchAll(/@(\d+\.\d+) /g)) {
          if (!hasBegun) firstMs.push(performance.now() - askedAt);
          hasBegun = true;
          delays.push(now - Number(sent));
        }
      }
      await client.close();
    }),
  );
  return { delays, firstMs, cpuMicros: ((cpuSeconds(target.child) - cpu) * 1e6) / delays.length };
}
