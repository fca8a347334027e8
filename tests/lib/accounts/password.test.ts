import { randomBytes, scrypt, scryptSync } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { createPasswords } from '../../../lib/accounts/password';
import { cheapPasswords } from '../../support/passwords';

vi.mock('node:crypto', async () => {
  const crypto = await vi.importActual<typeof import('node:crypto')>('node:crypto');
  return { ...crypto, scrypt: vi.fn(crypto.scrypt) };
});

describe('createPasswords', () => {
  it('hashes with N = 2^17, r = 8, p = 1 and says so in the hash', async () => {
    const hash = await createPasswords().hash('correct horse');
    const [kind, N, r, p, salt = '', body = ''] = hash.split('$');
    expect([kind, N, r, p]).toEqual(['scrypt', '131072', '8', '1']);
    const expected = scryptSync('correct horse', Buffer.from(salt, 'base64'), 32, {
      N: 2 ** 17,
      r: 8,
      p: 1,
      maxmem: 2 ** 28,
    });
    expect(body).toBe(expected.toString('base64'));
  });

  it('verifies with the parameters in the hash', async () => {
    const passwords = createPasswords();
    const stored = await cheapPasswords().hash('correct horse');
    expect(await passwords.verify('correct horse', stored)).toBe(true);
    expect(await passwords.verify('correct horsE', stored)).toBe(false);
    expect(await passwords.verify('', stored)).toBe(false);
  });

  it('salts: the same password never has the same hash', async () => {
    expect(await cheapPasswords().hash('same')).not.toBe(await cheapPasswords().hash('same'));
  });

  it('treats an accent the same, however the keyboard composes it', async () => {
    const stored = await cheapPasswords().hash('caf\u00e9 au lait');
    expect(await createPasswords().verify('cafe\u0301 au lait', stored)).toBe(true);
  });

  it('does the full work for a user that does not exist', async () => {
    const passwords = createPasswords();
    const real = await passwords.hash('correct horse');
    vi.mocked(scrypt).mockClear();
    expect(await passwords.verify('wrong', real)).toBe(false);
    expect(await passwords.verify('wrong', undefined)).toBe(false);
    expect(await passwords.verify('wrong', null)).toBe(false);
    const work = vi.mocked(scrypt).mock.calls.map(([, , bytes, cost]) => ({ bytes, cost }));
    const known = { bytes: 32, cost: { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 } };
    expect(work).toEqual([known, known, known]);
  });

  it('refuses the twenty-first at once with a retry, and serves it later', async () => {
    const passwords = createPasswords();
    const stored = await cheapPasswords().hash('right');
    const twenty = Array.from({ length: 20 }, () => passwords.verify('right', stored));
    await expect(passwords.verify('right', stored)).rejects.toMatchObject({ code: 'overloaded' });
    expect(await Promise.all(twenty)).toEqual(Array(20).fill(true));
    expect(await passwords.verify('right', stored)).toBe(true);
  });

  it('continues after a hash that cannot be read', async () => {
    const passwords = createPasswords();
    await expect(passwords.verify('x', 'md5$abc')).rejects.toThrow('unknown form');
    expect(await passwords.verify('x', await cheapPasswords().hash('x'))).toBe(true);
  });

  it('does not hold up the event loop', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    await createPasswords().hash(randomBytes(8).toString('hex'));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
  });
});
