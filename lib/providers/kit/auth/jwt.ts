import { createHmac, sign } from 'node:crypto';

// Signed JSON Web Tokens (RFC 7519) for vendors that take one in place of a key.

/** The claims of a token; `exp` and `nbf` are seconds since 1970. */
export interface JwtClaims {
  readonly iss: string;
  readonly exp: number;
  readonly [name: string]: string | number;
}

const signers = {
  HS256: (text: string, secret: string) => createHmac('sha256', secret).update(text).digest(),
  /** The key is a private RSA key, such as its PEM text. */
  RS256: (text: string, key: string) => sign('sha256', Buffer.from(text), key),
};

/** Returns a signed token with these claims. `key` is a shared secret, or for RS256 a private key in PEM. */
export function signJwt(algorithm: keyof typeof signers, claims: JwtClaims, key: string): string {
  const text = `${encode({ alg: algorithm, typ: 'JWT' })}.${encode(claims)}`;
  return `${text}.${signers[algorithm](text, key).toString('base64url')}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
