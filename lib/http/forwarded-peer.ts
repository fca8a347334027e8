import { randomBytes } from 'node:crypto';

// Next's handlers see headers only, and any caller can write a header. Our server, which does see the peer, therefore hands
// its address on together with a proof that no caller can know; the proof lives on `globalThis`, the one thing that the
// copies of this module in a process have in common (see `runtime.ts`).

const slot = Symbol.for('gateway.peer-proof');
type Slots = { [slot]?: string };

/** The header that carries both; whatever a caller sent under this name is overwritten. */
export const PEER_HEADER = 'x-patchbay-peer';

/** The header's value for this address. */
export function attestPeerAddress(address: string): string {
  const slots = globalThis as Slots;
  slots[slot] ??= randomBytes(16).toString('hex');
  return `${slots[slot]} ${address}`;
}

/** The address that our own server vouches for; undefined without its proof. */
export function provenPeer(header: string | null): string | undefined {
  const proof = (globalThis as Slots)[slot];
  if (proof === undefined || !header?.startsWith(`${proof} `)) return undefined;
  return header.slice(proof.length + 1);
}
