import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePrice, parseUsd, priceText, totalOf, usdNumber, usdText } from '../../../lib/domain/money';

const amount = fc.bigInt({ min: 0n, max: 10n ** 26n });

describe('amounts and prices as text', () => {
  it('survive the round trip as the same number', () => {
    fc.assert(
      fc.property(amount, (value) => {
        expect(parseUsd(usdText(value))).toBe(value);
        expect(parsePrice(priceText(value))).toBe(value);
      }),
    );
  });

  it('are plain decimals without needless zeros, as short as possible', () => {
    fc.assert(
      fc.property(amount, (value) => {
        for (const text of [usdText(value), priceText(value)]) expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
      }),
    );
  });

  it('are read the same with and without zeros at their ends', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.nat(3), (value, zeros) => {
        const [whole, fraction = ''] = usdText(value).split('.');
        expect(parseUsd(`${'0'.repeat(zeros)}${whole}.${fraction.padEnd(9, '0')}`)).toBe(value);
      }),
    );
  });

  it.each([
    ['0', 0n],
    ['25', 25_000_000_000n],
    ['0.05', 50_000_000n],
    ['0.000000001', 1n],
    ['123456789012345678.999999999', 123_456_789_012_345_678_999_999_999n],
  ])('%s is %s nano-dollars', (text, value) => {
    expect(parseUsd(text)).toBe(value);
    expect(usdText(value)).toBe(text);
  });

  it('keep the sign of a debt', () => {
    expect([usdText(-1n), usdText(-1_500_000_000n)]).toEqual(['-0.000000001', '-1.5']);
  });

  it('keep eighteen decimals of a price', () => {
    expect(parsePrice('0.000000000000000001')).toBe(1n);
    expect(priceText(parsePrice('0.0000125'))).toBe('0.0000125');
  });

  it.each([
    '',
    ' ',
    '-1',
    '+1',
    '1e3',
    '1.',
    '.5',
    '1,5',
    '0x10',
    'NaN',
    'Infinity',
    '1.0000000001',
    '1 ',
    '1\n',
    '１',
    '1'.repeat(19),
  ])('%j is refused', (text) => {
    expect(() => parseUsd(text)).toThrow(RangeError);
  });
});

describe('totalOf', () => {
  const line = fc.record({
    label: fc.constant('line'),
    price: fc.bigInt({ min: 0n, max: 10n ** 20n }),
    quantityMilli: fc.bigInt({ min: 0n, max: 10n ** 10n }),
  });
  const unit = 10n ** 12n;

  it('is the exact sum, rounded up to one nano-dollar once', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const exact = lines.reduce((sum, { price, quantityMilli }) => sum + price * quantityMilli, 0n);
        const total = totalOf(lines);
        expect(total * unit >= exact && (total - 1n) * unit < exact).toBe(true);
      }),
    );
  });

  it('does not depend on the order of the lines, nor on how a quantity is split', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 10 }), (lines) => {
        const split = lines.flatMap((whole) => [
          { ...whole, quantityMilli: whole.quantityMilli / 3n },
          { ...whole, quantityMilli: whole.quantityMilli - whole.quantityMilli / 3n },
        ]);
        expect(totalOf(split.toReversed())).toBe(totalOf(lines));
      }),
    );
  });

  it('of many lines that are each a fraction of a nano-dollar is one nano-dollar, not one for each', () => {
    const tiny = { label: 'token', price: parsePrice('0.0000000000001'), quantityMilli: 1_000n };
    expect(totalOf(Array.from({ length: 1_000 }, () => tiny))).toBe(1n);
    expect(totalOf([tiny])).toBe(1n);
    expect(totalOf([])).toBe(0n);
  });

  it('uses no floats: three times a tenth is three tenths', () => {
    const tenth = { label: 'second', price: parsePrice('0.1'), quantityMilli: 1_000n };
    expect(usdText(totalOf([tenth, tenth, tenth]))).toBe('0.3');
  });
});

describe('usdNumber', () => {
  it('is the JSON number that prints as the amount does', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (value) => {
        const json = JSON.stringify(usdNumber(value));
        // Below a millionth JavaScript writes an exponent; any JSON reader reads it as the same number.
        if (!json.includes('e')) expect(json).toBe(usdText(value));
        expect(Number(json)).toBe(Number(usdText(value)));
      }),
    );
  });
});
