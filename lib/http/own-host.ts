import { isIP } from 'node:net';

// DNS rebinding: a web page whose host name suddenly resolves to this server becomes "same origin" with it, and its scripts
// may then use the console and the first sign-up in the browser of whoever has the page open. Such a request still names the
// page's host, so whatever reads cookies or signs somebody up answers only to known hosts. The API under /v1 and the health
// checks answer to every host name: they read no cookie, and a page gets nothing from them that CORS does not allow already.

export interface OwnHosts {
  readonly baseUrl: string;
  readonly config: { readonly host: string; readonly allowedHosts: readonly string[] };
}

/**
 * May the console be opened under this `Host` header (a name or an address, with or without a port)? True for the host of the
 * base URL, HOST, ALLOWED_HOSTS and localhost, and for every IP address: nobody can make an address resolve to something else,
 * and containers and machines of a LAN are reached by one. The port does not matter, because it may be mapped.
 */
export function isOwnHost(host: string | undefined, { baseUrl, config }: OwnHosts): boolean {
  const name = hostName(host);
  if (name === undefined) return false;
  if (isLoopbackName(name) || isIP(name) !== 0) return true;
  return (
    name === hostName(new URL(baseUrl).host) || name === config.host.toLowerCase() || config.allowedHosts.includes(name)
  );
}

/** `localhost` and the names below it; the last one is always this machine, in every browser. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/** The host of a `Host` header in lower case, without port, brackets and the dot at its end; undefined when it is none. */
export function hostName(host: string | undefined): string | undefined {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\]|([a-z\d._-]+))(?::\d*)?$/i.exec(host ?? '') ?? [];
  return (bracketed ?? plain)?.toLowerCase().replace(/\.$/, '');
}
