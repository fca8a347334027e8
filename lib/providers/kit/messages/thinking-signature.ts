import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { ThinkingSigner } from '../../../domain/messages';

// Whose thinking is this? A thinking block may go back to the provider that made it and to no other: a foreign one is
// refused, or confuses the model. Callers keep only signed blocks, and most providers sign nothing or in a form that nobody
// else can tell apart; so we sign for them, with the provider's name in front of whatever the provider had written there, and
// a code over both and the thinking: nobody can put words into a model's mind by writing our signature himself.

const prefix = 'gw1.';
const CODE_BYTES = 16;

/** Signs with a key derived from the master key, so that every instance of an installation knows the signatures of the others. */
export function createThinkingSigner(masterKey: string): ThinkingSigner {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'patchbay signatures of thoughts v1', 32));
  const codeOf = (providerId: string, thinking: string, original: string) =>
    createHmac('sha256', key)
      .update(`${providerId}\n${original.length}\n${original}\n`)
      .update(thinking)
      .digest()
      .subarray(0, CODE_BYTES);

  return {
    sign: (providerId, thinking, original) =>
      `${prefix}${providerId}.${Buffer.from(original).toString('base64url')}.${codeOf(providerId, thinking, original).toString('base64url')}`,
    open(providerId, thinking, signature) {
      const own = `${prefix}${providerId}.`;
      if (!signature.startsWith(own)) return undefined;
      const [packed = '', code = '', more] = signature.slice(own.length).split('.');
      const given = Buffer.from(code, 'base64url');
      const original = Buffer.from(packed, 'base64url').toString();
      const isOurs =
        more === undefined &&
        given.length === CODE_BYTES &&
        timingSafeEqual(given, codeOf(providerId, thinking, original));
      return isOurs ? original : undefined;
    },
  };
}

/** Does it say that we signed it, for whichever provider? */
export function isOurSignature(signature: string): boolean {
  return signature.startsWith(prefix);
}
