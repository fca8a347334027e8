import { expect, it } from 'vitest';
import { parseRetryAfter } from '../../../lib/io/retry-after';

const now = new Date('2030-01-01T00:00:00Z');

it.each([
  ['0', 0],
  ['30', 30_000],
  ['1.5', 1_500],
  ['Tue, 01 Jan 2030 00:01:00 GMT', 60_000],
  ['Tue, 01 Jan 2019 00:00:00 GMT', 0],
  [['7', '9'], 7_000],
  ['soon', undefined],
  ['', undefined],
  ['1234567890', undefined],
  [[], undefined],
  [undefined, undefined],
])('reads %j as %j ms', (header, ms) => {
  expect(parseRetryAfter(header, now)).toBe(ms);
});

it.each(['7200', 'Tue, 01 Jan 2030 02:00:00 GMT'])('shortens %s to the longest allowed pause', (header) => {
  expect(parseRetryAfter(header, now, 3_600_000)).toBe(3_600_000);
});
