import { expect, it } from 'vitest';
import { GatewayError } from '../../../lib/domain/errors';
import { newId } from '../../../lib/domain/ids';
import type { MediaRole } from '../../../lib/domain/video';
import { createCheckSource } from '../../../lib/videos/check-source';
import { makeOrder } from '../../providers/sandbox/make-sandbox';
import { recordLog } from '../../support/log';

const owner = { orgId: newId('org'), mode: 'live' } as const;

/** Checks an order with videos of these lengths in that role. */
function check(inputSeconds: number | undefined, lengths: readonly number[], role: MediaRole = 'source_video') {
  const measured: string[] = [];
  const media = {
    async measure(url: string) {
      measured.push(url);
      return { durationSeconds: Number(url), width: 160, height: 90, fps: 12, hasAudio: false };
    },
  };
  const order = makeOrder({
    media: lengths.map((length) => ({ role, url: String(length) })),
    ...(inputSeconds !== undefined && { inputMillis: inputSeconds * 1000 }),
  });
  const call = { signal: new AbortController().signal, log: recordLog() };
  return { measured, result: createCheckSource(media)(order, owner, call) };
}

it.each([
  [7.5, 7.5],
  [7.5, 8],
  [7.5, 7],
])('accepts %d stated seconds of a video of %d', async (stated, real) => {
  expect(await check(stated, [real]).result).toBeUndefined();
});

it.each([
  [7.5, 8.01, 'the video is 8.01 seconds long'],
  [7.5, 6.99, 'the video is 6.99 seconds long'],
  [1, 3_600, 'the video is 3600 seconds long'],
  [5, 1, 'the video is 1 second long'],
])('refuses %d stated seconds of a video of %d', async (stated, real, words) => {
  expect(await check(stated, [real]).result).toEqual({
    code: 'input_seconds_mismatch',
    message: `input_seconds was ${stated}, but ${words}. Send the real length.`,
  });
});

it('compares the length of reference videos together, with half a second for each', async () => {
  expect(await check(9, [4.2, 5.6], 'reference_video').result).toBeUndefined();
  expect(await check(9, [4.2, 6], 'reference_video').result).toMatchObject({
    code: 'input_seconds_mismatch',
    message: expect.stringContaining('the videos are 10.2 seconds long'),
  });
});

it('reads nothing if no length was stated', async () => {
  const { measured, result } = check(undefined, [4], 'reference_video');
  expect([await result, measured]).toEqual([undefined, []]);
});

it('passes on why a video cannot be read, and errors of ours', async () => {
  const order = makeOrder({ inputMillis: 1_000, media: [{ role: 'source_video', url: 'x' }] });
  const call = { signal: new AbortController().signal, log: recordLog() };
  const failing = (error: Error) => createCheckSource({ measure: () => Promise.reject(error) })(order, owner, call);
  expect(await failing(new GatewayError('media_unreachable', 'It is gone.'))).toEqual({
    code: 'media_unreachable',
    message: 'It is gone.',
  });
  await expect(failing(new TypeError('a bug'))).rejects.toThrow('a bug');
});
