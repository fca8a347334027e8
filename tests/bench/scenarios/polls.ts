import { Pool } from 'undici';
import { submission } from '../video-request';
import { send } from '../load';
import { judge, pause, percentile, say } from '../measure';
import { cpuSeconds, residentMegabytes, type Target } from '../processes';
import type { Scenario } from '../scenario';
import type { Lateness } from '../servers/video-upstream';
import { startVideoGateway } from '../start-video-gateway';

const VIDEOS = 5_000;
const SUBMITTERS = 16;
const START_LIMIT_MS = 180_000;
/** The first minute of a video, in which it is asked about most often, and a while of the slower schedule. */
const WATCH_MS = 60_000;
/** A fifth of the shortest pause between two questions: as much as the schedule's own jitter. */
const MAX_LATE_MS = 1_000;

export const polls: Scenario = {
  name: 'polls',
  isShort: false,
  async run(stage) {
    const { gateway, upstream } = await startVideoGateway(stage, ['--no-jitter']);
    say(`Questions about ${VIDEOS} videos that run at the same time`);
    const startedAt = performance.now();
    await submitAll(gateway);
    say(`  submitted within ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
    for (let running = 0; running < VIDEOS; { running } = await askLateness(upstream)) {
      if (performance.now() - startedAt > START_LIMIT_MS) {
        say(`  after ${START_LIMIT_MS / 1_000} s only ${running} have begun: too slow`);
        return false;
      }
      await pause(500);
    }
    say(`  begun within ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
    const cpu = cpuSeconds(gateway.child);
    await pause(WATCH_MS);
    const { asked, overdue, latesMs } = await askLateness(upstream);
    const late = (share: number) => percentile(latesMs, share);
    const { passed, word } = judge(late(0.99) <= MAX_LATE_MS, 'too late');
    say(
      `  ${(asked / (WATCH_MS / 1_000)).toFixed(0)} questions a second, ${(((cpuSeconds(gateway.child) - cpu) * 1e6) / asked).toFixed(0)} µs of processor each, ${residentMegabytes(gateway.child).toFixed(0)} MB; ${overdue} overdue at the end`,
    );
    say(
      `  late by ${late(0.5).toFixed(0)} ms (p50) and ${late(0.99).toFixed(0)} ms (p99), at most ${late(1).toFixed(0)}; p99 of at most ${MAX_LATE_MS} wanted: ${word}`,
    );
    return passed;
  },
};

async function submitAll(gateway: Target): Promise<void> {
  const pool = new Pool(gateway.baseUrl, { connections: SUBMITTERS });
  let next = 0;
  const one = async () => {
    while (next < VIDEOS) {
      next += 1;
      await send(pool, gateway, submission(`A slow video, number ${next}`));
    }
  };
  await Promise.all(Array.from({ length: SUBMITTERS }, one));
  await pool.close();
}

async function askLateness(upstream: Target): Promise<Lateness> {
  return (await (await fetch(`${upstream.baseUrl}/lateness`)).json()) as Lateness; // Safe: `servers/video-upstream.ts` says so.
}
