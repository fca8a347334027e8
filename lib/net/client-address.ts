import { BlockList, isIP, isIPv6 } from 'node:net';

// The address of a client, and the network it belongs to.
//
// Behind proxies the address must be found: any client can send X-Forwarded-For, so only the entries that trusted
// proxies added count, from the right, up to and including the first address that is not a trusted proxy.

export type ReadAddress = (peer: string, forwardedFor: string | undefined) => string;

/** Creates the reader for these trusted proxies (CIDRs or single addresses, already validated by the configuration). */
export function createAddressReader(trustedProxies: readonly string[]): ReadAddress {
  if (trustedProxies.length === 0) return plainAddress;
  const isTrusted = createProxyCheck(trustedProxies);

  return function readAddress(peer, forwardedFor) {
    let address = plainAddress(peer);
    if (forwardedFor === undefined) return address;
    const chain = forwardedFor.split(',').map((entry) => plainAddress(withoutPort(entry.trim())));
    // A proxy that does not know an address writes "unknown"; the entries to the left of it are not trustworthy.
    for (let next = chain.pop(); next !== undefined && isTrusted(address) && isIP(next) !== 0; next = chain.pop())
      address = next;
    return address;
  };
}

/** Returns a function that checks whether an address is one of the trusted proxies. */
export function createProxyCheck(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const cidr of trustedProxies) {
    const [network = '', bits] = cidr.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(network, family);
    else trusted.addSubnet(network, Number(bits), family);
  }
  // A check costs as much as the authentication of a request, and most requests come from the same proxy.
  let last = { address: '', isTrusted: false };
  return (address) => {
    if (address !== last.address) {
      const plain = plainAddress(address);
      const isTrusted = isIP(plain) !== 0 && trusted.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
      last = { address, isTrusted };
    }
    return last.isTrusted;
  };
}

/** Returns the IPv4 form of an IPv4 address on an IPv6 socket; any other address unchanged. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

function withoutPort(entry: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1];
  if (bracketed !== undefined) return bracketed;
  return /^[\d.]+:\d+$/.test(entry) ? entry.slice(0, entry.indexOf(':')) : entry;
}

// Limits for anonymous clients count networks and not addresses: a client with IPv6 has about 10^19 addresses.

/** Returns the IPv4 address, or the /64 of an IPv6 address, which one household or server usually gets. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
