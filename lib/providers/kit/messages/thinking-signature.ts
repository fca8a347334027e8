import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { ThinkingSigner } from '../../../domain/messages';

// Identifies the provider of a thinking block. A thinking block may only be sent back to the provider that created it:
// others reject it, or their model is confused. Clients keep only signed blocks, and most providers do not sign, or not
// in a recognisable form. We therefore sign for them: the provider's name, the provider's own signature and a MAC over
// both and the thinking, so that a client cannot forge thinking.

const prefix = 'gw1.';
const CODE_BYTES = 16;

/**
 * Signs with a key derived from the master key, so that all instances of an installation accept each other's
 * signatures. `fallbacks` are other master keys whose signatures are accepted, while the master key is rotated.
 */
export function createThinkingSigner(masterKey: string, fallbacks: readonly string[] = []): ThinkingSigner {
  const key = keyOf(masterKey);
  const accepted = [key, ...fallbacks.map(keyOf)];

  return {
    sign: (providerId, thinking, original) =>
      `${prefix}${providerId}.${Buffer.from(original).toString('base64url')}.${codeOf(key, providerId, thinking, original).toString('base64url')}`,
    open(providerId, thinking, signature) {
      const own = `${prefix}${providerId}.`;
      if (!signature.startsWith(own)) return undefined;
      const [packed = '', code = '', more] = signature.slice(own.length).split('.');
      const given = Buffer.from(code, 'base64url');
      const original = Buffer.from(packed, 'base64url').toString();
      const isOurs =
        more === undefined &&
        given.length === CODE_BYTES &&
        accepted.some((each) => timingSafeEqual(given, codeOf(each, providerId, thinking, original)));
      return isOurs ? original : undefined;
    },
  };
}

function keyOf(masterKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', 'patchbay signatures of thoughts v1', 32));
}

function codeOf(key: Buffer, providerId: string, thinking: string, original: string): Buffer {
  return createHmac('sha256', key)
    .update(`${providerId}\n${original.length}\n${original}\n`)
    .update(thinking)
    .digest()
    .subarray(0, CODE_BYTES);
}

/** Returns whether the signature has our format, for whichever provider. */
export function isOurSignature(signature: string): boolean {
  return signature.startsWith(prefix);
}
