import { Pool } from 'undici';
import { send, type LoadRequest } from './load';
import { pause } from './measure';
import type { Target } from './processes';

export interface Waits {
  /** Milliseconds until each answer that was as it must be. */
  readonly delays: readonly number[];
  /** What went wrong with the others. */
  readonly errors: readonly string[];
}

/** Sends so many requests a second on time, whether the last ones have been answered or not. */
export async function openLoop(
  target: Target,
  requestOf: (count: number) => LoadRequest,
  perSecond: number,
  ms: number,
): Promise<Waits> {
  const pool = new Pool(target.baseUrl, { connections: 128, pipelining: 1 });
  const delays: number[] = [];
  const errors: string[] = [];
  const running: Promise<void>[] = [];
  const one = async (request: LoadRequest) => {
    const sentAt = performance.now();
    try {
      await send(pool, target, request);
      delays.push(performance.now() - sentAt);
    } catch (error) {
      errors.push(String(error));
    }
  };
  const startedAt = performance.now();
  for (let sent = 0; sent < (perSecond * ms) / 1_000; sent += 1) {
    const waitMs = startedAt + (sent * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs);
    running.push(one(requestOf(sent)));
  }
  await Promise.all(running);
  await pool.close();
  return { delays, errors };
}
