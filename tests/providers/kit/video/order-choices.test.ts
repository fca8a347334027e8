import { expect, it } from 'vitest';
import { chosenRatio } from '../../../../lib/providers/kit/video/chosen-ratio';
import { expandsPrompt } from '../../../../lib/providers/kit/video/prompt-extension';
import { wanSize } from '../../../../lib/providers/kit/video/wan-size';

it.each([
  ['9:16', '9:16'],
  ['adaptive', undefined],
])('of the ratio %s, the request has chosen %s', (aspectRatio, expected) => {
  expect(chosenRatio({ aspectRatio })).toBe(expected);
});

it.each([
  [{}, false],
  [{ prompt_extend: false }, false],
  [{ prompt_extend: true }, true],
])('an order with %j lets the vendor rewrite the prompt: %j', (parameters, expected) => {
  expect(expandsPrompt({ parameters })).toBe(expected);
});

it.each([
  ['720p', '16:9', '1280*720'],
  ['1080p', '9:16', '1080*1920'],
  ['4k', '16:9', undefined],
])("Wan's size of %s in %s is %s", (resolution, aspectRatio, expected) => {
  expect(wanSize({ resolution, aspectRatio })).toBe(expected);
});
