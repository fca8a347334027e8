import type { VideoKind } from '../../../lib/domain/video';
import type { ApiCase, OrderCase, RequestCase } from '../contract/request-cases';
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
  VOICE,
  type OrderChange,
} from '../support/vendor-orders';

// What WaveSpeed must receive for a request, written by hand from its API reference.

type Body = OrderCase['body'];
type Change = OrderCase['changes'][number];

const viduFrames: ApiCase = {
  model: 'vidu-q2-start-end',
  path: '/api/v3/vidu/start-end-to-video-q2-turbo',
  request: { prompt, image_list: [IMAGE, LAST_IMAGE] },
  body: {
    image: IMAGE,
    last_image: LAST_IMAGE,
    prompt,
    duration: 5,
    resolution: '720p',
    bgm: true,
    movement_amplitude: 'auto',
  },
  changes: [
    [{ seconds: 2 }, { duration: 2 }],
    [{ seconds: 8 }, { duration: 8 }],
    [{ size: '1280x720' }, {}],
    [{ size: '720x1280' }, {}],
    [{ size: '960x960' }, {}],
    [{ size: '960x540' }, { resolution: '540p' }],
    [{ size: '1080x1920' }, { resolution: '1080p' }],
    [{ bgm: true }, {}],
    [{ bgm: false }, { bgm: false }],
    [{ seed: 0 }, { seed: 0 }],
    [{ seed: 2_147_483_647 }, { seed: 2_147_483_647 }],
    // WaveSpeed has no such fields.
    [{ watermark: true, remove_watermark: false }, {}],
  ],
};

interface OfKind {
  /** In addition to what the models of the group send for every kind. */
  readonly body?: Body;
  readonly changes?: readonly Change[];
}

/** Models that differ in their names, and the tiers that are in those names. */
interface Group {
  /** Each with the tier of its plain order. */
  readonly models: Readonly<Record<string, string>>;
  readonly order: OrderChange & Pick<OrderCase['order'], 'seconds' | 'audio'>;
  /** The changes of every kind. */
  readonly changes: readonly Change[];
  readonly body: Body;
  readonly kinds: Partial<Readonly<Record<VideoKind, OfKind>>>;
  /** Is the ratio of a video from frames chosen by the request? */
  readonly shapesFrames?: boolean;
}

const mediaOfKind: Readonly<Record<VideoKind, OrderChange>> = {
  t2v: {},
  i2v: { media: [first] },
  // The frames have their names, whatever the order of the media.
  'start-end': { media: [last, first] },
  r2v: { media: [imageReference] },
  'video-edit': { media: [source] },
};

const lengths = (...seconds: readonly number[]): Change[] =>
  seconds.map((each) => [{ seconds: each }, { duration: each }]);
const tiers = (...names: readonly string[]): Change[] =>
  names.map((each) => [{ resolution: each }, { resolution: each }]);
const shapes = (...ratios: readonly string[]): Change[] =>
  ratios.map((each) => [{ aspectRatio: each }, { aspect_ratio: each }]);
const negative: Change = [parameter('negative_prompt', 'rain'), { negative_prompt: 'rain' }];
const seeds: Change[] = [
  [{ seed: 0 }, { seed: 0 }],
  [{ seed: 2_147_483_647 }, { seed: 2_147_483_647 }],
];
const silent = (field: string): Change => [{ audio: false }, { [field]: false }];
const expansion: Change[] = [
  [parameter('prompt_extend', true), { enable_prompt_expansion: true }],
  [parameter('prompt_extend', false), {}],
];

const wide = { aspect_ratio: '16:9' };
const framesTo = (lastField: string): Group['kinds'] => ({
  i2v: { body: { image: IMAGE } },
  'start-end': { body: { image: IMAGE, [lastField]: LAST_IMAGE } },
});
const still = { i2v: { body: { image: IMAGE } } };
const threeShapes = { t2v: { body: wide, changes: shapes('9:16', '1:1') } };
const references: Change = [{ media: [imageReference, otherReference] }, { images: [IMAGE, LAST_IMAGE] }];

const veo = {
  order: { seconds: 8, audio: true },
  body: { duration: 8, resolution: '720p', generate_audio: true, ...wide },
  changes: [...lengths(4, 6), ...tiers('1080p', '4k'), ...shapes('9:16'), silent('generate_audio'), negative, ...seeds],
  shapesFrames: true,
} as const;
const oldKling = {
  order: { seconds: 5, audio: false },
  body: { duration: 5 },
  changes: [...lengths(10), negative],
} as const;
const soundOf = (field: string): Change => [{ audio: true }, { [field]: true }];
const kling3 = {
  order: { seconds: 5, audio: false },
  body: { duration: 5, sound: false },
  changes: [...lengths(3, 15), soundOf('sound')],
} as const;
const wan = {
  order: { seconds: 5, audio: true },
  body: { duration: 5, enable_prompt_expansion: false },
  changes: [negative, ...expansion, ...seeds],
} as const;
const shots: Change[] = [
  [parameter('multi_clip', true), { shot_type: 'multi', enable_prompt_expansion: true }],
  [parameter('multi_clip', false), {}],
];
const sizes = {
  ofHd: [
    [{ resolution: '1080p' }, { size: '1920*1080' }],
    [{ resolution: '1080p', aspectRatio: '9:16' }, { size: '1080*1920' }],
    [{ aspectRatio: '9:16' }, { size: '720*1280' }],
  ],
  of480p: [
    [{ resolution: '480p' }, { size: '832*480' }],
    [{ resolution: '480p', aspectRatio: '9:16' }, { size: '480*832' }],
  ],
} satisfies Readonly<Record<string, Change[]>>;
const hailuo = {
  order: { seconds: 6, audio: false },
  body: { duration: 6, enable_prompt_expansion: false },
  changes: [...lengths(10), ...expansion],
} as const;
const hailuoPro = {
  order: { seconds: 6, audio: false },
  body: { enable_prompt_expansion: false },
  changes: expansion,
} as const;
const grok = {
  order: { seconds: 6, audio: true },
  body: { duration: 6, resolution: '720p' },
  changes: [...lengths(10), ...tiers('480p')],
} as const;
const seedance = {
  order: { seconds: 5, audio: true },
  body: { duration: 5, resolution: '720p', generate_audio: true, ...wide },
  shapesFrames: true,
} as const;
const seedanceChanges = [
  ...lengths(4, 15),
  ...tiers('480p'),
  ...shapes('9:16', '1:1', '4:3', '3:4', '21:9'),
  silent('generate_audio'),
];
/** Without a ratio, a video has the shape of its frame. */
const adaptive: Change = [{ aspectRatio: 'adaptive' }, { aspect_ratio: undefined } as unknown as Body];
const seedanceKinds = (...changes: readonly Change[]): Group['kinds'] => ({
  t2v: { changes },
  i2v: { body: { image: IMAGE }, changes: [...changes, adaptive] },
  'start-end': { body: { image: IMAGE, last_image: LAST_IMAGE }, changes: [...changes, adaptive] },
  r2v: {
    body: { reference_images: [IMAGE] },
    changes: [
      ...changes,
      [{ media: [imageReference, otherReference] }, { reference_images: [IMAGE, LAST_IMAGE] }],
      [parameter('reference_voice', VOICE), { reference_audios: [VOICE] }],
    ],
  },
});
const inTiers = (name: (tier: string) => string, ...of: readonly (readonly [tier: string, resolution: string])[]) =>
  Object.fromEntries(of.map(([tier, resolution]) => [name(tier), resolution]));
const std = ['std', '720p'] as const;
const pro = ['pro', '1080p'] as const;
const in4k = ['4k', '4k'] as const;

const groups: readonly Group[] = [
  {
    ...veo,
    models: { 'google/veo3.1/text-to-video': '720p', 'google/veo3.1-fast/text-to-video': '720p' },
    kinds: { t2v: {} },
  },
  {
    ...veo,
    models: { 'google/veo3.1/image-to-video': '720p', 'google/veo3.1-fast/image-to-video': '720p' },
    kinds: framesTo('last_image'),
  },
  {
    ...veo,
    models: { 'google/veo3.1/reference-to-video': '720p' },
    body: { resolution: '720p', generate_audio: true },
    changes: [...tiers('1080p', '4k'), silent('generate_audio'), negative, ...seeds],
    kinds: { r2v: { body: { images: [IMAGE] }, changes: [references] } },
  },
  {
    ...veo,
    models: { 'google/veo3.1-fast/reference-to-video': '720p' },
    body: { resolution: '720p', generate_audio: true, ...wide },
    changes: [...tiers('1080p'), ...shapes('9:16'), silent('generate_audio'), negative, ...seeds],
    kinds: { r2v: { body: { images: [IMAGE] }, changes: [references] } },
  },
  {
    ...veo,
    models: { 'google/veo3.1-lite/text-to-video': '720p' },
    body: { duration: 8, resolution: '720p', ...wide },
    changes: [...lengths(4, 6), ...tiers('1080p'), ...shapes('9:16'), negative, ...seeds],
    kinds: { t2v: {} },
  },
  {
    ...veo,
    models: { 'google/veo3.1-lite/start-end-to-video': '720p' },
    body: { resolution: '720p', ...wide },
    changes: [...tiers('1080p'), ...shapes('9:16'), negative, ...seeds],
    kinds: { 'start-end': { body: { image: IMAGE, last_image: LAST_IMAGE } } },
  },
  {
    ...veo,
    models: { 'google/veo3.1-lite/image-to-video': '720p' },
    body: { duration: 8, resolution: '720p', ...wide },
    changes: [...lengths(4, 6), ...tiers('1080p'), ...shapes('9:16'), negative, ...seeds],
    kinds: still,
  },
  {
    ...kling3,
    models: inTiers((tier) => `kwaivgi/kling-v3.0-${tier}/text-to-video`, std, pro, in4k),
    changes: [...kling3.changes, negative],
    kinds: threeShapes,
  },
  {
    ...kling3,
    models: inTiers((tier) => `kwaivgi/kling-v3.0-${tier}/image-to-video`, std, pro, in4k),
    changes: [...kling3.changes, negative],
    kinds: framesTo('end_image'),
  },
  {
    ...kling3,
    models: inTiers((tier) => `kwaivgi/kling-video-o3-${tier}/text-to-video`, std, pro, in4k),
    kinds: threeShapes,
  },
  {
    ...kling3,
    models: inTiers((tier) => `kwaivgi/kling-video-o3-${tier}/image-to-video`, std, pro, in4k),
    kinds: framesTo('end_image'),
  },
  {
    ...kling3,
    models: inTiers((tier) => `kwaivgi/kling-video-o3-${tier}/reference-to-video`, std, pro, in4k),
    kinds: { r2v: { body: { images: [IMAGE], ...wide }, changes: [references, ...shapes('9:16', '1:1')] } },
  },
  {
    models: inTiers((tier) => `kwaivgi/kling-video-o3-${tier}/video-edit`, std, pro, in4k),
    order: { seconds: 5, audio: true },
    body: { video: CLIP, keep_original_sound: true },
    changes: [
      [{ audio: false, parameters: { keep_original_sound: false } }, { keep_original_sound: false }],
      [{ parameters: { keep_original_sound: true } }, {}],
    ],
    kinds: { 'video-edit': {} },
  },
  {
    models: { 'kwaivgi/kling-video-o1-std/image-to-video': '720p' },
    order: { seconds: 5, audio: false },
    body: { duration: 5 },
    changes: lengths(10),
    kinds: {
      i2v: { body: { image: IMAGE } },
      'start-end': { body: { image: IMAGE, last_image: LAST_IMAGE }, changes: lengths(3) },
    },
  },
  {
    ...oldKling,
    models: { 'kwaivgi/kling-v1.6-multi-i2v-pro': '1080p' },
    kinds: { r2v: { body: { images: [IMAGE], ...wide }, changes: [references, ...shapes('9:16', '1:1')] } },
  },
  {
    ...oldKling,
    models: { 'kwaivgi/kling-v2.6-pro/text-to-video': '1080p' },
    body: { duration: 5, sound: false },
    changes: [...oldKling.changes, soundOf('sound')],
    kinds: threeShapes,
  },
  {
    ...oldKling,
    models: { 'kwaivgi/kling-v2.6-pro/image-to-video': '1080p' },
    body: { duration: 5, sound: false },
    changes: [...oldKling.changes, soundOf('sound')],
    kinds: framesTo('last_image'),
  },
  {
    ...oldKling,
    models: {
      'kwaivgi/kling-v2.6-std/text-to-video': '720p',
      'kwaivgi/kling-v2.5-turbo-pro/text-to-video': '1080p',
      'kwaivgi/kling-v2.1-t2v-master': '1080p',
      'kwaivgi/kling-v1.6-t2v-standard': '720p',
    },
    kinds: threeShapes,
  },
  {
    ...oldKling,
    models: {
      'kwaivgi/kling-v2.6-std/image-to-video': '720p',
      'kwaivgi/kling-v2.5-turbo-std/image-to-video': '720p',
      'kwaivgi/kling-v2.1-i2v-master': '1080p',
      'kwaivgi/kling-v2.1-i2v-pro': '1080p',
      'kwaivgi/kling-v2.1-i2v-standard': '720p',
      'kwaivgi/kling-v1.6-i2v-standard': '720p',
    },
    kinds: still,
  },
  { ...oldKling, models: { 'kwaivgi/kling-v2.5-turbo-pro/image-to-video': '1080p' }, kinds: framesTo('last_image') },
  { ...oldKling, models: { 'kwaivgi/kling-v1.6-i2v-pro': '1080p' }, kinds: framesTo('end_image') },
  {
    ...oldKling,
    models: { 'kwaivgi/kling-v2.1-i2v-pro/start-end-frame': '1080p' },
    kinds: { 'start-end': { body: { image: IMAGE, end_image: LAST_IMAGE } } },
  },
  ...(
    [
      ['2.0', tiers('1080p', '4k')],
      ['2.0-fast', tiers('1080p')],
    ] as const
  ).flatMap(([version, more]): Group[] => {
    const { t2v, r2v, ...fromImages } = seedanceKinds(...more);
    const group = { ...seedance, changes: seedanceChanges };
    return [
      {
        ...group,
        models: { [`bytedance/seedance-${version}/text-to-video`]: '720p' },
        kinds: { t2v: t2v ?? {}, r2v: r2v ?? {} },
      },
      { ...group, models: { [`bytedance/seedance-${version}/image-to-video`]: '720p' }, kinds: fromImages },
    ];
  }),
  {
    ...wan,
    models: { 'alibaba/wan-2.7/text-to-video': '720p' },
    body: { ...wan.body, resolution: '720p' },
    changes: [...wan.changes, ...lengths(2, 15), ...tiers('1080p')],
    kinds: { t2v: { body: wide, changes: shapes('9:16', '1:1', '4:3', '3:4') } },
  },
  {
    ...wan,
    models: { 'alibaba/wan-2.7/image-to-video': '720p' },
    body: { ...wan.body, resolution: '720p' },
    changes: [...wan.changes, ...lengths(2, 15), ...tiers('1080p')],
    kinds: framesTo('last_image'),
  },
  {
    ...wan,
    models: { 'alibaba/wan-2.7/video-edit': '720p' },
    body: { ...wan.body, resolution: '720p' },
    changes: [...wan.changes, ...lengths(2, 10), ...tiers('1080p')],
    kinds: {
      'video-edit': {
        body: { video: CLIP, audio_setting: 'origin' },
        changes: [
          [{ audio: false, parameters: { keep_original_sound: false } }, { audio_setting: 'auto' }],
          [{ parameters: { keep_original_sound: true } }, {}],
          // As long as the source.
          [{ seconds: 5, inputMillis: 4_600 }, { duration: 0 }],
          [{ seconds: 5, inputMillis: 9_000 }, { duration: 5 }],
          [{ media: [source, imageReference, otherReference] }, { images: [IMAGE, LAST_IMAGE] }],
        ],
      },
    },
  },
  {
    ...wan,
    models: { 'alibaba/wan-2.6/text-to-video': '720p' },
    body: { ...wan.body, size: '1280*720', shot_type: 'single' },
    changes: [...wan.changes, ...shots, ...lengths(10, 15), ...sizes.ofHd],
    kinds: { t2v: {} },
  },
  {
    ...wan,
    models: { 'alibaba/wan-2.6/image-to-video': '720p' },
    body: { ...wan.body, resolution: '720p', shot_type: 'single' },
    changes: [...wan.changes, ...shots, ...lengths(10, 15), ...tiers('1080p')],
    kinds: still,
  },
  {
    ...wan,
    models: { 'alibaba/wan-2.5/text-to-video': '720p' },
    body: { ...wan.body, size: '1280*720' },
    changes: [...wan.changes, ...lengths(10), ...sizes.ofHd, ...sizes.of480p],
    kinds: { t2v: {} },
  },
  {
    ...wan,
    models: { 'alibaba/wan-2.5/image-to-video': '720p' },
    body: { ...wan.body, resolution: '720p' },
    changes: [...wan.changes, ...lengths(10), ...tiers('480p', '1080p')],
    kinds: still,
  },
  {
    ...hailuo,
    models: { 'minimax/hailuo-2.3/t2v-standard': '768p', 'minimax/hailuo-02/t2v-standard': '768p' },
    kinds: { t2v: {} },
  },
  { ...hailuo, models: { 'minimax/hailuo-2.3/i2v-standard': '768p' }, kinds: still },
  { ...hailuo, models: { 'minimax/hailuo-02/i2v-standard': '768p' }, kinds: framesTo('end_image') },
  {
    ...hailuo,
    models: { 'minimax/hailuo-2.3/fast': '768p' },
    kinds: still,
  },
  {
    ...hailuoPro,
    models: { 'minimax/hailuo-2.3/t2v-pro': '1080p', 'minimax/hailuo-02/t2v-pro': '1080p' },
    kinds: { t2v: {} },
  },
  { ...hailuoPro, models: { 'minimax/hailuo-2.3/i2v-pro': '1080p' }, kinds: still },
  { ...hailuoPro, models: { 'minimax/hailuo-02/i2v-pro': '1080p' }, kinds: framesTo('end_image') },
  ...(['text', 'image', 'reference'] as const).map((task): Group => ({
    models: { [`minimax/h3/${task}-to-video`]: '768p' },
    order: { seconds: 5, audio: true },
    body: { duration: 5, resolution: '768p' },
    changes: [
      ...lengths(4, 15),
      ...tiers('2k'),
      ...(task === 'image' ? [] : shapes('9:16', '1:1', '4:3', '3:4', '21:9')),
      // It has no such field.
      [parameter('watermark', true), {}],
    ],
    kinds: {
      text: { t2v: { body: wide } },
      image: framesTo('last_image'),
      reference: {
        r2v: {
          body: { ...wide, reference_images: [IMAGE] },
          changes: [
            [{ media: [imageReference, otherReference] }, { reference_images: [IMAGE, LAST_IMAGE] }],
            [parameter('reference_voice', VOICE), { reference_audios: [VOICE] }],
          ] satisfies Change[],
        },
      },
    }[task],
  })),
  ...(['text', 'image'] as const).map((task): Group => ({
    models: { [`luma/ray-3.2/${task}-to-video`]: '720p' },
    order: { seconds: 5, audio: false },
    // The ratio has another name.
    body: { duration: 5, resolution: '720p', size: '16:9' },
    changes: [
      ...(task === 'text' ? lengths(10) : []),
      ...tiers('540p', '1080p'),
      ...['9:16', '1:1', '4:3', '3:4'].map((ratio): Change => [{ aspectRatio: ratio }, { size: ratio }]),
    ],
    kinds: task === 'text' ? { t2v: {} } : framesTo('last_image'),
    shapesFrames: true,
  })),
  {
    models: { 'vidu/q3/reference-to-video': '720p' },
    order: { seconds: 5, audio: true },
    body: { duration: 5, resolution: '720p', generate_audio: true, ...wide },
    changes: [
      ...lengths(1, 16),
      ...tiers('1080p'),
      ...shapes('9:16', '4:3', '3:4', '1:1'),
      silent('generate_audio'),
      ...seeds,
    ],
    kinds: { r2v: { body: { images: [IMAGE] }, changes: [references] } },
  },
  {
    ...seedance,
    models: { 'bytedance/seedance-2.5/text-to-video': '720p' },
    changes: [...seedanceChanges, ...lengths(30), ...tiers('1080p', '4k')],
    kinds: { t2v: {} },
  },
  {
    ...seedance,
    models: { 'bytedance/seedance-2.5/image-to-video': '720p' },
    body: { duration: 5, resolution: '720p', generate_audio: true },
    changes: [...lengths(4, 30), ...tiers('480p', '1080p', '4k'), silent('generate_audio')],
    kinds: framesTo('last_image'),
    shapesFrames: false,
  },
  {
    ...seedance,
    models: { 'bytedance/seedance-v1.5-pro/text-to-video': '720p' },
    changes: [
      ...seedanceChanges.filter(([{ seconds }]) => seconds !== 15),
      ...lengths(12),
      ...tiers('1080p'),
      ...seeds,
    ],
    kinds: { t2v: {} },
  },
  {
    ...seedance,
    models: { 'bytedance/seedance-v1.5-pro/image-to-video': '720p' },
    changes: [
      ...seedanceChanges.filter(([{ seconds }]) => seconds !== 15),
      ...lengths(12),
      ...tiers('1080p'),
      ...seeds,
      adaptive,
    ],
    kinds: framesTo('last_image'),
  },
  ...['480p', '720p', '1080p'].flatMap((tier): Group[] => {
    const group = {
      order: { seconds: 5, audio: false },
      changes: [...lengths(10), ...seeds, ...shapes('9:16', '1:1', '4:3', '3:4', '21:9')],
      body: { duration: 5, ...wide },
      shapesFrames: true,
    } as const;
    const named = (task: string) => ({
      [`bytedance/seedance-v1-pro-${task}-${tier}`]: tier,
      [`bytedance/seedance-v1-lite-${task}-${tier}`]: tier,
    });
    return [
      { ...group, models: named('t2v'), kinds: { t2v: {} } },
      { ...group, models: named('i2v'), changes: [...group.changes, adaptive], kinds: framesTo('last_image') },
    ];
  }),
  {
    models: { 'bytedance/seedance-v1-lite/reference-to-video': '720p' },
    order: { seconds: 5, audio: false },
    body: { duration: 5, resolution: '720p', reference_images: [IMAGE] },
    changes: [
      ...lengths(10),
      ...seeds,
      [{ media: [imageReference, otherReference] }, { reference_images: [IMAGE, LAST_IMAGE] }],
    ],
    kinds: { r2v: {} },
  },
  ...['wan-3.0', 'wan-3.0-prime'].flatMap((version): Group[] => {
    const group = {
      order: { seconds: 5, audio: true },
      body: { duration: 5, resolution: '720p', generate_audio: true, enable_prompt_expansion: false, ...wide },
      changes: [
        ...lengths(2, 30),
        ...tiers('480p', '1080p'),
        ...shapes('9:16', '1:1', '4:3', '3:4'),
        silent('generate_audio'),
        ...expansion,
        ...seeds,
      ],
      shapesFrames: true,
    } as const;
    return [
      { ...group, models: { [`alibaba/${version}/text-to-video`]: '720p' }, kinds: { t2v: {} } },
      {
        ...group,
        models: { [`alibaba/${version}/image-to-video`]: '720p' },
        changes: [...group.changes, adaptive],
        kinds: framesTo('last_image'),
      },
      {
        ...group,
        models: { [`alibaba/${version}/reference-to-video`]: '720p' },
        changes: [...group.changes, adaptive],
        kinds: {
          r2v: {
            body: { reference_images: [IMAGE] },
            changes: [[{ media: [imageReference, otherReference] }, { reference_images: [IMAGE, LAST_IMAGE] }]],
          },
        },
      },
    ];
  }),
  ...['1.0', '1.1'].flatMap((version): Group[] => {
    const group = {
      order: { seconds: 5, audio: true },
      body: { duration: 5, resolution: '720p' },
      changes: [...lengths(3, 15), ...tiers('1080p'), ...seeds],
    } as const;
    const shaped = { body: wide, changes: shapes('9:16', '1:1', '4:3', '3:4') };
    return [
      { ...group, models: { [`alibaba/happyhorse-${version}/text-to-video`]: '720p' }, kinds: { t2v: shaped } },
      { ...group, models: { [`alibaba/happyhorse-${version}/image-to-video`]: '720p' }, kinds: still },
      {
        ...group,
        models: { [`alibaba/happyhorse-${version}/reference-to-video`]: '720p' },
        kinds: { r2v: { body: { ...wide, images: [IMAGE] }, changes: [references, ...shaped.changes] } },
      },
    ];
  }),
  {
    models: { 'alibaba/happyhorse-1.0/video-edit': '720p' },
    order: { seconds: 5, audio: true },
    body: { video: CLIP, resolution: '720p' },
    changes: [
      ...tiers('1080p'),
      ...seeds,
      [{ media: [source, imageReference, otherReference] }, { images: [IMAGE, LAST_IMAGE] }],
    ],
    kinds: { 'video-edit': {} },
  },
  ...['pro', 'turbo']
    .map((version): Group => {
      const name = (task: string) => `vidu/q3-${version}/${task}-to-video`;
      return {
        models: { [name('text')]: '720p', [name('image')]: '720p', [name('start-end')]: '720p' },
        order: { seconds: 5, audio: true },
        body: { duration: 5, resolution: '720p', generate_audio: true, bgm: true, movement_amplitude: 'auto' },
        changes: [
          ...lengths(1, 16),
          ...tiers('540p', '1080p'),
          [{ audio: false }, { generate_audio: false, bgm: false }],
          ...seeds,
        ],
        kinds: {
          t2v: {},
          i2v: { body: { image: IMAGE } },
          'start-end': { body: { image: IMAGE, last_image: LAST_IMAGE } },
        },
      };
    })
    .flatMap(({ models, kinds, ...group }): Group[] =>
      Object.keys(models).map((name, index) => ({
        ...group,
        models: { [name]: '720p' },
        kinds: Object.fromEntries(Object.entries(kinds).slice(index, index + 1)),
      })),
    ),
  ...(['image', 'reference'] as const).map((task): Group => ({
    models: { [`vidu/q4-preview/${task}-to-video`]: '720p' },
    order: { seconds: 5, audio: true },
    body: { duration: 5, resolution: '720p', generate_audio: true },
    changes: [...lengths(3, 16), ...tiers('540p', '1080p', '2k', '4k'), silent('generate_audio'), ...seeds],
    kinds:
      task === 'image'
        ? still
        : {
            r2v: {
              body: { images: [IMAGE], ...wide },
              changes: [
                references,
                ...shapes('9:16', '4:3', '3:4', '1:1'),
                [parameter('reference_voice', VOICE), { audios: [VOICE] }],
              ],
            },
          },
  })),
  ...['v6', 'c1'].flatMap((version): Group[] => {
    const group = {
      order: { seconds: 5, audio: false },
      body: { duration: 5, resolution: '720p', generate_audio_switch: false },
      changes: [...lengths(1, 15), ...tiers('360p', '540p', '1080p'), soundOf('generate_audio_switch')],
    } as const;
    const eightShapes = shapes('4:3', '1:1', '3:4', '9:16', '2:3', '3:2', '21:9');
    const isSixth = version === 'v6';
    const thinks = {
      body: isSixth ? { ...group.body, thinking_type: 'auto' } : group.body,
      changes: isSixth
        ? [...group.changes, [parameter('thinking_type', 'enabled'), { thinking_type: 'enabled' }] satisfies Change]
        : group.changes,
    };
    const name = (task: string) => ({ [`pixverse/pixverse-${version}/${task}`]: '720p' });
    return [
      { ...group, ...thinks, models: name('text-to-video'), kinds: { t2v: { body: wide, changes: eightShapes } } },
      { ...group, ...thinks, models: name('image-to-video'), kinds: still },
      {
        ...group,
        models: name('transition'),
        changes: [...group.changes, ...(isSixth ? [negative, ...seeds] : []), ...eightShapes, adaptive],
        shapesFrames: true,
        kinds: { 'start-end': { body: { image: IMAGE, end_image: LAST_IMAGE, ...wide } } },
      },
    ];
  }),
  {
    models: { 'vidu/image-to-video-q2-turbo': '720p' },
    order: { seconds: 5, audio: true },
    body: { duration: 5, resolution: '720p', bgm: true, movement_amplitude: 'auto' },
    changes: [...lengths(1, 10), ...tiers('540p', '1080p'), silent('bgm'), ...seeds],
    kinds: still,
  },
  { ...grok, models: { 'x-ai/grok-imagine-video/text-to-video': '720p' }, kinds: threeShapes },
  { ...grok, models: { 'x-ai/grok-imagine-video/image-to-video': '720p' }, kinds: still },
];

const casesOf = ({ models, order, changes, body, kinds, shapesFrames }: Group): OrderCase[] =>
  Object.entries(models).flatMap(([modelName, resolution]) =>
    Object.entries(kinds).map(([name, ofKind]): OrderCase => {
      const kind = name as VideoKind;
      const isShaped = kind === 't2v' || kind === 'r2v' || shapesFrames === true;
      return {
        modelName,
        path: `/api/v3/${modelName}`,
        order: {
          ...order,
          ...mediaOfKind[kind],
          ...(isShaped ? { aspectRatio: '16:9' } : unshaped),
          kind,
          resolution,
        },
        body: { prompt, ...body, ...ofKind.body },
        changes: [...changes, ...(ofKind.changes ?? [])],
      };
    }),
  );

export const cases: readonly RequestCase[] = [viduFrames, ...groups.flatMap(casesOf)];
