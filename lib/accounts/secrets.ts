import { crc32 } from 'node:zlib';
import { hash } from 'node:crypto';
import { BASE62, randomBase62 } from '../domain/ids';
import type { Mode } from '../domain/video';

// The format of API keys, and the stored form of secrets.
//
// The checksum of a key reveals a mistyped or invented key without a query: `pb_live_` or `pb_test_`, 30
// random base62 characters (178 bits), then a checksum over everything before it.

const SECRET_LENGTH = 30;
/** 62⁶ > 2³²: every CRC32 fits. */
const CHECKSUM_LENGTH = 6;
const SHAPE = /^pb_(live|test)_[0-9A-Za-z]{36}$/;

/** Creates a new key. It is shown once and never stored. */
export function newKey(mode: Mode): string {
  const body = `${keyPrefix(mode)}${randomBase62(SECRET_LENGTH)}`;
  return body + checksum(body);
}

/** Parses a key; undefined if it is not ours or was not copied exactly. No I/O. */
export function readKey(text: string): { readonly mode: Mode } | undefined {
  const mode = SHAPE.exec(text)?.[1];
  if (mode !== 'live' && mode !== 'test') return undefined;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return checksum(body) === text.slice(-CHECKSUM_LENGTH) ? { mode } : undefined;
}

export function keyPrefix(mode: Mode): string {
  return `pb_${mode}_`;
}

/** `pb_test_••••aB3x`: enough to recognise a key, not enough to use it. */
export function displayKey(prefix: string, lastFour: string): string {
  return `${prefix}••••${lastFour}`;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/**
 * Returns the SHA-256 in hex of a key, ticket or link: its stored form. A plain hash is enough, because the input has
 * too many random bits to be guessed.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}
