import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayKey, keyPrefix, newKey, readKey, hashSecret } from '../../../lib/accounts/secrets';
import { proofRuns } from '../../support/proof-runs';

const mode = fc.constantFrom('live' as const, 'test' as const);

describe('newKey', () => {
  it('makes keys of the published form that say their mode', () => {
    fc.assert(
      fc.property(mode, (which) => {
        const key = newKey(which);
        expect(key).toMatch(new RegExp(`^pb_${which}_[0-9A-Za-z]{36}$`));
        expect(readKey(key)).toEqual({ mode: which });
      }),
    );
  });

  it('never makes the same key twice', () => {
    const keys = new Set(Array.from({ length: 2000 }, () => newKey('test')));
    expect(keys.size).toBe(2000);
  });

  it('uses each of the 62 characters about equally often', () => {
    const seen = new Map<string, number>();
    const total = 4000 * 30;
    for (let index = 0; index < 4000; index++) {
      for (const character of newKey('live').slice(8, 38)) seen.set(character, (seen.get(character) ?? 0) + 1);
    }
    expect(seen.size).toBe(62);
    // Expected 1,935 each with a standard deviation of 44: the bias of a plain remainder (eight characters 25 %
    // likelier) is far outside.
    for (const count of seen.values()) expect(Math.abs(count - total / 62)).toBeLessThan(330);
  });
});

describe('readKey', () => {
  it('detects every single changed character', () => {
    const characters = fc.constantFrom(
      ...Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-. é'),
    );
    fc.assert(
      fc.property(mode, fc.nat(43), characters, (which, position, character) => {
        const key = newKey(which);
        fc.pre(key[position] !== character);
        expect(readKey(key.slice(0, position) + character + key.slice(position + 1))).toBeUndefined();
      }),
      { numRuns: proofRuns(5_000) },
    );
  });

  it('detects two swapped neighbours, a lost character, an added one and blanks around it', () => {
    fc.assert(
      fc.property(mode, fc.integer({ min: 8, max: 42 }), (which, position) => {
        const key = newKey(which);
        const swapped = key.slice(0, position) + key[position + 1] + key[position] + key.slice(position + 2);
        if (swapped !== key) expect(readKey(swapped)).toBeUndefined();
        expect(readKey(key.slice(0, position) + key.slice(position + 1))).toBeUndefined();
        expect(readKey(`${key.slice(0, position)}x${key.slice(position)}`)).toBeUndefined();
        for (const text of [` ${key}`, `${key} `, `${key}\n`, `${key}\0`]) expect(readKey(text)).toBeUndefined();
      }),
    );
  });

  it('never takes a live key for a test key', () => {
    const key = newKey('live');
    expect(readKey(key.replace('pb_live_', 'pb_test_'))).toBeUndefined();
  });

  it('reads no text of other origin', () => {
    fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => readKey(text) === undefined));
  });
});

describe('hashSecret and displayKey', () => {
  it('hash the whole key to 64 hex digits and show only its ends', () => {
    const key = newKey('test');
    expect(hashSecret(key)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashSecret(key)).not.toBe(hashSecret(newKey('test')));
    expect(displayKey(keyPrefix('test'), key.slice(-4))).toBe(`pb_test_••••${key.slice(-4)}`);
  });
});
