import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

// Signatures of short texts, for URLs that only this installation can have made.

export interface TextSigner {
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
}

/** Signers of different purposes have different keys, so that a signature of one is worth nothing to another. */
export function createTextSigner(secret: string, purpose: string): TextSigner {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  return {
    sign,
    verify(text, signature) {
      // Compared as text: base64url decoding skips invalid characters, so a signature with extra characters would pass.
      const given = Buffer.from(signature);
      const right = Buffer.from(sign(text));
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}
