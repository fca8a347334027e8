import { randomBytes } from 'node:crypto';

// Clients and the native upstream take only plain characters in the id of a tool call; some providers write
// `functions.search:0`. The id is packed on its way out and unpacked on its way back, so nothing has to be remembered.

const plain = /^[A-Za-z0-9_-]{1,64}$/;
const packed = 'tux_';

/** The id as callers see it; a missing one is made up. */
export function packToolId(id: string): string {
  if (id === '') return `toolu_${randomBytes(16).toString('hex')}`;
  return plain.test(id) && !id.startsWith(packed) ? id : packed + Buffer.from(id).toString('base64url');
}

/** The id as its provider wrote it. */
export function unpackToolId(id: string): string {
  return id.startsWith(packed) ? Buffer.from(id.slice(packed.length), 'base64url').toString() : id;
}
