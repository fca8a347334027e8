import { randomBytes } from 'node:crypto';

// Clients and the native upstream accept only plain characters in the id of a tool call; some providers write
// `functions.search:0`. The id is encoded on its way to the client and decoded on its way back, so no state is needed.

const plain = /^[A-Za-z0-9_-]{1,64}$/;
const packed = 'tux_';

/** Returns the id that clients see; generates a missing one. */
export function packToolId(id: string): string {
  if (id === '') return `toolu_${randomBytes(16).toString('hex')}`;
  return plain.test(id) && !id.startsWith(packed) ? id : packed + Buffer.from(id).toString('base64url');
}

/** Returns the id as its provider wrote it. */
export function unpackToolId(id: string): string {
  return id.startsWith(packed) ? Buffer.from(id.slice(packed.length), 'base64url').toString() : id;
}
