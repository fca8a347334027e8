import { omni } from './google';
import {
  CLIP,
  edit,
  frame,
  frames,
  inPixels,
  inSeconds,
  references,
  text,
  withEach,
  type OrderFields,
  type VendorOrders,
} from './order';

// Reference: docs.dev.runwayml.com/api and the types of @runwayml/sdk 4.20.1. A ratio is a size there, such as 1280:720.

const wide = '1280x720 720x1280';
const own = `${wide} 1104x832 960x960 832x1104 1584x672`;
const veo = `${wide} 1920x1080 1080x1920`;
const horse = `${wide} 960x960 1108x832 832x1108 1920x1080 1080x1920 1440x1440 1662x1248 1248x1662`;
const seedance720 = '1280x720 720x1280 1112x834 834x1112 960x960 1470x630';
const seedance480 = '864x496 496x864 752x560 560x752 640x640 992x432';
const seedance1080 = '1920x1080 1080x1920 1664x1248 1248x1664 1440x1440 2206x946';
const seedance4k = '3840x2160 2160x3840 3840x1646 3840x2880 2880x3840 3840x3840';

const wan = `${wide} 1104x832 960x960 832x1104 832x480 480x832 624x624 1920x1080 1080x1920 1440x1440`;

const newSeedance = (version: string, lengths: readonly (number | string)[], sizes: readonly string[]) => {
  const pixels = (order: OrderFields) => sizes.flatMap((list) => inPixels(order, list));
  return [
    { model: `seedance-${version}-t2v`, orders: [text, ...inSeconds(text, ...lengths), ...pixels(text)] },
    { model: `seedance-${version}-i2v`, orders: [frame, ...inSeconds(frame, ...lengths), ...pixels(frame)] },
    { model: `seedance-${version}-start-end`, orders: [frames, ...inSeconds(frames, ...lengths)] },
    {
      model: `seedance-${version}-r2v`,
      orders: [references(1), references(9), { ...references(2), video_list: [CLIP] }],
    },
  ];
};

const genSeconds = [2, 5, 8, '10'] as const;
const tall = { ...text, prompt: 'x'.repeat(1_000) };
const tooLong = {
  order: { ...text, prompt: 'A very long description. '.repeat(50) },
  param: 'prompt',
  reason: 'The vendor takes prompts of at most 1,000 characters.',
};
const lengthOfVeo = (seconds: number, order: typeof text = text) => ({
  order: { ...order, seconds },
  param: 'seconds',
  reason: 'The vendor makes videos of 4, 6 or 8 seconds with this model.',
});

export const runway: VendorOrders = {
  provider: 'runway',
  models: [
    {
      model: 'gen-4.5-t2v',
      orders: [
        text,
        tall,
        ...inSeconds(text, ...genSeconds),
        ...inPixels(text, wide),
        { ...text, seed: 4_294_967_295 },
      ],
      refused: [tooLong],
    },
    {
      model: 'gen-4.5-i2v',
      orders: [
        frame,
        ...inSeconds(frame, ...genSeconds),
        ...inPixels(frame, own),
        { ...text, input_reference: { image_url: frame.image_url } },
        { ...text, image_list: [frame.image_url], seed: 0 },
      ],
    },
    {
      model: 'gen-4-turbo-i2v',
      orders: [frame, ...inSeconds(frame, 2, 5, 10), ...inPixels(frame, own), { ...frame, seed: 1 }],
    },
    {
      model: 'aleph-2-video-edit',
      orders: [edit(5), edit(2), edit(30), { ...edit(5), seed: 3 }, ...inPixels(edit(5), '1280x720 720x1280 960x960')],
    },
    {
      model: 'veo-3.1-t2v',
      orders: [
        text,
        ...inSeconds(text, 4, 6, '8'),
        ...inPixels(text, wide),
        ...inPixels({ ...text, seconds: 8 }, veo),
        { ...text, seconds: 4, size: '1920x1080' },
        ...withEach(text, { generate_audio: false }, { seed: 5 }, { negative_prompt: 'rain' }),
      ],
      refused: [lengthOfVeo(5)],
    },
    { model: 'veo-3.1-i2v', orders: [frame, ...inSeconds(frame, 4, 6, 8), ...inPixels({ ...frame, seconds: 8 }, veo)] },
    {
      model: 'veo-3.1-start-end',
      orders: [frames, ...inSeconds(frames, 4, 8), ...inPixels({ ...frames, seconds: 8 }, veo)],
    },
    {
      model: 'veo-3.1-fast-t2v',
      orders: [text, ...inSeconds(text, 4, 6, 8), ...inPixels({ ...text, seconds: 8 }, veo)],
    },
    {
      model: 'veo-3.1-fast-i2v',
      orders: [frame, ...inSeconds(frame, 4, 6, 8), ...inPixels({ ...frame, seconds: 8 }, veo)],
    },
    {
      model: 'veo-3.1-fast-start-end',
      orders: [frames, ...inSeconds(frames, 4, 6, 8), ...inPixels({ ...frames, seconds: 8 }, veo)],
    },
    ...['1.1', '1.0'].flatMap((version) => [
      {
        model: `happyhorse-${version}-t2v`,
        orders: [text, ...inSeconds(text, 3, 5, 15), ...inPixels(text, horse)],
      },
      {
        model: `happyhorse-${version}-i2v`,
        orders: [frame, ...inSeconds(frame, 3, 15), ...inPixels(frame, '1280x720 1920x1080')],
      },
    ]),
    {
      model: 'seedance-2.0-t2v',
      orders: [
        text,
        ...inSeconds(text, 4, 10, '15'),
        ...[seedance480, seedance720, seedance1080, seedance4k].flatMap((sizes) => inPixels(text, sizes)),
        ...withEach(text, { generate_audio: false }, { seed: 9 }),
      ],
    },
    { model: 'seedance-2.0-i2v', orders: [frame, ...inSeconds(frame, 4, 15), ...inPixels(frame, seedance720)] },
    {
      model: 'seedance-2.0-r2v',
      orders: [
        references(1),
        references(9),
        { ...references(2), video_list: [CLIP] },
        ...inPixels(references(1), seedance720),
      ],
    },
    {
      model: 'seedance-2.0-start-end',
      orders: [frames, ...inSeconds(frames, 4, 15), ...inPixels(frames, seedance720), { ...frames, seed: 9 }],
    },
    { model: 'seedance-2.0-fast-i2v', orders: [frame, ...inSeconds(frame, 4, 15), ...inPixels(frame, seedance720)] },
    {
      model: 'seedance-2.0-fast-start-end',
      orders: [frames, ...inSeconds(frames, 5), ...inPixels(frames, seedance480)],
    },
    {
      model: 'seedance-2.0-fast-r2v',
      orders: [
        references(1),
        references(9),
        { ...references(2), video_list: [CLIP] },
        ...inPixels(references(1), seedance720),
      ],
    },
    { model: 'seedance-2.0-fast-t2v', orders: [text, ...inPixels(text, seedance480), ...inPixels(text, seedance720)] },
    ...newSeedance('2.0-mini', [4, 10, '15'], [seedance480, seedance720]),
    ...newSeedance('2.5', [4, 15, 30], [seedance480, seedance720, seedance1080]),
    { model: 'seedance-2.5-r2v', orders: [references(30), { ...references(1), video_list: Array(10).fill(CLIP) }] },
    {
      model: 'seedance-2.5-video-edit',
      orders: [
        edit(5),
        edit(30),
        { ...edit(8), ...references(30) },
        ...withEach(edit(5), { generate_audio: false }, { seed: 9 }),
      ],
    },
    ...['wan-3.0', 'wan-3.0-prime'].flatMap((model) => [
      {
        model: `${model}-t2v`,
        orders: [text, ...inSeconds(text, 2, 5, '15'), ...inPixels(text, wan), { ...text, audio: false }],
      },
      { model: `${model}-i2v`, orders: [frame, ...inSeconds(frame, 2, 5, 15), { ...frame, audio: false }] },
      { model: `${model}-start-end`, orders: [frames, ...inSeconds(frames, 2, 5, 15)] },
      {
        model: `${model}-r2v`,
        orders: [
          references(1),
          references(5),
          { ...references(2), video_list: [CLIP] },
          ...inPixels(references(1), wan),
        ],
      },
    ]),
    { model: 'gemini-omni-1.1-flash-video-edit', orders: [edit(5), edit(10), { ...edit(5), ...references(1) }] },
    {
      model: 'gemini-omni-flash-t2v',
      orders: [text, ...inSeconds(text, 3, 10), ...inPixels(text, wide)],
    },
    {
      model: 'gemini-omni-flash-i2v',
      orders: [frame, ...inSeconds(frame, 3, 10), ...inPixels(frame, wide)],
    },
    { model: 'gemini-omni-flash-video-edit', orders: [edit(5), edit(10), { ...edit(5), ...references(1) }] },
    {
      model: 'gemini-omni-1.1-flash-r2v',
      orders: [
        { ...references(2), video_list: [CLIP], input_seconds: 5 },
        { ...text, video_list: [CLIP, CLIP, CLIP] },
      ],
    },
    {
      model: 'minimax-h3-max-t2v',
      orders: [
        text,
        ...inSeconds(text, 5, 15),
        ...withEach(text, { prompt_extend: true }, { seed: 9 }, { size: '1366x768' }),
      ],
    },
    {
      model: 'minimax-h3-r2v',
      orders: [references(1), references(9), { ...references(2), video_list: [CLIP], input_seconds: 5 }],
    },
    { model: 'minimax-h3-max-i2v', orders: [frame, ...inSeconds(frame, 5, 15), { ...frame, prompt_extend: true }] },
    { model: 'minimax-h3-max-start-end', orders: [frames, ...inSeconds(frames, 5, 15)] },
    ...omni('1.1', 10, [1, 3, 6]),
    {
      model: 'minimax-h3-t2v',
      orders: [text, ...inSeconds(text, 5, 10, 15), ...inPixels(text, '1366x768 768x1366 768x768 2560x1440 1440x2560')],
    },
    {
      model: 'minimax-h3-i2v',
      orders: [frame, ...inSeconds(frame, 5, 10, 15), ...inPixels(frame, '1366x768 768x1366 2560x1440')],
    },
    {
      model: 'minimax-h3-start-end',
      orders: [frames, ...inSeconds(frames, 5, 15), ...inPixels(frames, '1366x768 2560x1440')],
    },
    { model: 'grok-imagine-1.5-t2v', orders: [text, ...inSeconds(text, 1, 8, 15), ...inPixels(text, veo)] },
    {
      model: 'grok-imagine-1.5-i2v',
      orders: [frame, ...inSeconds(frame, 1, 8, 15)],
    },
    {
      model: 'grok-imagine-1.5-r2v',
      orders: [references(1), references(7), ...inSeconds(references(2), 1, 10), ...inPixels(references(1), wide)],
    },
    { model: 'grok-imagine-i2v', orders: [frame, ...inSeconds(frame, 1, 8, 15)] },
  ],
};
