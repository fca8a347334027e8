import { expect, it } from 'vitest';
import { creditsBilled, endOf } from '../../../../lib/providers/kit/video/progress';

const bill = { bill: { units: '3 credits' } };

it('a finished job with a file is a completed video, and one that still has none after a minute has failed, each with its bill', () => {
  const video = { file: { url: 'https://cdn.example/1.mp4' }, expiresAt: new Date(0) };
  expect(endOf(video, { failures: 0 }, bill)).toEqual({ status: 'completed', video, ...bill });
  for (const failures of [0, 1, 2])
    expect(() => endOf(undefined, { failures }, bill)).toThrow(
      expect.objectContaining({ extra: expect.objectContaining({ upstream: { retry: 'later', started: 'maybe' } }) }),
    );
  expect(endOf(undefined, { failures: 3 }, bill)).toMatchObject({
    status: 'failed',
    code: 'generation_failed',
    ...bill,
  });
});

it.each([
  [60, { nanoUsd: 600_000_000n, units: '60 credits' }],
  [0, { nanoUsd: 0n, units: '0 credits' }],
  [-1, undefined],
  [1.5, undefined],
  ['60', undefined],
  [undefined, undefined],
])('the bill of %j credits', (credits, expected) => {
  expect(creditsBilled(credits, 10_000_000n).bill).toEqual(expected);
});
