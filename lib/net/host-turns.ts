import { afterServing } from './rotation';

// Limits concurrent requests to one host; further requests wait. Callers choose the URLs, and must not be able to flood
// a host through us.

export interface HostTurns {
  /**
   * Runs `work` when the host has a free slot; organisations take turns at it. Rejects with the signal's reason while
   * it waits; otherwise settles as `work` does.
   */
  run<T>(host: string, signal: AbortSignal, work: () => Promise<T>, order?: TurnOrder): Promise<T>;
}

interface TurnOrder {
  readonly orgId?: string | undefined;
  /** Whether it goes before all waiting requests, including those of other organisations. */
  readonly isFirst?: boolean;
}

interface Host {
  running: number;
  waiting: Waiting[];
}

interface Waiting {
  readonly orgId: string | undefined;
  start(): void;
}

export function createHostTurns(maxAtOnce: number): HostTurns {
  const hosts = new Map<string, Host>();

  function turnOf(host: Host, signal: AbortSignal, { orgId, isFirst = false }: TurnOrder): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        host.waiting = host.waiting.filter((other) => other !== waiting);
        reject(signal.reason);
      };
      const waiting: Waiting = {
        orgId,
        start() {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      if (isFirst) host.waiting.unshift(waiting);
      else host.waiting.push(waiting);
    });
  }

  return {
    async run(name, signal, work, order = {}) {
      signal.throwIfAborted();
      let host = hosts.get(name);
      if (!host) hosts.set(name, (host = { running: 0, waiting: [] }));
      if (host.running < maxAtOnce) host.running += 1;
      // The slot passes to the next waiting request, so `running` does not change.
      else await turnOf(host, signal, order);
      try {
        return await work();
      } finally {
        const [next] = host.waiting;
        if (next) {
          host.waiting = afterServing(host.waiting, next);
          next.start();
        } else {
          host.running -= 1;
          if (host.running === 0) hosts.delete(name);
        }
      }
    },
  };
}
