import type { VideoKind } from '../../../lib/domain/video';
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
  type OrderChange,
} from '../support/vendor-orders';

// The input that each model of Replicate must receive for an order, written by hand from the pages of the models and the
// inputs that clients generate from Replicate's schemas.

type Body = OrderCase['body'];
type Change = readonly [change: OrderChange, input: Body];

interface ReplicateCase extends Pick<OrderCase, 'model' | 'order'> {
  readonly upstreamModel: string;
  readonly input: Body;
  /** Each with what it changes in the input. */
  readonly changes: readonly Change[];
}

const wan27 = { prompt, first_frame: IMAGE, resolution: '720p', duration: 5, enable_prompt_expansion: false };
const wan27Changes: Change[] = [
  [{ seconds: 2 }, { duration: 2 }],
  [{ seconds: 15 }, { duration: 15 }],
  [{ resolution: '1080p' }, { resolution: '1080p' }],
  [{ seed: 0 }, { seed: 0 }],
  [{ seed: 2_147_483_647 }, { seed: 2_147_483_647 }],
  [parameter('prompt_extend', true), { enable_prompt_expansion: true }],
  [parameter('prompt_extend', false), {}],
  [parameter('negative_prompt', 'rain'), { negative_prompt: 'rain' }],
];

const fast = { prompt, resolution: '720p', num_frames: 81, frames_per_second: 16, go_fast: true };
const fastChanges: Change[] = [
  [{ resolution: '480p' }, { resolution: '480p' }],
  [
    { fps: 24, parameters: { fps: 24 } },
    { num_frames: 121, frames_per_second: 24 },
  ],
  [{ fps: 20 }, { num_frames: 101, frames_per_second: 20 }],
  [{ seed: 0 }, { seed: 0 }],
  [parameter('go_fast', false), { go_fast: false }],
  [parameter('go_fast', true), {}],
];

const kling = { prompt, mode: 'standard', duration: 5, generate_audio: false };
const klingChanges: Change[] = [
  [{ seconds: 3 }, { duration: 3 }],
  [{ seconds: 15 }, { duration: 15 }],
  [{ resolution: '1080p' }, { mode: 'pro' }],
  [{ resolution: '4k' }, { mode: '4k' }],
  [{ audio: true }, { generate_audio: true }],
  [parameter('negative_prompt', 'rain'), { negative_prompt: 'rain' }],
];

const plain = { seconds: 5, resolution: '720p' } as const;

const models: readonly ReplicateCase[] = [
  {
    model: 'wan-2.7-i2v',
    upstreamModel: 'wan-video/wan-2.7-i2v',
    order: { ...plain, ...unshaped, kind: 'i2v', audio: true, media: [first] },
    input: wan27,
    changes: wan27Changes,
  },
  {
    model: 'wan-2.7-start-end',
    upstreamModel: 'wan-video/wan-2.7-i2v',
    // The frames have their names, whatever the order of the media.
    order: { ...plain, ...unshaped, kind: 'start-end', audio: true, media: [last, first] },
    input: { ...wan27, last_frame: LAST_IMAGE },
    changes: wan27Changes,
  },
  {
    model: 'wan-2.2-fast-t2v',
    upstreamModel: 'wan-video/wan-2.2-t2v-fast',
    order: { ...plain, kind: 't2v', audio: false, aspectRatio: '16:9', fps: 16 },
    input: { ...fast, aspect_ratio: '16:9', optimize_prompt: false },
    changes: [
      ...fastChanges,
      [{ aspectRatio: '9:16' }, { aspect_ratio: '9:16' }],
      [parameter('negative_prompt', 'rain'), { negative_prompt: 'rain' }],
      [parameter('prompt_extend', true), { optimize_prompt: true }],
      [parameter('prompt_extend', false), {}],
    ],
  },
  {
    model: 'wan-2.2-fast-i2v',
    upstreamModel: 'wan-video/wan-2.2-i2v-fast',
    order: { ...plain, ...unshaped, kind: 'i2v', audio: false, fps: 16, media: [first] },
    input: { ...fast, image: IMAGE },
    changes: fastChanges,
  },
  {
    model: 'wan-2.2-fast-start-end',
    upstreamModel: 'wan-video/wan-2.2-i2v-fast',
    order: { ...plain, ...unshaped, kind: 'start-end', audio: false, fps: 16, media: [last, first] },
    input: { ...fast, image: IMAGE, last_image: LAST_IMAGE },
    changes: fastChanges,
  },
  {
    model: 'kling-3.0-t2v',
    upstreamModel: 'kwaivgi/kling-v3-video',
    order: { ...plain, kind: 't2v', audio: false, aspectRatio: '16:9' },
    input: { ...kling, aspect_ratio: '16:9' },
    changes: [
      ...klingChanges,
      [{ aspectRatio: '9:16' }, { aspect_ratio: '9:16' }],
      [{ aspectRatio: '1:1' }, { aspect_ratio: '1:1' }],
    ],
  },
  {
    model: 'kling-3.0-i2v',
    upstreamModel: 'kwaivgi/kling-v3-video',
    order: { ...plain, ...unshaped, kind: 'i2v', audio: false, media: [first] },
    input: { ...kling, start_image: IMAGE },
    changes: klingChanges,
  },
  {
    model: 'kling-3.0-start-end',
    upstreamModel: 'kwaivgi/kling-v3-video',
    order: { ...plain, ...unshaped, kind: 'start-end', audio: false, media: [last, first] },
    input: { ...kling, start_image: IMAGE, end_image: LAST_IMAGE },
    changes: klingChanges,
  },
];

/** The cases of an upstream model, which are those of all models of the catalog that it serves. */
interface UpstreamCases {
  readonly upstreamModel: string;
  readonly order: Omit<OrderCase['order'], 'kind'>;
  /** Of every kind. */
  readonly input: Body;
  readonly changes: readonly Change[];
  /** The input and the changes that a kind adds. */
  readonly kinds: Partial<Record<VideoKind, { readonly input?: Body; readonly changes?: readonly Change[] }>>;
}

const mediaOfKind: Partial<Record<VideoKind, OrderChange>> = {
  t2v: {},
  i2v: { ...unshaped, media: [first] },
  // The frames have their names, whatever the order of the media.
  'start-end': { ...unshaped, media: [last, first] },
  r2v: { media: [imageReference] },
  'video-edit': { ...unshaped, media: [source] },
};

const lengths = (...all: readonly number[]): Change[] => all.map((seconds) => [{ seconds }, { duration: seconds }]);
const tiers = (...all: readonly string[]): Change[] => all.map((resolution) => [{ resolution }, { resolution }]);
const shapes = (...all: readonly string[]): Change[] =>
  all.map((aspectRatio) => [{ aspectRatio }, { aspect_ratio: aspectRatio }]);
const seeds: readonly Change[] = [
  [{ seed: 0 }, { seed: 0 }],
  [{ seed: 2_147_483_647 }, { seed: 2_147_483_647 }],
];
const negative: Change = [parameter('negative_prompt', 'rain'), { negative_prompt: 'rain' }];
const expansion = (field: string): Change[] => [
  [parameter('prompt_extend', true), { [field]: true }],
  [parameter('prompt_extend', false), {}],
];
const wide = { aspect_ratio: '16:9' };

const olderKling = {
  order: { seconds: 5, resolution: '1080p', audio: false, aspectRatio: '16:9' },
  input: { prompt, duration: 5 },
  changes: [...lengths(10), negative],
};
const klingFrames = {
  i2v: { input: { start_image: IMAGE } },
  'start-end': { input: { start_image: IMAGE, end_image: LAST_IMAGE } },
};
const klingText = { input: wide, changes: shapes('9:16', '1:1') };

const veo = {
  order: { seconds: 8, resolution: '720p', audio: true, aspectRatio: '16:9' },
  input: { prompt, duration: 8, resolution: '720p', aspect_ratio: '16:9', generate_audio: true },
  changes: [...tiers('1080p'), ...seeds, negative, [{ audio: false }, { generate_audio: false }] satisfies Change],
};
const veoChanges = [...lengths(4, 6), ...shapes('9:16')];
const shapedFirst = { media: [first], aspectRatio: '16:9' };
const shapedFrames = { media: [last, first], aspectRatio: '16:9' };

const seedance1 = {
  order: { seconds: 5, resolution: '720p', audio: false, aspectRatio: '16:9' },
  input: { prompt, duration: 5, resolution: '720p' },
  changes: [...lengths(2, 12), ...seeds],
};
const seedanceFrames = {
  i2v: { input: { image: IMAGE }, changes: tiers('480p', '1080p') },
  'start-end': { input: { image: IMAGE, last_frame_image: LAST_IMAGE }, changes: tiers('480p', '1080p') },
};
const seedanceShapes = shapes('9:16', '1:1', '4:3', '3:4', '21:9');
const seedanceText = { input: wide, changes: [...tiers('480p', '1080p'), ...seedanceShapes, ...shapes('9:21')] };

const seedance2 = (upstreamModel: string, resolutions: readonly string[]): UpstreamCases => {
  const framed = [...seedanceShapes, [{ aspectRatio: 'adaptive' }, {}]] satisfies Change[];
  return {
    upstreamModel,
    order: { seconds: 5, resolution: '720p', audio: true, aspectRatio: '16:9' },
    input: { prompt, duration: 5, resolution: '720p', generate_audio: true, aspect_ratio: 'adaptive' },
    changes: [...lengths(4, 15), ...tiers(...resolutions), ...seeds, [{ audio: false }, { generate_audio: false }]],
    kinds: {
      t2v: { input: wide, changes: seedanceShapes },
      i2v: { input: { image: IMAGE }, changes: [...framed, ...shapes('16:9')] },
      'start-end': {
        input: { image: IMAGE, last_frame_image: LAST_IMAGE },
        changes: [...framed, ...shapes('16:9')],
      },
      r2v: {
        input: { ...wide, reference_images: [IMAGE] },
        changes: [
          ...seedanceShapes,
          [{ aspectRatio: 'adaptive' }, { aspect_ratio: 'adaptive' }],
          [{ media: [imageReference, otherReference] }, { reference_images: [IMAGE, LAST_IMAGE] }],
          [{ media: [videoReference] }, { reference_images: undefined, reference_videos: [CLIP] }],
          [parameter('reference_voice', VOICE), { reference_audios: [VOICE] }],
        ],
      },
    },
  };
};

const hailuo = {
  order: { seconds: 6, resolution: '768p', audio: false, aspectRatio: '16:9' },
  input: { prompt, duration: 6, resolution: '768p', prompt_optimizer: false },
  changes: [...lengths(10), ...tiers('1080p'), ...expansion('prompt_optimizer')],
};
const hailuoFrame = { input: { first_frame_image: IMAGE } };

const ray = (upstreamModel: string, resolution: string): UpstreamCases => ({
  upstreamModel,
  order: { seconds: 5, resolution, audio: false, aspectRatio: '16:9' },
  input: { prompt, duration: 5, aspect_ratio: '16:9' },
  changes: [...lengths(9), ...shapes('9:16', '1:1', '4:3', '3:4', '21:9', '9:21')],
  kinds: { t2v: {}, ...klingFrames },
});

const qualities = (...all: readonly string[]): Change[] =>
  all.map((resolution) => [{ resolution }, { quality: resolution }]);
const pixverse = (upstreamModel: string, kinds: readonly VideoKind[]): UpstreamCases => ({
  upstreamModel,
  order: { seconds: 5, resolution: '720p', audio: false, aspectRatio: '16:9' },
  input: { prompt, duration: 5, quality: '720p' },
  changes: [...lengths(8), ...qualities('360p', '540p', '1080p'), ...seeds, negative],
  kinds: Object.fromEntries(
    Object.entries({
      t2v: klingText,
      i2v: { input: { image: IMAGE } },
      'start-end': { input: { image: IMAGE, last_frame_image: LAST_IMAGE } },
    }).filter(([kind]) => kinds.some((each) => each === kind)),
  ),
});
const sixthPixverse = pixverse('pixverse/pixverse-v6', ['t2v', 'i2v', 'start-end']);
const newerPixverse = pixverse('pixverse/pixverse-v5.6', ['t2v', 'i2v', 'start-end']);

const gen = {
  order: { seconds: 5, resolution: '720p', audio: false, aspectRatio: '16:9' },
  input: { prompt, duration: 5, aspect_ratio: '16:9' },
  changes: [...lengths(10), ...shapes('9:16', '4:3', '1:1', '3:4', '21:9'), ...seeds],
};

const wan = {
  order: { seconds: 5, resolution: '720p', audio: true, aspectRatio: '16:9' },
  input: { prompt, duration: 5, enable_prompt_expansion: false },
  changes: [...seeds, negative, ...expansion('enable_prompt_expansion')],
};

const newest = seedance2('bytedance/seedance-2.5', ['480p']);
const wan26 = { ...wan, input: { ...wan.input, multi_shots: false } };
const shotsOf26: Change[] = [
  [parameter('multi_clip', true), { multi_shots: true, enable_prompt_expansion: true }],
  [parameter('multi_clip', false), {}],
  ...lengths(10, 15),
];
const fiveShapes = shapes('9:16', '1:1', '4:3', '3:4');
const happyhorse = {
  order: { seconds: 5, resolution: '720p', audio: true, aspectRatio: '16:9' },
  input: { prompt, duration: 5, resolution: '720p' },
  changes: [...lengths(3, 15), ...tiers('1080p'), ...seeds],
};
const shapedText = { input: wide, changes: fiveShapes };
const klingReferences = {
  input: { ...wide, reference_images: [IMAGE] },
  changes: [
    ...shapes('9:16', '1:1'),
    [{ media: [imageReference, otherReference] }, { reference_images: [IMAGE, LAST_IMAGE] }] satisfies Change,
  ],
};

const upstreams: readonly UpstreamCases[] = [
  {
    upstreamModel: 'wan-video/wan-2.7-r2v',
    order: { seconds: 5, resolution: '720p', audio: true, aspectRatio: '16:9' },
    input: { prompt, duration: 5, resolution: '720p', shot_type: 'single', ...wide },
    changes: [
      ...lengths(2, 10),
      ...tiers('1080p'),
      ...fiveShapes,
      ...seeds,
      negative,
      [parameter('multi_clip', true), { shot_type: 'multi' }],
      [parameter('multi_clip', false), {}],
    ],
    kinds: {
      r2v: {
        input: { reference_images: [IMAGE] },
        changes: [
          [{ media: [imageReference, videoReference] }, { reference_videos: [CLIP] }],
          [{ media: [videoReference] }, { reference_images: undefined, reference_videos: [CLIP] }],
        ],
      },
    },
  },
  {
    upstreamModel: 'wan-video/wan-2.7-videoedit',
    order: { seconds: 5, resolution: '720p', audio: true, aspectRatio: '16:9' },
    input: { prompt, video: CLIP, resolution: '720p', aspect_ratio: 'auto', duration: 5, audio_setting: 'origin' },
    changes: [
      ...lengths(2, 10),
      // As long as the source.
      [{ seconds: 5, inputMillis: 4_600 }, { duration: undefined }],
      ...tiers('1080p'),
      ...shapes('16:9', '9:16', '1:1', '4:3', '3:4'),
      ...seeds,
      [{ audio: false, parameters: { keep_original_sound: false } }, { audio_setting: 'auto' }],
      [{ parameters: { keep_original_sound: true } }, {}],
    ],
    kinds: { 'video-edit': { changes: [[{ media: [source, imageReference] }, { reference_image: IMAGE }]] } },
  },
  {
    ...wan26,
    upstreamModel: 'wan-video/wan-2.6-t2v',
    kinds: {
      t2v: {
        input: { size: '1280*720' },
        changes: [
          ...shotsOf26,
          [{ aspectRatio: '9:16' }, { size: '720*1280' }],
          [{ resolution: '1080p' }, { size: '1920*1080' }],
        ],
      },
    },
  },
  {
    ...wan26,
    upstreamModel: 'wan-video/wan-2.6-i2v',
    kinds: { i2v: { input: { image: IMAGE, resolution: '720p' }, changes: [...shotsOf26, ...tiers('1080p')] } },
  },
  ...['alibaba/wan-3', 'alibaba/wan-3-prime'].map((upstreamModel): UpstreamCases => ({
    ...wan,
    upstreamModel,
    input: { ...wan.input, resolution: '720p' },
    changes: [...wan.changes, ...lengths(2, 30), ...tiers('480p', '1080p'), ...fiveShapes],
    kinds: {
      t2v: { input: wide },
      i2v: {
        input: { image: IMAGE },
        changes: [...shapes('16:9'), [{ aspectRatio: 'adaptive' }, { aspect_ratio: 'adaptive' }]],
      },
    },
  })),
  {
    ...happyhorse,
    upstreamModel: 'alibaba/happyhorse-1.0',
    kinds: { t2v: shapedText, i2v: { input: { image: IMAGE } } },
  },
  {
    ...happyhorse,
    upstreamModel: 'alibaba/happyhorse-1.1',
    // A single image is the first frame, which decides the ratio.
    kinds: { t2v: shapedText, i2v: { input: { images: [IMAGE] } } },
  },
  ...['vidu/q3-pro', 'vidu/q3-turbo'].map((upstreamModel): UpstreamCases => ({
    upstreamModel,
    order: { seconds: 5, resolution: '720p', audio: true, aspectRatio: '16:9' },
    input: { prompt, duration: 5, resolution: '720p', audio: true },
    changes: [...lengths(1, 16), ...tiers('540p', '1080p'), ...seeds, [{ audio: false }, { audio: false }]],
    kinds: { t2v: shapedText, ...klingFrames },
  })),
  {
    upstreamModel: 'kwaivgi/kling-o1',
    order: { seconds: 5, resolution: '720p', audio: false, aspectRatio: '16:9' },
    input: { prompt, mode: 'std' },
    changes: [[{ resolution: '1080p' }, { mode: 'pro' }]],
    kinds: {
      t2v: { input: { ...wide, duration: 5 }, changes: [...lengths(10), ...shapes('9:16', '1:1')] },
      i2v: { input: { ...klingFrames.i2v.input, duration: 5 }, changes: lengths(10) },
      'start-end': { input: { ...klingFrames['start-end'].input, duration: 5 }, changes: lengths(3, 10) },
      r2v: {
        input: { ...klingReferences.input, duration: 5 },
        changes: [
          ...lengths(3, 10),
          ...klingReferences.changes,
          [
            { media: [imageReference, videoReference] },
            { reference_video: CLIP, video_reference_type: 'feature', keep_original_sound: false },
          ],
        ],
      },
      'video-edit': {
        input: { reference_video: CLIP, video_reference_type: 'base', keep_original_sound: true },
        changes: [
          [{ media: [source, imageReference] }, { reference_images: [IMAGE] }],
          [{ parameters: { keep_original_sound: false } }, { keep_original_sound: false }],
          [{ audio: true, parameters: { keep_original_sound: true } }, {}],
        ],
      },
    },
  },
  ...['kwaivgi/kling-v2.1-master', 'kwaivgi/kling-v2.0'].map((upstreamModel): UpstreamCases => ({
    ...olderKling,
    upstreamModel,
    order: { ...olderKling.order, resolution: upstreamModel.endsWith('-master') ? '1080p' : '720p' },
    kinds: { t2v: klingText, i2v: klingFrames.i2v },
  })),
  {
    ...olderKling,
    upstreamModel: 'kwaivgi/kling-v1.6-standard',
    order: { ...olderKling.order, resolution: '720p' },
    kinds: { t2v: klingText, i2v: klingFrames.i2v, r2v: klingReferences },
  },
  {
    upstreamModel: 'luma/ray-3.2',
    order: { seconds: 5, resolution: '720p', audio: false, aspectRatio: '16:9' },
    input: { prompt, duration: 5, resolution: '720p', ...wide },
    changes: [...lengths(10), ...tiers('540p', '1080p'), ...shapes('9:16', '1:1', '4:3', '3:4', '21:9')],
    kinds: {
      t2v: {},
      i2v: { ...klingFrames.i2v, changes: [[{ aspectRatio: 'adaptive' }, { aspect_ratio: undefined }]] },
      'start-end': {
        ...klingFrames['start-end'],
        changes: [[{ aspectRatio: 'adaptive' }, { aspect_ratio: undefined }]],
      },
    },
  },
  {
    ...sixthPixverse,
    input: { ...sixthPixverse.input, generate_audio_switch: false, generate_multi_clip_switch: false },
    changes: [
      ...sixthPixverse.changes,
      ...lengths(10, 15),
      [{ audio: true }, { generate_audio_switch: true }],
      [parameter('generate_multi_clip_switch', true), { generate_multi_clip_switch: true }],
      [parameter('generate_multi_clip_switch', false), {}],
    ],
  },
  {
    upstreamModel: 'xai/grok-imagine-video-1.5',
    order: { seconds: 5, resolution: '720p', audio: true, aspectRatio: '16:9' },
    input: { prompt, image: IMAGE, duration: 5, resolution: '720p', aspect_ratio: 'auto' },
    changes: [
      ...lengths(1, 15),
      ...tiers('480p'),
      ...shapes('16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3'),
      [{ aspectRatio: 'adaptive' }, { aspect_ratio: 'auto' }],
    ],
    kinds: { i2v: {} },
  },
  {
    ...veo,
    upstreamModel: 'google/veo-3.1-lite',
    input: { prompt, duration: 8, resolution: '720p', ...wide },
    changes: [...tiers('1080p'), ...seeds],
    kinds: {
      t2v: { changes: veoChanges },
      i2v: { input: { image: IMAGE }, changes: veoChanges },
      'start-end': { input: { image: IMAGE, last_frame: LAST_IMAGE }, changes: veoChanges },
    },
  },
  {
    ...wan,
    upstreamModel: 'wan-video/wan-2.7-t2v',
    kinds: {
      t2v: {
        input: { ...wide, resolution: '720p' },
        changes: [...lengths(2, 15), ...tiers('1080p'), ...shapes('9:16', '1:1', '4:3', '3:4')],
      },
    },
  },
  {
    ...wan,
    upstreamModel: 'wan-video/wan-2.5-t2v',
    kinds: {
      t2v: {
        input: { size: '1280*720' },
        changes: [
          ...lengths(10),
          [{ aspectRatio: '9:16' }, { size: '720*1280' }],
          [{ resolution: '480p' }, { size: '832*480' }],
          [{ resolution: '480p', aspectRatio: '9:16' }, { size: '480*832' }],
          [{ resolution: '1080p' }, { size: '1920*1080' }],
          [{ resolution: '1080p', aspectRatio: '9:16' }, { size: '1080*1920' }],
        ],
      },
    },
  },
  {
    ...wan,
    upstreamModel: 'wan-video/wan-2.5-i2v',
    kinds: {
      i2v: { input: { image: IMAGE, resolution: '720p' }, changes: [...lengths(10), ...tiers('480p', '1080p')] },
    },
  },
  {
    upstreamModel: 'kwaivgi/kling-v3-omni-video',
    order: { seconds: 5, resolution: '720p', audio: true, aspectRatio: '16:9' },
    input: { prompt, mode: 'standard' },
    changes: [
      [{ resolution: '1080p' }, { mode: 'pro' }],
      [{ resolution: '4k' }, { mode: '4k' }],
    ],
    kinds: {
      ...Object.fromEntries(
        Object.entries({
          t2v: klingText,
          ...klingFrames,
          r2v: {
            input: { ...wide, reference_images: [IMAGE] },
            changes: [
              ...shapes('9:16', '1:1'),
              [{ media: [imageReference, otherReference] }, { reference_images: [IMAGE, LAST_IMAGE] }],
              [{ prompt: '@img1 and @vid1' }, { prompt: '<<<image_1>>> and <<<video_1>>>' }],
              [{ prompt: '@image_2 by [Image1]' }, { prompt: '<<<image_2>>> by [Image1]' }],
              [
                { media: [imageReference, videoReference], audio: false },
                {
                  reference_video: CLIP,
                  video_reference_type: 'feature',
                  keep_original_sound: false,
                  generate_audio: false,
                },
              ],
            ] satisfies Change[],
          },
        }).map(([kind, each]) => [
          kind,
          {
            input: { ...each.input, duration: 5, generate_audio: true },
            changes: [
              ...lengths(3, 15),
              [{ audio: false }, { generate_audio: false }],
              ...('changes' in each ? each.changes : []),
            ],
          },
        ]),
      ),
      'video-edit': {
        input: { reference_video: CLIP, video_reference_type: 'base', keep_original_sound: true },
        changes: [
          [{ media: [source, imageReference] }, { reference_images: [IMAGE] }],
          [{ audio: false, parameters: { keep_original_sound: false } }, { keep_original_sound: false }],
          [{ parameters: { keep_original_sound: true } }, {}],
        ],
      },
    },
  },
  {
    ...olderKling,
    upstreamModel: 'kwaivgi/kling-v2.6',
    input: { ...olderKling.input, generate_audio: false },
    changes: [...olderKling.changes, [{ audio: true }, { generate_audio: true }]],
    kinds: { t2v: klingText, i2v: klingFrames.i2v },
  },
  { ...olderKling, upstreamModel: 'kwaivgi/kling-v2.5-turbo-pro', kinds: { t2v: klingText, ...klingFrames } },
  {
    ...olderKling,
    upstreamModel: 'kwaivgi/kling-v2.1',
    input: { ...olderKling.input, mode: 'pro' },
    kinds: {
      i2v: { ...klingFrames.i2v, changes: [[{ resolution: '720p' }, { mode: 'standard' }]] },
      'start-end': klingFrames['start-end'],
    },
  },
  { ...olderKling, upstreamModel: 'kwaivgi/kling-v1.6-pro', kinds: { ...klingFrames, r2v: klingReferences } },
  {
    ...veo,
    upstreamModel: 'google/veo-3.1',
    kinds: {
      t2v: { changes: veoChanges },
      i2v: { input: { image: IMAGE }, changes: veoChanges },
      'start-end': { input: { image: IMAGE, last_frame: LAST_IMAGE }, changes: veoChanges },
      r2v: {
        input: { reference_images: [IMAGE] },
        changes: [[{ media: [imageReference, otherReference] }, { reference_images: [IMAGE, LAST_IMAGE] }]],
      },
    },
  },
  {
    ...veo,
    upstreamModel: 'google/veo-3.1-fast',
    kinds: {
      t2v: { changes: veoChanges },
      i2v: { input: { image: IMAGE }, changes: veoChanges },
      'start-end': { input: { image: IMAGE, last_frame: LAST_IMAGE }, changes: veoChanges },
    },
  },
  seedance2('bytedance/seedance-2.0', ['480p', '1080p', '4k']),
  { ...newest, changes: [...newest.changes, ...lengths(30)] },
  {
    ...seedance1,
    upstreamModel: 'bytedance/seedance-1.5-pro',
    order: { ...seedance1.order, audio: true },
    input: { ...seedance1.input, generate_audio: true },
    changes: [...lengths(4, 12), ...seeds, [{ audio: false }, { generate_audio: false }]],
    kinds: { t2v: seedanceText, ...seedanceFrames },
  },
  seedance2('bytedance/seedance-2.0-fast', ['480p']),
  { ...seedance1, upstreamModel: 'bytedance/seedance-1-pro', kinds: { t2v: seedanceText, ...seedanceFrames } },
  {
    ...seedance1,
    upstreamModel: 'bytedance/seedance-1-lite',
    kinds: {
      t2v: seedanceText,
      ...seedanceFrames,
      r2v: {
        input: { ...wide, reference_images: [IMAGE] },
        changes: [
          ...tiers('480p'),
          ...seedanceShapes,
          [{ media: [imageReference, otherReference] }, { reference_images: [IMAGE, LAST_IMAGE] }],
        ],
      },
    },
  },
  {
    ...seedance1,
    upstreamModel: 'bytedance/seedance-1-pro-fast',
    kinds: { t2v: seedanceText, i2v: seedanceFrames.i2v },
  },
  { ...hailuo, upstreamModel: 'minimax/hailuo-2.3', kinds: { t2v: {}, i2v: hailuoFrame } },
  { ...hailuo, upstreamModel: 'minimax/hailuo-2.3-fast', kinds: { i2v: hailuoFrame } },
  {
    ...hailuo,
    upstreamModel: 'minimax/hailuo-02',
    kinds: {
      t2v: {},
      i2v: { ...hailuoFrame, changes: tiers('512p') },
      'start-end': { input: { first_frame_image: IMAGE, last_frame_image: LAST_IMAGE } },
    },
  },
  {
    upstreamModel: 'minimax/video-01',
    order: { seconds: 6, resolution: '720p', audio: false, aspectRatio: '16:9' },
    input: { prompt, prompt_optimizer: false },
    changes: expansion('prompt_optimizer'),
    kinds: { t2v: {}, i2v: hailuoFrame, r2v: { input: { subject_reference: IMAGE } } },
  },
  ...(['director', 'live'] as const).map((version): UpstreamCases => ({
    upstreamModel: `minimax/video-01-${version}`,
    order: { seconds: 6, resolution: '720p', audio: false, aspectRatio: '16:9' },
    input: { prompt, prompt_optimizer: false },
    changes: expansion('prompt_optimizer'),
    kinds: { ...(version === 'director' && { t2v: {} }), i2v: hailuoFrame },
  })),
  ray('luma/ray-2-540p', '540p'),
  ray('luma/ray-2-720p', '720p'),
  ray('luma/ray-flash-2-540p', '540p'),
  ray('luma/ray-flash-2-720p', '720p'),
  {
    ...newerPixverse,
    input: { ...newerPixverse.input, generate_audio_switch: false, thinking_type: 'auto' },
    changes: [
      ...newerPixverse.changes,
      ...lengths(10),
      [{ audio: true }, { generate_audio_switch: true }],
      [parameter('thinking_type', 'enabled'), { thinking_type: 'enabled' }],
      [parameter('thinking_type', 'disabled'), { thinking_type: 'disabled' }],
    ],
  },
  pixverse('pixverse/pixverse-v5', ['t2v', 'i2v', 'start-end']),
  pixverse('pixverse/pixverse-v4.5', ['t2v', 'i2v', 'start-end']),
  pixverse('pixverse/pixverse-v4', ['t2v', 'i2v']),
  { ...gen, upstreamModel: 'runwayml/gen-4.5', kinds: { t2v: {}, i2v: { input: { image: IMAGE } } } },
  { ...gen, upstreamModel: 'runwayml/gen4-turbo', kinds: { i2v: { input: { image: IMAGE } } } },
  {
    upstreamModel: 'xai/grok-imagine-video',
    order: { seconds: 5, resolution: '720p', audio: true, aspectRatio: '16:9' },
    input: { prompt },
    changes: [],
    kinds: {
      t2v: {
        input: { duration: 5, resolution: '720p', aspect_ratio: '16:9' },
        changes: [...lengths(1, 15), ...tiers('480p'), ...shapes('9:16', '1:1', '4:3', '3:4', '3:2', '2:3')],
      },
      i2v: {
        input: { image: IMAGE, duration: 5, resolution: '720p', aspect_ratio: 'auto' },
        changes: [
          ...lengths(1, 15),
          ...tiers('480p'),
          ...shapes('16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3'),
          [{ aspectRatio: 'adaptive' }, { aspect_ratio: 'auto' }],
        ],
      },
      'video-edit': { input: { video: CLIP } },
    },
  },
];

/** Models whose videos from images have the ratio of the request. */
const shaped = ['google/', 'luma/', 'runwayml/'];
const orderOf = (upstreamModel: string, kind: VideoKind): OrderChange =>
  shaped.some((owner) => upstreamModel.startsWith(owner)) && kind === 'i2v'
    ? shapedFirst
    : shaped.some((owner) => upstreamModel.startsWith(owner)) && kind === 'start-end'
      ? shapedFrames
      : (mediaOfKind[kind] ?? {});

const ofUpstreams = upstreams.flatMap(({ upstreamModel, order, input, changes, kinds }) =>
  Object.entries(kinds).map(([name, ofKind]): OrderCase => {
    const kind = name as VideoKind;
    return {
      modelName: upstreamModel,
      path: `/v1/models/${upstreamModel}/predictions`,
      order: { ...order, ...orderOf(upstreamModel, kind), kind },
      body: { input: { ...input, ...ofKind.input } },
      changes: [...changes, ...(ofKind.changes ?? [])].map(([change, part]) => [change, { input: part }]),
    };
  }),
);

export const cases = [
  ...models.map(({ upstreamModel, input, changes, ...one }): OrderCase => ({
    ...one,
    modelName: upstreamModel,
    path: `/v1/models/${upstreamModel}/predictions`,
    body: { input },
    changes: changes.map(([change, part]) => [change, { input: part }]),
  })),
  ...ofUpstreams,
];
