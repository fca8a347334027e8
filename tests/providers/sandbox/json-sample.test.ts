import { describe, expect, it } from 'vitest';
import { sampleOf } from '../../../lib/providers/sandbox/json-sample';

const PLENTY = 1_000_000;
const sample = (schema: unknown, maxChars = PLENTY) => sampleOf(schema, 'words', maxChars);

/** Objects, arrays and plain values together. */
function nodesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + nodesIn(inner), 1);
}

function nest(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let schema: unknown = { type: 'string' };
  for (let level = 0; level < depth; level += 1) schema = wrap(schema);
  return schema;
}

describe('a sample', () => {
  it('takes the first choice of the schema', () => {
    expect(sample({ const: 3 })).toBe(3);
    expect(sample({ enum: ['one', 'two'] })).toBe('one');
    expect(sample({ default: { a: [1] } })).toEqual({ a: [1] });
    expect(sample({ type: ['integer', 'null'], minimum: 2 })).toBe(2);
    expect(sample({ anyOf: [{ type: 'boolean' }, { type: 'string' }] })).toBe(true);
    expect(sample({ type: 'object', properties: { a: { allOf: [{ oneOf: [{ const: 'deep' }] }] } } })).toEqual({
      a: 'deep',
    });
    expect(sample({ type: 'string', format: 'date' })).toBe('2026-01-01');
    expect(sample({ type: 'string', format: 'constructor' })).toBe('words');
  });

  it.each([
    [{ type: 'integer' }, 1],
    [{ type: 'integer', minimum: -9_007_199_254_740_991, maximum: 9_007_199_254_740_991 }, 1],
    [{ type: 'integer', minimum: -9_007_199_254_740_991, exclusiveMinimum: 0 }, 1],
    [{ type: 'integer', exclusiveMinimum: 4 }, 5],
    [{ type: 'integer', minimum: 10, multipleOf: 4 }, 12],
    [{ type: 'integer', maximum: -2 }, -2],
    [{ type: 'integer', exclusiveMaximum: 1 }, 0],
    [{ type: 'number', minimum: 0.2, maximum: 0.5 }, 0.5],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
    [{ type: 'number', minimum: 0, maximum: 2 }, 1],
  ])('of the numbers of %j is %d', (schema, expected) => {
    expect(sample(schema)).toBe(expected);
  });

  it('has one item in an array unless minItems requires more', () => {
    expect(sample({ type: 'array', items: { type: 'boolean' } })).toEqual([true]);
    expect(sample({ type: 'array', minItems: 3, items: { type: 'boolean' } })).toEqual([true, true, true]);
  });

  it.each([
    ['arrays of sixteen items, nested seven times', nest(7, (items) => ({ type: 'array', minItems: 16, items }))],
    ['an array of a billion items', { type: 'array', minItems: 1e9, items: { type: 'object', properties: {} } }],
    [
      'objects of fifty required fields, nested six times',
      nest(6, (inner) => ({
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}`, inner])),
        required: Array.from({ length: 50 }, (_, at) => `f${at}`),
      })),
    ],
    [
      '60,000 required fields two levels down',
      nest(2, (inner) => ({
        type: 'object',
        properties: { inner },
        required: ['inner', ...Array.from({ length: 60_000 }, (_, at) => `f${at}`)],
      })),
    ],
    ['a hundred thousand nested choices', nest(100_000, (inner) => ({ anyOf: [inner] }))],
    ['an enum of a large value', { enum: [Array.from({ length: 100_000 }, () => [0])] }],
    [
      'a default of a large object',
      { default: Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, at])) },
    ],
  ])('of %s has at most some 200 values, and is made at once', (_what, schema) => {
    const startedAt = performance.now();
    const made = sample(schema);
    // Some milliseconds; the smallest of these took seconds when only the depth was limited.
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(nodesIn(made)).toBeLessThanOrEqual(202);
  });

  it('of a schema that refers to itself ends', () => {
    expect(sample({ $ref: '#', type: 'object', properties: { a: { $ref: '#' } } })).toEqual({ a: {} });
  });

  it('copies only the relevant parts of a schema', () => {
    const fat = (inner: unknown, level: number) => ({
      ...Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`x${level}-${at}`, 1])),
      anyOf: [inner],
    });
    let schema: unknown = { const: 'found' };
    for (let level = 0; level < 120; level += 1) schema = fat(schema, level);
    const startedAt = performance.now();
    expect(sample(schema)).toBe('found');
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it('has texts of at most a thousand letters, for any minLength, and tries no pattern', () => {
    expect(sample({ type: 'string', minLength: 1e9 })).toHaveLength(1_000);
    expect(sample({ type: 'string', pattern: '^(a+)+$', minLength: 40 })).toHaveLength(40);
  });

  it('ends soon after as many characters as max_tokens allows', () => {
    const text = JSON.stringify(
      sample({ type: 'array', minItems: 200, items: { type: 'string', minLength: 100 } }, 350),
    );
    expect(text.length).toBeGreaterThan(350);
    expect(text.length).toBeLessThan(600);
    expect(sample({ const: 'x'.repeat(1_000_000) }, 400)).toHaveLength(399);
  });
});
