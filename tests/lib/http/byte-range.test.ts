import { describe, expect, it } from 'vitest';
import { ifRangeHolds, noneMatchHits, parseRange } from '../../../lib/http/byte-range';

describe('parseRange', () => {
  it.each([
    ['bytes=0-99', { start: 0, end: 99 }],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=500-', { start: 500 }],
    ['bytes=-500', { start: -500 }],
    ['Bytes=1-2', { start: 1, end: 2 }],
    [' bytes=1-2 ', { start: 1, end: 2 }],
    ['bytes=-0', { start: Number.MAX_SAFE_INTEGER }],
    ['bytes=99999999999999999999999-', { start: Number.MAX_SAFE_INTEGER }],
    ['bytes=0-99999999999999999999999', { start: 0, end: Number.MAX_SAFE_INTEGER }],
  ])('%j selects %j', (header, range) => expect(parseRange(header)).toEqual(range));

  it.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=5-4',
    'bytes=a-b',
    'bytes=0-1,5-6',
    'bytes=0-1,',
    'items=0-1',
    'bytes=0x1-2',
    'bytes=1.5-2',
    'bytes=--5',
    'bytes 0-1',
    'bytes=1 - 2',
  ])('%j selects the whole file', (header) => expect(parseRange(header)).toBeUndefined());
});

describe('If-Range', () => {
  it.each([
    [undefined, '"a"', true],
    ['"a"', '"a"', true],
    ['"b"', '"a"', false],
    ['W/"a"', '"a"', false],
    ['W/"a"', 'W/"a"', false],
    ['Wed, 21 Oct 2026 07:28:00 GMT', '"a"', false],
    ['', '"a"', false],
  ])('%j against %j: %s', (header, etag, holds) => expect(ifRangeHolds(header, etag)).toBe(holds));
});

describe('If-None-Match', () => {
  it.each([
    [undefined, false],
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
  ])('%j: %s', (header, hits) => expect(noneMatchHits(header, '"a"')).toBe(hits));
});
