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

// Vendors with a few models of their own: Luma (docs.agents.lumalabs.ai), MiniMax (platform.minimax.io), Higgsfield
// (docs.higgsfield.ai), Vidu (platform.vidu.com), PixVerse (docs.platform.pixverse.ai), xAI (docs.x.ai), 2026.

const lumaRatios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];
const lumaTiers = ['540p', '720p', '1080p'];
const agentsTiers = ['360p', ...lumaTiers];

export const luma: VendorOrders = {
  provider: 'luma',
  models: [
    {
      model: 'ray-3.2-t2v',
      orders: [text, ...inSeconds(text, 5, '10'), ...inSizes(text, agentsTiers, lumaRatios), { ...text, loop: true }],
      refused: [
        {
          order: { ...text, seconds: '5s' },
          param: 'seconds',
          reason: 'A length is a number of seconds in our API, without a unit.',
        },
      ],
    },
    { model: 'ray-3.2-i2v', orders: [frame, ...inSeconds(frame, 5, 10), ...inSizes(frame, agentsTiers, lumaRatios)] },
    {
      model: 'ray-3.2-start-end',
      orders: [frames, ...inSeconds(frames, 5, '10'), ...inSizes(frames, agentsTiers, lumaRatios)],
    },
    {
      model: 'ray-3.2-video-edit',
      orders: [
        edit(5),
        edit(10),
        edit(17.5),
        { ...edit(5), seconds: 5 },
        ...lumaTiers.map((resolution) => ({ ...edit(5), resolution })),
      ],
      refused: [{ order: edit(20), param: 'input_seconds', reason: 'The vendor takes sources of at most 18 seconds.' }],
    },
  ],
};

const ray2Ratios = [...lumaRatios, '9:21'];
const ray2 = (order: OrderFields) => [
  order,
  ...inSeconds(order, 5, '9'),
  ...inSizes(order, [...lumaTiers, '4k'], ray2Ratios),
];

/** The types of lumaai 1.19.1. */
export const lumaDreamMachine: VendorOrders = {
  provider: 'luma-dream-machine',
  models: ['ray-2', 'ray-2-flash'].flatMap((name) => [
    {
      model: `${name}-t2v`,
      orders: [...ray2(text), { ...text, loop: true }],
      refused: [{ order: { ...text, seconds: 10 }, param: 'seconds', reason: 'The vendor makes 5 and 9 seconds.' }],
    },
    { model: `${name}-i2v`, orders: ray2(frame) },
    { model: `${name}-start-end`, orders: ray2(frames) },
    {
      model: `${name}-video-edit`,
      orders: [edit(5), edit(10), edit(2.5), { ...edit(5), seconds: 5 }, { ...edit(5), mode: 'adhere_1' }],
      refused: [{ order: edit(20), param: 'input_seconds', reason: 'The vendor takes sources of at most 10 seconds.' }],
    },
  ]),
};

const h3Ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];
const h3 = (order: typeof text) => [order, ...inSeconds(order, 5, 10, '15'), { ...order, watermark: true }];
const hailuoLength = {
  param: 'seconds',
  reason: 'The vendor makes 1080p only in videos of 6 seconds.',
};

export const minimax: VendorOrders = {
  provider: 'minimax',
  models: [
    {
      model: 'hailuo-2.3-t2v',
      orders: [
        text,
        ...inSeconds(text, 6, '10'),
        ...inPixels(text, '1366x768 1920x1080'),
        { ...text, prompt_extend: true },
        { ...text, watermark: true },
      ],
      refused: [{ ...hailuoLength, order: { ...text, size: '1920x1080', seconds: 10 } }],
    },
    {
      model: 'hailuo-2.3-i2v',
      orders: [
        frame,
        ...inSeconds(frame, 6, 10),
        ...inPixels(frame, '1366x768 768x1366 1920x1080 1080x1920'),
        { ...frame, prompt_extend: true },
      ],
    },
    {
      model: 'hailuo-2.3-fast-i2v',
      orders: [frame, ...inSeconds(frame, 6, 10), ...inPixels(frame, '1366x768 1920x1080')],
    },
    {
      model: 'hailuo-02-t2v',
      orders: [
        text,
        ...inSeconds(text, 6, '10'),
        ...inPixels(text, '1366x768 1920x1080'),
        { ...text, prompt_extend: false },
      ],
      refused: [{ ...hailuoLength, order: { ...text, size: '1920x1080', seconds: 10 } }],
    },
    {
      model: 'hailuo-02-i2v',
      orders: [
        frame,
        ...inSeconds(frame, 6, '10'),
        ...inPixels(frame, '912x512 512x912 1366x768 768x1366 1920x1080'),
        ...withEach(frame, { prompt_extend: true }, { watermark: true }),
      ],
      refused: [{ ...hailuoLength, order: { ...frame, size: '1920x1080', seconds: 10 } }],
    },
    {
      model: 'hailuo-02-start-end',
      orders: [frames, ...inSeconds(frames, 6, 10), ...inPixels(frames, '1366x768 1920x1080')],
    },
    ...firstMinimax,
    {
      model: 'minimax-s2v-01-r2v',
      orders: [
        references(1),
        ...inSeconds(references(1), 6),
        ...inPixels(references(1), '1280x720'),
        { ...references(1), prompt_extend: true },
      ],
      refused: [{ order: references(2), param: 'image_list', reason: 'The vendor takes one image of the subject.' }],
    },
    {
      model: 'minimax-h3-t2v',
      orders: [...h3(text), ...inSeconds(text, 4), ...inSizes(text, ['768p', '2k'], h3Ratios)],
    },
    { model: 'minimax-h3-i2v', orders: [...h3(frame), ...inSizes(frame, ['768p', '2k'], ['16:9', '9:16'])] },
    { model: 'minimax-h3-start-end', orders: [...h3(frames), ...inSizes(frames, ['768p', '2k'], ['16:9'])] },
    {
      model: 'minimax-h3-r2v',
      orders: [
        ...h3(references(1)),
        references(9),
        { ...text, video_list: [CLIP, CLIP, CLIP], input_seconds: 15 },
        { ...references(3), video_list: [CLIP] },
        { ...references(1), reference_voice: 'https://cdn.example.com/voice.mp3' },
        ...inSizes(references(1), ['768p', '2k'], h3Ratios),
      ],
    },
    {
      model: 'minimax-h3-max-t2v',
      orders: [...h3(text), ...inSizes(text, ['480p', '768p'], h3Ratios), { ...text, prompt_extend: true }],
    },
    { model: 'minimax-h3-max-i2v', orders: h3(frame) },
    { model: 'minimax-h3-max-start-end', orders: h3(frames) },
  ],
};

export const higgsfield: VendorOrders = {
  provider: 'higgsfield',
  models: [
    {
      model: 'higgsfield-dop-i2v',
      orders: [
        frame,
        ...withEach(
          frame,
          { options: 'dop-lite' },
          { options: 'dop-turbo' },
          { options: 'dop-preview' },
          { seed: 500_000 },
          { seconds: 5 },
          { prompt_extend: true },
        ),
        ...inPixels(frame, '1280x720 720x1280'),
        { ...frame, motions: [{ id: 'd2389a9a-91c2-4276-bc9c-c9e35e8fb85a', strength: 0.7 }] },
      ],
      refused: [
        {
          order: { ...frame, options: 'dop-standard' },
          param: 'options',
          reason: 'The vendor lists it in its client and refuses it.',
        },
      ],
    },
  ],
};

const viduRatios = ['16:9', '9:16', '4:3', '3:4', '1:1'];
const viduTiers = ['540p', '720p', '1080p'];
const q3 = (order: typeof text) => [
  order,
  ...inSeconds(order, 4, 5, 8, '16'),
  ...inSizes(order, viduTiers, ['16:9', '9:16']),
  ...withEach(
    order,
    { audio: true },
    { audio: false },
    { seed: 1 },
    { watermark: true },
    { movement_amplitude: 'auto' },
  ),
];
const q2 = (order: typeof text) => [
  order,
  ...inSeconds(order, 2, 4, '8'),
  ...inSizes(order, viduTiers, ['16:9', '9:16']),
  ...withEach(order, { bgm: true }, { bgm: false }, { seed: 0 }),
];

const viduQ1 = (order: OrderFields) => [order, ...inSeconds(order, 5), ...withEach(order, { bgm: true }, { seed: 0 })];
const vidu20 = (order: OrderFields) => [
  order,
  ...inSeconds(order, 4, '8'),
  ...inSizes(order, ['360p', '720p', '1080p'], ['16:9']),
  ...withEach(order, { bgm: true }, { seed: 0 }),
];

/** Vidu reads prompts of up to 5,000 characters, and Q4 of 20,000. */
const longPrompt = { prompt: 'The lantern swings in the wind. '.repeat(150) };
const q4 = (order: OrderFields) => [
  order,
  ...inSeconds(order, 3, 5, 10, '16'),
  ...inSizes(order, ['540p', '720p', '1080p', '2k', '4k'], ['16:9', '9:16']),
  ...withEach(
    order,
    { audio: true },
    { audio: false },
    { seed: 42 },
    { watermark: true },
    { prompt: longPrompt.prompt.repeat(4) },
  ),
];

export const vidu: VendorOrders = {
  provider: 'vidu',
  models: [
    { model: 'vidu-q4-preview-i2v', orders: q4(frame) },
    {
      model: 'vidu-q4-preview-r2v',
      orders: [
        ...q4(references(1)),
        references(15),
        { ...references(2), reference_voice: 'https://cdn.example.com/voice.mp3' },
        ...inSizes(references(3), ['720p', '2k'], viduRatios),
      ],
      refused: [{ order: references(16), param: 'image_list', reason: 'The vendor takes at most 15 references.' }],
    },
    ...['pro', 'turbo'].flatMap((name) => [
      {
        model: `vidu-q3-${name}-t2v`,
        orders: [...q3(text), longPrompt, ...inSeconds(text, 1), ...inSizes(text, viduTiers, viduRatios)],
      },
      { model: `vidu-q3-${name}-i2v`, orders: q3(frame) },
      { model: `vidu-q3-${name}-start-end`, orders: q3(frames) },
    ]),
    {
      model: 'vidu-q3-r2v',
      orders: [...q3(references(1)), references(7), ...inSizes(references(3), viduTiers, viduRatios)],
    },
    {
      model: 'vidu-q3-mix-r2v',
      orders: [
        references(1),
        references(7),
        ...inSeconds(references(2), 1, 8, 16),
        ...inSizes(references(3), ['720p', '1080p'], viduRatios),
      ],
    },
    { model: 'vidu-q3-turbo-r2v', orders: [...q3(references(1)), references(7)] },
    {
      model: 'vidu-q2-t2v',
      orders: [...q2(text), ...inSeconds(text, 1, 10), ...inSizes(text, viduTiers, viduRatios)],
    },
    { model: 'vidu-q3-pro-fast-i2v', orders: q3(frame) },
    { model: 'vidu-q2-i2v', orders: [...q2(frame), ...inSeconds(frame, 1, 10)] },
    { model: 'vidu-q2-pro-i2v', orders: [...q2(frame), { ...frame, ...longPrompt }, ...inSeconds(frame, 1, 10)] },
    ...[
      { model: 'vidu-q2-pro-fast-i2v', order: frame, lengths: [1, 5, 10] },
      { model: 'vidu-q2-pro-fast-start-end', order: frames, lengths: [2, 5, 8] },
    ].map(({ model, order, lengths }) => ({
      model,
      orders: [
        order,
        ...inSeconds(order, ...lengths),
        ...inSizes(order, ['720p', '1080p'], ['16:9', '9:16']),
        ...withEach(order, { bgm: true }, { bgm: false }, { seed: 0 }),
      ],
    })),
    { model: 'vidu-q2-pro-start-end', orders: q2(frames) },
    {
      model: 'vidu-q2-start-end',
      orders: q2(frames),
      refused: [
        {
          order: { ...frames, seconds: 10 },
          param: 'seconds',
          reason: 'The vendor makes 2 to 8 seconds from two frames.',
        },
      ],
    },
    {
      model: 'vidu-q2-pro-r2v',
      orders: [
        ...q2(references(1)),
        references(7),
        { ...references(4), video_list: [CLIP] },
        { ...references(1), video_list: [CLIP, CLIP], input_seconds: 10 },
      ],
      refused: [
        {
          order: { ...text, video_list: [CLIP] },
          param: 'image_list',
          reason: 'The vendor takes videos only beside images.',
        },
      ],
    },
    { model: 'vidu-q1-t2v', orders: [...viduQ1(text), ...inSizes(text, ['1080p'], ['16:9', '9:16', '1:1'])] },
    { model: 'vidu-q1-i2v', orders: viduQ1(frame) },
    { model: 'vidu-q1-start-end', orders: viduQ1(frames) },
    { model: 'vidu-q1-classic-i2v', orders: viduQ1(frame) },
    { model: 'vidu-q1-classic-start-end', orders: viduQ1(frames) },
    { model: 'vidu-q1-r2v', orders: [...viduQ1(references(1)), references(7)] },
    { model: 'vidu-2.0-i2v', orders: vidu20(frame) },
    { model: 'vidu-2.0-start-end', orders: vidu20(frames) },
    {
      model: 'vidu-2.0-r2v',
      orders: [references(3), ...inSeconds(references(1), 4), ...inSizes(references(1), ['360p', '720p'], ['16:9'])],
    },
    { model: 'vidu-q2-r2v', orders: [...q2(references(1)), references(7), ...inSeconds(references(2), 1, 10)] },
  ],
};

const pixverseRatios = ['16:9', '4:3', '1:1', '3:4', '9:16', '2:3', '3:2', '21:9'];
const pixverseTiers = ['360p', '540p', '720p', '1080p'];
const pixverseSince6 = (order: OrderFields) => [
  order,
  ...inSeconds(order, 1, 5, 8, '10', 15),
  ...inSizes(order, pixverseTiers, ['16:9', '9:16']),
  ...withEach(order, { generate_audio_switch: true }, { seed: 123 }, { negative_prompt: 'blurry' }),
];
const pixverse5 = (order: OrderFields, ...lengths: readonly (number | string)[]) => [
  order,
  ...inSeconds(order, 5, '8', ...lengths),
  ...inSizes(order, pixverseTiers, ['16:9', '9:16']),
  ...withEach(order, { seed: 123 }, { style: 'anime' }, { negative_prompt: 'blurry' }),
];
const pixverse6 = (order: typeof text) => [
  order,
  ...inSeconds(order, 1, 5, 8, '10', 15),
  ...inSizes(order, pixverseTiers, ['16:9', '9:16']),
  ...withEach(
    order,
    { generate_audio_switch: true },
    { thinking_type: 'enabled' },
    { thinking_type: 'disabled' },
    { seed: 123 },
    { style: 'anime' },
  ),
];

export const pixverse: VendorOrders = {
  provider: 'pixverse',
  models: [
    {
      model: 'pixverse-v6-t2v',
      orders: [
        ...pixverse6(text),
        ...inSizes(text, pixverseTiers, pixverseRatios),
        { ...text, generate_multi_clip_switch: true },
        { ...text, negative_prompt: 'text' },
      ],
    },
    { model: 'pixverse-v6-i2v', orders: [...pixverse6(frame), { ...frame, generate_multi_clip_switch: true }] },
    { model: 'pixverse-v6-transition', orders: pixverse6(frames) },
    {
      model: 'pixverse-c1-t2v',
      orders: [...pixverseSince6(text), ...inSizes(text, pixverseTiers, pixverseRatios)],
    },
    { model: 'pixverse-c1-i2v', orders: pixverseSince6(frame) },
    { model: 'pixverse-c1-transition', orders: pixverseSince6(frames) },
    {
      model: 'pixverse-c1-r2v',
      orders: [
        ...pixverseSince6(references(2, '@img1 walks with @img2')),
        references(7),
        ...inSizes(references(1), pixverseTiers, pixverseRatios),
      ],
    },
    ...['v5.6', 'v5.5'].flatMap((version) => [
      {
        model: `pixverse-${version}-t2v`,
        orders: [
          ...pixverse5(text, 10),
          ...inSizes(text, pixverseTiers, pixverseRatios.slice(0, 5)),
          ...withEach(text, { generate_audio_switch: true }, { thinking_type: 'enabled' }),
        ],
        refused: [
          {
            order: { ...text, size: '1920x1080', seconds: 10 },
            param: 'seconds',
            reason: 'The vendor makes 1080p only in videos of 5 and 8 seconds.',
          },
        ],
      },
      {
        model: `pixverse-${version}-i2v`,
        orders: [...pixverse5(frame, 10), { ...frame, generate_audio_switch: true }],
      },
      {
        model: `pixverse-${version}-transition`,
        orders: [...pixverse5(frames, 10), { ...frames, generate_audio_switch: true }],
      },
      { model: `pixverse-${version}-r2v`, orders: [...pixverse5(references(2), 10), references(7)] },
    ]),
    {
      model: 'pixverse-v5-t2v',
      orders: [...pixverse5(text), ...inSizes(text, pixverseTiers, pixverseRatios.slice(0, 5))],
    },
    { model: 'pixverse-v5-i2v', orders: pixverse5(frame) },
    { model: 'pixverse-v5-transition', orders: pixverse5(frames) },
    { model: 'pixverse-v5-r2v', orders: [...pixverse5(references(1)), references(3)] },
    ...['v4.5', 'v4', 'v3.5'].flatMap((version) => [
      {
        model: `pixverse-${version}-t2v`,
        orders: [...pixverse5(text), ...inSizes(text, pixverseTiers, pixverseRatios.slice(0, 5))],
        refused: [
          {
            order: { ...text, size: '1920x1080', seconds: 8 },
            param: 'seconds',
            reason: 'The vendor makes 1080p only in videos of 5 seconds.',
          },
        ],
      },
      { model: `pixverse-${version}-i2v`, orders: pixverse5(frame) },
      { model: `pixverse-${version}-transition`, orders: pixverse5(frames) },
    ]),
    { model: 'pixverse-v4.5-r2v', orders: [...pixverse5(references(1)), references(3)] },
  ],
};

const grokRatios = ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9', '5:2'];
const grok = (order: typeof text) => [
  order,
  ...inSeconds(order, 1, 5, 8, '10'),
  ...withEach(order, { generate_audio: true }, { generate_audio: false }),
];
const audioAlone = {
  order: { ...text, reference_audios: [{ voice_id: 'voice-1' }] },
  param: 'image_list',
  reason: 'Our API has no voices for this model, so that references are images.',
};

export const xai: VendorOrders = {
  provider: 'xai',
  models: [
    {
      model: 'grok-imagine-t2v',
      orders: [...grok(text), ...inSeconds(text, 15), ...inSizes(text, ['480p', '720p'], grokRatios)],
    },
    {
      model: 'grok-imagine-i2v',
      orders: [...grok(frame), ...inSeconds(frame, 15), ...inSizes(frame, ['480p', '720p'], grokRatios)],
    },
    {
      model: 'grok-imagine-r2v',
      orders: [
        ...grok(references(1)),
        references(7),
        { ...references(2), reference_voice: 'ara' },
        ...inSizes(references(2), ['480p', '720p'], grokRatios),
      ],
      refused: [audioAlone],
    },
    {
      model: 'grok-imagine-video-edit',
      orders: [edit(5), edit(8.7), edit(1), edit(3.2)],
      refused: [
        { order: edit(12), param: 'input_seconds', reason: 'The vendor takes sources of at most 8.7 seconds.' },
      ],
    },
    {
      model: 'grok-imagine-1.5-lite-t2v',
      orders: [...grok(text), ...inSizes(text, ['480p', '720p', '1080p'], grokRatios)],
      refused: [{ order: { ...text, seconds: 20 }, param: 'seconds', reason: 'The vendor makes at most 15 seconds.' }],
    },
    {
      model: 'grok-imagine-1.5-lite-i2v',
      orders: [...grok(frame), ...inSizes(frame, ['480p', '720p', '1080p'], grokRatios)],
    },
    { model: 'grok-imagine-1.5-t2v', orders: [...grok(text), ...inSizes(text, ['480p', '720p', '1080p'], grokRatios)] },
    {
      model: 'grok-imagine-1.5-i2v',
      orders: [...grok(frame), ...inSizes(frame, ['480p', '720p', '1080p'], grokRatios)],
    },
    {
      model: 'grok-imagine-1.5-r2v',
      orders: [
        ...grok(references(1)),
        ...inSeconds(references(2), 15),
        { ...references(2), reference_voice: 'ara' },
        ...inSizes(references(2), ['480p', '720p'], grokRatios),
      ],
      refused: [{ order: references(8), param: 'image_list', reason: 'The vendor takes at most seven references.' }],
    },
    {
      model: 'grok-imagine-1.5-start-end',
      orders: [...grok(frames), ...inSizes(frames, ['480p', '720p', '1080p'], grokRatios)],
    },
  ],
};
