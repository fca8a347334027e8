import type { OrderCase } from '../contract/request-cases';
import {
  CLIP,
  first,
  IMAGE,
  imageReference,
  last,
  LAST_IMAGE,
  otherReference,
  parameter,
  PROMPT as prompt,
  source,
  unshaped,
  videoReference,
} from '../support/vendor-orders';

// What each path of Kling must receive for an order, written by hand from its API reference. The id of ours is added by
// the test.

const promptPart = { type: 'prompt', text: prompt };

const unmarked = { watermark_info: { enabled: false } };
const marked = { watermark_info: { enabled: true } };

const settings = { multi_shot: false, audio: 'off', resolution: '720p', duration: 5 };
const newWatermarks = [
  [parameter('watermark', true), { options: marked }],
  [parameter('watermark', false), { options: unmarked }],
  [parameter('remove_watermark', false), { options: marked }],
  [parameter('remove_watermark', true), { options: unmarked }],
  [{ parameters: { remove_watermark: true, watermark: true } }, { options: marked }],
  [{ parameters: { remove_watermark: false, watermark: false } }, { options: unmarked }],
] as const;
const newDurations = [
  [{ seconds: 3 }, { settings: { duration: 3 } }],
  [{ seconds: 15 }, { settings: { duration: 15 } }],
] as const;
const newTiers = (...tiers: string[]) =>
  tiers.map((tier) => [{ resolution: tier }, { settings: { resolution: tier } }] as const);
const newRatios = ['9:16', '1:1'].map(
  (ratio) => [{ aspectRatio: ratio }, { settings: { aspect_ratio: ratio } }] as const,
);
const newClips = [
  [parameter('multi_clip', true), { settings: { multi_shot: true } }],
  [parameter('multi_clip', false), { settings: { multi_shot: false } }],
] as const;
const newSound = [{ audio: true }, { settings: { audio: 'native' } }] as const;

const plain = { seconds: 5, resolution: '720p', audio: false } as const;

/** Models that have other settings, or fewer. */
const smaller = (
  modelName: string,
  own: object,
  ordered: { readonly audio: boolean },
  changes: OrderCase['changes'],
) => {
  const sent = { ...own, resolution: '720p', duration: 5 };
  const all = [...changes, ...newTiers('1080p'), ...newWatermarks];
  return [
    {
      model: `${modelName}-t2v`,
      path: `/text-to-video/${modelName}`,
      order: { ...plain, ...ordered, kind: 't2v', aspectRatio: '16:9' },
      body: { prompt, settings: { ...sent, aspect_ratio: '16:9' }, options: unmarked },
      changes: [...all, ...newRatios],
    },
    {
      model: `${modelName}-i2v`,
      path: `/image-to-video/${modelName}`,
      order: { ...plain, ...ordered, ...unshaped, kind: 'i2v', media: [first] },
      body: { contents: [promptPart, { type: 'first_frame', url: IMAGE }], settings: sent, options: unmarked },
      changes: all,
    },
  ] satisfies OrderCase[];
};
const soundAt1080 = [
  { resolution: '1080p', audio: true },
  { settings: { resolution: '1080p', audio: 'native' } },
] as const;
const tenSeconds = [[{ seconds: 10 }, { settings: { duration: 10 } }]] as const;
const bothFrames = [promptPart, { type: 'first_frame', url: IMAGE }, { type: 'last_frame', url: LAST_IMAGE }];
const imagePart = { type: 'refer_image', url: IMAGE, id: 'img1' };
const otherPart = { type: 'refer_image', url: LAST_IMAGE, id: 'img2' };
const twoReferences = [promptPart, imagePart, otherPart];
const besideVideo = [
  { media: [imageReference, videoReference] },
  { contents: [promptPart, imagePart, { type: 'feature_video', url: CLIP, id: 'vid1' }] },
] as const;
const besideSource = [
  { media: [source, imageReference] },
  { contents: [promptPart, imagePart, { type: 'base_video', url: CLIP, id: 'vid1' }] },
] as const;
/** Kling 2 takes a last frame only at 1080p. */
const olderFrames = (modelName: string, own: object, sounds: OrderCase['changes'] = []): OrderCase => ({
  model: `${modelName}-start-end`,
  path: `/image-to-video/${modelName}`,
  order: { ...plain, ...unshaped, resolution: '1080p', kind: 'start-end', media: [last, first] },
  body: { contents: bothFrames, settings: { ...own, resolution: '1080p', duration: 5 }, options: unmarked },
  changes: [...tenSeconds, ...newWatermarks, ...sounds],
});

const fourthDurations = [
  [{ seconds: 3 }, { settings: { duration: 3 } }],
  [{ seconds: 30 }, { settings: { duration: 30 } }],
] as const;
const wide = [{ aspectRatio: '21:9' }, { settings: { aspect_ratio: '21:9' } }] as const;
const fourthSettings = { resolution: '720p', duration: 5 };

export const newCases: readonly OrderCase[] = [
  ...smaller('kling-3.0-turbo', {}, { audio: true }, newDurations),
  // The smaller tier is silent.
  ...smaller('kling-2.6', { audio: 'off' }, { audio: false }, [...tenSeconds, soundAt1080]),
  ...smaller('kling-2.5-turbo', {}, { audio: false }, tenSeconds),
  olderFrames('kling-2.6', { audio: 'off' }, [newSound]),
  olderFrames('kling-2.5-turbo', {}),
  ...smaller('kling-4.0', {}, { audio: true }, fourthDurations).map((one) =>
    one.order.kind === 't2v' ? { ...one, changes: [...one.changes, wide] } : one,
  ),
  {
    model: 'kling-4.0-start-end',
    path: '/image-to-video/kling-4.0',
    order: { ...plain, ...unshaped, audio: true, kind: 'start-end', media: [last, first] },
    body: { contents: bothFrames, settings: fourthSettings, options: unmarked },
    changes: [...fourthDurations, ...newTiers('1080p'), ...newWatermarks],
  },
  {
    model: 'kling-4.0-r2v',
    path: '/omni-video/kling-4.0',
    order: { ...plain, audio: true, kind: 'r2v', aspectRatio: '16:9', media: [imageReference, otherReference] },
    body: {
      contents: twoReferences,
      settings: { ...fourthSettings, aspect_ratio: '16:9' },
      options: unmarked,
    },
    changes: [...fourthDurations, ...newTiers('1080p'), ...newRatios, wide, ...newWatermarks, besideVideo],
  },
  {
    model: 'kling-4.0-video-edit',
    path: '/omni-video/kling-4.0',
    order: { ...plain, ...unshaped, audio: true, kind: 'video-edit', media: [source], outputFollowsSource: true },
    body: {
      contents: [promptPart, { type: 'base_video', url: CLIP, id: 'vid1' }],
      settings: { resolution: '720p' },
      options: unmarked,
    },
    changes: [...newTiers('1080p'), ...newWatermarks, besideSource],
  },
  {
    model: 'kling-3.0-t2v',
    path: '/text-to-video/kling-3.0',
    order: { ...plain, kind: 't2v', aspectRatio: '16:9' },
    body: { prompt, settings: { ...settings, aspect_ratio: '16:9' }, options: unmarked },
    changes: [...newDurations, ...newTiers('1080p', '4k'), ...newRatios, ...newClips, ...newWatermarks, newSound],
  },
  {
    model: 'kling-3.0-i2v',
    path: '/image-to-video/kling-3.0',
    order: { ...plain, ...unshaped, kind: 'i2v', media: [first] },
    body: { contents: [promptPart, { type: 'first_frame', url: IMAGE }], settings, options: unmarked },
    changes: [...newDurations, ...newTiers('1080p', '4k'), ...newClips, ...newWatermarks, newSound],
  },
  {
    model: 'kling-3.0-start-end',
    path: '/image-to-video/kling-3.0',
    // The frames are sent in their order, whatever that of the media.
    order: { ...plain, ...unshaped, kind: 'start-end', media: [last, first] },
    body: { contents: bothFrames, settings, options: unmarked },
    changes: [...newDurations, ...newTiers('1080p', '4k'), ...newClips, ...newWatermarks, newSound],
  },
  {
    model: 'kling-3.0-omni-t2v',
    path: '/omni-video/kling-3.0-omni',
    order: { ...plain, kind: 't2v', aspectRatio: '16:9' },
    body: { contents: [promptPart], settings: { ...settings, aspect_ratio: '16:9' }, options: unmarked },
    changes: [...newDurations, ...newTiers('1080p', '4k'), ...newRatios, ...newClips, ...newWatermarks, newSound],
  },
  {
    model: 'kling-3.0-omni-i2v',
    path: '/omni-video/kling-3.0-omni',
    order: { ...plain, ...unshaped, kind: 'i2v', media: [first] },
    body: { contents: [promptPart, { type: 'first_frame', url: IMAGE }], settings, options: unmarked },
    changes: [...newDurations, ...newTiers('1080p', '4k'), ...newClips, ...newWatermarks, newSound],
  },
  {
    model: 'kling-3.0-omni-start-end',
    path: '/omni-video/kling-3.0-omni',
    order: { ...plain, ...unshaped, kind: 'start-end', media: [last, first] },
    body: { contents: bothFrames, settings, options: unmarked },
    changes: [...newDurations, ...newTiers('1080p', '4k'), ...newClips, ...newWatermarks, newSound],
  },
  {
    model: 'kling-3.0-omni-r2v',
    path: '/omni-video/kling-3.0-omni',
    order: { ...plain, kind: 'r2v', aspectRatio: '16:9', media: [imageReference, otherReference] },
    body: {
      contents: twoReferences,
      settings: { ...settings, aspect_ratio: '16:9' },
      options: unmarked,
    },
    changes: [
      ...newDurations,
      ...newTiers('1080p', '4k'),
      ...newRatios,
      ...newClips,
      ...newWatermarks,
      newSound,
      // With a reference video Kling makes no sound, and takes no single shot.
      [besideVideo[0], { ...besideVideo[1], settings: { multi_shot: true } }],
      ...['@img1', '@image_1', '<<<image_1>>>'].map(
        (cited) =>
          [
            { prompt: `Like ${cited}, at me@image_1x` },
            { contents: [{ type: 'prompt', text: 'Like @img1, at me@image_1x' }, imagePart, otherPart] },
          ] as const,
      ),
    ],
  },
  {
    model: 'kling-3.0-omni-video-edit',
    path: '/omni-video/kling-3.0-omni',
    order: { ...plain, ...unshaped, kind: 'video-edit', audio: true, media: [source], outputFollowsSource: true },
    body: {
      contents: [promptPart, { type: 'base_video', url: CLIP, id: 'vid1' }],
      settings: { resolution: '720p', multi_shot: false, audio: 'original' },
      options: unmarked,
    },
    changes: [
      ...newTiers('1080p', '4k'),
      ...newWatermarks,
      [{ audio: false, parameters: { keep_original_sound: false } }, { settings: { audio: 'off' } }],
      besideSource,
    ],
  },
];

const legacy = { prompt, mode: 'std', sound: 'off', multi_shot: false, ...unmarked };
const legacyWatermarks = [
  [parameter('watermark', true), marked],
  [parameter('watermark', false), unmarked],
  [parameter('remove_watermark', false), marked],
  [parameter('remove_watermark', true), unmarked],
] as const;
const legacyDurations = [
  [{ seconds: 3 }, { duration: '3' }],
  [{ seconds: 15 }, { duration: '15' }],
] as const;
const legacyTier = [{ resolution: '1080p' }, { mode: 'pro' }] as const;
const legacyRatios = ['9:16', '1:1'].map((ratio) => [{ aspectRatio: ratio }, { aspect_ratio: ratio }] as const);
const legacySound = [{ audio: true }, { sound: 'on' }] as const;
const legacyChanges = [...legacyDurations, legacyTier, ...legacyWatermarks, legacySound];
const legacyVoice = [
  { resolution: '1080p', audio: true, parameters: { reference_voice: '829826751' } },
  { mode: 'pro', sound: 'on', voice_list: [{ voice_id: '829826751' }] },
] as const;
const legacyNegative = [parameter('negative_prompt', 'rain'), { negative_prompt: 'rain' }] as const;
const legacyClips = [
  [parameter('multi_clip', true), { multi_shot: true, shot_type: 'intelligence' }],
  [parameter('multi_clip', false), {}],
] as const;

/** Models without shots. */
const olderLegacy = (
  modelName: string,
  own: { readonly model_name: string; readonly sound?: string },
  soundAtPro: OrderCase['changes'] = [],
  voices: OrderCase['changes'] = [],
) => {
  const sent = { prompt, mode: 'std', ...unmarked, ...own, duration: '5' };
  const changes = [
    [{ seconds: 10 }, { duration: '10' }],
    legacyTier,
    ...legacyWatermarks,
    legacyNegative,
    ...soundAtPro,
  ] as const;
  return [
    {
      model: `${modelName}-t2v`,
      path: '/v1/videos/text2video',
      order: { ...plain, kind: 't2v', aspectRatio: '16:9' },
      body: { ...sent, aspect_ratio: '16:9' },
      changes: [...changes, ...legacyRatios],
    },
    {
      model: `${modelName}-i2v`,
      path: '/v1/videos/image2video',
      order: { ...plain, ...unshaped, kind: 'i2v', media: [first] },
      body: { ...sent, image: IMAGE },
      changes: [...changes, ...voices],
    },
    {
      model: `${modelName}-start-end`,
      path: '/v1/videos/image2video',
      order: { ...plain, ...unshaped, resolution: '1080p', kind: 'start-end', media: [last, first] },
      body: { ...sent, mode: 'pro', image: IMAGE, image_tail: LAST_IMAGE },
      changes: [[{ seconds: 10 }, { duration: '10' }], ...legacyWatermarks, legacyNegative, ...soundAtPro, ...voices],
    },
  ] satisfies OrderCase[];
};

const o1 = { model_name: 'kling-video-o1', prompt, mode: 'std', ...unmarked };
const o1References = [imageReference, otherReference];
/** Kling O1, which only this generation has. */
const o1Cases: readonly OrderCase[] = [
  {
    model: 'kling-o1-t2v',
    path: '/v1/videos/omni-video',
    order: { ...plain, kind: 't2v', aspectRatio: '16:9' },
    body: { ...o1, duration: '5', aspect_ratio: '16:9' },
    changes: [[{ seconds: 10 }, { duration: '10' }], legacyTier, ...legacyRatios, ...legacyWatermarks],
  },
  {
    model: 'kling-o1-i2v',
    path: '/v1/videos/omni-video',
    order: { ...plain, ...unshaped, kind: 'i2v', media: [first] },
    body: { ...o1, duration: '5', image_list: [{ image_url: IMAGE, type: 'first_frame' }] },
    changes: [[{ seconds: 10 }, { duration: '10' }], legacyTier, ...legacyWatermarks],
  },
  {
    model: 'kling-o1-start-end',
    path: '/v1/videos/omni-video',
    order: { ...plain, ...unshaped, kind: 'start-end', media: [last, first] },
    body: {
      ...o1,
      duration: '5',
      image_list: [
        { image_url: IMAGE, type: 'first_frame' },
        { image_url: LAST_IMAGE, type: 'end_frame' },
      ],
    },
    changes: [
      [{ seconds: 3 }, { duration: '3' }],
      [{ seconds: 10 }, { duration: '10' }],
      legacyTier,
      ...legacyWatermarks,
    ],
  },
  {
    model: 'kling-o1-r2v',
    path: '/v1/videos/omni-video',
    order: { ...plain, kind: 'r2v', aspectRatio: '16:9', media: o1References },
    body: { ...o1, duration: '5', aspect_ratio: '16:9', image_list: [{ image_url: IMAGE }, { image_url: LAST_IMAGE }] },
    changes: [
      [{ seconds: 3 }, { duration: '3' }],
      [{ seconds: 10 }, { duration: '10' }],
      legacyTier,
      ...legacyRatios,
      ...legacyWatermarks,
      [
        { media: [imageReference, videoReference], prompt: '@img1 moves as in @vid1' },
        {
          prompt: '<<<image_1>>> moves as in <<<video_1>>>',
          image_list: [{ image_url: IMAGE }],
          video_list: [{ video_url: CLIP, refer_type: 'feature', keep_original_sound: 'no' }],
        },
      ],
    ],
  },
  {
    model: 'kling-o1-video-edit',
    path: '/v1/videos/omni-video',
    order: { ...plain, ...unshaped, kind: 'video-edit', audio: true, media: [source], outputFollowsSource: true },
    body: { ...o1, video_list: [{ video_url: CLIP, refer_type: 'base', keep_original_sound: 'yes' }] },
    changes: [
      legacyTier,
      ...legacyWatermarks,
      [
        { audio: false, parameters: { keep_original_sound: false } },
        { video_list: [{ video_url: CLIP, refer_type: 'base', keep_original_sound: 'no' }] },
      ],
      [{ media: [source, imageReference] }, { image_list: [{ image_url: IMAGE }] }],
    ],
  },
];

/** A version before 2.5, of which each tier is a model. */
const firstVersion = (version: string, model_name: string, kinds: readonly string[], tier = '720p') => {
  const own = tier === '720p' || version.endsWith('-master') ? version : `${version}-pro`;
  return olderLegacy(own, { model_name })
    .filter(({ order: { kind } }) => kinds.includes(kind))
    .map(({ order, body, changes, ...rest }): OrderCase => ({
      ...rest,
      order: { ...order, resolution: tier },
      body: { ...body, mode: tier === '720p' ? 'std' : 'pro' },
      changes: changes.filter((change) => change !== legacyTier),
    }));
};

/** The versions that only this generation has. */
export const onlyLegacyCases: readonly OrderCase[] = [
  ...o1Cases,
  ...firstVersion('kling-2.1-master', 'kling-v2-1-master', ['t2v', 'i2v'], '1080p'),
  ...firstVersion('kling-2.0-master', 'kling-v2-master', ['t2v', 'i2v']),
  ...firstVersion('kling-2.1', 'kling-v2-1', ['i2v']),
  ...firstVersion('kling-2.1', 'kling-v2-1', ['i2v', 'start-end'], '1080p'),
  ...firstVersion('kling-1.6', 'kling-v1-6', ['t2v', 'i2v']),
  ...firstVersion('kling-1.6', 'kling-v1-6', ['i2v', 'start-end'], '1080p'),
  ...firstVersion('kling-1.5', 'kling-v1-5', ['i2v', 'start-end'], '1080p'),
  ...firstVersion('kling-1.0', 'kling-v1', ['t2v', 'i2v']),
];

export const legacyCases: readonly OrderCase[] = [
  ...onlyLegacyCases,
  ...olderLegacy(
    'kling-2.6',
    { model_name: 'kling-v2-6', sound: 'off' },
    [
      [
        { resolution: '1080p', audio: true },
        { mode: 'pro', sound: 'on' },
      ],
    ],
    [legacyVoice],
  ),
  ...olderLegacy('kling-2.5-turbo', { model_name: 'kling-v2-5-turbo' }),
  {
    model: 'kling-3.0-t2v',
    path: '/v1/videos/text2video',
    order: { ...plain, kind: 't2v', aspectRatio: '16:9' },
    body: { ...legacy, model_name: 'kling-v3', duration: '5', aspect_ratio: '16:9' },
    changes: [...legacyChanges, ...legacyRatios, legacyNegative, ...legacyClips],
  },
  {
    model: 'kling-3.0-i2v',
    path: '/v1/videos/image2video',
    order: { ...plain, ...unshaped, kind: 'i2v', media: [first] },
    body: { ...legacy, model_name: 'kling-v3', duration: '5', image: IMAGE },
    changes: [...legacyChanges, legacyNegative, legacyVoice, ...legacyClips],
  },
  {
    model: 'kling-3.0-start-end',
    path: '/v1/videos/image2video',
    order: { ...plain, ...unshaped, kind: 'start-end', media: [last, first] },
    body: { ...legacy, model_name: 'kling-v3', duration: '5', image: IMAGE, image_tail: LAST_IMAGE },
    changes: [...legacyChanges, legacyNegative, legacyVoice],
  },
  {
    model: 'kling-3.0-omni-t2v',
    path: '/v1/videos/omni-video',
    order: { ...plain, kind: 't2v', aspectRatio: '16:9' },
    body: { ...legacy, model_name: 'kling-v3-omni', duration: '5', aspect_ratio: '16:9' },
    changes: [...legacyChanges, ...legacyRatios],
  },
  {
    model: 'kling-3.0-omni-i2v',
    path: '/v1/videos/omni-video',
    order: { ...plain, ...unshaped, kind: 'i2v', media: [first] },
    body: {
      ...legacy,
      model_name: 'kling-v3-omni',
      duration: '5',
      image_list: [{ image_url: IMAGE, type: 'first_frame' }],
    },
    changes: legacyChanges,
  },
  {
    model: 'kling-3.0-omni-start-end',
    path: '/v1/videos/omni-video',
    order: { ...plain, ...unshaped, kind: 'start-end', media: [last, first] },
    body: {
      ...legacy,
      model_name: 'kling-v3-omni',
      duration: '5',
      image_list: [
        { image_url: IMAGE, type: 'first_frame' },
        { image_url: LAST_IMAGE, type: 'end_frame' },
      ],
    },
    changes: legacyChanges,
  },
  {
    model: 'kling-3.0-omni-r2v',
    path: '/v1/videos/omni-video',
    order: { ...plain, kind: 'r2v', aspectRatio: '16:9', media: [imageReference, otherReference] },
    body: {
      ...legacy,
      model_name: 'kling-v3-omni',
      duration: '5',
      aspect_ratio: '16:9',
      image_list: [{ image_url: IMAGE }, { image_url: LAST_IMAGE }],
    },
    changes: [
      ...legacyChanges,
      ...legacyRatios,
      [
        { media: [imageReference, videoReference], prompt: '@image_1 moves as in @vid1, at me@img1x' },
        {
          prompt: '<<<image_1>>> moves as in <<<video_1>>>, at me@img1x',
          image_list: [{ image_url: IMAGE }],
          video_list: [{ video_url: CLIP, refer_type: 'feature', keep_original_sound: 'no' }],
        },
      ],
    ],
  },
  {
    model: 'kling-3.0-omni-video-edit',
    path: '/v1/videos/omni-video',
    order: { ...plain, ...unshaped, kind: 'video-edit', audio: true, media: [source], outputFollowsSource: true },
    body: {
      ...legacy,
      model_name: 'kling-v3-omni',
      video_list: [{ video_url: CLIP, refer_type: 'base', keep_original_sound: 'yes' }],
    },
    changes: [
      legacyTier,
      ...legacyWatermarks,
      [
        { audio: false, parameters: { keep_original_sound: false } },
        { video_list: [{ video_url: CLIP, refer_type: 'base', keep_original_sound: 'no' }] },
      ],
      [{ media: [source, imageReference] }, { image_list: [{ image_url: IMAGE }] }],
    ],
  },
];
