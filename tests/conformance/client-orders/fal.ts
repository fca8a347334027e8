import { omni } from './google';
import {
  CLIP,
  edit,
  firstMinimax,
  frame,
  frames,
  inPixels,
  inSeconds,
  inSizes,
  references,
  text,
  withEach,
  type OrderFields,
  type VendorOrders,
} from './order';

// fal, which serves models of others: the types of @fal-ai/client 1.10.1.

export const wide = ['16:9', '9:16'];
const wanRatios = ['16:9', '9:16', '1:1', '4:3', '3:4'];
const grokRatios = ['16:9', '4:3', '3:2', '1:1', '2:3', '3:4', '9:16'];
const klingRatios = ['16:9', '9:16', '1:1'];
const seedanceRatios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];
const allTiers = ['480p', '720p', '1080p'];
const pixverseRatios = ['16:9', '4:3', '1:1', '3:4', '9:16', '2:3', '3:2', '21:9'];
const pixverseTiers = ['360p', '540p', '720p', '1080p'];

const veo = (order: typeof text) => [
  order,
  ...inSeconds(order, 4, 6, '8'),
  ...inSizes(order, ['720p'], wide),
  ...inSizes({ ...order, seconds: 8 }, ['1080p'], wide),
  { ...order, seconds: 4, size: '1920x1080' },
  ...withEach(order, { generate_audio: false }, { seed: 1 }, { negative_prompt: 'text' }),
];
/** fal makes 4k at all lengths. */
const veoAtFal = (order: typeof text) => [
  ...veo(order),
  ...inSizes({ ...order, seconds: 8 }, ['4k'], wide),
  { ...order, seconds: 4, size: '3840x2160' },
];
/** References may be up to ten images and three videos. */
const omniAtFal = (version: string, maxSeconds: number) =>
  omni(version, maxSeconds, [1, 3, 10]).map((each) =>
    each.model.endsWith('-r2v')
      ? {
          ...each,
          orders: [
            ...each.orders,
            { ...text, video_list: [CLIP] },
            { ...references(10), video_list: [CLIP, CLIP, CLIP] },
          ],
        }
      : each,
  );
const firstOmni = (order: OrderFields) => [order, ...inSeconds(order, 3, 5, '10'), ...inSizes(order, ['720p'], wide)];
export const kling = (order: OrderFields) => [
  order,
  ...inSeconds(order, 3, 5, 10, '15'),
  ...inSizes(order, ['720p', '1080p'], ['16:9', '9:16', '1:1']),
  ...withEach(order, { sound: true }, { sound: false }, { negative_prompt: 'blur, distort, and low quality' }),
];
const kling4 = (order: OrderFields) => [
  order,
  ...inSeconds(order, 3, 5, 15, '30'),
  ...inSizes(order, ['720p', '1080p'], ['16:9', '9:16', '1:1']),
];
export const wan = (order: typeof text) => [
  order,
  ...inSeconds(order, 2, 5, '10'),
  ...withEach(order, { seed: 8 }, { negative_prompt: 'low resolution' }, { prompt_extend: true }),
];
const olderKling = (order: OrderFields, ratios: readonly string[], ...tiers: readonly string[]) => [
  order,
  ...inSeconds(order, 5, '10'),
  ...inSizes(order, tiers, ratios),
  ...withEach(order, { negative_prompt: 'blur, distort, and low quality' }),
];
const klingOmni = (order: OrderFields) => [
  order,
  ...inSeconds(order, 3, 5, '15'),
  ...inSizes(order, ['720p', '1080p', '4k'], klingRatios),
  ...withEach(order, { sound: true }, { sound: false }),
];
const klingO1 = (order: OrderFields) => [
  order,
  ...inSeconds(order, 3, 5, 7, '10'),
  ...inSizes(order, ['720p', '1080p'], klingRatios),
];
const klingReferences = (orders: typeof klingOmni) => [
  ...[1, 4, 7].flatMap((count) => orders(references(count))),
  ...orders({ ...text, video_list: [CLIP] }),
  { ...references(4), video_list: [CLIP] },
];
const klingEdits = [
  edit(5),
  edit(3),
  edit(10),
  { ...edit(5), ...references(4) },
  { ...edit(4), keep_original_sound: false },
];
const longEdit = {
  order: edit(12),
  param: 'input_seconds',
  reason: 'The endpoint takes sources of 3 to 10 seconds.',
};
const olderWan = (order: OrderFields, seconds: readonly (number | string)[], ratios = wanRatios) => [
  { ...order, seconds: 5 },
  ...inSeconds(order, ...seconds),
  ...inSizes({ ...order, seconds: 5 }, ['720p', '1080p'], ratios),
  ...withEach(
    { ...order, seconds: 5 },
    { seed: 8 },
    { negative_prompt: 'low resolution' },
    { prompt_extend: true },
    { multi_clip: true, prompt_extend: true },
  ),
];
const wan3 = (order: OrderFields) => [
  order,
  ...inSeconds(order, 2, 5, '30'),
  ...withEach(order, { audio: false }, { seed: 8 }, { prompt_extend: true }),
];
const happyHorse = (order: OrderFields) => [
  order,
  ...inSeconds(order, 3, 5, '15'),
  ...inSizes(order, ['720p', '1080p'], wanRatios),
  { ...order, seed: 1 },
];
const seedance = (order: OrderFields, tiers: readonly string[], ...seconds: readonly (number | string)[]) => [
  order,
  ...inSeconds(order, ...seconds),
  ...inSizes(order, tiers, seedanceRatios),
  ...withEach(order, { seed: 0 }, { generate_audio: false }, { camera_fixed: true }),
];
const seedanceOf = (version: string, tiers: readonly string[], ...seconds: readonly (number | string)[]) => [
  { model: `seedance-${version}-t2v`, orders: seedance(text, tiers, ...seconds) },
  { model: `seedance-${version}-i2v`, orders: seedance(frame, tiers, ...seconds) },
];
const seedanceFrames = (version: string, tiers: readonly string[], ...seconds: readonly (number | string)[]) => [
  { model: `seedance-${version}-start-end`, orders: seedance(frames, tiers, ...seconds) },
];
const seedanceReferences = (version: string, tiers: readonly string[]) => [
  {
    model: `seedance-${version}-r2v`,
    orders: [
      ...seedance(references(1), tiers, 4, '15'),
      references(9),
      { ...text, video_list: [CLIP], input_seconds: 6 },
      { ...references(3), video_list: [CLIP, CLIP] },
    ],
  },
];
const hailuo = (order: OrderFields) => [
  order,
  ...inSeconds(order, 6, '10'),
  ...inPixels(order, '1366x768 1920x1080'),
  { ...order, prompt_extend: true },
];
const h3 = (order: OrderFields) => [
  order,
  ...inSeconds(order, 5, '15'),
  ...withEach(order, { seed: 7 }, { prompt_extend: true }),
];
const h3Sizes = (order: OrderFields, ...tiers: readonly string[]) => inSizes(order, tiers, seedanceRatios);
const viduQ2 = (order: OrderFields) => [
  order,
  ...inSeconds(order, 2, 4, '8'),
  ...inSizes(order, ['720p', '1080p'], ['16:9', '9:16', '1:1']),
  ...withEach(order, { bgm: true, seconds: 4 }, { seed: 5 }, { movement_amplitude: 'auto' }),
];
const viduQ2References = (order: OrderFields) => [
  order,
  ...inSeconds(order, 1, 4, '10'),
  ...inSizes(order, ['540p', '720p', '1080p'], wanRatios),
  ...withEach(order, { bgm: true }, { seed: 5 }),
];
const viduQ1 = (order: OrderFields) => [
  order,
  ...inSeconds(order, 5, '5'),
  ...inSizes(order, ['1080p'], klingRatios),
  ...withEach(order, { seed: 5 }, { movement_amplitude: 'auto' }),
];
const viduQ3 = (order: OrderFields) => [
  order,
  ...inSeconds(order, 1, 5, '16'),
  ...inSizes(order, ['360p', '540p', '720p', '1080p'], wanRatios),
  ...withEach(order, { audio: false }, { seed: 3 }),
];
const pixverse = (order: typeof text) => [
  order,
  ...inSeconds(order, 1, 5, 8, '15'),
  ...inSizes(order, pixverseTiers, wide),
  ...withEach(
    order,
    { generate_audio_switch: true },
    { generate_multi_clip_switch: true },
    { thinking_type: 'enabled' },
    { thinking_type: 'auto' },
    { negative_prompt: 'blurry' },
    { seed: 0 },
  ),
];
const pixverseC1 = (order: OrderFields) => [
  order,
  ...inSeconds(order, 1, 8, '15'),
  ...inSizes(order, pixverseTiers, wide),
  ...withEach(order, { generate_audio_switch: true }, { seed: 0 }),
];
const olderPixverse = (order: OrderFields, ...seconds: readonly (number | string)[]) => [
  order,
  ...inSeconds(order, ...seconds),
  ...inSizes(order, pixverseTiers, wide),
  ...withEach(order, { negative_prompt: 'blurry' }, { seed: 0 }),
];
const pixverseWithSound = (order: OrderFields) => [
  ...olderPixverse(order, 5, 8, '10'),
  { ...order, size: '1920x1080', seconds: 8 },
  ...withEach(order, { generate_audio_switch: true }, { thinking_type: 'enabled' }, { thinking_type: 'auto' }),
];
const longIn1080p = {
  order: { ...text, size: '1920x1080', seconds: 10 },
  param: 'seconds',
  reason: 'The types of fal allow 5 and 8 seconds at 1080p.',
};
const grok = (order: typeof text) => [order, ...inSeconds(order, 1, 6, '8')];

export const klingSize = {
  order: { ...text, size: '3840x2160' },
  param: 'size',
  reason: 'fal has endpoints for 720p and 1080p alone.',
};
const unit = {
  order: { ...text, seconds: '8s' },
  param: 'seconds',
  reason: 'A length is a number of seconds in our API, without a unit.',
};

const ray2 = (order: OrderFields) => [
  order,
  ...inSeconds(order, 5, '9'),
  ...inSizes(order, ['540p', '720p', '1080p'], ['16:9', '9:16', '4:3', '3:4', '21:9', '9:21']),
];

export const fal: VendorOrders = {
  provider: 'fal',
  models: [
    { model: 'veo-3.1-t2v', orders: veoAtFal(text), refused: [unit] },
    { model: 'veo-3.1-i2v', orders: veoAtFal(frame) },
    { model: 'veo-3.1-start-end', orders: veoAtFal(frames) },
    {
      model: 'veo-3.1-r2v',
      orders: [
        references(1),
        references(3),
        { ...references(2), generate_audio: false },
        ...inSizes(references(1), ['720p', '1080p', '4k'], wide),
      ],
    },
    { model: 'veo-3.1-fast-t2v', orders: veoAtFal(text) },
    { model: 'veo-3.1-fast-i2v', orders: veoAtFal(frame) },
    { model: 'veo-3.1-fast-start-end', orders: veoAtFal(frames) },
    { model: 'veo-3.1-lite-t2v', orders: veo(text) },
    { model: 'veo-3.1-lite-i2v', orders: veo(frame) },
    {
      model: 'veo-3.1-lite-start-end',
      orders: [
        ...inSizes({ ...frames, seconds: 8 }, ['720p', '1080p'], wide),
        ...withEach(frames, { generate_audio: false }, { seed: 1 }, { negative_prompt: 'text' }),
      ],
      refused: [
        { order: { ...frames, seconds: 4 }, param: 'seconds', reason: 'The endpoint lists no length but 8 seconds.' },
      ],
    },
    ...omniAtFal('1.2', 15),
    ...omniAtFal('1.1', 10),
    {
      model: 'gemini-omni-1.1-flash-video-edit',
      orders: [edit(3), edit(10), ...inPixels(edit(5), '640x360 1280x720 1920x1080 3840x2160')],
    },
    { model: 'gemini-omni-flash-t2v', orders: firstOmni(text) },
    { model: 'gemini-omni-flash-i2v', orders: firstOmni(frame) },
    { model: 'gemini-omni-flash-r2v', orders: [1, 2, 7].flatMap((count) => firstOmni(references(count))) },
    { model: 'gemini-omni-flash-video-edit', orders: [edit(3), edit(10), ...inPixels(edit(5), '1280x720 720x1280')] },
    { model: 'kling-4.0-t2v', orders: kling4(text), refused: [klingSize] },
    { model: 'kling-4.0-i2v', orders: kling4(frame) },
    { model: 'kling-4.0-start-end', orders: kling4(frames) },
    {
      model: 'kling-4.0-r2v',
      orders: [
        ...[1, 4, 10].flatMap((count) => kling4(references(count))),
        ...kling4({ ...references(2), video_list: [CLIP] }),
      ],
    },
    {
      model: 'kling-4.0-video-edit',
      orders: [
        edit(3),
        edit(5),
        edit(30),
        { ...edit(5), ...references(10) },
        ...inPixels(edit(5), '1280x720 1920x1080'),
      ],
    },
    { model: 'kling-3.0-t2v', orders: [...kling(text), ...inSizes(text, ['4k'], klingRatios)] },
    { model: 'kling-3.0-i2v', orders: [...kling(frame), ...inSizes(frame, ['4k'], klingRatios)] },
    { model: 'kling-3.0-start-end', orders: [...kling(frames), ...inSizes(frames, ['4k'], klingRatios)] },
    { model: 'kling-3.0-turbo-t2v', orders: inSizes({ ...text, seconds: 5 }, ['720p', '1080p'], klingRatios) },
    { model: 'kling-3.0-turbo-i2v', orders: [frame, ...inSeconds(frame, 3, '15')] },
    { model: 'kling-3.0-omni-t2v', orders: klingOmni(text) },
    { model: 'kling-3.0-omni-i2v', orders: klingOmni(frame) },
    { model: 'kling-3.0-omni-start-end', orders: klingOmni(frames) },
    {
      model: 'kling-3.0-omni-r2v',
      orders: klingReferences(klingOmni),
    },
    {
      model: 'kling-3.0-omni-video-edit',
      orders: [...klingEdits, ...inPixels(edit(5), '1280x720 1920x1080')],
      refused: [longEdit],
    },
    { model: 'kling-o1-i2v', orders: klingO1(frame) },
    { model: 'kling-o1-start-end', orders: klingO1(frames) },
    {
      model: 'kling-o1-r2v',
      orders: klingReferences(klingO1),
    },
    {
      model: 'kling-o1-video-edit',
      orders: klingEdits,
      refused: [longEdit],
    },
    {
      model: 'kling-2.6-t2v',
      orders: [...olderKling(text, klingRatios, '1080p'), ...withEach(text, { sound: true }, { sound: false })],
      refused: [{ ...klingSize, order: { ...text, size: '1280x720' }, reason: 'fal has the tier of 1080p alone.' }],
    },
    { model: 'kling-2.6-i2v', orders: olderKling(frame, klingRatios, '1080p') },
    { model: 'kling-2.6-start-end', orders: olderKling(frames, klingRatios, '1080p') },
    { model: 'kling-2.5-turbo-t2v', orders: olderKling(text, klingRatios, '1080p') },
    { model: 'kling-2.5-turbo-i2v', orders: olderKling(frame, klingRatios, '720p', '1080p') },
    { model: 'kling-2.5-turbo-start-end', orders: olderKling(frames, klingRatios, '1080p') },
    { model: 'kling-2.1-master-t2v', orders: olderKling(text, klingRatios, '1080p') },
    { model: 'kling-2.1-master-i2v', orders: olderKling(frame, klingRatios, '1080p') },
    { model: 'kling-2.1-pro-i2v', orders: olderKling(frame, klingRatios, '1080p') },
    { model: 'kling-2.1-pro-start-end', orders: olderKling(frames, klingRatios, '1080p') },
    { model: 'kling-2.1-i2v', orders: olderKling(frame, klingRatios, '720p') },
    { model: 'kling-2.0-master-t2v', orders: olderKling(text, klingRatios, '720p') },
    { model: 'kling-2.0-master-i2v', orders: olderKling(frame, klingRatios, '720p') },
    { model: 'kling-1.6-pro-t2v', orders: olderKling(text, klingRatios, '1080p') },
    { model: 'kling-1.6-pro-i2v', orders: olderKling(frame, klingRatios, '1080p') },
    { model: 'kling-1.6-pro-start-end', orders: olderKling(frames, klingRatios, '1080p') },
    {
      model: 'kling-1.6-pro-r2v',
      orders: [1, 4].flatMap((count) => olderKling(references(count), klingRatios, '1080p')),
    },
    { model: 'kling-1.6-t2v', orders: olderKling(text, klingRatios, '720p') },
    { model: 'kling-1.6-i2v', orders: olderKling(frame, klingRatios, '720p') },
    { model: 'kling-1.6-r2v', orders: [1, 4].flatMap((count) => olderKling(references(count), klingRatios, '720p')) },
    { model: 'kling-1.5-pro-t2v', orders: olderKling(text, klingRatios, '1080p') },
    { model: 'kling-1.5-pro-i2v', orders: olderKling(frame, klingRatios, '1080p') },
    { model: 'kling-1.5-pro-start-end', orders: olderKling(frames, klingRatios, '1080p') },
    { model: 'kling-1.0-t2v', orders: olderKling(text, klingRatios, '720p') },
    { model: 'kling-1.0-i2v', orders: olderKling(frame, klingRatios, '720p') },
    { model: 'kling-1.0-start-end', orders: olderKling(frames, klingRatios, '720p') },
    {
      model: 'wan-2.5-t2v',
      orders: [
        ...olderWan(text, ['10'], ['16:9', '9:16', '1:1']),
        ...inPixels(text, '832x480 480x832 624x624'),
        ...inSizes(text, ['480p'], ['16:9', '9:16', '1:1']),
      ],
    },
    { model: 'wan-2.5-i2v', orders: [...olderWan(frame, ['10']), ...inSizes(frame, allTiers, wide)] },
    { model: 'wan-2.6-t2v', orders: olderWan(text, ['10', 15]) },
    { model: 'wan-2.6-i2v', orders: olderWan(frame, ['10', 15]) },
    { model: 'wan-2.6-flash-i2v', orders: olderWan(frame, ['10', 15]) },
    {
      model: 'wan-2.6-r2v',
      orders: [...olderWan({ ...text, video_list: [CLIP] }, ['10']), { ...text, video_list: [CLIP, CLIP, CLIP] }],
      refused: [
        { order: references(1), param: 'video_list', reason: 'The endpoint takes videos alone.' },
        {
          order: { ...text, video_list: [CLIP], seconds: 15 },
          param: 'seconds',
          reason: 'The endpoint makes 5 or 10 seconds.',
        },
      ],
    },
    {
      model: 'wan-2.6-flash-r2v',
      orders: [
        ...olderWan(references(1), ['10']),
        references(5),
        { ...text, video_list: [CLIP] },
        { ...references(2), video_list: [CLIP] },
        { ...references(2), audio: false },
      ],
    },
    ...['wan-3.0', 'wan-3.0-prime'].flatMap((model) => [
      { model: `${model}-t2v`, orders: [...wan3(text), ...inSizes(text, allTiers, wanRatios)] },
      { model: `${model}-i2v`, orders: [...wan3(frame), ...inSizes(frame, allTiers, wide)] },
      { model: `${model}-start-end`, orders: [...wan3(frames), ...inSizes(frames, allTiers, wide)] },
      {
        model: `${model}-r2v`,
        orders: [
          ...wan3(references(1)),
          references(10),
          { ...text, video_list: [CLIP], input_seconds: 6 },
          { ...references(3), video_list: [CLIP, CLIP, CLIP, CLIP, CLIP] },
          { ...references(1), reference_voice: 'https://cdn.example.com/voice.mp3' },
        ],
      },
    ]),
    ...['1.1', '1.0'].flatMap((version) => [
      { model: `happyhorse-${version}-t2v`, orders: happyHorse(text) },
      { model: `happyhorse-${version}-i2v`, orders: happyHorse(frame) },
      { model: `happyhorse-${version}-r2v`, orders: [1, 9].flatMap((count) => happyHorse(references(count))) },
    ]),
    {
      model: 'happyhorse-1.0-video-edit',
      orders: [
        edit(5),
        edit(60),
        { ...edit(5), ...references(5) },
        { ...edit(4), keep_original_sound: false },
        ...inPixels(edit(5), '1280x720 1920x1080'),
      ],
    },
    {
      model: 'seedance-2.5-t2v',
      orders: seedance(text, [...allTiers, '4k'], 4, 5, '30'),
    },
    { model: 'seedance-2.5-i2v', orders: seedance(frame, [...allTiers, '4k'], 4, 5, '30') },
    { model: 'seedance-2.5-start-end', orders: seedance(frames, [...allTiers, '4k'], 4, '30') },
    {
      model: 'seedance-2.5-r2v',
      orders: [
        ...seedance(references(1), [...allTiers, '4k'], 4, '30'),
        references(30),
        { ...references(3), video_list: Array.from({ length: 10 }, () => CLIP), input_seconds: 30 },
        { ...references(1), reference_voice: 'https://cdn.example.com/voice.mp3' },
      ],
    },
    ...seedanceOf('2.0', allTiers, 4, 5, '15'),
    ...seedanceFrames('2.0', allTiers, 4, '15'),
    ...seedanceReferences('2.0', allTiers),
    ...seedanceOf('2.0-fast', ['480p', '720p'], 4, 5, '15'),
    ...seedanceFrames('2.0-fast', ['480p', '720p'], 4, '15'),
    ...seedanceReferences('2.0-fast', ['480p', '720p']),
    ...seedanceOf('1.5-pro', allTiers, 4, 5, '12'),
    ...seedanceFrames('1.5-pro', allTiers, 4, '12'),
    ...['1.0-pro', '1.0-lite'].flatMap((version) => [
      ...seedanceOf(version, allTiers, 2, 5, '12'),
      ...seedanceFrames(version, allTiers, 2, '12'),
    ]),
    {
      model: 'seedance-1.0-lite-r2v',
      orders: [1, 4].flatMap((count) => seedance(references(count), ['480p', '720p'], 2, 5, '12')),
    },
    ...seedanceOf('1.0-pro-fast', allTiers, 2, 5, '12'),
    {
      model: 'wan-2.7-t2v',
      orders: [...wan(text), ...inSeconds(text, 15), ...inSizes(text, ['720p', '1080p'], wanRatios)],
    },
    {
      model: 'wan-2.7-i2v',
      orders: [...wan(frame), ...inSeconds(frame, 15), ...inSizes(frame, ['720p', '1080p'], wide)],
    },
    { model: 'wan-2.7-start-end', orders: [...wan(frames), ...inSizes(frames, ['720p', '1080p'], wide)] },
    {
      model: 'wan-2.7-r2v',
      orders: [
        ...wan(references(1)),
        references(5),
        { ...text, video_list: [CLIP] },
        ...inSizes(references(2), ['720p', '1080p'], wanRatios),
      ],
    },
    {
      model: 'wan-2.7-video-edit',
      orders: [
        edit(5),
        edit(2),
        edit(10),
        { ...edit(5), seconds: 5 },
        { ...edit(5), ...references(1) },
        { ...edit(4), keep_original_sound: false },
        ...inPixels(edit(5), '1280x720 1920x1080'),
      ],
    },
    { model: 'pixverse-v6-t2v', orders: [...pixverse(text), ...inSizes(text, pixverseTiers, pixverseRatios)] },
    { model: 'pixverse-v6-i2v', orders: pixverse(frame) },
    {
      model: 'pixverse-v6-transition',
      orders: [...pixverse(frames), ...inSizes(frames, pixverseTiers, pixverseRatios)],
    },
    { model: 'pixverse-c1-t2v', orders: [...pixverseC1(text), ...inSizes(text, pixverseTiers, pixverseRatios)] },
    { model: 'pixverse-c1-i2v', orders: pixverseC1(frame) },
    { model: 'pixverse-c1-transition', orders: [...pixverseC1(frames), ...inSizes(frames, ['720p'], pixverseRatios)] },
    {
      model: 'pixverse-c1-r2v',
      orders: [...pixverseC1(references(1)), references(7), ...inSizes(references(2), pixverseTiers, pixverseRatios)],
    },
    ...['v5.6', 'v5.5'].flatMap((version) => [
      {
        model: `pixverse-${version}-t2v`,
        orders: [...pixverseWithSound(text), ...inSizes(text, pixverseTiers, wanRatios)],
        refused: [longIn1080p],
      },
      { model: `pixverse-${version}-i2v`, orders: pixverseWithSound(frame) },
      {
        model: `pixverse-${version}-transition`,
        orders: [...pixverseWithSound(frames), ...inSizes(frames, ['720p'], wanRatios)],
      },
    ]),
    {
      model: 'pixverse-v5-t2v',
      orders: [...olderPixverse(text, 5, '8'), ...inSizes(text, pixverseTiers, wanRatios)],
      refused: [
        {
          ...longIn1080p,
          order: { ...text, size: '1920x1080', seconds: 8 },
          reason: 'The types of fal allow 5 seconds at 1080p.',
        },
      ],
    },
    { model: 'pixverse-v5-i2v', orders: olderPixverse(frame, 5, '8') },
    {
      model: 'pixverse-v5-transition',
      orders: [...olderPixverse(frames, 5, '8'), { ...frames, size: '1920x1080', seconds: 8 }],
    },
    ...['v4.5', 'v4', 'v3.5'].flatMap((version) => [
      {
        model: `pixverse-${version}-t2v`,
        orders: [...olderPixverse(text, 5, '8'), ...inSizes(text, pixverseTiers, wanRatios)],
      },
      { model: `pixverse-${version}-i2v`, orders: olderPixverse(frame, 5, '8') },
    ]),
    {
      model: 'pixverse-v4.5-transition',
      orders: [...olderPixverse(frames, 5, '8'), { ...frames, size: '1920x1080', seconds: 8 }],
    },
    { model: 'grok-imagine-t2v', orders: [...grok(text), ...inSizes(text, ['480p', '720p'], grokRatios)] },
    { model: 'grok-imagine-i2v', orders: [...grok(frame), ...inSizes(frame, ['480p', '720p'], grokRatios)] },
    {
      model: 'grok-imagine-r2v',
      orders: [...grok(references(1)), references(7), ...inSizes(references(2), ['480p', '720p'], grokRatios)],
    },
    { model: 'grok-imagine-video-edit', orders: [edit(5), edit(8), edit(2.5), { ...edit(5), size: '854x480' }] },
    {
      model: 'grok-imagine-1.5-t2v',
      orders: [...grok(text), ...inSeconds(text, '15'), ...inSizes(text, allTiers, grokRatios)],
    },
    {
      model: 'grok-imagine-1.5-i2v',
      orders: [...grok(frame), ...inSeconds(frame, '15'), ...inSizes(frame, allTiers, grokRatios)],
    },
    {
      model: 'grok-imagine-1.5-r2v',
      orders: [...grok(references(1)), references(7), ...inSizes(references(2), ['480p', '720p'], grokRatios)],
      refused: [
        {
          order: { ...references(1), seconds: 15 },
          param: 'seconds',
          reason: 'Its own vendor makes at most 10 seconds from references.',
        },
      ],
    },
    { model: 'hailuo-2.3-t2v', orders: hailuo(text) },
    { model: 'hailuo-2.3-i2v', orders: hailuo(frame) },
    { model: 'hailuo-2.3-fast-i2v', orders: hailuo(frame) },
    { model: 'hailuo-02-t2v', orders: hailuo(text) },
    {
      model: 'hailuo-02-i2v',
      orders: [...hailuo(frame), ...inSeconds({ ...frame, size: '912x512' }, 6, 10)],
    },
    { model: 'hailuo-02-start-end', orders: hailuo(frames) },
    {
      model: 'minimax-h3-t2v',
      orders: [...h3(text), ...h3Sizes(text, '480p', '768p', '2k', '4k')],
    },
    { model: 'minimax-h3-i2v', orders: h3(frame) },
    { model: 'minimax-h3-start-end', orders: h3(frames) },
    {
      model: 'minimax-h3-r2v',
      orders: [...h3(references(1)), references(9), ...h3Sizes(references(2), '480p', '768p', '2k', '4k')],
    },
    ...['minimax-h3-max', 'minimax-h3-max-turbo'].flatMap((model) => [
      { model: `${model}-t2v`, orders: [...h3(text), ...h3Sizes(text, '480p', '768p', '1080p')] },
      { model: `${model}-i2v`, orders: h3(frame) },
      { model: `${model}-start-end`, orders: h3(frames) },
    ]),
    {
      model: 'minimax-h3-max-r2v',
      orders: [...h3(references(1)), references(9), ...h3Sizes(references(2), '480p', '768p')],
    },
    ...firstMinimax,
    { model: 'minimax-s2v-01-r2v', orders: [references(1), { ...references(1), prompt_extend: true }] },
    { model: 'vidu-q1-r2v', orders: [...viduQ1(references(1)), { ...references(7), bgm: true }] },
    {
      model: 'vidu-q2-pro-r2v',
      orders: [
        ...viduQ2References(references(1)),
        references(7),
        { ...references(4), video_list: [CLIP, CLIP] },
        { ...text, ...references(1), video_list: [CLIP], input_seconds: 5 },
      ],
    },
    { model: 'vidu-q2-t2v', orders: [...viduQ2(text), ...inSizes(text, ['360p', '540p'], ['16:9', '1:1'])] },
    { model: 'vidu-q2-i2v', orders: viduQ2(frame) },
    { model: 'vidu-q2-start-end', orders: viduQ2(frames) },
    { model: 'vidu-q2-pro-i2v', orders: viduQ2(frame) },
    { model: 'vidu-q2-pro-start-end', orders: viduQ2(frames) },
    { model: 'vidu-q3-pro-i2v', orders: viduQ3(frame) },
    { model: 'vidu-q3-pro-start-end', orders: viduQ3(frames) },
    { model: 'vidu-q3-pro-t2v', orders: viduQ3(text) },
    { model: 'vidu-q3-turbo-t2v', orders: viduQ3(text) },
    { model: 'vidu-q3-turbo-i2v', orders: viduQ3(frame) },
    { model: 'vidu-q3-turbo-start-end', orders: viduQ3(frames) },
    {
      model: 'vidu-q3-mix-r2v',
      orders: [
        ...[1, 4].flatMap((count) => [
          references(count),
          ...inSeconds(references(count), 1, 5, '16'),
          ...inSizes(references(count), ['360p', '540p', '720p', '1080p'], wanRatios),
        ]),
        { ...references(2), audio: false },
        { ...references(2), seed: 3 },
      ],
    },
    {
      model: 'ray-3.2-t2v',
      orders: [text, ...inSeconds(text, 5, '10'), ...inSizes(text, ['540p', '720p', '1080p'], seedanceRatios)],
    },
    {
      model: 'ray-3.2-i2v',
      orders: [frame, ...inSeconds(frame, '5'), ...inSizes(frame, ['540p', '720p', '1080p'], seedanceRatios)],
      refused: [
        {
          order: { ...frame, seconds: 10 },
          param: 'seconds',
          reason: 'fal makes 10 seconds only between several frames.',
        },
      ],
    },
    ...['ray-2', 'ray-2-flash'].flatMap((name) => [
      { model: `${name}-t2v`, orders: ray2(text) },
      { model: `${name}-i2v`, orders: ray2(frame) },
      { model: `${name}-start-end`, orders: ray2(frames) },
    ]),
    { model: 'ray-2-flash-video-edit', orders: [edit(5), edit(10), edit(2.5), { ...edit(5), seconds: 5 }] },
  ],
};
