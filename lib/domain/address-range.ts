import ipaddr from 'ipaddr.js';

// Network addresses and ranges of them, such as `203.0.113.0/24`.

export type AddressRange = ReturnType<typeof ipaddr.parseCIDR>;

/** Parses an address or a range that the API has accepted. */
export function parseRange(text: string): AddressRange {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Whether the address is in one of the ranges. IPv4-mapped IPv6 counts as that IPv4 address. */
export function liesWithin(ranges: readonly AddressRange[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some((range) => range[0].kind() === parsed.kind() && parsed.match(range));
}

/** Whether the second range contains the first. */
export function liesWithinRange([address, bits]: AddressRange, range: AddressRange): boolean {
  return address.kind() === range[0].kind() && bits >= range[1] && address.match(range);
}
