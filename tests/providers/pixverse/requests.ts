import type { Fields } from '../../../lib/domain/json';
import type { ApiCase } from '../contract/request-cases';
import { PROMPT as prompt } from '../support/vendor-orders';

// What PixVerse must receive for a request, written by hand from its API reference. The ids of the images are added by the
// test.

const common = { prompt, duration: 5, quality: '720p' };
const image = {
  ...common,
  model: 'v6',
  generate_audio_switch: false,
  generate_multi_clip_switch: false,
  thinking_type: 'auto',
  off_peak_mode: false,
};
const text = { ...image, aspect_ratio: '16:9' };
const { generate_multi_clip_switch: _none, ...transition } = image;

const seeds: ApiCase['changes'] = [
  [{ seed: 0 }, { seed: 0 }],
  [{ seed: 2_147_483_647 }, { seed: 2_147_483_647 }],
];
const watermarks: ApiCase['changes'] = [
  [{ watermark: true }, { water_mark: true }],
  [{ watermark: false }, {}],
  [{ remove_watermark: false }, { water_mark: true }],
  [{ remove_watermark: true }, {}],
];
const sound: ApiCase['changes'] = [
  [{ generate_audio_switch: true }, { generate_audio_switch: true }],
  [{ generate_audio_switch: false }, {}],
];
const thinking: ApiCase['changes'] = [
  [{ thinking_type: 'enabled' }, { thinking_type: 'enabled' }],
  [{ thinking_type: 'disabled' }, { thinking_type: 'disabled' }],
];
const anyLength: ApiCase['changes'] = [
  [{ seconds: 1 }, { duration: 1 }],
  [{ seconds: '15' }, { duration: 15 }],
];
const shared: ApiCase['changes'] = [...anyLength, ...seeds, ...watermarks, ...sound, ...thinking];
const tiers: ApiCase['changes'] = [
  [{ size: '640x360' }, { quality: '360p' }],
  [{ size: '960x540' }, { quality: '540p' }],
  [{ size: '1920x1080' }, { quality: '1080p' }],
];
const fiveShapes: ApiCase['changes'] = [
  [{ size: '720x1280' }, { aspect_ratio: '9:16' }],
  [{ size: '960x960' }, { aspect_ratio: '1:1' }],
  [{ size: '1104x832' }, { aspect_ratio: '4:3' }],
  [{ size: '832x1104' }, { aspect_ratio: '3:4' }],
];
const moreShapes: ApiCase['changes'] = [
  [{ size: '1176x784' }, { aspect_ratio: '3:2' }],
  [{ size: '784x1176' }, { aspect_ratio: '2:3' }],
  [{ size: '1470x630' }, { aspect_ratio: '21:9' }],
];
const clips: ApiCase['changes'] = [
  [{ generate_multi_clip_switch: true }, { generate_multi_clip_switch: true }],
  [{ generate_multi_clip_switch: false }, {}],
];

const unwanted: ApiCase['changes'] = [[{ negative_prompt: 'blurry' }, { negative_prompt: 'blurry' }]];
const notTaken: ApiCase['changes'] = [[{ negative_prompt: 'blurry' }, {}]];

interface Version {
  readonly model: string;
  /** The fields that this version has in addition to the common ones. */
  readonly switches: Fields;
  readonly clips?: Fields;
  /** Those of a request with references. */
  readonly fusionSwitches: Fields;
  readonly changes: ApiCase['changes'];
  readonly lengths: ApiCase['changes'];
  readonly shapes: ApiCase['changes'];
  readonly fusionChanges: ApiCase['changes'];
  readonly references: number;
}

const silent = { generate_audio_switch: false };
const fiveEightTen: ApiCase['changes'] = [
  [{ seconds: 8 }, { duration: 8 }],
  [{ seconds: '10' }, { duration: 10 }],
];
const otherVersions: readonly Version[] = [
  {
    model: 'c1',
    switches: silent,
    fusionSwitches: silent,
    changes: [...seeds, ...sound],
    lengths: anyLength,
    shapes: [...fiveShapes, ...moreShapes],
    fusionChanges: sound,
    references: 7,
  },
  {
    model: 'v5.6',
    switches: { ...silent, thinking_type: 'auto' },
    fusionSwitches: silent,
    changes: [...seeds, ...sound, ...thinking],
    lengths: fiveEightTen,
    shapes: fiveShapes,
    fusionChanges: sound,
    references: 7,
  },
  {
    model: 'v5.5',
    switches: { ...silent, thinking_type: 'auto' },
    // Several clips are not offered: their price was not found.
    clips: { generate_multi_clip_switch: false },
    fusionSwitches: {},
    changes: [...seeds, ...sound, ...thinking],
    lengths: fiveEightTen,
    shapes: fiveShapes,
    fusionChanges: [],
    references: 7,
  },
  {
    model: 'v5',
    switches: {},
    fusionSwitches: {},
    changes: seeds,
    lengths: [[{ seconds: 8 }, { duration: 8 }]],
    shapes: fiveShapes,
    fusionChanges: [],
    references: 3,
  },
  ...['v4.5', 'v4', 'v3.5'].map((model) => ({
    model,
    switches: {},
    fusionSwitches: {},
    changes: seeds,
    lengths: [[{ seconds: 8 }, { duration: 8 }]] satisfies ApiCase['changes'],
    shapes: fiveShapes,
    fusionChanges: [],
    // Only V4.5 takes references.
    references: model === 'v4.5' ? 3 : 0,
  })),
];

function casesOf(version: Version): ApiCase[] {
  const { model, switches, clips, fusionSwitches, changes, lengths, shapes, fusionChanges, references } = version;
  const body = { ...common, ...switches, model, off_peak_mode: false };
  const images = Array.from({ length: references }, (_, index) => `https://example.com/${index}.png`);
  return [
    {
      model: `pixverse-${model}-t2v`,
      path: '/openapi/v2/video/text/generate',
      request: { prompt },
      body: { ...body, ...clips, aspect_ratio: '16:9' },
      changes: [...changes, ...watermarks, ...unwanted, ...lengths, ...tiers, ...shapes],
    },
    {
      model: `pixverse-${model}-i2v`,
      path: '/openapi/v2/video/img/generate',
      request: { prompt },
      body: { ...body, ...clips },
      changes: [...changes, ...watermarks, ...unwanted, ...lengths, ...tiers],
    },
    {
      model: `pixverse-${model}-transition`,
      path: '/openapi/v2/video/transition/generate',
      request: { prompt },
      body,
      changes: [...changes, ...watermarks, ...notTaken, ...lengths, ...tiers],
    },
    ...(references > 0
      ? [
          {
            model: `pixverse-${model}-r2v`,
            path: '/openapi/v2/video/fusion/generate',
            request: { prompt },
            body: { ...common, ...fusionSwitches, model, aspect_ratio: '16:9' },
            changes: [
              ...seeds,
              ...watermarks,
              ...fusionChanges,
              ...lengths,
              ...tiers,
              ...shapes,
              [{ image_list: images }, {}],
            ],
          } satisfies ApiCase,
        ]
      : []),
  ];
}

export const cases: readonly ApiCase[] = [
  ...otherVersions.flatMap(casesOf),
  {
    model: 'pixverse-v6-t2v',
    path: '/openapi/v2/video/text/generate',
    request: { prompt },
    body: text,
    changes: [
      ...shared,
      ...clips,
      ...unwanted,
      ...tiers,
      ...fiveShapes,
      ...moreShapes,
      [{ size: '1080x1920' }, { quality: '1080p', aspect_ratio: '9:16' }],
    ],
  },
  {
    model: 'pixverse-v6-i2v',
    path: '/openapi/v2/video/img/generate',
    request: { prompt },
    body: image,
    changes: [
      ...shared,
      ...clips,
      ...unwanted,
      [{ size: '360x640' }, { quality: '360p' }],
      [{ size: '540x960' }, { quality: '540p' }],
      [{ size: '1440x1440' }, { quality: '1080p' }],
    ],
  },
  {
    model: 'pixverse-v6-transition',
    path: '/openapi/v2/video/transition/generate',
    request: { prompt },
    body: transition,
    changes: [
      ...shared,
      [{ size: '640x360' }, { quality: '360p' }],
      [{ size: '960x540' }, { quality: '540p' }],
      [{ size: '1080x1920' }, { quality: '1080p' }],
      [{ size: '960x960' }, {}],
      // The vendor's API has no such field for a transition.
      [{ generate_multi_clip_switch: true }, {}],
      [{ generate_multi_clip_switch: false }, {}],
    ],
  },
];
