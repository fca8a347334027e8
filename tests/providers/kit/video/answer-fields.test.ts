import { expect, it } from 'vitest';
import { addressOf, idOf, measureOf, textOf } from '../../../../lib/providers/kit/video/answer-fields';

it.each([
  ['106916112212032', '106916112212032'],
  [106_916_112_212_032, '106916112212032'],
  [0, '0'],
  ['', undefined],
  [2 ** 60, undefined],
  [1.5, undefined],
  [null, undefined],
])('the id %j is %j', (value, expected) => {
  expect(idOf(value)).toBe(expected);
});

it.each([
  ['https://example.com/1.mp4', 'https://example.com/1.mp4'],
  ['', undefined],
  ['1.mp4', undefined],
  [undefined, undefined],
])('the address %j is %j', (value, expected) => {
  expect(addressOf(value)).toBe(expected);
});

it.each([
  [1280, 1280],
  [5.041, 5.041],
  [0, undefined],
  [-1, undefined],
  ['1280', undefined],
  [Infinity, undefined],
])('the measure %j is %j', (value, expected) => {
  expect(measureOf(value)).toBe(expected);
});

it.each([
  ['a', 'a'],
  ['', undefined],
  [1, undefined],
  [undefined, undefined],
])('the text %j is %j', (value, expected) => {
  expect(textOf(value)).toBe(expected);
});
