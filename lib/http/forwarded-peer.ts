import { randomBytes } from 'node:crypto';

// Next's handlers see only headers, and any client can forge a header. So our server, which sees the socket's peer,
// passes the address on together with a secret that clients cannot know. The secret is on `globalThis`, which all
// copies of this module in a process share (see `runtime.ts`).

const slot = Symbol.for('gateway.peer-proof');
type Slots = { [slot]?: string };

/** The header that carries both; a value sent by a client is overwritten. */
export const PEER_HEADER = 'x-patchbay-peer';

/** Returns the value of the header for this address. */
export function attestPeerAddress(address: string): string {
  const slots = globalThis as Slots;
  slots[slot] ??= randomBytes(16).toString('hex');
  return `${slots[slot]} ${address}`;
}

/** Returns the peer address that our server attested; undefined if the header does not contain the secret. */
export function provenPeer(header: string | null): string | undefined {
  const proof = (globalThis as Slots)[slot];
  if (proof === undefined || !header?.startsWith(`${proof} `)) return undefined;
  return header.slice(proof.length + 1);
}
