import { Pool, type Dispatcher } from 'undici';
import { alternate, formatRange, judge, median, print, ROUND_MS, ROUNDS } from './measure';
import { cpuSeconds, residentMegabytes, type BenchServer, type ServerPair } from './processes';

// Closed-loop load: each connection repeats one request and sends the next as soon as the response is complete.

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * Reads the response to its end. Resolves to a description of what is wrong with it, which ends the run, or
   * undefined.
   */
  findError(response: Dispatcher.ResponseData): Promise<string | undefined>;
}

export interface LoadResult {
  readonly count: number;
  readonly requestsPerSecond: number;
  /** CPU time of the server per request. */
  readonly cpuMicros: number;
}

export const messageBody = (text: string, stream = false) =>
  JSON.stringify({
    model: 'claude-haiku-4-5',
    max_tokens: 200,
    ...(stream && { stream }),
    messages: [{ role: 'user', content: text }],
  });

/** `POST /v1/messages`. The response must contain the upstream's text. */
export function messageRequest(text: string, stream = false): LoadRequest {
  return {
    method: 'POST',
    path: '/v1/messages',
    headers: { 'content-type': 'application/json' },
    body: messageBody(text, stream),
    async findError({ statusCode, body }) {
      const received = await body.text();
      return statusCode === 200 && received.includes('lazy dog')
        ? undefined
        : `${statusCode}: ${received.slice(0, 300)}`;
    },
  };
}

/**
 * Sends the request over the pool with the server's headers and reads the response. Rejects if the response is wrong.
 */
export async function sendRequest(
  pool: Dispatcher,
  { name, headers: serverHeaders }: BenchServer,
  { method, path, headers, body, findError }: LoadRequest,
): Promise<void> {
  const error = await findError(
    await pool.request({ method, path, headers: { ...headers, ...serverHeaders }, body: body ?? null }),
  );
  if (error !== undefined) throw new Error(`${name} answered ${error}`);
}

/** Repeats the request over each of the connections for `ms`. */
export async function runLoad(
  server: BenchServer,
  request: LoadRequest,
  connections: number,
  ms: number,
): Promise<LoadResult> {
  const pool = new Pool(server.baseUrl, { connections, pipelining: 1 });
  const until = performance.now() + ms;
  const cpuSecondsBefore = cpuSeconds(server.child);
  let count = 0;
  const repeat = async () => {
    while (performance.now() < until) {
      await sendRequest(pool, server, request);
      count += 1;
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, repeat));
  const seconds = (performance.now() - startedAt) / 1_000;
  await pool.close();
  return {
    count,
    requestsPerSecond: count / seconds,
    cpuMicros: ((cpuSeconds(server.child) - cpuSecondsBefore) * 1e6) / count,
  };
}

export interface Comparison {
  /** The gateway's requests per second divided by the baseline's; medians of the rounds. */
  readonly ratio: number;
  /** The baseline's requests per second, one figure per round. */
  readonly baseline: readonly number[];
}

/** Loads both servers in alternation and prints the figures of each. */
export async function measureLoad(pair: ServerPair, request: LoadRequest, connections: number): Promise<Comparison> {
  const results = await alternate(pair, ROUNDS, (server) => runLoad(server, request, connections, ROUND_MS));
  const [baseline, gateway] = results.map((rounds, index) => {
    const speeds = rounds.map(({ requestsPerSecond }) => requestsPerSecond);
    const { name, child } = pair[index as 0 | 1]; // Safe: the results of a pair.
    print(
      `  ${name.padEnd(13)} ${median(speeds).toFixed(0).padStart(7)} requests/s (${formatRange(speeds)}), ${median(rounds.map(({ cpuMicros }) => cpuMicros)).toFixed(0)} µs of CPU time each, ${residentMegabytes(child).toFixed(0)} MB`,
    );
    return speeds;
  }) as [number[], number[]]; // Safe: as above.
  return { ratio: median(gateway) / median(baseline), baseline };
}

/**
 * Prints the gateway's requests per second as a share of the baseline's, and the verdict. `minShare` is a number from 0
 * to 1.
 */
export async function compareAsShare(
  label: string,
  pair: ServerPair,
  request: LoadRequest,
  connections: number,
  minShare: number,
): Promise<boolean> {
  const { ratio, baseline } = await measureLoad(pair, request, connections);
  const verdict = judge(ratio >= minShare, 'too slow', baseline);
  print(
    `  ${label}: ${(ratio * 100).toFixed(1)} % of the ${pair[0].name}; target at least ${(minShare * 100).toFixed(0)} %: ${verdict.label}`,
  );
  return verdict.passed;
}

/** Prints the gateway's requests per second as a multiple of the other server's, and the verdict. */
export async function compareAsMultiple(
  label: string,
  pair: ServerPair,
  request: LoadRequest,
  connections: number,
  minMultiple: number,
): Promise<boolean> {
  const { ratio, baseline } = await measureLoad(pair, request, connections);
  const verdict = judge(ratio >= minMultiple, 'too slow', baseline);
  print(
    `  ${label}: ${ratio.toFixed(1)} times ${pair[0].name}; target at least ${minMultiple} times: ${verdict.label}`,
  );
  return verdict.passed;
}
