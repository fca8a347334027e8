import { Pool } from 'undici';
import { sendRequest, type LoadRequest } from './load';
import { sleep } from './measure';
import type { BenchServer } from './processes';

export interface OpenLoopResult {
  /** Milliseconds from each request to the end of its response, for the correct responses. */
  readonly latenciesMs: readonly number[];
  /** Descriptions of the failed requests. */
  readonly errors: readonly string[];
}

/**
 * Sends requests at a fixed rate for `ms`, without waiting for earlier responses. `requestOf` gets the request's
 * number.
 */
export async function runOpenLoop(
  server: BenchServer,
  requestOf: (number: number) => LoadRequest,
  requestsPerSecond: number,
  ms: number,
): Promise<OpenLoopResult> {
  const pool = new Pool(server.baseUrl, { connections: 128, pipelining: 1 });
  const latenciesMs: number[] = [];
  const errors: string[] = [];
  const running: Promise<void>[] = [];
  const measure = async (request: LoadRequest) => {
    const sentAt = performance.now();
    try {
      await sendRequest(pool, server, request);
      latenciesMs.push(performance.now() - sentAt);
    } catch (error) {
      errors.push(String(error));
    }
  };
  const startedAt = performance.now();
  for (let sent = 0; sent < (requestsPerSecond * ms) / 1_000; sent += 1) {
    const waitMs = startedAt + (sent * 1_000) / requestsPerSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    running.push(measure(requestOf(sent)));
  }
  await Promise.all(running);
  await pool.close();
  return { latenciesMs, errors };
}
