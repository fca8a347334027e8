import { expect, it } from 'vitest';
import { wantsWatermark } from '../../../../lib/providers/kit/video/watermark';

it.each([
  [{}, false],
  [{ watermark: true }, true],
  [{ watermark: false }, false],
  [{ remove_watermark: true }, false],
  [{ remove_watermark: false }, true],
  [{ watermark: true, remove_watermark: true }, true],
  [{ watermark: false, remove_watermark: false }, false],
])('an order with %j wants the mark: %j', (parameters, expected) => {
  expect(wantsWatermark({ parameters })).toBe(expected);
});
