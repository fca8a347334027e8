import type { LookupFunction } from 'node:net';
import { Client, buildConnector } from 'undici';
import type { Clock } from '../domain/clock';
import type { Log } from '../domain/log';
import type { Deadline } from './deadline';
import { startDeadline, untilAborted } from './deadline';
import type { Destination, DestinationRules } from './destination';
import { checkAddresses, parseDestination } from './destination';
import type { LookupName } from './lookup-name';
import { createNameLookup } from './lookup-name';
import type { AddressUse } from './outbound-error';
import { fileTooLarge, isOutboundError, outboundFailed, transportReason } from './outbound-error';
import type { Cidr } from './public-address';
import { readBody } from './read-body';

// SSRF guard: the only way to call an address that a customer gave us. For each hop the name is resolved once, every
// address is checked, and the connection uses exactly those addresses, because a second lookup could return others (DNS
// rebinding). Each hop has its own connection, so that no request reuses one that was checked for another.

export interface OutboundDeps {
  /** The operator's exemptions (`OUTBOUND_ALLOW`). */
  readonly allow: readonly Cidr[];
  /** Host names of this installation. */
  readonly ownHosts?: readonly string[];
  /** Ports that need no exemption. */
  readonly ports?: readonly number[];
  readonly userAgent: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly lookup?: LookupName;
}

interface OutboundRequest extends AddressUse {
  /** Default `GET`; only `GET` follows redirects. */
  readonly method?: 'GET' | 'POST';
  /** Sent only on the first hop. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The limit in decoded bytes of the response. */
  readonly maxBytes: number;
  /**
   * `refuse` (the default) rejects with `media_too_large`; `cut` keeps what fits, and also what arrived before a
   * failure.
   */
  readonly whenLonger?: 'refuse' | 'cut';
  /** From the first lookup to the last byte, redirects included. */
  readonly totalMs: number;
  /**
   * The maximum number of redirects. With 0 a redirect is returned as the response; otherwise exceeding it is an error.
   */
  readonly redirects: number;
  readonly signal?: AbortSignal;
}

interface OutboundResponse {
  readonly status: number;
  /** Names in lower case; repeated ones joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** After redirects. */
  readonly url: URL;
  /** The address that answered. */
  readonly address: string;
}

export interface Outbound {
  /**
   * Checks syntax and IP literals, synchronously. Throws `url_not_allowed`. Use the returned URL and not the input
   * text.
   */
  checkUrl(text: string, use: AddressUse): URL;
  /** Checks the addresses that a name resolves to, if it resolves in time; otherwise `fetch` does. */
  checkName(url: URL, use: AddressUse & { readonly withinMs: number }): Promise<void>;
  /**
   * Rejects with an OutboundError (`url_not_allowed`, `media_unreachable`, `media_too_large`, `media_invalid`), or with
   * the reason of the caller's own signal. Any status of the answer resolves.
   */
  fetch(url: string | URL, request: OutboundRequest): Promise<OutboundResponse>;
  /** Aborts every request in progress. */
  close(): Promise<void>;
}

type HopResult =
  | { readonly kind: 'answer'; readonly answer: OutboundResponse }
  | { readonly kind: 'redirect'; readonly location: string };

const PUBLIC_PORTS = [80, 443, 8080, 8443];
const LOOKUP_MS = 2_000;
const CONNECT_MS = 3_000;
const BODY_IDLE_MS = 30_000;

export function createOutbound(deps: OutboundDeps): Outbound {
  const rules: DestinationRules = {
    allow: deps.allow,
    ownHosts: (deps.ownHosts ?? []).map((host) => host.toLowerCase()),
    ports: deps.ports ?? PUBLIC_PORTS,
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

  async function checkName(url: URL, use: AddressUse & { readonly withinMs: number }): Promise<void> {
    const destination = parseDestination(url.href, use, rules);
    const addresses = await findAddresses(destination, use.withinMs).catch(() => undefined);
    if (addresses !== undefined && addresses.length > 0) checkAddresses(destination, addresses, use, rules);
  }

  async function vetHop(destination: Destination, use: AddressUse, deadline: Deadline): Promise<readonly string[]> {
    const addresses = await findAddresses(destination, LOOKUP_MS, deadline.signal).catch(() => []);
    if (addresses.length === 0) throw outboundFailed(deadline.passed() ? 'timeout' : 'dns', use);
    checkAddresses(destination, addresses, use, rules);
    return addresses;
  }

  async function requestHop(
    destination: Destination,
    request: OutboundRequest,
    isFirst: boolean,
    deadline: Deadline,
  ): Promise<HopResult> {
    const vetted = await vetHop(destination, request, deadline);
    if (closed) throw outboundFailed('reset', request);

    let address = vetted[0] ?? '';
    const connect = buildConnector({ timeout: CONNECT_MS, maxCachedSessions: 0, lookup: lookupAmong(vetted) });
    const client = new Client(destination.url.origin, {
      headersTimeout: request.totalMs,
      bodyTimeout: BODY_IDLE_MS,
      connect: (options, done) =>
        connect(options, (...outcome) => {
          address = outcome[1]?.remoteAddress ?? address;
          done(...outcome);
        }),
    });
    openClients.add(client);
    try {
      const response = await client.request({
        path: destination.url.pathname + destination.url.search,
        method: request.method ?? 'GET',
        headers: {
          'user-agent': deps.userAgent,
          'accept-encoding': 'identity',
          accept: '*/*',
          ...(isFirst ? request.headers : {}),
        },
        body: request.body ?? null,
        reset: true,
        signal: deadline.signal,
      });
      const headers = joinHeaders(response.headers);
      const location = followable(response.statusCode, headers, request);
      if (location !== undefined) {
        response.body.on('error', () => {}).destroy();
        return { kind: 'redirect', location };
      }
      const read = await readBody(response.body, headers, request.maxBytes, request.whenLonger ?? 'refuse');
      switch (read.kind) {
        case 'too_large':
          throw fileTooLarge(request, request.maxBytes, address);
        case 'encoding':
          throw outboundFailed('encoding', request, address);
        case 'broken':
          throw read.error;
        case 'read':
          return {
            kind: 'answer',
            answer: { status: response.statusCode, headers, body: read.bytes, url: destination.url, address },
          };
      }
    } catch (error) {
      if (isOutboundError(error)) throw error;
      const reason = deadline.passed() ? 'timeout' : transportReason(error);
      throw reason === undefined ? error : outboundFailed(reason, request, address);
    } finally {
      openClients.delete(client);
      await client.destroy();
    }
  }

  async function fetch(url: string | URL, request: OutboundRequest): Promise<OutboundResponse> {
    const deadline = startDeadline(deps.clock, request.totalMs, request.signal);
    let host: string | undefined;
    try {
      let text = String(url);
      for (let hop = 0; hop <= request.redirects; hop += 1) {
        const destination = parseDestination(text, request, rules);
        host = destination.host;
        const result = await requestHop(destination, request, hop === 0, deadline);
        if (result.kind === 'answer') return result.answer;
        text = URL.canParse(result.location, destination.url)
          ? new URL(result.location, destination.url).href
          : result.location;
      }
      throw outboundFailed('redirect', request);
    } catch (error) {
      // An abort by the caller is no failure of the address.
      request.signal?.throwIfAborted();
      const code = isOutboundError(error) ? error.reason : 'unexpected';
      const level = code === 'not_allowed' || code === 'unexpected' ? 'warn' : 'info';
      deps.log[level]('request to a customer address failed', { code, ...(host === undefined ? {} : { host }) });
      throw error;
    } finally {
      deadline.end();
    }
  }

  return {
    checkUrl: (text, use) => parseDestination(text, use, rules).url,
    checkName,
    fetch,
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

function followable(
  status: number,
  headers: Readonly<Record<string, string>>,
  request: OutboundRequest,
): string | undefined {
  const follows =
    request.redirects > 0 && (request.method ?? 'GET') === 'GET' && [301, 302, 303, 307, 308].includes(status);
  return follows ? headers['location'] : undefined;
}

function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}
