import { Client } from 'undici';
import { messageBody } from '../load';
import { inTurns, judge, mean, percentile, ROUNDS, say, slack } from '../measure';
import { cpuSeconds, type Target } from '../processes';
import type { Scenario } from '../scenario';

const STREAMS = 40;
const MOST_ADDED_MS = { p50: 0.3 * slack, p99: 5 * slack };
const MOST_CPU = 1.4 * slack;

export const ssePaced: Scenario = {
  name: 'sse-paced',
  isShort: true,
  async run(stage) {
    const pair = await stage.pair();
    say(`Server-sent events, ${STREAMS} streams, an event every 5 ms`);
    // One round is a third of a second and 2,400 events: too few to judge code by that is only then compiled.
    for (const target of pair) for (let round = 0; round < ROUNDS; round += 1) await stream(target);
    const [raw, gateway] = await inTurns(pair, ROUNDS * 2, stream);
    const delaysOf = (rounds: typeof raw, share: number) => percentile(rounds.flatMap(({ delays }) => delays), share);
    const addedMs = (share: number) => delaysOf(gateway, share) - delaysOf(raw, share);
    const cpuOf = (rounds: typeof raw) => mean(rounds.map(({ cpuMicros }) => cpuMicros));
    const cpuRatio = cpuOf(gateway) / cpuOf(raw);
    say(`  an event takes ${delaysOf(raw, 0.5).toFixed(2)} ms (p50) and ${delaysOf(raw, 0.99).toFixed(2)} ms (p99) through the raw proxy; the gateway adds ${addedMs(0.5).toFixed(2)} and ${addedMs(0.99).toFixed(2)} ms, and uses ${cpuRatio.toFixed(2)} times its processor (${cpuRatio <= MOST_CPU ? 'good' : 'too much'})`);
    const { passed, word } = judge(addedMs(0.5) <= MOST_ADDED_MS.p50 && addedMs(0.99) <= MOST_ADDED_MS.p99, 'too slow');
    say(`  paced SSE: at most ${MOST_ADDED_MS.p50.toFixed(1)} and ${MOST_ADDED_MS.p99} ms wanted: ${word}`);
    return passed;
  },
};

/** Milliseconds that each event of paced streams was on its way. */
async function stream(target: Target): Promise<{ readonly delays: number[]; readonly cpuMicros: number }> {
  const delays: number[] = [];
  const cpu = cpuSeconds(target.child);
  await Promise.all(
    Array.from({ length: STREAMS }, async () => {
      const client = new Client(target.baseUrl);
      const answer = await client.request({ method: 'POST', path: '/v1/messages', headers: { 'content-type': 'application/json', ...target.headers }, body: messageBody('[[paced:5]]', true) });
      for await (const chunk of answer.body) {
        const now = performance.timeOrigin + performance.now();
        for (const [, sent] of String(chunk).matchAll(/@(\d+\.\d+) /g)) delays.push(now - Number(sent));
      }
      await client.close();
    }),
  );
  return { delays, cpuMicros: ((cpuSeconds(target.child) - cpu) * 1e6) / delays.length };
}
