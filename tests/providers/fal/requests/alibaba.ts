import {
  CLIP,
  first,
  IMAGE,
  imageReference,
  LAST_IMAGE,
  parameter,
  PROMPT as prompt,
  source,
  unshaped,
  videoReference,
  VOICE,
} from '../../support/vendor-orders';
import {
  type EndpointCase,
  frames,
  references,
  ratios,
  tiers,
  seeds,
  negativePrompt,
  ofSeconds,
  expansion,
} from './shared';

const wanOrder = { seconds: 5, resolution: '720p', audio: true } as const;
const wanBody = { prompt, duration: '5', resolution: '720p' };
const wanRatios = ratios('9:16', '1:1', '4:3', '3:4');
const wanChanges = [[{ seconds: 2 }, { duration: '2' }], ...tiers('1080p'), ...seeds, negativePrompt] as const;
const wanLong = [{ seconds: 15 }, { duration: '15' }] as const;

const olderBody = { ...wanBody, multi_shots: false, enable_prompt_expansion: false };
const olderChanges = [
  ofSeconds(10, '10'),
  ...tiers('1080p'),
  ...seeds,
  negativePrompt,
  ...expansion,
  [parameter('multi_clip', true), { multi_shots: true }],
  [parameter('multi_clip', false), {}],
] as const;
const olderLong = ofSeconds(15, '15');
const olderImage = (endpoint: string): EndpointCase => ({
  endpoint,
  order: { ...wanOrder, kind: 'i2v', media: [first], ...unshaped },
  body: { ...olderBody, image_url: IMAGE },
  changes: [...olderChanges, olderLong],
});

const horseOrder = { seconds: 5, resolution: '720p', audio: true } as const;
const horseBody = { prompt, duration: 5, resolution: '720p' };
const horseChanges = [ofSeconds(3, 3), ofSeconds(15, 15), ...tiers('1080p'), ...seeds] as const;

const thirdOrder = { seconds: 5, resolution: '720p', audio: true } as const;
const thirdBody = {
  prompt,
  duration: 5,
  resolution: '720p',
  aspect_ratio: '16:9',
  audio: true,
  enable_prompt_expansion: false,
};
const thirdChanges = [
  ofSeconds(2, 2),
  ofSeconds(30, 30),
  ...tiers('480p', '1080p'),
  ...seeds,
  ...expansion,
  [{ audio: false }, { audio: false }],
] as const;
const shapeless = [unshaped, { aspect_ratio: 'adaptive' }] as const;
const thirdCases = (model: string): EndpointCase[] => [
  {
    endpoint: `alibaba/${model}/text-to-video`,
    order: { ...thirdOrder, kind: 't2v' },
    body: thirdBody,
    changes: [...thirdChanges, ...wanRatios],
  },
  {
    endpoint: `alibaba/${model}/image-to-video`,
    order: { ...thirdOrder, kind: 'i2v', media: [first] },
    body: { ...thirdBody, start_image_url: IMAGE },
    changes: [...thirdChanges, ...wanRatios, shapeless, ...ratios('adaptive')],
  },
  {
    endpoint: `alibaba/${model}/image-to-video`,
    order: { ...thirdOrder, kind: 'start-end', media: frames },
    body: { ...thirdBody, start_image_url: IMAGE, end_image_url: LAST_IMAGE },
    changes: [...thirdChanges, ...wanRatios, shapeless, ...ratios('adaptive')],
  },
  {
    endpoint: `alibaba/${model}/reference-to-video`,
    order: { ...thirdOrder, kind: 'r2v', media: references },
    body: { ...thirdBody, reference_image_urls: [IMAGE, LAST_IMAGE] },
    changes: [
      ...thirdChanges,
      ...wanRatios,
      shapeless,
      ...ratios('adaptive'),
      [{ media: [videoReference] }, { reference_image_urls: undefined, reference_video_urls: [CLIP] }],
      [{ media: [imageReference, videoReference] }, { reference_image_urls: [IMAGE], reference_video_urls: [CLIP] }],
      [parameter('reference_voice', VOICE), { reference_audio_urls: [VOICE] }],
    ],
  },
];

const horseCases = (path: string): EndpointCase[] => [
  {
    endpoint: `${path}/text-to-video`,
    order: { ...horseOrder, kind: 't2v' },
    body: { ...horseBody, aspect_ratio: '16:9' },
    changes: [...horseChanges, ...wanRatios],
  },
  {
    endpoint: `${path}/image-to-video`,
    order: { ...horseOrder, kind: 'i2v', media: [first], ...unshaped },
    body: { ...horseBody, image_url: IMAGE },
    changes: horseChanges,
  },
  {
    endpoint: `${path}/reference-to-video`,
    order: { ...horseOrder, kind: 'r2v', media: references },
    body: { ...horseBody, aspect_ratio: '16:9', image_urls: [IMAGE, LAST_IMAGE] },
    changes: [...horseChanges, ...wanRatios],
  },
];

export const alibabaRequests: readonly EndpointCase[] = [
  {
    endpoint: 'fal-ai/wan-25-preview/text-to-video',
    order: { ...wanOrder, kind: 't2v' },
    body: { ...wanBody, aspect_ratio: '16:9', enable_prompt_expansion: false },
    changes: [
      ofSeconds(10, '10'),
      ...tiers('480p', '1080p'),
      ...seeds,
      negativePrompt,
      ...ratios('9:16', '1:1'),
      ...expansion,
    ],
  },
  {
    endpoint: 'fal-ai/wan-25-preview/image-to-video',
    order: { ...wanOrder, kind: 'i2v', media: [first], ...unshaped },
    body: { ...wanBody, image_url: IMAGE, enable_prompt_expansion: false },
    changes: [ofSeconds(10, '10'), ...tiers('480p', '1080p'), ...seeds, negativePrompt, ...expansion],
  },
  ...['wan-3.0', 'wan-3.0-prime'].flatMap(thirdCases),
  {
    endpoint: 'fal-ai/wan/v2.7/text-to-video',
    order: { ...wanOrder, kind: 't2v' },
    body: { ...wanBody, aspect_ratio: '16:9', enable_prompt_expansion: false },
    changes: [...wanChanges, ...wanRatios, ...expansion, wanLong],
  },
  {
    endpoint: 'fal-ai/wan/v2.7/image-to-video',
    order: { ...wanOrder, kind: 'i2v', media: [first], ...unshaped },
    body: { ...wanBody, image_url: IMAGE, enable_prompt_expansion: false },
    changes: [...wanChanges, ...expansion, wanLong],
  },
  {
    endpoint: 'fal-ai/wan/v2.7/image-to-video',
    order: { ...wanOrder, kind: 'start-end', media: frames, ...unshaped },
    body: { ...wanBody, image_url: IMAGE, end_image_url: LAST_IMAGE, enable_prompt_expansion: false },
    changes: [...wanChanges, ...expansion, wanLong],
  },
  {
    endpoint: 'fal-ai/wan/v2.7/reference-to-video',
    order: { ...wanOrder, kind: 'r2v', media: references },
    body: { ...wanBody, aspect_ratio: '16:9', multi_shots: false, reference_image_urls: [IMAGE, LAST_IMAGE] },
    changes: [
      ...wanChanges,
      ...wanRatios,
      [{ seconds: 10 }, { duration: '10' }],
      [parameter('multi_clip', true), { multi_shots: true }],
      [parameter('multi_clip', false), {}],
      [{ media: [videoReference] }, { reference_image_urls: undefined, reference_video_urls: [CLIP] }],
      [{ media: [imageReference, videoReference] }, { reference_image_urls: [IMAGE], reference_video_urls: [CLIP] }],
    ],
  },
  {
    endpoint: 'fal-ai/wan/v2.7/edit-video',
    order: { ...wanOrder, kind: 'video-edit', media: [source], inputMillis: 4_400, ...unshaped },
    body: { prompt, video_url: CLIP, duration: '0', resolution: '720p', audio_setting: 'origin' },
    changes: [
      ...tiers('1080p'),
      ...seeds,
      ...ratios('16:9', '9:16', '1:1', '4:3', '3:4'),
      // A number is sent only where it shortens the source.
      [{ seconds: 4 }, { duration: '4' }],
      [{ seconds: 2 }, { duration: '2' }],
      [{ seconds: 10 }, { duration: '0' }],
      [{ seconds: 2, inputMillis: 2_000 }, { duration: '0' }],
      [{ audio: false }, { audio_setting: 'auto' }],
      [{ media: [source, imageReference] }, { reference_image_url: IMAGE }],
    ],
  },
  {
    endpoint: 'wan/v2.6/text-to-video',
    order: { ...wanOrder, kind: 't2v' },
    body: { ...olderBody, aspect_ratio: '16:9' },
    changes: [...olderChanges, olderLong, ...wanRatios],
  },
  olderImage('wan/v2.6/image-to-video'),
  olderImage('wan/v2.6/image-to-video/flash'),
  {
    endpoint: 'wan/v2.6/reference-to-video',
    order: { ...wanOrder, kind: 'r2v', media: [videoReference] },
    body: { ...olderBody, aspect_ratio: '16:9', video_urls: [CLIP] },
    changes: [
      ...olderChanges,
      ...wanRatios,
      [{ media: [videoReference, videoReference] }, { video_urls: [CLIP, CLIP] }],
    ],
  },
  {
    endpoint: 'wan/v2.6/reference-to-video/flash',
    order: { ...wanOrder, kind: 'r2v', media: references },
    body: { ...olderBody, aspect_ratio: '16:9', enable_audio: true, image_urls: [IMAGE, LAST_IMAGE] },
    changes: [
      ...olderChanges,
      ...wanRatios,
      [{ audio: false }, { enable_audio: false }],
      [{ media: [videoReference] }, { image_urls: undefined, video_urls: [CLIP] }],
      [{ media: [imageReference, videoReference] }, { image_urls: [IMAGE], video_urls: [CLIP] }],
    ],
  },
  ...['alibaba/happy-horse/v1.1', 'alibaba/happy-horse'].flatMap(horseCases),
  {
    endpoint: 'alibaba/happy-horse/video-edit',
    order: { ...horseOrder, kind: 'video-edit', media: [source], inputMillis: 4_400, ...unshaped },
    body: { prompt, resolution: '720p', video_url: CLIP, audio_setting: 'origin' },
    changes: [
      ...tiers('1080p'),
      ...seeds,
      [{ audio: false }, { audio_setting: 'auto' }],
      [{ media: [source, imageReference] }, { reference_image_urls: [IMAGE] }],
    ],
  },
];
