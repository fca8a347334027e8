import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyAddress, parseCidrs } from '../../../lib/net/public-address';

describe('classifyAddress', () => {
  it.each([
    '1.1.1.1',
    '93.184.215.14',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.0.1',
    '172.32.0.1',
    '2606:2800:21f:cb07::1',
    '2a00:1450::1',
  ])('%s is public', (address) => expect(classifyAddress(address, [])).toBe('public'));

  it('classifies IPv4 inside IPv6 as that IPv4 address', () => {
    expect(classifyAddress('::ffff:1.1.1.1', [])).toBe('public');
    expect(classifyAddress('::ffff:10.0.0.1', [])).toBe('refused');
    expect(classifyAddress('::ffff:10.0.0.1', parseCidrs(['10.0.0.0/8']))).toBe('exempt');
  });

  it('exempts exactly the listed ranges', () => {
    const allow = parseCidrs(['127.0.0.0/8', 'fd00::/8']);
    expect(classifyAddress('127.0.0.1', allow)).toBe('exempt');
    expect(classifyAddress('fd12::1', allow)).toBe('exempt');
    expect(classifyAddress('10.0.0.1', allow)).toBe('refused');
    expect(classifyAddress('::1', allow)).toBe('refused');
    expect(classifyAddress('1.1.1.1', allow)).toBe('public');
  });

  it('refuses what is not an address', () => {
    for (const text of ['', 'localhost', '1.2.3.4.5', '::1::']) expect(classifyAddress(text, [])).toBe('refused');
  });

  it('refuses every address of 10/8, 127/8 and 169.254/16 in every spelling that carries IPv4', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(
        fc.constantFrom([10, undefined], [127, undefined], [169, 254]),
        octet,
        octet,
        octet,
        ([a = 0, fixed], b, c, d) => {
          const parts = [a, fixed ?? b, c, d];
          const hex = parts.map((part) => part.toString(16).padStart(2, '0')).join('');
          const groups = `${hex.slice(0, 4)}:${hex.slice(4)}`;
          const spellings = [
            parts.join('.'),
            `::ffff:${groups}`,
            `64:ff9b::${groups}`,
            `2002:${groups}::1`,
            `::${groups}`,
          ];
          return spellings.every((address) => classifyAddress(address, []) === 'refused');
        },
      ),
    );
  });
});

describe('parseCidrs', () => {
  it('names the text that is not a range', () => {
    expect(() => parseCidrs(['127.0.0.0/8', '10.0.0.1'])).toThrow('"10.0.0.1" is not a range');
  });
});
