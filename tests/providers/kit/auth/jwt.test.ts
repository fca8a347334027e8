import { createHmac, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signJwt } from '../../../../lib/providers/kit/auth/jwt';

const claims = { iss: 'account', exp: 1_900_000_000, nbf: 1_899_998_195 };

function partsOf(token: string) {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  return {
    header: read(header),
    payload: read(payload),
    signed: Buffer.from(`${header}.${payload}`),
    signature: Buffer.from(signature, 'base64url'),
  };
}

describe('signJwt', () => {
  it('gives the token that another implementation gives', () => {
    // Python's hmac and base64 modules.
    expect(signJwt('HS256', { iss: 'joe', exp: 1_300_819_380 }, 'your-256-bit-secret')).toBe(
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJqb2UiLCJleHAiOjEzMDA4MTkzODB9.RvpsPeqKD1D4txsl7lrQxo0n8SDIuuvc_JWx-Ei1RKI',
    );
  });

  it('signs with HMAC and SHA-256', () => {
    const { header, payload, signed, signature } = partsOf(signJwt('HS256', claims, 'a secret'));
    expect([header, payload]).toEqual([{ alg: 'HS256', typ: 'JWT' }, claims]);
    expect(signature).toEqual(createHmac('sha256', 'a secret').update(signed).digest());
    expect(signature).not.toEqual(createHmac('sha256', 'another secret').update(signed).digest());
  });

  it('signs with RSA and SHA-256', () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const { header, payload, signed, signature } = partsOf(signJwt('RS256', claims, pem));
    expect([header, payload]).toEqual([{ alg: 'RS256', typ: 'JWT' }, claims]);
    expect(verify('RSA-SHA256', signed, publicKey, signature)).toBe(true);
    expect(verify('RSA-SHA256', Buffer.concat([signed, signed]), publicKey, signature)).toBe(false);
  });
});
