// Limits concurrent requests to one host; further requests wait. Callers choose the URLs, and must not be able to flood
// a host through us.

export interface HostTurns {
  /**
   * Runs `work` when the host has a free slot. Rejects with the signal's reason while it waits; otherwise settles as
   * `work` does.
   */
  run<T>(host: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

interface Host {
  running: number;
  readonly waiting: (() => void)[];
}

export function createHostTurns(maxAtOnce: number): HostTurns {
  const hosts = new Map<string, Host>();

  function turnOf(host: Host, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        host.waiting.splice(host.waiting.indexOf(start), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      host.waiting.push(start);
    });
  }

  return {
    async run(name, signal, work) {
      signal.throwIfAborted();
      let host = hosts.get(name);
      if (!host) hosts.set(name, (host = { running: 0, waiting: [] }));
      if (host.running < maxAtOnce) host.running += 1;
      // The slot passes to the next waiting request, so `running` does not change.
      else await turnOf(host, signal);
      try {
        return await work();
      } finally {
        const next = host.waiting.shift();
        if (next) next();
        else {
          host.running -= 1;
          if (host.running === 0) hosts.delete(name);
        }
      }
    },
  };
}
