import { describe, expect, it } from 'vitest';
import { fieldsOf, isObject } from '../../../lib/domain/json';

const others = [null, undefined, true, 7, 'text', [], [{ a: 1 }]];

describe('isObject', () => {
  it('is true for an object, with or without fields and prototype', () => {
    for (const value of [{}, { a: 1 }, Object.create(null)]) expect(isObject(value)).toBe(true);
  });

  it.each(others)('is false for %j', (value) => {
    expect(isObject(value)).toBe(false);
  });
});

describe('fieldsOf', () => {
  it('gives the fields of an object', () => {
    const { a, b } = fieldsOf({ a: { b: 1 } });
    expect(a).toEqual({ b: 1 });
    expect(b).toBeUndefined();
  });

  it.each(others)('gives no fields for %j', (value) => {
    expect(Object.keys(fieldsOf(value))).toEqual([]);
  });
});
