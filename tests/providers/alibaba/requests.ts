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
  VOICE,
} from '../support/vendor-orders';

// What the vendor must receive for an order of each model, written by hand from its API references.

const path = '/api/v1/services/aigc/video-generation/video-synthesis';

type Body = OrderCase['body'];
type Change = OrderCase['changes'][number];
const parameters = (body: Body): Body => ({ parameters: body });

const durations = (...all: number[]): Change[] =>
  all.map((seconds) => [{ seconds }, parameters({ duration: seconds })]);
const seeds: Change[] = [
  [{ seed: 0 }, parameters({ seed: 0 })],
  [{ seed: 2_147_483_647 }, parameters({ seed: 2_147_483_647 })],
];
const watermarks: Change[] = [
  [parameter('watermark', true), parameters({ watermark: true })],
  [parameter('watermark', false), {}],
  [parameter('remove_watermark', false), parameters({ watermark: true })],
  [parameter('remove_watermark', true), {}],
  [{ parameters: { remove_watermark: true, watermark: true } }, parameters({ watermark: true })],
  [{ parameters: { remove_watermark: false, watermark: false } }, {}],
];
const ratios: Change[] = ['9:16', '1:1', '4:3', '3:4'].map((ratio) => [{ aspectRatio: ratio }, parameters({ ratio })]);
const fullHd: Change = [{ resolution: '1080p' }, parameters({ resolution: '1080P' })];
const wanTexts: Change[] = [
  [parameter('prompt_extend', true), parameters({ prompt_extend: true })],
  [parameter('prompt_extend', false), {}],
  [parameter('negative_prompt', 'rain'), { input: { negative_prompt: 'rain' } }],
];
const common = [...seeds, ...watermarks];

const plain = { seconds: 5, resolution: '720p' } as const;
const text = { ...plain, kind: 't2v', aspectRatio: '16:9', audio: true } as const;
const image = { ...plain, ...unshaped, kind: 'i2v', audio: true, media: [first] } as const;
const references = {
  ...plain,
  kind: 'r2v',
  aspectRatio: '16:9',
  audio: true,
  media: [imageReference, otherReference],
} as const;
const edit = { ...plain, ...unshaped, kind: 'video-edit', audio: true, inputMillis: 8_000, media: [source] } as const;

const firstFrame = { type: 'first_frame', url: IMAGE };
const twoImages = [
  { type: 'reference_image', url: IMAGE },
  { type: 'reference_image', url: LAST_IMAGE },
];

const horse = { resolution: '720P', watermark: false };
const horseText = (model: string): OrderCase => ({
  model,
  path,
  order: text,
  body: { model, input: { prompt }, parameters: { ...horse, ratio: '16:9', duration: 5 } },
  changes: [...durations(3, 15), fullHd, ...ratios, ...common],
});
const horseImage = (model: string): OrderCase => ({
  model,
  path,
  order: image,
  body: { model, input: { prompt, media: [firstFrame] }, parameters: { ...horse, duration: 5 } },
  changes: [...durations(3, 15), fullHd, ...common],
});
const horseReferences = (model: string): OrderCase => ({
  model,
  path,
  order: references,
  body: { model, input: { prompt, media: twoImages }, parameters: { ...horse, ratio: '16:9', duration: 5 } },
  changes: [...durations(3, 15), fullHd, ...ratios, ...common],
});

const wan = { resolution: '720P', prompt_extend: false, watermark: false };
const wan30 = { ...wan, ratio: '16:9', duration: 5, audio: true };
const wan30Changes: Change[] = [
  ...durations(2, 30),
  [{ resolution: '480p' }, parameters({ resolution: '480P' })],
  fullHd,
  ...ratios,
  ...common,
  ...wanTexts,
  [{ audio: false }, parameters({ audio: false })],
];
const adaptive: Change = [{ aspectRatio: 'adaptive' }, parameters({ ratio: 'adaptive' })];
const old = { duration: 5, shot_type: 'single', prompt_extend: false, audio: true, watermark: false };
const oldChanges: Change[] = [
  ...common,
  ...wanTexts,
  [parameter('multi_clip', true), parameters({ shot_type: 'multi', prompt_extend: true })],
  [parameter('multi_clip', false), {}],
  [{ parameters: { multi_clip: true, prompt_extend: false } }, parameters({ shot_type: 'multi' })],
  [{ audio: false }, parameters({ audio: false })],
];
const sizes: Change[] = [
  ['720p', '9:16', '720*1280'],
  ['720p', '1:1', '960*960'],
  ['720p', '4:3', '1088*832'],
  ['720p', '3:4', '832*1088'],
  ['1080p', '16:9', '1920*1080'],
  ['1080p', '9:16', '1080*1920'],
  ['1080p', '1:1', '1440*1440'],
  ['1080p', '4:3', '1632*1248'],
  ['1080p', '3:4', '1248*1632'],
].map(([resolution = '', aspectRatio = '', size]) => [{ resolution, aspectRatio }, parameters({ size })]);

const oldImage = (model: string, modelName: string): OrderCase => ({
  model,
  modelName,
  path,
  order: image,
  body: { model: modelName, input: { prompt, img_url: IMAGE }, parameters: { ...old, resolution: '720P' } },
  changes: [...durations(2, 15), fullHd, ...oldChanges],
});
const oldReferences = (model: string, modelName: string): OrderCase => ({
  model,
  modelName,
  path,
  order: references,
  body: {
    model: modelName,
    input: { prompt, reference_urls: [IMAGE, LAST_IMAGE] },
    parameters: { ...old, size: '1280*720' },
  },
  changes: [
    ...durations(2, 10),
    ...sizes,
    ...oldChanges,
    [{ media: [videoReference, imageReference] }, { input: { reference_urls: [IMAGE, CLIP] } }],
  ],
});

function wan30Cases(version: string, modelName: string): OrderCase[] {
  return [
    {
      model: `${version}-t2v`,
      path,
      order: text,
      body: { model: modelName, input: { prompt }, parameters: wan30 },
      changes: wan30Changes,
    },
    {
      model: `${version}-i2v`,
      path,
      order: { ...image, aspectRatio: '16:9' },
      body: { model: modelName, input: { prompt, media: [firstFrame] }, parameters: wan30 },
      changes: [...wan30Changes, adaptive],
    },
    {
      model: `${version}-start-end`,
      path,
      order: { ...image, aspectRatio: '16:9', kind: 'start-end', media: [first, last] },
      body: {
        model: modelName,
        input: { prompt, media: [firstFrame, { type: 'last_frame', url: LAST_IMAGE }] },
        parameters: wan30,
      },
      changes: [...wan30Changes, adaptive],
    },
    {
      model: `${version}-r2v`,
      path,
      order: references,
      body: { model: modelName, input: { prompt, media: twoImages }, parameters: wan30 },
      changes: [
        ...wan30Changes,
        adaptive,
        [
          parameter('reference_voice', VOICE),
          { input: { media: [...twoImages, { type: 'reference_audio', url: VOICE }] } },
        ],
        [
          { media: [videoReference, imageReference] },
          {
            input: {
              media: [
                { type: 'reference_image', url: IMAGE },
                { type: 'reference_video', url: CLIP },
              ],
            },
          },
        ],
      ],
    },
  ];
}

export const cases: readonly OrderCase[] = [
  horseText('happyhorse-1.1-t2v'),
  horseImage('happyhorse-1.1-i2v'),
  horseReferences('happyhorse-1.1-r2v'),
  horseText('happyhorse-1.0-t2v'),
  horseImage('happyhorse-1.0-i2v'),
  horseReferences('happyhorse-1.0-r2v'),
  {
    model: 'happyhorse-1.0-video-edit',
    path,
    order: { ...edit, outputFollowsSource: true },
    body: {
      model: 'happyhorse-1.0-video-edit',
      input: { prompt, media: [{ type: 'video', url: CLIP }] },
      parameters: { ...horse, audio_setting: 'origin' },
    },
    changes: [
      fullHd,
      ...common,
      [{ audio: false, parameters: { keep_original_sound: false } }, parameters({ audio_setting: 'auto' })],
      [
        { media: [imageReference, source, otherReference] },
        { input: { media: [{ type: 'video', url: CLIP }, ...twoImages] } },
      ],
    ],
  },
  ...wan30Cases('wan-3.0', 'wan3.0-video'),
  ...wan30Cases('wan-3.0-prime', 'wan3.0-video-prime'),
  {
    model: 'wan-2.7-t2v',
    path,
    order: text,
    body: { model: 'wan2.7-t2v', input: { prompt }, parameters: { ...wan, ratio: '16:9', duration: 5 } },
    changes: [...durations(2, 15), fullHd, ...ratios, ...common, ...wanTexts],
  },
  {
    model: 'wan-2.7-i2v',
    path,
    order: image,
    body: { model: 'wan2.7-i2v', input: { prompt, media: [firstFrame] }, parameters: { ...wan, duration: 5 } },
    changes: [...durations(2, 15), fullHd, ...common, ...wanTexts],
  },
  {
    model: 'wan-2.7-r2v',
    path,
    order: references,
    body: {
      model: 'wan2.7-r2v',
      input: { prompt, media: twoImages },
      parameters: { ...wan, ratio: '16:9', duration: 5 },
    },
    changes: [
      ...durations(2, 10),
      fullHd,
      ...ratios,
      ...common,
      ...wanTexts,
      [
        { media: [videoReference, imageReference] },
        {
          input: {
            media: [
              { type: 'reference_image', url: IMAGE },
              { type: 'reference_video', url: CLIP },
            ],
          },
        },
      ],
      [
        parameter('reference_voice', VOICE),
        {
          input: {
            media: [
              { type: 'reference_image', url: IMAGE, reference_voice: VOICE },
              { type: 'reference_image', url: LAST_IMAGE },
            ],
          },
        },
      ],
    ],
  },
  {
    model: 'wan-2.7-video-edit',
    path,
    order: edit,
    body: {
      model: 'wan2.7-videoedit',
      input: { prompt, media: [{ type: 'video', url: CLIP }] },
      parameters: { ...wan, duration: 5, audio_setting: 'origin' },
    },
    changes: [
      ...durations(2),
      // As long as the source.
      [{ seconds: 8 }, parameters({ duration: 0 })],
      [{ seconds: 10, inputMillis: 9_500 }, parameters({ duration: 0 })],
      [{ seconds: 9, inputMillis: 9_500 }, parameters({ duration: 9 })],
      fullHd,
      [{ aspectRatio: '16:9' }, parameters({ ratio: '16:9' })],
      ...ratios,
      ...common,
      ...wanTexts,
      [{ audio: false, parameters: { keep_original_sound: false } }, parameters({ audio_setting: 'auto' })],
      [
        { media: [imageReference, source] },
        {
          input: {
            media: [
              { type: 'video', url: CLIP },
              { type: 'reference_image', url: IMAGE },
            ],
          },
        },
      ],
    ],
  },
  {
    model: 'wan-2.7-start-end',
    path,
    // The frames are sent in their order, whatever that of the media.
    order: { ...image, kind: 'start-end', media: [last, first] },
    body: {
      model: 'wan2.7-i2v',
      input: { prompt, media: [firstFrame, { type: 'last_frame', url: LAST_IMAGE }] },
      parameters: { ...wan, duration: 5 },
    },
    changes: [...durations(2, 15), fullHd, ...common, ...wanTexts],
  },
  {
    model: 'wan-2.5-i2v',
    path,
    order: image,
    body: {
      model: 'wan2.5-i2v-preview',
      input: { prompt, img_url: IMAGE },
      parameters: { duration: 5, prompt_extend: false, audio: true, watermark: false, resolution: '720P' },
    },
    changes: [
      ...durations(10),
      fullHd,
      [{ resolution: '480p' }, parameters({ resolution: '480P' })],
      ...common,
      ...wanTexts,
      [{ audio: false }, parameters({ audio: false })],
    ],
  },
  {
    model: 'wan-2.2-flash-start-end',
    path: '/api/v1/services/aigc/image2video/video-synthesis',
    order: { ...image, audio: false, kind: 'start-end', media: [last, first] },
    body: {
      model: 'wan2.2-kf2v-flash',
      input: { prompt, first_frame_url: IMAGE, last_frame_url: LAST_IMAGE },
      parameters: wan,
    },
    changes: [[{ resolution: '480p' }, parameters({ resolution: '480P' })], fullHd, ...common, ...wanTexts],
  },
  {
    model: 'wan-2.6-t2v',
    path,
    order: text,
    body: { model: 'wan2.6-t2v', input: { prompt }, parameters: { ...old, size: '1280*720' } },
    changes: [...durations(2, 15), ...sizes, ...oldChanges],
  },
  {
    model: 'wan-2.5-t2v',
    path,
    order: text,
    body: {
      model: 'wan2.5-t2v-preview',
      input: { prompt },
      parameters: { duration: 5, prompt_extend: false, audio: true, watermark: false, size: '1280*720' },
    },
    changes: [...durations(10), ...sizes, ...common, ...wanTexts, [{ audio: false }, parameters({ audio: false })]],
  },
  oldImage('wan-2.6-i2v', 'wan2.6-i2v'),
  oldImage('wan-2.6-flash-i2v', 'wan2.6-i2v-flash'),
  oldReferences('wan-2.6-r2v', 'wan2.6-r2v'),
  oldReferences('wan-2.6-flash-r2v', 'wan2.6-r2v-flash'),
];
