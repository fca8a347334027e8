import type { OrderCase } from '../../contract/request-cases';
import {
  CLIP,
  first,
  IMAGE,
  imageReference,
  LAST_IMAGE,
  PROMPT as prompt,
  source,
  unshaped,
  videoReference,
} from '../../support/vendor-orders';
import { type EndpointCase, frames, references, ratios, tiers, negativePrompt, sound, ofSeconds } from './shared';

const klingOrder = { seconds: 5, audio: false } as const;
const klingBody = { prompt, duration: '5', generate_audio: false, negative_prompt: '' };
const klingChanges = [
  [{ seconds: 3 }, { duration: '3' }],
  [{ seconds: 15 }, { duration: '15' }],
  negativePrompt,
  sound,
] as const;
const voice = [
  { audio: true, parameters: { reference_voice: '829826751' } },
  { generate_audio: true, voice_ids: ['829826751'] },
] as const;
const klingText = (tier: string, resolution: string): EndpointCase => ({
  endpoint: `fal-ai/kling-video/v3/${tier}/text-to-video`,
  order: { ...klingOrder, resolution, kind: 't2v' },
  body: { ...klingBody, aspect_ratio: '16:9' },
  changes: [...klingChanges, ...ratios('9:16', '1:1')],
});
const klingImages = (tier: string, resolution: string, voices: OrderCase['changes'] = [voice]): EndpointCase[] => [
  {
    endpoint: `fal-ai/kling-video/v3/${tier}/image-to-video`,
    order: { ...klingOrder, resolution, kind: 'i2v', media: [first], ...unshaped },
    body: { ...klingBody, start_image_url: IMAGE },
    changes: [...klingChanges, ...voices],
  },
  {
    endpoint: `fal-ai/kling-video/v3/${tier}/image-to-video`,
    order: { ...klingOrder, resolution, kind: 'start-end', media: frames, ...unshaped },
    body: { ...klingBody, start_image_url: IMAGE, end_image_url: LAST_IMAGE },
    changes: [...klingChanges, ...voices],
  },
];

// It has no tier of its own: the endpoint decides.
const turboOrder = { seconds: 5, audio: true } as const;
const turboBody = { prompt, duration: '5' };
const turboChanges = [
  [{ seconds: 3 }, { duration: '3' }],
  [{ seconds: 15 }, { duration: '15' }],
] as const;
const turboText = (tier: string, resolution: string): EndpointCase => ({
  endpoint: `fal-ai/kling-video/v3/turbo/${tier}/text-to-video`,
  order: { ...turboOrder, resolution, kind: 't2v' },
  body: { ...turboBody, aspect_ratio: '16:9' },
  changes: [...turboChanges, ...ratios('9:16', '1:1')],
});
const turboImage = (tier: string, resolution: string): EndpointCase => ({
  endpoint: `fal-ai/kling-video/v3/turbo/${tier}/image-to-video`,
  order: { ...turboOrder, resolution, kind: 'i2v', media: [first], ...unshaped },
  body: { ...turboBody, image_url: IMAGE },
  changes: turboChanges,
});

const fourthOrder = { seconds: 5, resolution: '720p', audio: true } as const;
const fourthBody = { prompt, duration: 5, resolution: '720p' };
const fourthChanges = [
  [{ seconds: 3 }, { duration: 3 }],
  [{ seconds: 30 }, { duration: 30 }],
  ...tiers('1080p'),
] as const;
const fourthImage = (order: Pick<OrderCase['order'], 'kind' | 'media'>, images: object): EndpointCase => ({
  endpoint: 'kling/v4/image-to-video',
  order: { ...fourthOrder, ...order, ...unshaped },
  body: { ...fourthBody, ...images },
  changes: fourthChanges,
});

const klingOlderBody = { prompt, duration: '5', negative_prompt: '' };
const klingOlderChanges = [ofSeconds(10, '10'), negativePrompt] as const;
const klingOlderText = (tier: string, resolution: string): EndpointCase => ({
  endpoint: `fal-ai/kling-video/${tier}/text-to-video`,
  order: { ...klingOrder, resolution, kind: 't2v' },
  body: { ...klingOlderBody, aspect_ratio: '16:9' },
  changes: [...klingOlderChanges, ...ratios('9:16', '1:1')],
});
const klingElements = (tier: string, resolution: string): EndpointCase => ({
  ...klingOlderText(tier, resolution),
  endpoint: `fal-ai/kling-video/${tier}/elements`,
  order: { ...klingOrder, resolution, kind: 'r2v', media: references },
  body: { ...klingOlderBody, aspect_ratio: '16:9', input_image_urls: [IMAGE, LAST_IMAGE] },
});
const klingOlderFrames = (tier: string, resolution: string): EndpointCase => ({
  endpoint: `fal-ai/kling-video/${tier}/image-to-video`,
  order: { ...klingOrder, resolution, kind: 'start-end', media: frames, ...unshaped },
  body: { ...klingOlderBody, image_url: IMAGE, tail_image_url: LAST_IMAGE },
  changes: klingOlderChanges,
});
const klingOlderImage = (tier: string, resolution: string): EndpointCase => ({
  endpoint: `fal-ai/kling-video/${tier}/image-to-video`,
  order: { ...klingOrder, resolution, kind: 'i2v', media: [first], ...unshaped },
  body: { ...klingOlderBody, image_url: IMAGE },
  changes: klingOlderChanges,
});

/** With a reference video, and an edit: the same in Kling 3.0 Omni and Kling O1. */
const withVideo = (
  endpoint: (name: string) => string,
  order: typeof klingOrder & { readonly resolution: string },
): EndpointCase[] => [
  {
    // In place of the one for images, and silent.
    endpoint: endpoint('video-to-video/reference'),
    modelName: endpoint('reference-to-video'),
    order: { ...order, kind: 'r2v', media: [videoReference] },
    body: { prompt, duration: '5', aspect_ratio: '16:9', video_url: CLIP, keep_audio: false },
    changes: [
      [{ audio: true }, {}],
      [{ media: [imageReference, videoReference] }, { image_urls: [IMAGE] }],
      [{ prompt: 'As @vid1' }, { prompt: 'As @Video1' }],
    ],
  },
  {
    endpoint: endpoint('video-to-video/edit'),
    order: { ...order, kind: 'video-edit', audio: true, media: [source], inputMillis: 4_400, ...unshaped },
    body: { prompt, video_url: CLIP, keep_audio: true },
    changes: [
      [{ audio: false }, { keep_audio: false }],
      [{ media: [source, imageReference] }, { image_urls: [IMAGE] }],
      [{ prompt: '@vid1 in the light of @img1' }, { prompt: '@Video1 in the light of @Image1' }],
    ],
  },
];

const omniBody = { prompt, duration: '5', generate_audio: false };
const omniChanges = [ofSeconds(3, '3'), ofSeconds(15, '15'), sound] as const;
const omniCases = (tier: string, resolution: string): EndpointCase[] => {
  const endpoint = (name: string) => `fal-ai/kling-video/o3/${tier}/${name}`;
  const order = { ...klingOrder, resolution };
  return [
    {
      endpoint: endpoint('text-to-video'),
      order: { ...order, kind: 't2v' },
      body: { ...omniBody, aspect_ratio: '16:9' },
      changes: [...omniChanges, ...ratios('9:16', '1:1')],
    },
    {
      endpoint: endpoint('image-to-video'),
      order: { ...order, kind: 'i2v', media: [first], ...unshaped },
      body: { ...omniBody, image_url: IMAGE },
      changes: omniChanges,
    },
    {
      endpoint: endpoint('image-to-video'),
      order: { ...order, kind: 'start-end', media: frames, ...unshaped },
      body: { ...omniBody, image_url: IMAGE, end_image_url: LAST_IMAGE },
      changes: omniChanges,
    },
    {
      endpoint: endpoint('reference-to-video'),
      order: { ...order, kind: 'r2v', media: references },
      body: { ...omniBody, aspect_ratio: '16:9', image_urls: [IMAGE, LAST_IMAGE] },
      changes: [
        ...omniChanges,
        ...ratios('9:16', '1:1'),
        // Kling's words for a reference, and those of fal.
        [{ prompt: '@img1 meets @img12' }, { prompt: '@Image1 meets @Image12' }],
      ],
    },
    ...withVideo(endpoint, order),
  ];
};

const o1Body = { prompt, duration: '5' };
const o1Changes = [ofSeconds(3, '3'), ofSeconds(10, '10')] as const;
const o1Cases = (path: string, resolution: string): EndpointCase[] => {
  const endpoint = (name: string) => `${path}/${name}`;
  const order = { ...klingOrder, resolution };
  return [
    {
      endpoint: endpoint('image-to-video'),
      order: { ...order, kind: 'i2v', media: [first], ...unshaped },
      body: { ...o1Body, start_image_url: IMAGE },
      changes: [...o1Changes, [{ prompt: 'From @img1' }, { prompt: 'From @Image1' }]],
    },
    {
      endpoint: endpoint('image-to-video'),
      order: { ...order, kind: 'start-end', media: frames, ...unshaped },
      body: { ...o1Body, start_image_url: IMAGE, end_image_url: LAST_IMAGE },
      changes: o1Changes,
    },
    {
      endpoint: endpoint('reference-to-video'),
      order: { ...order, kind: 'r2v', media: references },
      body: { ...o1Body, aspect_ratio: '16:9', image_urls: [IMAGE, LAST_IMAGE] },
      changes: [
        ...o1Changes,
        ...ratios('9:16', '1:1'),
        [{ prompt: '@img1 meets @img2' }, { prompt: '@Image1 meets @Image2' }],
      ],
    },
    ...withVideo(endpoint, order),
  ];
};

export const klingRequests: readonly EndpointCase[] = [
  {
    endpoint: 'kling/v4/text-to-video',
    order: { ...fourthOrder, kind: 't2v' },
    body: { ...fourthBody, aspect_ratio: '16:9' },
    changes: [...fourthChanges, ...ratios('9:16', '1:1', '21:9')],
  },
  fourthImage({ kind: 'i2v', media: [first] }, { start_image_url: IMAGE }),
  fourthImage({ kind: 'start-end', media: frames }, { start_image_url: IMAGE, end_image_url: LAST_IMAGE }),
  {
    endpoint: 'kling/v4/reference-to-video',
    order: { ...fourthOrder, kind: 'r2v', media: references },
    body: { ...fourthBody, aspect_ratio: '16:9', image_urls: [IMAGE, LAST_IMAGE] },
    changes: [
      ...fourthChanges,
      ...ratios('9:16', '1:1', '21:9'),
      [{ media: [imageReference, videoReference] }, { image_urls: [IMAGE], video_urls: [CLIP] }],
      [
        { media: [videoReference], prompt: 'As @vid1' },
        { image_urls: undefined, video_urls: [CLIP], prompt: 'As @Video1' },
      ],
    ],
  },
  {
    endpoint: 'kling/v4/video-to-video/edit',
    order: { ...fourthOrder, kind: 'video-edit', media: [source], inputMillis: 4_400, ...unshaped },
    body: { prompt, resolution: '720p', video_url: CLIP },
    changes: [
      ...tiers('1080p'),
      [{ media: [source, imageReference] }, { image_urls: [IMAGE] }],
      [{ prompt: '@vid1 in the light of @img1' }, { prompt: '@Video1 in the light of @Image1' }],
    ],
  },
  klingText('standard', '720p'),
  klingText('pro', '1080p'),
  klingText('4k', '4k'),
  ...klingImages('standard', '720p'),
  ...klingImages('pro', '1080p'),
  ...klingImages('4k', '4k', []),
  turboText('standard', '720p'),
  turboText('pro', '1080p'),
  turboImage('standard', '720p'),
  turboImage('pro', '1080p'),
  {
    endpoint: 'fal-ai/kling-video/v2.6/pro/text-to-video',
    order: { ...klingOrder, resolution: '1080p', kind: 't2v' },
    body: { ...klingBody, aspect_ratio: '16:9' },
    changes: [ofSeconds(10, '10'), negativePrompt, sound, ...ratios('9:16', '1:1')],
  },
  {
    endpoint: 'fal-ai/kling-video/v2.6/pro/image-to-video',
    order: { ...klingOrder, resolution: '1080p', kind: 'i2v', media: [first], ...unshaped },
    body: { ...klingBody, start_image_url: IMAGE },
    changes: [ofSeconds(10, '10'), negativePrompt, sound, voice],
  },
  {
    endpoint: 'fal-ai/kling-video/v2.6/pro/image-to-video',
    order: { ...klingOrder, resolution: '1080p', kind: 'start-end', media: frames, ...unshaped },
    body: { ...klingBody, start_image_url: IMAGE, end_image_url: LAST_IMAGE },
    changes: [ofSeconds(10, '10'), negativePrompt, sound, voice],
  },
  klingOlderText('v2.5-turbo/pro', '1080p'),
  klingOlderImage('v2.5-turbo/standard', '720p'),
  klingOlderImage('v2.5-turbo/pro', '1080p'),
  klingOlderFrames('v2.5-turbo/pro', '1080p'),
  klingOlderText('v2.1/master', '1080p'),
  klingOlderImage('v2.1/master', '1080p'),
  klingOlderImage('v2.1/pro', '1080p'),
  klingOlderFrames('v2.1/pro', '1080p'),
  klingOlderImage('v2.1/standard', '720p'),
  klingOlderText('v2/master', '720p'),
  klingOlderImage('v2/master', '720p'),
  klingOlderText('v1.6/pro', '1080p'),
  klingOlderImage('v1.6/pro', '1080p'),
  klingOlderFrames('v1.6/pro', '1080p'),
  klingElements('v1.6/pro', '1080p'),
  klingOlderText('v1.6/standard', '720p'),
  klingOlderImage('v1.6/standard', '720p'),
  klingElements('v1.6/standard', '720p'),
  klingOlderText('v1.5/pro', '1080p'),
  klingOlderImage('v1.5/pro', '1080p'),
  klingOlderFrames('v1.5/pro', '1080p'),
  klingOlderText('v1/standard', '720p'),
  klingOlderImage('v1/standard', '720p'),
  klingOlderFrames('v1/standard', '720p'),
  ...omniCases('standard', '720p'),
  ...omniCases('pro', '1080p'),
  ...omniCases('4k', '4k'),
  ...o1Cases('fal-ai/kling-video/o1/standard', '720p'),
  ...o1Cases('fal-ai/kling-video/o1', '1080p'),
];
