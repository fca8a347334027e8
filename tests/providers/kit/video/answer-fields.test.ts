import { expect, it } from 'vitest';
import { fieldPathOf, idOf, measureOf, textOf, urlOf, wordOf } from '../../../../lib/providers/kit/video/answer-fields';

it.each([
  ['106916112212032', '106916112212032'],
  [106_916_112_212_032, '106916112212032'],
  [0, '0'],
  ['', undefined],
  [2 ** 60, undefined],
  [1.5, undefined],
  [null, undefined],
  ['a\0b', undefined],
  ['a\ud800b', undefined],
  ['a'.repeat(1_001), undefined],
])('the id %j is %j', (value, expected) => {
  expect(idOf(value)).toBe(expected);
});

it.each([
  ['https://example.com/1.mp4', 'https://example.com/1.mp4'],
  ['', undefined],
  ['1.mp4', undefined],
  [undefined, undefined],
  ['http://10.0.0.1/1.mp4', 'http://10.0.0.1/1.mp4'],
  ['https://example.com/1.mp4?signature=a%2Fb', 'https://example.com/1.mp4?signature=a%2Fb'],
  [' https://example.com/1.mp4\n', 'https://example.com/1.mp4'],
  ['https://example.com/1.mp4?a=\0b', 'https://example.com/1.mp4?a=%00b'],
  ['https://example.com/1.mp4?a=\ud800', 'https://example.com/1.mp4?a=%EF%BF%BD'],
  [`https://example.com/${'a'.repeat(8_192)}`, undefined],
  ['https://user:password@example.com/1.mp4', undefined],
  ['https://user@example.com/1.mp4', undefined],
  ['ftp://example.com/1.mp4', undefined],
  ['file:///etc/passwd', undefined],
  ['javascript:alert(1)', undefined],
  ['data:text/html,<script>alert(1)</script>', undefined],
])('the URL %j is %j', (value, expected) => {
  expect(urlOf(value)).toBe(expected);
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

// An object with its own `toString` would throw if it were turned into text.
it.each([
  ['SUCCEEDED', 'succeeded'],
  [undefined, ''],
  [3, ''],
  [{ toString: 1 }, ''],
])('reads the word %j as %j', (value, expected) => {
  expect(wordOf(value)).toBe(expected);
});

it.each([
  [['body', 'images', 0], 'body.images.0'],
  [['body', { toString: 1 }, null, 'prompt'], 'body.prompt'],
  [[], ''],
  ['prompt', ''],
])('reads the field %j as %j', (value, expected) => {
  expect(fieldPathOf(value)).toBe(expected);
});
