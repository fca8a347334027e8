import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseUrl } from '../domain/url';

// Decides which addresses we may call for a customer: only those that the whole internet can reach. A ban list alone
// always misses something (similar products missed 0.0.0.0), so IPv6 must also be in the one block that is assigned to
// the internet.

export type Cidr = ReturnType<typeof ipaddr.parseCIDR>;

/**
 * `exempt` is in the operator's allow-list; `refused` is neither exempt nor public. An IPv4-mapped IPv6 address
 * (`::ffff:…`) is classified as its IPv4 address.
 */
type AddressVerdict = 'public' | 'exempt' | 'refused';

const special = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
  // All of 6to4 and of the translation prefixes, whatever IPv4 address they contain: a relay would unpack it.
  '::/128',
  '::1/128',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
].map((text) => ipaddr.parseCIDR(text));

const globalUnicastV6 = ipaddr.parseCIDR('2000::/3');

/** Parses CIDRs such as `127.0.0.0/8`. Throws an Error that names the first invalid one. */
export function parseCidrs(texts: readonly string[]): readonly Cidr[] {
  return texts.map((text) => {
    if (!ipaddr.isValidCIDR(text))
      throw new Error(`"${text}" is not a range of addresses such as 127.0.0.0/8 or fd00::/8.`);
    return ipaddr.parseCIDR(text);
  });
}

/** Classifies one address, without brackets. Anything that is not an address is refused. */
export function classifyAddress(text: string, allow: readonly Cidr[]): AddressVerdict {
  if (!ipaddr.isValid(text)) return 'refused';
  const address = ipaddr.process(text);
  const within = (range: Cidr) => address.kind() === range[0].kind() && address.match(range);
  if (allow.some(within)) return 'exempt';
  if (special.some(within) || address.range() !== 'unicast') return 'refused';
  return address.kind() === 'ipv4' || within(globalUnicastV6) ? 'public' : 'refused';
}

/** Names that only a private network resolves. */
const PRIVATE_NAMES = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$/;

/**
 * Returns whether a provider on the internet could read this URL, judged by its text alone: https, and a host that is
 * neither a private address nor a name of a private network.
 */
export function isPublicHttps(text: string): boolean {
  if (!parseUrl(text)) return false;
  const { protocol, hostname } = new URL(text);
  if (protocol !== 'https:') return false;
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  if (isIP(host) !== 0) return classifyAddress(host, []) === 'public';
  return host.includes('.') && !PRIVATE_NAMES.test(host);
}
