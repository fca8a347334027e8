import { kling, klingSize, wan, wide } from './fal';
import { frame, frames, inPixels, inSeconds, inSizes, text, withEach, type VendorOrders } from './order';

// Other vendors that serve models of others. Replicate: the API pages of the models. WaveSpeed: wavespeed.ai/docs. 2026.

export const replicate: VendorOrders = {
  provider: 'replicate',
  models: [
    {
      model: 'wan-2.2-fast-t2v',
      orders: [
        text,
        ...inSizes(text, ['480p', '720p'], wide),
        ...withEach(
          text,
          { go_fast: true },
          { go_fast: false },
          { seed: 1 },
          { fps: 16 },
          { fps: 24 },
          { prompt_extend: true },
          { negative_prompt: 'blurry' },
        ),
        ...inPixels(text, '832x480 480x832'),
      ],
      refused: [
        {
          order: { ...text, num_frames: 121, fps: 30 },
          param: 'fps',
          reason: 'A clip of five seconds has at most 121 frames, so that 24 are the most a second.',
        },
      ],
    },
    {
      model: 'wan-2.2-fast-i2v',
      orders: [
        frame,
        ...inSizes(frame, ['480p', '720p'], wide),
        ...withEach(frame, { go_fast: false }, { seed: 0 }, { fps: 16 }),
      ],
    },
    {
      model: 'wan-2.2-fast-start-end',
      orders: [
        frames,
        ...inSizes(frames, ['480p', '720p'], wide),
        ...withEach(frames, { go_fast: false }, { seed: 0 }, { fps: 16 }),
      ],
    },
    {
      model: 'wan-2.7-i2v',
      orders: [...wan(frame), ...inSeconds(frame, 15), ...inSizes(frame, ['720p', '1080p'], wide)],
    },
    { model: 'wan-2.7-start-end', orders: [...wan(frames), ...inSizes(frames, ['720p', '1080p'], wide)] },
    {
      model: 'kling-3.0-t2v',
      orders: kling(text),
      refused: [{ ...klingSize, reason: 'The price of 4k is not known there.' }],
    },
    { model: 'kling-3.0-i2v', orders: kling(frame) },
    { model: 'kling-3.0-start-end', orders: kling(frames) },
  ],
};

export const wavespeed: VendorOrders = {
  provider: 'wavespeed',
  models: [
    {
      model: 'vidu-q2-start-end',
      orders: [
        frames,
        ...inSeconds(frames, 2, 4, 5, '8'),
        ...inSizes(frames, ['540p', '720p', '1080p'], wide),
        ...withEach(frames, { bgm: true }, { bgm: false }, { seed: 42 }, { movement_amplitude: 'auto' }),
      ],
    },
  ],
};
