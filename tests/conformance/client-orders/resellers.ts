import { kling, wan, wide } from './fal';
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
  type ModelOrders,
  type OrderFields,
  type VendorOrders,
} from './order';

// Other vendors that serve models of others. Replicate: the API pages of the models. WaveSpeed: wavespeed.ai/docs. 2026.

const uprightToo = ['16:9', '9:16', '1:1'];
const sixShapes = ['16:9', '9:16', '4:3', '3:4', '1:1', '21:9'];
const HD = ['720p', '1080p'];

/** Orders for a model from a text, from a first frame, and from two frames, as far as Replicate has them. */
function ofKinds(
  version: string,
  kinds: Readonly<Record<string, OrderFields>>,
  ordersOf: (order: OrderFields) => readonly OrderFields[],
): ModelOrders[] {
  return Object.entries(kinds).map(([kind, order]) => ({
    model: `${version}-${kind}`,
    orders: [order, ...ordersOf(order)],
  }));
}
const fromImage = { i2v: frame };
const fromText = { t2v: text };
const fromFrames = { 'start-end': frames };
const every = { ...fromText, ...fromImage, ...fromFrames };

const veo = (order: OrderFields) => [
  ...inSeconds(order, 4, 6, 8),
  ...inSizes(order, HD, wide),
  ...withEach(order, { generate_audio: false }, { negative_prompt: 'blurry' }, { seed: 7 }),
];
const oldKling = (order: OrderFields) => [
  ...inSeconds(order, 5, 10),
  ...inSizes(order, ['1080p'], uprightToo),
  ...withEach(order, { negative_prompt: 'blurry' }),
];
const seedance = (order: OrderFields) => [
  ...inSeconds(order, 5, 10),
  ...inSizes(order, ['480p', '720p'], sixShapes),
  ...withEach(order, { seed: 7 }),
];
const hailuo = (order: OrderFields) => [
  ...inSeconds(order, 6, 10),
  ...withEach(order, { size: '1920x1080', seconds: 6 }, { prompt_extend: true }),
];
const ray = (order: OrderFields) => [
  ...inSeconds(order, 5, 9),
  ...inSizes(order, ['540p', '720p'], [...sixShapes, '9:21']),
];
const pixverse = (order: OrderFields) => [
  ...inSeconds(order, 5, 8),
  ...inSizes(order, ['360p', '540p', '720p', '1080p'], uprightToo),
  ...withEach(order, { negative_prompt: 'blurry' }, { seed: 7 }),
];
const gen = (order: OrderFields) => [
  ...inSeconds(order, 5, 10),
  ...inSizes(order, ['720p'], sixShapes),
  ...withEach(order, { seed: 7 }),
];
const grok = (order: OrderFields) => [...inSeconds(order, 1, 5, 15), ...inSizes(order, ['480p', '720p'], wide)];

const wanOf5Or10 = (order: OrderFields) => [
  ...inSeconds(order, 5, 10),
  ...withEach(order, { negative_prompt: 'blurry' }, { prompt_extend: true }, { seed: 7 }),
];
const wan26 = (order: OrderFields) => [
  ...wanOf5Or10(order),
  ...inSeconds(order, 15),
  ...inSizes(order, HD, wide),
  ...withEach(order, { multi_clip: true }),
];
const happyhorse = (order: OrderFields) => [
  ...inSeconds(order, 3, 5, '15'),
  ...inSizes(order, HD, [...uprightToo, '4:3', '3:4']),
  ...withEach(order, { seed: 7 }, { seed: 0 }),
];
const viduQ3 = (order: OrderFields) => [
  ...inSeconds(order, 1, 5, 16),
  ...inSizes(order, ['540p', ...HD], ['16:9']),
  ...withEach(order, { audio: true }, { audio: false }, { seed: 7 }),
];
const noRatio = {
  param: 'size',
  reason: 'WaveSpeed has no field for the ratio of a video from a text.',
};

/** The models that other vendors serve too. */
const resold: readonly ModelOrders[] = [
  { model: 'wan-2.7-t2v', orders: [...wan(text), ...inSizes(text, HD, [...uprightToo, '4:3', '3:4'])] },
  {
    model: 'wan-2.7-r2v',
    orders: [
      references(1),
      references(5),
      { ...text, video_list: [CLIP] },
      { ...references(2), video_list: [CLIP] },
      ...inSeconds(references(2), 2, 5, 10),
      ...inSizes(references(2), HD, [...uprightToo, '4:3', '3:4']),
      ...withEach(references(2), { seed: 7 }, { negative_prompt: 'blurry' }, { multi_clip: true }),
    ],
  },
  {
    model: 'wan-2.7-video-edit',
    orders: [edit(2), edit(10), { ...edit(8), seconds: 4 }, { ...edit(5), ...references(1) }, { ...edit(5), seed: 7 }],
    refused: [
      {
        order: { ...edit(5), ...references(3) },
        param: 'image_list',
        reason: 'Replicate takes one reference image.',
      },
    ],
  },
  ...['wan-2.6-t2v', 'wan-2.6-i2v'].map((model) => {
    const order = model.endsWith('t2v') ? text : frame;
    return { model, orders: [order, ...wan26(order)] };
  }),
  ...['wan-3.0', 'wan-3.0-prime'].flatMap((version) =>
    ofKinds(version, { ...fromText, ...fromImage }, (order) => [
      ...inSeconds(order, 2, 5, 30),
      ...inSizes(order, ['480p', ...HD], [...uprightToo, '4:3', '3:4']),
      ...withEach(order, { seed: 7 }, { prompt_extend: true }, { negative_prompt: 'blurry' }),
    ]),
  ),
  ...ofKinds('happyhorse-1.0', { ...fromText, ...fromImage }, happyhorse),
  ...ofKinds('happyhorse-1.1', { ...fromText, ...fromImage }, happyhorse),
  { model: 'wan-2.5-t2v', orders: [text, ...inSeconds(text, 5, 10), ...inSizes(text, ['480p', ...HD], wide)] },
  { model: 'wan-2.5-i2v', orders: [frame, ...inSeconds(frame, 5, 10), ...inSizes(frame, ['480p', ...HD], wide)] },
  ...ofKinds('veo-3.1', every, veo),
  {
    model: 'veo-3.1-r2v',
    orders: [1, 2, 3].map((count) => references(count)),
    refused: [
      {
        order: { ...references(2), size: '720x1280' },
        param: 'size',
        reason: "Replicate's page says that references work only with 16:9.",
      },
    ],
  },
  ...ofKinds('veo-3.1-fast', every, veo),
  ...ofKinds('veo-3.1-lite', every, (order) => [
    ...inSeconds(order, 4, 6, 8),
    ...inSizes(order, HD, wide),
    ...withEach(order, { seed: 7 }),
  ]),
  ...ofKinds('kling-2.6', { ...fromText, ...fromImage }, (order) => [
    ...oldKling(order),
    ...withEach(order, { sound: true }, { sound: false }),
  ]),
  ...ofKinds('kling-2.5-turbo', every, oldKling),
  ...ofKinds('kling-2.1-master', { ...fromText, ...fromImage }, oldKling),
  ...ofKinds('kling-2.1-pro', { ...fromImage, ...fromFrames }, oldKling),
  { model: 'kling-2.1-i2v', orders: [frame, ...inSeconds(frame, 5, 10)] },
  ...ofKinds('kling-2.0-master', { ...fromText, ...fromImage }, (order) => inSeconds(order, 5, 10)),
  ...ofKinds('kling-1.6-pro', { ...fromImage, ...fromFrames, r2v: references(2) }, oldKling),
  ...ofKinds('kling-1.6', { ...fromText, ...fromImage, r2v: references(4) }, (order) => inSeconds(order, 5, 10)),
  { model: 'kling-o1-t2v', orders: [text, ...inSeconds(text, 5, 10), ...inSizes(text, HD, uprightToo)] },
  { model: 'kling-o1-i2v', orders: [frame, ...inSeconds(frame, 5, 10), ...inSizes(frame, HD, uprightToo)] },
  { model: 'kling-o1-start-end', orders: [frames, ...inSeconds(frames, 3, 10), ...inSizes(frames, HD, wide)] },
  {
    model: 'kling-o1-r2v',
    orders: [
      references(1),
      references(7),
      { ...references(4), video_list: [CLIP] },
      ...inSeconds(references(2), 3, 10),
    ],
  },
  { model: 'kling-o1-video-edit', orders: [edit(3), edit(10), { ...edit(5), keep_original_sound: false }] },
  ...ofKinds('kling-3.0-omni', every, (order) => [
    ...inSeconds(order, 3, 5, 15),
    ...inSizes(order, [...HD, '4k'], uprightToo),
    ...withEach(order, { sound: true }, { sound: false }),
  ]),
  {
    model: 'kling-3.0-omni-r2v',
    orders: [references(1), references(7), { ...references(4), video_list: [CLIP] }, { ...text, video_list: [CLIP] }],
  },
  {
    model: 'kling-3.0-omni-video-edit',
    orders: [edit(3), edit(10), { ...edit(5), keep_original_sound: false }, { ...edit(5), ...references(4) }],
  },
  ...ofKinds('seedance-1.5-pro', every, (order) => [
    ...inSeconds(order, 4, 5, 12),
    ...inSizes(order, ['480p', ...HD], sixShapes),
    ...withEach(order, { generate_audio: false }, { seed: 7 }),
  ]),
  ...['seedance-2.0', 'seedance-2.0-fast', 'seedance-2.5'].flatMap((version) => [
    ...ofKinds(version, every, (order) => [...seedance(order), ...withEach(order, { generate_audio: false })]),
    {
      model: `${version}-r2v`,
      orders: [
        references(1),
        references(9),
        { ...text, video_list: [CLIP] },
        { ...references(2), reference_voice: 'https://cdn.example.com/voice.mp3' },
      ],
    },
  ]),
  ...ofKinds('seedance-1.0-pro', every, seedance),
  ...ofKinds('seedance-1.0-lite', every, seedance),
  { model: 'seedance-1.0-lite-r2v', orders: [references(1), references(4), ...inSizes(references(2), ['720p'], wide)] },
  ...ofKinds('seedance-1.0-pro-fast', { ...fromText, ...fromImage }, seedance),
  ...ofKinds('hailuo-2.3', { ...fromText, ...fromImage }, hailuo),
  ...ofKinds('hailuo-2.3-fast', fromImage, hailuo),
  ...ofKinds('hailuo-02', every, hailuo),
  ...firstMinimax,
  { model: 'minimax-s2v-01-r2v', orders: [references(1), { ...references(1), prompt_extend: true }] },
  ...ofKinds('ray-2', every, ray),
  ...ofKinds('ray-2-flash', every, ray),
  ...ofKinds('ray-3.2', every, (order) => [...inSeconds(order, 5, 10), ...inSizes(order, ['540p', ...HD], sixShapes)]),
  ...ofKinds('pixverse-v6', { ...fromText, ...fromImage, transition: frames }, (order) => [
    ...pixverse(order),
    ...inSeconds(order, 10, 15),
    ...withEach(order, { generate_audio_switch: true }, { generate_multi_clip_switch: true }),
  ]),
  ...['pro', 'turbo'].flatMap((name) => ofKinds(`vidu-q3-${name}`, every, viduQ3)),
  ...['pixverse-v5.6', 'pixverse-v5', 'pixverse-v4.5', 'pixverse-v4'].flatMap((version) =>
    ofKinds(version, { ...fromText, ...fromImage, ...(version !== 'pixverse-v4' && { transition: frames }) }, pixverse),
  ),
  ...ofKinds('gen-4.5', { ...fromText, ...fromImage }, gen),
  ...ofKinds('gen-4-turbo', fromImage, gen),
  ...ofKinds('grok-imagine', { ...fromText, ...fromImage }, grok),
  { model: 'grok-imagine-video-edit', orders: [edit(2), edit(8.7)] },
  { model: 'grok-imagine-1.5-i2v', orders: [frame, ...grok(frame)] },
];

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
    ...ofKinds('kling-3.0', every, (order) => [...kling(order), ...inSizes(order, ['4k'], uprightToo)]),
    ...resold,
  ],
};

const klingOfSound = (order: OrderFields) => withEach(order, { sound: true }, { sound: false });
const newerKling = (order: OrderFields) => [...inSeconds(order, 3, 5, '15'), ...klingOfSound(order)];
const vidu = (order: OrderFields) => [
  order,
  ...inSeconds(order, 2, 4, 5, '8'),
  ...inSizes(order, ['540p', '720p', '1080p'], wide),
  ...withEach(order, { bgm: true }, { bgm: false }, { seed: 42 }, { movement_amplitude: 'auto' }),
];

export const wavespeed: VendorOrders = {
  provider: 'wavespeed',
  models: [
    ...ofKinds('veo-3.1', every, (order) => [...veo(order), ...inSizes(order, ['4k'], wide)]),
    {
      model: 'veo-3.1-r2v',
      orders: [...[1, 2, 3].map((count) => references(count)), ...inSizes(references(2), ['1080p', '4k'], ['16:9'])],
      refused: [
        {
          order: { ...references(2), size: '720x1280' },
          param: 'size',
          reason: 'WaveSpeed has no field for the ratio of a video from references.',
        },
      ],
    },
    ...ofKinds('veo-3.1-fast', every, veo),
    {
      model: 'veo-3.1-fast-r2v',
      orders: [...[1, 2, 3].map((count) => references(count)), ...inSizes(references(2), HD, wide)],
    },
    ...ofKinds('veo-3.1-lite', { ...fromText, ...fromImage }, (order) => [
      ...inSeconds(order, 4, 6, 8),
      ...inSizes(order, HD, wide),
      { ...order, negative_prompt: 'text' },
    ]),
    {
      model: 'veo-3.1-lite-start-end',
      orders: [frames, ...inSizes(frames, HD, wide), ...withEach(frames, { seed: 7 }, { negative_prompt: 'text' })],
    },
    ...ofKinds('kling-3.0', every, (order) => [
      ...newerKling(order),
      ...inSizes(order, [...HD, '4k'], uprightToo),
      ...withEach(order, { negative_prompt: 'blurry' }),
    ]),
    ...ofKinds('kling-3.0-omni', { ...every, r2v: references(3) }, (order) => [
      ...newerKling(order),
      ...inSizes(order, [...HD, '4k'], uprightToo),
    ]),
    {
      model: 'kling-3.0-omni-video-edit',
      orders: [edit(3), edit(10), ...HD.map((resolution) => ({ ...edit(5), resolution }))],
    },
    ...ofKinds('kling-2.6', every, (order) => [...oldKling(order), ...klingOfSound(order)]),
    { model: 'kling-2.6-t2v', orders: inSizes(text, ['720p'], uprightToo) },
    ...ofKinds('kling-2.5-turbo', every, oldKling),
    ...ofKinds('kling-2.1-master', { ...fromText, ...fromImage }, oldKling),
    ...ofKinds('kling-2.1-pro', { ...fromImage, ...fromFrames }, oldKling),
    { model: 'kling-2.1-i2v', orders: [frame, ...inSeconds(frame, 5, 10)] },
    ...ofKinds('kling-1.6-pro', { ...fromImage, ...fromFrames }, oldKling),
    {
      model: 'kling-1.6-pro-r2v',
      orders: [references(1), references(4), ...inSeconds(references(2), 5, 10), ...oldKling(references(2))],
    },
    ...ofKinds('kling-1.6', { ...fromText, ...fromImage }, (order) => inSeconds(order, 5, 10)),
    { model: 'kling-o1-i2v', orders: [frame, ...inSeconds(frame, 5, 10)] },
    { model: 'kling-o1-start-end', orders: [frames, ...inSeconds(frames, 3, 5, 10)] },
    ...ofKinds('seedance-2.5', every, (order) => [
      ...inSeconds(order, 4, 5, 30),
      ...inSizes(order, ['480p', ...HD, '4k'], ['16:9', '9:16', '1:1']),
      ...withEach(order, { generate_audio: false }),
    ]),
    ...ofKinds('seedance-1.5-pro', every, (order) => [
      ...inSeconds(order, 4, 5, 12),
      ...inSizes(order, ['480p', ...HD], sixShapes),
      ...withEach(order, { generate_audio: false }, { seed: 7 }),
    ]),
    ...['seedance-1.0-pro', 'seedance-1.0-lite'].flatMap((version) =>
      ofKinds(version, every, (order) => [
        ...inSeconds(order, 5, 10),
        ...inSizes(order, ['480p', ...HD], sixShapes),
        ...withEach(order, { seed: 7 }),
      ]),
    ),
    {
      model: 'seedance-1.0-lite-r2v',
      orders: [references(1), references(4), ...inSeconds(references(2), 5, 10), { ...references(2), seed: 7 }],
    },
    ...['seedance-2.0', 'seedance-2.0-fast'].flatMap((version) => [
      ...ofKinds(version, every, (order) => [
        ...inSeconds(order, 4, 5, 15),
        ...inSizes(order, ['480p', ...HD], sixShapes),
        ...(version === 'seedance-2.0' ? inSizes(order, ['4k'], sixShapes) : []),
        ...withEach(order, { generate_audio: false }),
      ]),
      {
        model: `${version}-r2v`,
        orders: [
          references(1),
          references(9),
          { ...references(2), reference_voice: 'https://cdn.example.com/voice.mp3' },
        ],
        refused: [
          {
            order: { ...text, video_list: [CLIP] },
            param: 'image_list',
            reason: 'Whether WaveSpeed bills the seconds of reference videos is not known, so it takes none.',
          },
        ],
      },
    ]),
    { model: 'wan-2.7-t2v', orders: [...wan(text), ...inSizes(text, HD, [...uprightToo, '4:3', '3:4'])] },
    ...['wan-3.0', 'wan-3.0-prime'].flatMap((version) =>
      ofKinds(version, { ...every, r2v: references(10) }, (order) => [
        ...inSeconds(order, 2, 5, 30),
        ...inSizes(order, ['480p', ...HD], [...uprightToo, '4:3', '3:4']),
        ...withEach(order, { audio: false }, { seed: 7 }, { prompt_extend: true }),
      ]),
    ),
    ...['happyhorse-1.0', 'happyhorse-1.1'].flatMap((version) =>
      ofKinds(version, { ...fromText, ...fromImage, r2v: references(9) }, happyhorse),
    ),
    {
      model: 'happyhorse-1.0-video-edit',
      orders: [edit(3), edit(10), { ...edit(5), ...references(5) }, { ...edit(5), seed: 7 }],
    },
    { model: 'wan-2.7-i2v', orders: wan(frame) },
    { model: 'wan-2.7-start-end', orders: wan(frames) },
    {
      model: 'wan-2.7-video-edit',
      orders: [edit(2), edit(10), { ...edit(5), keep_original_sound: false }, { ...edit(5), ...references(3) }],
    },
    { model: 'wan-2.6-t2v', orders: [text, ...wan26(text)] },
    { model: 'wan-2.6-i2v', orders: [frame, ...wan26(frame)] },
    { model: 'wan-2.5-t2v', orders: [text, ...wanOf5Or10(text), ...inSizes(text, ['480p', ...HD], wide)] },
    { model: 'wan-2.5-i2v', orders: [frame, ...wanOf5Or10(frame), ...inSizes(frame, ['480p', ...HD], wide)] },
    ...ofKinds('hailuo-2.3', { ...fromText, ...fromImage }, hailuo),
    ...ofKinds('hailuo-2.3-fast', fromImage, (order) => [
      ...inSeconds(order, 6, 10),
      ...withEach(order, { prompt_extend: true }),
    ]),
    ...ofKinds('hailuo-02', every, hailuo),
    ...ofKinds('minimax-h3', every, (order) => [
      ...inSeconds(order, 4, 5, 15),
      ...inSizes(order, ['768p', '2k'], sixShapes),
    ]),
    {
      model: 'minimax-h3-r2v',
      orders: [
        references(1),
        references(9),
        ...inSizes(references(2), ['768p', '2k'], sixShapes),
        { ...references(2), reference_voice: 'https://cdn.example.com/voice.mp3' },
      ],
      refused: [
        {
          order: { ...text, video_list: [CLIP] },
          param: 'image_list',
          reason: 'Whether WaveSpeed bills the seconds of reference videos is not known, so it takes none.',
        },
      ],
    },
    {
      model: 'ray-3.2-t2v',
      orders: [text, ...inSeconds(text, 5, 10), ...inSizes(text, ['540p', ...HD], [...uprightToo, '4:3', '3:4'])],
      refused: [{ order: { ...text, size: '1680x720' }, param: 'size', reason: 'WaveSpeed has no 21:9 for Luma.' }],
    },
    ...[frame, frames].map((order): ModelOrders => ({
      model: order === frame ? 'ray-3.2-i2v' : 'ray-3.2-start-end',
      orders: [order, ...inSizes({ ...order, seconds: 5 }, ['540p', ...HD], [...uprightToo, '4:3', '3:4'])],
      refused: [
        {
          order: { ...order, size: '1280x720', seconds: 10 },
          param: 'seconds',
          reason: 'With images, WaveSpeed makes five seconds.',
        },
      ],
    })),
    {
      model: 'vidu-q3-mix-r2v',
      orders: [
        references(1),
        references(4),
        ...inSeconds(references(2), 1, 5, 16),
        ...inSizes(references(2), HD, [...uprightToo, '4:3', '3:4']),
        ...withEach(references(2), { audio: false }, { seed: 7 }),
      ],
    },
    ...['pro', 'turbo'].flatMap((name) =>
      ofKinds(`vidu-q3-${name}`, every, viduQ3).map((one) =>
        one.model.endsWith('t2v') ? { ...one, refused: [{ ...noRatio, order: { ...text, size: '720x1280' } }] } : one,
      ),
    ),
    ...ofKinds('vidu-q4-preview', { ...fromImage, r2v: references(12) }, (order) => [
      ...inSeconds(order, 3, 5, 16),
      ...inSizes(order, ['540p', ...HD, '2k', '4k'], ['16:9', '9:16']),
      ...withEach(order, { audio: false }, { seed: 7 }),
    ]),
    ...['pixverse-v6', 'pixverse-c1'].flatMap((version) =>
      ofKinds(version, { ...fromText, ...fromImage, transition: frames }, (order) => [
        ...inSeconds(order, 1, 5, 15),
        ...inSizes(order, ['360p', '540p', ...HD], [...sixShapes, '2:3', '3:2']),
        ...withEach(order, { generate_audio_switch: true }, { thinking_type: 'enabled' }),
      ]),
    ),
    { model: 'vidu-q2-i2v', orders: [...vidu(frame), ...inSeconds(frame, 1, 9, 10)] },
    { model: 'vidu-q2-start-end', orders: vidu(frames) },
    ...ofKinds('grok-imagine', { ...fromText, ...fromImage }, (order) => inSeconds(order, 6, 10)),
    { model: 'grok-imagine-t2v', orders: inSizes(text, ['480p', '720p'], uprightToo) },
  ],
};
