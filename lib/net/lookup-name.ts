import { Resolver, lookup } from 'node:dns/promises';

// The system's own lookup blocks one of the four threads that all file access of the process shares, and cannot be
// stopped: a few names on a slow name server would stall everything. So the name servers are asked directly, and the
// system (its hosts file, its search domains) only about names that they do not know, two at a time.

/** Every address of a host name; rejects when there is none. Ends, with what it has so far, when the signal aborts. */
export type LookupName = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const QUERY_TIMEOUT_MS = 600;
const QUERY_TRIES = 2;
const MAX_SYSTEM_LOOKUPS = 2;

/** `servers` stands in for the name servers of the system, such as `127.0.0.1:5353`. */
export function createNameLookup(servers?: readonly string[]): LookupName {
  let systemLookups = 0;

  async function askSystem(host: string): Promise<readonly string[]> {
    if (systemLookups >= MAX_SYSTEM_LOOKUPS) throw new Error('The name is not known to the name servers.');
    systemLookups += 1;
    try {
      const found = await lookup(host, { all: true });
      return found.map((entry) => entry.address);
    } finally {
      systemLookups -= 1;
    }
  }

  return async function lookupName(host, signal) {
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const stop = () => resolver.cancel();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length > 0) return addresses;
      signal.throwIfAborted();
      // A name server that is silent would be just as silent to the system, and hold a thread for many seconds.
      if (answers.every((answer) => answer.status === 'rejected' && isTimeout(answer.reason)))
        throw new Error('No name server answered.');
    } finally {
      signal.removeEventListener('abort', stop);
    }
    return askSystem(host);
  };
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ETIMEOUT';
}
