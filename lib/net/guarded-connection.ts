import type { LookupFunction } from 'node:net';
import { Client } from 'undici';
import type { Clock } from '../domain/clock';
import { createConnector } from '../io/undici-connector';
import type { Deadline } from './deadline';
import { startDeadline } from './deadline';
import type { Destination, DestinationRules } from './destination';
import { checkAddresses, parseDestination } from './destination';
import type { LookupName } from './lookup-name';
import { createNameLookup } from './lookup-name';
import type { UrlUse } from './outbound-error';
import { outboundFailed } from './outbound-error';
import type { Cidr } from './public-address';
import { parseUrl } from '../domain/url';
import { untilAborted } from '../io/until-aborted';

// SSRF guard: the only way to call a URL that is not in the configuration. The name of its host is resolved once, every
// address is checked, and the connection uses exactly those addresses, because a second lookup could return others (DNS
// rebinding). Each hop has its own connection, so that no request reuses one that was checked for another.

export interface ConnectionDeps {
  /** The operator's exemptions (`OUTBOUND_ALLOW`). */
  readonly allow: readonly Cidr[];
  /** Host names of this installation. */
  readonly ownHosts?: readonly string[];
  /** Ports that need no exemption. */
  readonly ports?: readonly number[];
  readonly clock: Clock;
  readonly lookup?: LookupName;
}

interface ConnectionOptions {
  /** The maximum length of a URL; by default 2,048 characters, the limit for URLs of callers. */
  readonly maxUrlChars?: number;
  /** How long the HTTP client waits between two pieces of a body, in milliseconds; 0: without a limit. */
  readonly bodyTimeoutMs: number;
}

export interface ConnectionGuard {
  /** Checks syntax and IP literals, synchronously. Throws `url_not_allowed`. */
  parse(text: string, use: UrlUse): Destination;
  /** Checks the addresses that a name resolves to, if it resolves in time; otherwise `connect` does. */
  checkName(url: URL, use: UrlUse & { readonly withinMs: number }): Promise<void>;
  /**
   * Resolves and checks the host of a destination. The deadline ends the lookup. Rejects with an OutboundError. The
   * caller closes the connection.
   */
  connect(destination: Destination, use: UrlUse, deadline: Deadline): Promise<GuardedConnection>;
  /** Closes every connection; later ones are refused. */
  close(): Promise<void>;
}

export interface GuardedConnection {
  /** Connects at its first request, to the checked addresses only. */
  readonly client: Client;
  /** The address that answered; before that, the first of the checked ones. */
  address(): string;
  /** Safe to repeat. */
  close(): Promise<void>;
}

const PUBLIC_PORTS = [80, 443, 8080, 8443];
const MAX_CALLER_URL_CHARS = 2_048;
const LOOKUP_TIMEOUT_MS = 2_000;
const CONNECT_TIMEOUT_MS = 3_000;

export function createConnectionGuard(deps: ConnectionDeps, options: ConnectionOptions): ConnectionGuard {
  const rules: DestinationRules = {
    allow: deps.allow,
    ownHosts: (deps.ownHosts ?? []).map((host) => host.toLowerCase()),
    ports: deps.ports ?? PUBLIC_PORTS,
    maxUrlChars: options.maxUrlChars ?? MAX_CALLER_URL_CHARS,
  };
  const lookup = deps.lookup ?? createNameLookup();
  const openClients = new Set<Client>();
  let closed = false;

  /** Rejects when the name has no address, or none in time. */
  async function findAddresses(
    destination: Destination,
    withinMs: number,
    parent?: AbortSignal,
  ): Promise<readonly string[]> {
    if (destination.addresses !== undefined) return destination.addresses;
    const deadline = startDeadline(deps.clock, withinMs, parent);
    try {
      return await untilAborted(lookup(destination.host, deadline.signal), deadline.signal);
    } finally {
      deadline.end();
    }
  }

  async function vetHop(destination: Destination, use: UrlUse, deadline: Deadline): Promise<readonly string[]> {
    const addresses = await findAddresses(destination, LOOKUP_TIMEOUT_MS, deadline.signal).catch(() => []);
    if (addresses.length === 0) throw outboundFailed(deadline.passed() ? 'timeout' : 'dns', use);
    checkAddresses(destination, addresses, use, rules);
    return addresses;
  }

  return {
    parse: (text, use) => parseDestination(text, use, rules),

    async checkName(url, use) {
      const destination = parseDestination(url.href, use, rules);
      const addresses = await findAddresses(destination, use.withinMs).catch(() => undefined);
      if (addresses !== undefined && addresses.length > 0) checkAddresses(destination, addresses, use, rules);
    },

    async connect(destination, use, deadline) {
      const vetted = await vetHop(destination, use, deadline);
      if (closed) throw outboundFailed('reset', use);
      let address = vetted[0] ?? '';
      const connect = createConnector({
        timeout: CONNECT_TIMEOUT_MS,
        maxCachedSessions: 0,
        lookup: lookupAmong(vetted),
      });
      const client = new Client(destination.url.origin, {
        // The deadline of the caller covers the headers.
        headersTimeout: 0,
        bodyTimeout: options.bodyTimeoutMs,
        connect: (request, done) =>
          connect(request, (...outcome) => {
            address = outcome[1]?.remoteAddress ?? address;
            done(...outcome);
          }),
      });
      openClients.add(client);
      return {
        client,
        address: () => address,
        async close() {
          openClients.delete(client);
          await client.destroy();
        },
      };
    },

    async close() {
      closed = true;
      await Promise.all([...openClients].map((client) => client.destroy()));
    },
  };
}

/** Replaces the socket's resolver: returns these addresses for any name. Not called for IP literals. */
function lookupAmong(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_host, options, done) => {
    const [first] = entries;
    if (options.all) done(null, entries);
    else done(null, first?.address ?? '', first?.family ?? 0);
  };
}

/** Joins the headers of a response: names in lower case, repeated ones joined by commas. */
export function joinHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}

/** Returns the URL to which a response redirects, resolved against that of the request; undefined if it does not. */
export function redirectTarget(
  status: number,
  headers: Readonly<Record<string, string>>,
  from: URL,
): string | undefined {
  const location = headers['location'];
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  return parseUrl(location, from)?.href ?? location;
}
