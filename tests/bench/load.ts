import { Pool, type Dispatcher } from 'undici';
import { inTurns, judge, median, range, ROUND_MS, ROUNDS, say } from './measure';
import { cpuSeconds, residentMegabytes, type Target } from './processes';

// One request, over so many connections, as often as they allow.

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Reads the answer to its end; what it returns, when it is not as it must be, ends the run. */
  error(answer: Dispatcher.ResponseData): Promise<string | undefined>;
}

export interface Figures {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

export const messageBody = (text: string, stream = false) =>
  JSON.stringify({
    model: 'claude-haiku-4-5',
    max_tokens: 200,
    ...(stream && { stream }),
    messages: [{ role: 'user', content: text }],
  });

/** `POST /v1/messages`, answered with a sentence of the upstream. */
export function message(text: string, stream = false): LoadRequest {
  return {
    method: 'POST',
    path: '/v1/messages',
    headers: { 'content-type': 'application/json' },
    body: messageBody(text, stream),
    async error({ statusCode, body }) {
      const told = await body.text();
      return statusCode === 200 && told.includes('lazy dog') ? undefined : `${statusCode}: ${told.slice(0, 300)}`;
    },
  };
}

/** Sends it over the pool with the target's headers and reads the answer; rejects when that is not as it must be. */
export async function send(
  pool: Dispatcher,
  { name, headers: own }: Target,
  { method, path, headers, body, error }: LoadRequest,
): Promise<void> {
  const told = await error(await pool.request({ method, path, headers: { ...headers, ...own }, body: body ?? null }));
  if (told !== undefined) throw new Error(`${name} answered ${told}`);
}

export async function load(target: Target, request: LoadRequest, connections: number, ms: number): Promise<Figures> {
  const pool = new Pool(target.baseUrl, { connections, pipelining: 1 });
  const until = performance.now() + ms;
  const cpu = cpuSeconds(target.child);
  let count = 0;
  const one = async () => {
    while (performance.now() < until) {
      await send(pool, target, request);
      count += 1;
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, one));
  const seconds = (performance.now() - startedAt) / 1_000;
  await pool.close();
  return { perSecond: count / seconds, cpuMicros: ((cpuSeconds(target.child) - cpu) * 1e6) / count };
}

export interface Comparison {
  /** Of the second one's requests a second to the first one's, medians of the rounds. */
  readonly ratio: number;
  /** Of each round, in requests a second. */
  readonly yardstick: readonly number[];
}

/** Loads both in turns and says what came of it. */
export async function measureLoad(
  pair: readonly [Target, Target],
  request: LoadRequest,
  connections: number,
): Promise<Comparison> {
  const figures = await inTurns(pair, ROUNDS, (target) => load(target, request, connections, ROUND_MS));
  const [yardstick, own] = figures.map((of, which) => {
    const speeds = of.map(({ perSecond }) => perSecond);
    const { name, child } = pair[which as 0 | 1]; // Safe: figures of a pair.
    say(
      `  ${name.padEnd(13)} ${median(speeds).toFixed(0).padStart(7)} requests/s (${range(speeds)}), ${median(of.map(({ cpuMicros }) => cpuMicros)).toFixed(0)} µs of processor each, ${residentMegabytes(child).toFixed(0)} MB`,
    );
    return speeds;
  }) as [number[], number[]]; // Safe: as above.
  return { ratio: median(own) / median(yardstick), yardstick };
}

/** Which share of the yardstick's requests a second does the other one reach? Says it, and whether it is enough. */
export async function compareLoad(
  what: string,
  pair: readonly [Target, Target],
  request: LoadRequest,
  connections: number,
  atLeast: number,
): Promise<boolean> {
  const { ratio, yardstick } = await measureLoad(pair, request, connections);
  const { passed, word } = judge(ratio >= atLeast, 'too slow', yardstick);
  say(
    `  ${what}: ${(ratio * 100).toFixed(1)} % of the ${pair[0].name}; at least ${(atLeast * 100).toFixed(0)} % wanted: ${word}`,
  );
  return passed;
}

/** The other way round: how many times the other one's requests a second does the gateway, the second one, answer? */
export async function compareTimes(
  what: string,
  pair: readonly [Target, Target],
  request: LoadRequest,
  connections: number,
  atLeast: number,
): Promise<boolean> {
  const { ratio, yardstick } = await measureLoad(pair, request, connections);
  const { passed, word } = judge(ratio >= atLeast, 'too slow', yardstick);
  say(`  ${what}: ${ratio.toFixed(1)} times ${pair[0].name}; at least ${atLeast} times wanted: ${word}`);
  return passed;
}
