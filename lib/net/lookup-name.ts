import { Resolver, lookup } from 'node:dns/promises';

// Resolves host names. The system's lookup blocks one of the four threads that all file access of the process shares,
// and cannot be cancelled: a few names on a slow name server would block everything. So the name servers are queried
// directly, and the system (its hosts file, its search domains) only for names that they do not know, two at a time.

/**
 * Resolves with every address of a host name; rejects if there is none. When the signal aborts, resolves with the
 * addresses found so far.
 */
export type LookupName = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const QUERY_TIMEOUT_MS = 600;
const QUERY_TRIES = 2;
const MAX_SYSTEM_LOOKUPS = 2;

/** `servers` replaces the system's name servers, for example `127.0.0.1:5353`. */
export function createNameLookup(servers?: readonly string[]): LookupName {
  let systemLookups = 0;

  async function askSystem(host: string): Promise<readonly string[]> {
    if (systemLookups >= MAX_SYSTEM_LOOKUPS) throw new Error('The name servers do not know this host name.');
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
      // A name server that does not answer us would not answer the system either, and would block a thread for many
      // seconds.
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
