import { hash } from 'node:crypto';

/**
 * Returns the SHA-256 in hex of a key, ticket or link: its stored form. A plain hash is enough, because the input has
 * too many random bits to be guessed.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}
