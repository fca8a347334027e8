import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLongTextFilter } from '../../../../lib/providers/kit/http/long-texts';
import { proofRuns } from '../../../support/proof-runs';

/** Returns the filtered text; `cuts` are the lengths of its chunks. */
function filtered(text: string, maxBytes: number, cuts: readonly number[]): string {
  const bytes = Buffer.from(text);
  const filter = createLongTextFilter(maxBytes);
  const kept: Buffer[] = [];
  for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
    const length = cuts[cut % cuts.length] ?? 1;
    kept.push(...filter(bytes.subarray(at, at + length)));
    at += length;
  }
  return Buffer.concat(kept).toString();
}

/** The value of the same text whose long strings, names of fields too, are empty. */
function shortened(value: unknown, maxBytes: number): unknown {
  const short = (text: string) => (Buffer.byteLength(JSON.stringify(text)) - 2 > maxBytes ? '' : text);
  if (typeof value === 'string') return short(value);
  if (Array.isArray(value)) return value.map((item: unknown) => shortened(item, maxBytes));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [short(name), shortened(item, maxBytes)]));
}

describe('createLongTextFilter', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'é', '😀', '{', ','), maxLength: 40 });
  const values = fc.letrec((tie) => ({
    value: fc.oneof(texts, fc.integer(), fc.array(tie('value'), { maxLength: 4 }), fc.dictionary(texts, tie('value'))),
  })).value;

  it('makes long strings empty, and keeps everything else, however the text is split', () => {
    fc.assert(
      fc.property(
        values,
        fc.integer({ min: 0, max: 30 }),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 }),
        (value, maxBytes, cuts) => {
          const text = filtered(JSON.stringify(value), maxBytes, cuts);
          expect(JSON.parse(text)).toEqual(shortened(JSON.parse(JSON.stringify(value)), maxBytes));
        },
      ),
      { numRuns: proofRuns(1_000) },
    );
  });

  it('leaves out a string without an end', () => {
    expect(filtered('{"id": "cut off', 100, [4])).toBe('{"id": "');
  });
});
