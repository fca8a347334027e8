import { isIP } from 'node:net';
import { GatewayError } from '../domain/errors';

// Protection against DNS rebinding: a web page whose host name is changed to resolve to this server becomes "same
// origin" with it, and its scripts could use the console and the first sign-up in a visitor's browser. Such a request
// still carries the page's host name, so everything that reads cookies or signs in a person accepts only known hosts.
// The API under /v1 and the health checks accept every host name: they read no cookie, and CORS allows any page to call
// them anyway.

export interface OwnHosts {
  readonly baseUrl: string;
  readonly config: { readonly host: string; readonly allowedHosts: readonly string[] };
}

/**
 * Returns whether the console may be opened under this `Host` header (a name or an address, with or without a port).
 * True for the host of the base URL, HOST, ALLOWED_HOSTS and localhost, and for every IP address: an address cannot be
 * rebound, and containers and machines of a LAN are reached by address. The port is ignored, because it may be mapped.
 */
export function isOwnHost(host: string | undefined, { baseUrl, config }: OwnHosts): boolean {
  const name = hostName(host);
  if (name === undefined) return false;
  if (isLoopbackName(name) || isIP(name) !== 0) return true;
  return (
    name === hostName(new URL(baseUrl).host) || name === config.host.toLowerCase() || config.allowedHosts.includes(name)
  );
}

/** Returns the error `wrong_host`; undefined if the console may be opened under this `Host` header. */
export function wrongHost(host: string | undefined, hosts: OwnHosts): GatewayError | undefined {
  if (isOwnHost(host, hosts)) return undefined;
  return new GatewayError(
    'wrong_host',
    `The console is not available under this host name. Open ${hosts.baseUrl}/console, or have the operator add the name to ALLOWED_HOSTS or set PUBLIC_BASE_URL.`,
  );
}

/** `localhost` and its subdomains. Every browser resolves them to the local machine. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/** Returns a `Host` header in lower case, without port, brackets and trailing dot; undefined if it is invalid. */
export function hostName(host: string | undefined): string | undefined {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\]|([a-z\d._-]+))(?::\d*)?$/i.exec(host ?? '') ?? [];
  return (bracketed ?? plain)?.toLowerCase().replace(/\.$/, '');
}
