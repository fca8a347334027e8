import {
  CLIP,
  edit,
  frame,
  frames,
  inPixels,
  inSeconds,
  inSizes,
  references,
  text,
  withEach,
  type VendorOrders,
} from './order';

// Wan and HappyHorse. Reference: the API reference of Alibaba Cloud Model Studio for video generation, 2026.

const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4'];
const tiers = ['720p', '1080p'];
const wanPixels = '1280x720 720x1280 960x960 1088x832 832x1088 1920x1080 1080x1920 1440x1440 1632x1248 1248x1632';
const horsePixels = '1280x720 720x1280 960x960 1108x832 832x1108 1920x1080 1080x1920 1440x1440 1662x1248 1248x1662';

const wan = (order: typeof text) => [
  order,
  ...inSeconds(order, 2, 5, 10, '5'),
  ...withEach(
    order,
    { seed: 12345 },
    { seed: 0 },
    { prompt_extend: true },
    { prompt_extend: false, watermark: false },
    { watermark: true },
    { negative_prompt: 'blurry, extra fingers' },
  ),
];
const horse = (order: typeof text) => [
  order,
  ...inSeconds(order, 3, 5, 8, '15'),
  ...withEach(order, { seed: 7 }, { watermark: false }, { watermark: true }),
];
const sized = (order: typeof text, pixels: string) => [...inPixels(order, pixels), ...inSizes(order, tiers, ratios)];

const tooLongNegative = {
  order: { ...text, negative_prompt: 'blurry '.repeat(80) },
  param: 'negative_prompt',
  reason: 'The vendor takes at most 500 characters.',
};

export const alibaba: VendorOrders = {
  provider: 'alibaba',
  models: [
    ...['wan-3.0', 'wan-3.0-prime'].flatMap((version) => [
      {
        model: `${version}-t2v`,
        orders: [
          ...wan(text),
          ...inSeconds(text, 15, 30),
          ...sized(text, wanPixels),
          ...inPixels(text, '832x480 480x832 624x624'),
          { ...text, audio: false },
        ],
      },
      {
        model: `${version}-i2v`,
        orders: [...wan(frame), ...inSeconds(frame, 15, 30), ...inSizes(frame, tiers, ['16:9', '9:16'])],
      },
      {
        model: `${version}-start-end`,
        orders: [...wan(frames), ...inSeconds(frames, 30), ...inSizes(frames, tiers, ['16:9'])],
      },
      {
        model: `${version}-r2v`,
        orders: [
          ...wan(references(1)),
          ...sized(references(2), wanPixels),
          references(5),
          { ...text, video_list: [CLIP] },
          { ...references(2), video_list: [CLIP] },
          { ...references(1), audio: false },
        ],
      },
    ]),
    {
      model: 'wan-2.7-t2v',
      orders: [...wan(text), ...sized(text, wanPixels), ...inSeconds(text, 15)],
      refused: [tooLongNegative],
    },
    {
      model: 'wan-2.7-i2v',
      orders: [...wan(frame), ...inSizes(frame, tiers, ['16:9', '9:16']), ...inSeconds(frame, 15)],
    },
    {
      model: 'wan-2.7-r2v',
      orders: [
        ...wan(references(1)),
        ...sized(references(2), wanPixels),
        references(5),
        { ...text, video_list: [CLIP] },
        { ...text, reference_videos: [CLIP, CLIP], input_seconds: 8 },
        { ...references(2), video_list: [CLIP] },
        { ...references(1), reference_voice: 'https://cdn.example.com/voice.mp3' },
      ],
      refused: [
        {
          order: { ...references(3), video_list: [CLIP, CLIP, CLIP] },
          param: 'image_list',
          reason: 'The vendor takes at most five references in all.',
        },
        {
          order: { ...references(1), seconds: 15 },
          param: 'seconds',
          reason: 'The vendor makes at most 10 seconds from references.',
        },
      ],
    },
    {
      model: 'wan-2.7-video-edit',
      orders: [
        edit(5),
        edit(2),
        edit(10),
        { ...edit(6), seconds: 5 },
        { ...edit(5), ...references(4) },
        { ...edit(5), keep_original_sound: false },
        ...inPixels(edit(5), '1280x720 1920x1080'),
      ],
      refused: [{ order: edit(20), param: 'input_seconds', reason: 'The vendor takes sources of 2 to 10 seconds.' }],
    },
    { model: 'wan-2.7-start-end', orders: [...wan(frames), ...inSizes(frames, tiers, ['16:9'])] },
    {
      model: 'wan-2.6-t2v',
      orders: [
        ...wan(text),
        ...sized(text, wanPixels),
        ...inSeconds(text, 15),
        { ...text, audio: false },
        { ...text, multi_clip: true },
      ],
    },
    {
      model: 'wan-2.6-flash-i2v',
      orders: [
        ...wan(frame),
        ...inSeconds(frame, 15),
        ...inSizes(frame, tiers, ['16:9', '9:16']),
        { ...frame, audio: false },
        { ...frame, multi_clip: true },
      ],
    },
    {
      model: 'wan-2.6-flash-r2v',
      orders: [
        ...wan(references(1)),
        ...sized(references(2), wanPixels),
        references(5),
        { ...text, reference_videos: [CLIP] },
        { ...references(1), audio: false },
      ],
      refused: [
        {
          order: { ...references(1), seconds: 15 },
          param: 'seconds',
          reason: 'The vendor makes at most 10 seconds from references.',
        },
      ],
    },
    {
      model: 'wan-2.5-i2v',
      orders: [
        frame,
        ...inSeconds(frame, 5, 10, '5'),
        ...inSizes(frame, ['480p', '720p', '1080p'], ['16:9', '9:16']),
        ...withEach(frame, { audio: false }, { seed: 12345 }, { prompt_extend: true }, { negative_prompt: 'blurry' }),
      ],
    },
    {
      model: 'wan-2.2-flash-start-end',
      orders: [
        frames,
        ...inSeconds(frames, 5),
        ...inSizes(frames, ['480p', '720p', '1080p'], ['16:9']),
        ...withEach(frames, { seed: 12345 }, { prompt_extend: true }, { watermark: true }, { negative_prompt: 'blur' }),
      ],
    },
    {
      model: 'wan-2.5-t2v',
      orders: [
        text,
        ...inSeconds(text, 5, 10, '5'),
        ...sized(text, wanPixels),
        ...withEach(
          text,
          { seed: 12345 },
          { prompt_extend: false },
          { watermark: true },
          { negative_prompt: 'blurry' },
        ),
      ],
      refused: [
        { order: { ...text, seconds: 8 }, param: 'seconds', reason: 'The vendor makes videos of 5 or 10 seconds.' },
      ],
    },
    { model: 'wan-2.6-i2v', orders: [...wan(frame), ...inSizes(frame, tiers, ['16:9']), { ...frame, audio: false }] },
    { model: 'wan-2.6-r2v', orders: [...wan(references(1)), references(3), { ...text, reference_videos: [CLIP] }] },
    ...['1.1', '1.0'].flatMap((version) => [
      { model: `happyhorse-${version}-t2v`, orders: [...horse(text), ...sized(text, horsePixels)] },
      { model: `happyhorse-${version}-i2v`, orders: [...horse(frame), ...inSizes(frame, tiers, ['16:9', '9:16'])] },
      {
        model: `happyhorse-${version}-r2v`,
        orders: [...horse(references(1)), references(9), ...sized(references(3), horsePixels)],
      },
    ]),
    {
      model: 'happyhorse-1.0-video-edit',
      orders: [
        edit(5),
        edit(3),
        edit(30),
        { ...edit(5), ...references(5) },
        { ...edit(5), watermark: false },
        { ...edit(8), keep_original_sound: false },
      ],
    },
  ],
};
