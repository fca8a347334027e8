import { hash } from 'node:crypto';

/** SHA-256 in hex: all that is stored of a key, a ticket or a link. A plain hash suffices, because what is hashed has more random bits than can be guessed. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}
