import { hash } from 'node:crypto';

/**
 * SHA-256 in hex: the stored form of a key, a ticket or a link. A plain hash is enough, because the input has too many
 * random bits to be guessed.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}
