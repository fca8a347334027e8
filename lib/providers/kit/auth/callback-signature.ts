import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Clock } from '../../../domain/clock';
import { GatewayError } from '../../../domain/errors';
import { fieldsOf } from '../../../domain/json';
import type { ProviderCallback } from '../../../domain/video';

// The signatures with which providers sign their calls to a callback URL.

/** Receivers of Standard Webhooks and of fal accept signatures of the last five minutes. */
const MAX_AGE_SECONDS = 300;

/** Returns whether a call was signed just now, and is not a replay. `timestamp` is in seconds since 1970. */
export function isRecent(timestamp: string | undefined, clock: Clock): boolean {
  return timestamp !== undefined && Math.abs(clock.nowMs() / 1_000 - Number(timestamp)) <= MAX_AGE_SECONDS;
}

/** Returns whether the call has a signature of Standard Webhooks with this secret (`whsec_…`). */
export function hasStandardSignature({ headers, body }: ProviderCallback, secret: string, clock: Clock): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (id === undefined || signatures === undefined || !isRecent(timestamp, clock)) return false;
  const text = Buffer.from(body).toString('utf8');
  const right = new Webhook(secret).sign(id, new Date(Number(timestamp) * 1_000), text);
  return signatures.split(' ').some((signature) => isSame(signature, right));
}

/** Returns the HMAC-SHA256 of a text, in base64. */
export function hmacSha256(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64');
}

/** Compares two texts in constant time. */
export function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * Returns whether this is the Ed25519 signature of the text by one of the keys of a JSON Web Key Set. Keys of other
 * kinds are ignored.
 */
export function hasEd25519Signature(text: string, signature: Buffer, keySet: unknown): boolean {
  const { keys } = fieldsOf(keySet);
  return (Array.isArray(keys) ? keys : []).map(fieldsOf).some(({ kty, crv, x }) => {
    if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') return false;
    try {
      return verify(null, Buffer.from(text), createPublicKey({ format: 'jwk', key: { kty, crv, x } }), signature);
    } catch {
      // The key is not a public key, or the bytes are not a signature.
      return false;
    }
  });
}

/** Returns the error for a call that was not signed by its provider. */
export function forgedCallback(): GatewayError {
  return new GatewayError('invalid_signature', 'This callback does not have the signature of the provider.');
}
