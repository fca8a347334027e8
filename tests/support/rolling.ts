import { systemClock } from '../../lib/domain/clock';
import { callOnce, type CallOptions } from './fleet';

// Clients and a load balancer before several processes, while these are restarted one after the other.

/** The balancer asks more often than most. */
const ASK_INTERVAL_MS = 200;

export interface Balancer {
  /** The base URLs of the processes in turn, without those that are not ready. */
  next(): string;
  isReady(one: { readonly baseUrl: string }): boolean;
  stop(): void;
}

/** Asks each process whether it is ready, and gives requests in turn to those that are. */
export function startBalancer(processes: readonly { readonly baseUrl: string }[]): Balancer {
  const ready = new Set(processes);
  let isRunning = true;
  let turn = 0;
  for (const one of processes)
    void (async () => {
      while (isRunning) {
        const isReady = await callOnce(one.baseUrl, 'GET', '/readyz', {}).then(
          ({ status }) => status === 200,
          () => false,
        );
        if (isReady) ready.add(one);
        else ready.delete(one);
        await systemClock.sleep(ASK_INTERVAL_MS);
      }
    })();
  return {
    isReady: (one) => ready.has(one),
    next(): string {
      const those = [...ready];
      const chosen = those[(turn += 1) % those.length];
      if (!chosen) throw new Error('No process is ready.');
      return chosen.baseUrl;
    },
    stop() {
      isRunning = false;
    },
  };
}

export interface Traffic {
  /** Requests that were not answered as they have to be. */
  readonly failures: readonly string[];
  readonly answered: () => number;
  /** The videos that were submitted. */
  readonly ids: readonly string[];
  /** Resolves when the last requests have been answered. */
  stop(): Promise<void>;
}

/** Four clients without retries that send messages, submit videos and read them until they are stopped. */
export function startTraffic(
  balancer: Pick<Balancer, 'next'>,
  { key, hook }: { readonly key: string; readonly hook?: string },
): Traffic {
  const failures: string[] = [];
  let answered = 0;
  const ids: string[] = [];
  let isRunning = true;
  const send = async (method: string, route: string, status: number, options: CallOptions = {}) => {
    try {
      const answer = await callOnce(balancer.next(), method, route, { key, ...options });
      if (answer.status === status) answered += 1;
      else failures.push(`${method} ${route}: ${answer.status} ${JSON.stringify(answer.json)}`);
      return answer.json;
    } catch (error) {
      failures.push(`${method} ${route}: ${String((error as Error).cause ?? error)}`);
      return {};
    }
  };
  const message = { model: 'sandbox-text', max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] };
  const order = {
    model: 'sandbox-t2v',
    prompt: 'a cat',
    seconds: 1,
    size: '640x360',
    fps: 8,
    ...(hook === undefined ? {} : { webhook: hook }),
  };
  const clients = [
    repeat(20, () => send('POST', '/v1/messages', 200, { body: message })),
    repeat(20, () => send('POST', '/v1/messages', 200, { body: { ...message, stream: true } })),
    repeat(50, () => send('GET', ids.length > 0 ? `/v1/videos/${ids.at(-1)}` : '/v1/videos', 200)),
    repeat(700, async () => {
      const { id } = await send('POST', '/v1/videos', 202, { body: order });
      if (typeof id === 'string') ids.push(id);
    }),
  ];
  async function repeat(pauseMs: number, run: () => Promise<unknown>): Promise<void> {
    while (isRunning) {
      await run();
      await systemClock.sleep(pauseMs);
    }
  }
  return {
    failures,
    answered: () => answered,
    ids,
    async stop() {
      isRunning = false;
      await Promise.all(clients);
    },
  };
}
