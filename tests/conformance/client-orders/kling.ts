import { CLIP, edit, frame, frames, inSeconds, inSizes, references, text, withEach, type VendorOrders } from './order';

// Reference: app.klingai.com/global/dev/document-api, 2026. A tier and a ratio are words there; clients compute the pixels.

const tiers = ['720p', '1080p', '4k'];
const ratios = ['16:9', '9:16', '1:1'];
const usual = (order: typeof text, ofTiers: readonly string[] = tiers) => [
  order,
  ...inSeconds(order, 3, 5, 10, '10', 15),
  ...inSizes(order, ofTiers, ratios),
  ...withEach(order, { sound: true }, { sound: false }, { multi_clip: true }, { watermark: true }),
];

const lowTiers = ['720p', '1080p'];
const lengths = (order: typeof text, ...seconds: (number | string)[]) => [
  order,
  ...inSeconds(order, ...seconds),
  { ...order, watermark: true },
];

const fourth = (order: typeof text, fourthRatios: readonly string[] = ratios) => [
  ...lengths(order, 3, 5, 10, 15, '30'),
  ...inSizes(order, lowTiers, fourthRatios),
];

const edits = [
  edit(5),
  edit(3),
  edit(10),
  { ...edit(5), keep_original_sound: false },
  { ...edit(5), ...references(2) },
];

const besideVideo = {
  order: { ...references(5), video_list: [CLIP] },
  param: 'image_list',
  reason: 'The vendor takes at most four images beside a reference video.',
};

export const kling: VendorOrders = {
  provider: 'kling',
  models: [
    {
      model: 'kling-4.0-t2v',
      orders: fourth(text, [...ratios, '21:9']),
      refused: [{ order: { ...text, seconds: 45 }, param: 'seconds', reason: 'The vendor makes at most 30 seconds.' }],
    },
    { model: 'kling-4.0-i2v', orders: fourth(frame) },
    { model: 'kling-4.0-start-end', orders: fourth(frames) },
    {
      model: 'kling-4.0-r2v',
      orders: [
        ...[1, 2, 7, 10].map((count) => references(count, 'The dog of @img1 runs')),
        { ...text, video_list: [CLIP] },
        { ...references(10), video_list: [CLIP, CLIP], input_seconds: 9.5 },
      ],
      refused: [
        {
          order: { ...text, video_list: [CLIP], input_seconds: 31 },
          param: 'input_seconds',
          reason: 'The vendor takes at most 30 seconds of reference videos.',
        },
      ],
    },
    {
      model: 'kling-4.0-video-edit',
      orders: [edit(3), edit(12), edit(30), { ...edit(5), ...references(10) }, { ...edit(5), size: '1920x1080' }],
      refused: [{ order: edit(31), param: 'input_seconds', reason: 'The vendor takes sources of 3 to 30 seconds.' }],
    },
    {
      model: 'kling-3.0-t2v',
      orders: [...usual(text), { ...text, negative_prompt: 'blur' }, { ...text, cfg_scale: 0.5 }],
    },
    { model: 'kling-3.0-i2v', orders: usual(frame) },
    { model: 'kling-3.0-start-end', orders: usual(frames) },
    { model: 'kling-3.0-omni-t2v', orders: usual(text) },
    { model: 'kling-3.0-omni-i2v', orders: usual(frame) },
    { model: 'kling-3.0-omni-start-end', orders: usual(frames) },
    {
      model: 'kling-3.0-omni-r2v',
      orders: [
        ...[1, 2, 4, 7].map((count) => references(count, 'The dog of @image_1 runs')),
        ...inSizes(references(2), ['720p', '1080p'], ratios),
        { ...text, video_list: [CLIP] },
        { ...references(4), video_list: [{ video_url: CLIP, refer_type: 'feature' }] },
        { ...references(1), sound: false, seconds: 10 },
      ],
      refused: [
        { order: references(8), param: 'image_list', reason: 'The vendor takes at most seven reference images.' },
        besideVideo,
      ],
    },
    {
      model: 'kling-3.0-omni-video-edit',
      orders: [...edits, { ...edit(5), size: '1920x1080' }],
    },
    {
      model: 'kling-o1-t2v',
      orders: [...lengths(text, 5, '10'), ...inSizes(text, lowTiers, ratios)],
      refused: [{ order: { ...text, seconds: 7 }, param: 'seconds', reason: 'The vendor makes 5 or 10 seconds.' }],
    },
    { model: 'kling-o1-i2v', orders: [...lengths(frame, 5, '10'), ...inSizes(frame, lowTiers, ratios)] },
    { model: 'kling-o1-start-end', orders: [...lengths(frames, 3, 5, '10'), ...inSizes(frames, lowTiers, ratios)] },
    {
      model: 'kling-o1-r2v',
      orders: [
        ...[1, 2, 4, 7].map((count) => references(count, 'The dog of @image_1 runs')),
        ...lengths(references(2), 3, 5, 10),
        ...inSizes(references(2), lowTiers, ratios),
        { ...text, video_list: [CLIP] },
        { ...references(4), video_list: [{ video_url: CLIP, refer_type: 'feature' }] },
      ],
      refused: [besideVideo],
    },
    {
      model: 'kling-o1-video-edit',
      orders: edits,
    },
    { model: 'kling-3.0-turbo-t2v', orders: [...lengths(text, 3, 5, '15'), ...inSizes(text, lowTiers, ratios)] },
    { model: 'kling-3.0-turbo-i2v', orders: [...lengths(frame, 3, 5, '15'), ...inSizes(frame, lowTiers, ratios)] },
    ...['kling-2.1', 'kling-1.6', 'kling-1.0'].map((model) => ({
      model: `${model}-i2v`,
      orders: [...lengths(frame, 5, '10'), { ...frame, negative_prompt: 'blur' }, { ...frame, size: '1280x720' }],
    })),
    ...['kling-1.6', 'kling-1.0'].map((model) => ({
      model: `${model}-t2v`,
      orders: [...lengths(text, 5, '10'), ...inSizes(text, ['720p'], ratios), { ...text, negative_prompt: 'blur' }],
    })),
    ...[
      ['kling-2.1-master', '1080p'],
      ['kling-2.0-master', '720p'],
    ].flatMap(([model, tier = '']) => [
      {
        model: `${model}-t2v`,
        orders: [...lengths(text, 5, '10'), ...inSizes(text, [tier], ratios), { ...text, negative_prompt: 'blur' }],
      },
      { model: `${model}-i2v`, orders: [...lengths(frame, 5, '10'), { ...frame, cfg_scale: 0.5 }] },
    ]),
    ...['kling-2.1-pro', 'kling-1.6-pro', 'kling-1.5-pro'].flatMap((model) => [
      { model: `${model}-i2v`, orders: [...lengths(frame, 5, '10'), { ...frame, negative_prompt: 'blur' }] },
      { model: `${model}-start-end`, orders: [...lengths(frames, 5, '10'), { ...frames, size: '1920x1080' }] },
    ]),
    ...['kling-2.6', 'kling-2.5-turbo'].flatMap((model) => [
      {
        model: `${model}-t2v`,
        orders: [...lengths(text, 5, '10'), ...inSizes(text, lowTiers, ratios), { ...text, negative_prompt: 'blur' }],
        refused: [{ order: { ...text, seconds: 8 }, param: 'seconds', reason: 'The vendor makes 5 or 10 seconds.' }],
      },
      { model: `${model}-i2v`, orders: [...lengths(frame, 5, '10'), ...inSizes(frame, lowTiers, ratios)] },
      {
        model: `${model}-start-end`,
        orders: [...lengths(frames, 5, '10'), ...inSizes(frames, ['1080p'], ratios)],
        refused: [
          {
            order: { ...frames, size: '1280x720' },
            param: 'size',
            reason: 'The vendor takes a last frame only at 1080p.',
          },
        ],
      },
    ]),
  ],
};
