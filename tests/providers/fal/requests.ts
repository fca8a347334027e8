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

// What each endpoint of fal must receive for an order, written by hand from the types of @fal-ai/client 1.10.1, and
// for Kling 4.0 and 3.0 Turbo and Gemini Omni from fal's pages. An endpoint may serve several models of the catalog.

interface EndpointCase extends Pick<OrderCase, 'order' | 'body' | 'changes'> {
  readonly endpoint: string;
}

const frames = [first, last];
const references = [imageReference, otherReference];

const ratios = (...all: string[]) => all.map((ratio) => [{ aspectRatio: ratio }, { aspect_ratio: ratio }] as const);
const tiers = (...all: string[]) => all.map((tier) => [{ resolution: tier }, { resolution: tier }] as const);
const seeds = [
  [{ seed: 0 }, { seed: 0 }],
  [{ seed: 2_147_483_647 }, { seed: 2_147_483_647 }],
] as const;
const negativePrompt = [parameter('negative_prompt', 'rain'), { negative_prompt: 'rain' }] as const;
const sound = [{ audio: true }, { generate_audio: true }] as const;

const veoOrder = { seconds: 8, resolution: '720p', audio: false } as const;
const veoBody = { prompt, duration: '8s', resolution: '720p', generate_audio: false, auto_fix: false };
const veoChanges = [
  [{ seconds: 4 }, { duration: '4s' }],
  [{ seconds: 6 }, { duration: '6s' }],
  ...tiers('1080p'),
  ...ratios('9:16'),
  ...seeds,
  negativePrompt,
  sound,
] as const;
const veoText = (endpoint: string): EndpointCase => ({
  endpoint,
  order: { ...veoOrder, kind: 't2v' },
  body: { ...veoBody, aspect_ratio: '16:9' },
  changes: veoChanges,
});
const veoImage = (endpoint: string): EndpointCase => ({
  endpoint,
  order: { ...veoOrder, kind: 'i2v', media: [first] },
  body: { ...veoBody, aspect_ratio: '16:9', image_url: IMAGE },
  changes: [
    ...veoChanges,
    [unshaped, { aspect_ratio: 'auto' }],
    [{ aspectRatio: 'adaptive' }, { aspect_ratio: 'auto' }],
  ],
});
const veoFrames = (endpoint: string, ...more: string[]): EndpointCase => ({
  endpoint,
  order: { ...veoOrder, kind: 'start-end', media: frames },
  body: { ...veoBody, aspect_ratio: '16:9', first_frame_url: IMAGE, last_frame_url: LAST_IMAGE },
  changes: [...veoChanges, ...tiers(...more), [unshaped, { aspect_ratio: 'auto' }]],
});

const klingOrder = { seconds: 5, audio: false } as const;
const klingBody = { prompt, duration: '5', generate_audio: false, negative_prompt: '' };
const klingChanges = [
  [{ seconds: 3 }, { duration: '3' }],
  [{ seconds: 15 }, { duration: '15' }],
  negativePrompt,
  sound,
] as const;
const klingText = (tier: string, resolution: string): EndpointCase => ({
  endpoint: `fal-ai/kling-video/v3/${tier}/text-to-video`,
  order: { ...klingOrder, resolution, kind: 't2v' },
  body: { ...klingBody, aspect_ratio: '16:9' },
  changes: [...klingChanges, ...ratios('9:16', '1:1')],
});
const klingImages = (tier: string, resolution: string): EndpointCase[] => [
  {
    endpoint: `fal-ai/kling-video/v3/${tier}/image-to-video`,
    order: { ...klingOrder, resolution, kind: 'i2v', media: [first], ...unshaped },
    body: { ...klingBody, start_image_url: IMAGE },
    changes: klingChanges,
  },
  {
    endpoint: `fal-ai/kling-video/v3/${tier}/image-to-video`,
    order: { ...klingOrder, resolution, kind: 'start-end', media: frames, ...unshaped },
    body: { ...klingBody, start_image_url: IMAGE, end_image_url: LAST_IMAGE },
    changes: klingChanges,
  },
];

// It has no tier of its own: the endpoint decides.
const turboOrder = { seconds: 5, audio: true } as const;
const turboBody = { prompt, duration: '5' };
const turboChanges = [
  [{ seconds: 3 }, { duration: '3' }],
  [{ seconds: 15 }, { duration: '15' }],
] as const;
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

const portrait = [{ ...unshaped, width: 720, height: 1_280 }, { aspect_ratio: '9:16' }] as const;
const omniCases = (version: string, maxSeconds: number): EndpointCase[] => {
  const endpoint = (name: string) => `google/gemini-omni-flash/${version}/${name}`;
  const order = { seconds: 8, resolution: '720p', audio: true } as const;
  const body = { prompt, duration: 8, resolution: '720p', aspect_ratio: '16:9' };
  const lengths = (last: number) =>
    [
      [{ seconds: 3 }, { duration: 3 }],
      [{ seconds: last }, { duration: last }],
    ] as const;
  const shared = [...tiers('360p', '1080p', '4k'), ...ratios('9:16')];
  return [
    {
      endpoint: endpoint('text-to-video'),
      order: { ...order, kind: 't2v' },
      body,
      changes: [...lengths(maxSeconds), ...shared],
    },
    {
      endpoint: endpoint('image-to-video'),
      order: { ...order, kind: 'i2v', media: [first] },
      body: { ...body, image_url: IMAGE },
      changes: [...lengths(maxSeconds), ...shared, portrait],
    },
    {
      endpoint: endpoint('image-to-video'),
      order: { ...order, kind: 'start-end', media: frames },
      body: { ...body, image_url: IMAGE, end_image_url: LAST_IMAGE },
      changes: [...lengths(10), ...shared, portrait],
    },
    {
      endpoint: endpoint('reference-to-video'),
      order: { ...order, kind: 'r2v', media: references },
      body: { ...body, image_urls: [IMAGE, LAST_IMAGE] },
      changes: [...lengths(maxSeconds), ...shared],
    },
  ];
};

const wanOrder = { seconds: 5, resolution: '720p', audio: true } as const;
const wanBody = { prompt, duration: '5', resolution: '720p' };
const wanRatios = ratios('9:16', '1:1', '4:3', '3:4');
const wanChanges = [[{ seconds: 2 }, { duration: '2' }], ...tiers('1080p'), ...seeds, negativePrompt] as const;
const expansion = [
  [parameter('prompt_extend', true), { enable_prompt_expansion: true }],
  [parameter('prompt_extend', false), { enable_prompt_expansion: false }],
] as const;
const wanLong = [{ seconds: 15 }, { duration: '15' }] as const;

const pixverseOrder = { seconds: 5, resolution: '720p', audio: false } as const;
const pixverseBody = {
  prompt,
  duration: 5,
  resolution: '720p',
  generate_audio_switch: false,
  generate_multi_clip_switch: false,
  thinking_type: 'auto',
  negative_prompt: '',
};
const pixverseChanges = [
  [{ seconds: 1 }, { duration: 1 }],
  [{ seconds: 15 }, { duration: 15 }],
  ...tiers('360p', '540p', '1080p'),
  ...seeds,
  negativePrompt,
  [{ audio: true }, { generate_audio_switch: true }],
  [parameter('generate_multi_clip_switch', true), { generate_multi_clip_switch: true }],
  [parameter('generate_multi_clip_switch', false), {}],
  [parameter('thinking_type', 'disabled'), { thinking_type: 'disabled' }],
  [parameter('thinking_type', 'enabled'), { thinking_type: 'enabled' }],
] as const;
const pixverseRatios = ratios('9:16', '1:1', '4:3', '3:4', '21:9', '2:3', '3:2');

const grokOrder = { seconds: 8, resolution: '720p', audio: true } as const;
const grokBody = { prompt, duration: 8, resolution: '720p' };
const grokRatios = ratios('9:16', '1:1', '4:3', '3:4', '3:2', '2:3');
const grokChanges = [[{ seconds: 1 }, { duration: 1 }], [{ seconds: 15 }, { duration: 15 }], ...tiers('480p')] as const;

const hailuoOrder = { kind: 'i2v', seconds: 6, audio: false, media: [first], ...unshaped } as const;
const hailuoBody = { prompt, image_url: IMAGE, prompt_optimizer: false };
const optimizer = [
  [parameter('prompt_extend', true), { prompt_optimizer: true }],
  [parameter('prompt_extend', false), {}],
] as const;

const viduQ3Changes = [
  [{ seconds: 1 }, { duration: 1 }],
  [{ seconds: 16 }, { duration: 16 }],
  ...tiers('540p', '1080p'),
  ...seeds,
  [{ audio: true }, { audio: true }],
] as const;
const viduQ3Order = { seconds: 5, resolution: '720p', audio: false } as const;
const viduQ3Body = { prompt, duration: 5, resolution: '720p', audio: false };

const lumaOrder = { seconds: 5, resolution: '720p', audio: false, aspectRatio: '16:9' } as const;
const lumaBody = { prompt, duration: '5s', resolution: '720p', aspect_ratio: '16:9' };
const lumaChanges = [
  [{ seconds: 9 }, { duration: '9s' }],
  ...tiers('540p', '1080p'),
  ...ratios('9:16', '4:3', '3:4', '21:9', '9:21'),
] as const;
const lumaText = (endpoint: string): EndpointCase => ({
  endpoint,
  order: { ...lumaOrder, kind: 't2v' },
  body: lumaBody,
  changes: lumaChanges,
});
const lumaImage = (endpoint: string): EndpointCase[] => [
  {
    endpoint,
    order: { ...lumaOrder, kind: 'i2v', media: [first] },
    body: { ...lumaBody, image_url: IMAGE },
    changes: lumaChanges,
  },
  {
    endpoint,
    order: { ...lumaOrder, kind: 'start-end', media: frames },
    body: { ...lumaBody, image_url: IMAGE, end_image_url: LAST_IMAGE },
    changes: lumaChanges,
  },
];

const endpoints: readonly EndpointCase[] = [
  veoText('fal-ai/veo3.1'),
  veoText('fal-ai/veo3.1/fast'),
  veoText('fal-ai/veo3.1/lite'),
  veoImage('fal-ai/veo3.1/image-to-video'),
  veoImage('fal-ai/veo3.1/fast/image-to-video'),
  veoImage('fal-ai/veo3.1/lite/image-to-video'),
  veoFrames('fal-ai/veo3.1/first-last-frame-to-video', '4k'),
  veoFrames('fal-ai/veo3.1/fast/first-last-frame-to-video', '4k'),
  veoFrames('fal-ai/veo3.1/lite/first-last-frame-to-video'),
  {
    endpoint: 'fal-ai/veo3.1/reference-to-video',
    order: { ...veoOrder, kind: 'r2v', media: references },
    body: { ...veoBody, aspect_ratio: '16:9', image_urls: [IMAGE, LAST_IMAGE] },
    // It takes no seed and no negative prompt.
    changes: [...tiers('1080p', '4k'), ...ratios('9:16'), sound, [{ seed: 0 }, {}], [negativePrompt[0], {}]],
  },
  ...omniCases('v1.2', 15),
  ...omniCases('v1.1', 10),
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
    changes: [...fourthChanges, ...ratios('9:16', '1:1', '21:9')],
  },
  klingText('standard', '720p'),
  klingText('pro', '1080p'),
  ...klingImages('standard', '720p'),
  ...klingImages('pro', '1080p'),
  {
    endpoint: 'fal-ai/kling-video/v3/turbo/pro/text-to-video',
    order: { ...turboOrder, resolution: '1080p', kind: 't2v' },
    body: { ...turboBody, aspect_ratio: '16:9' },
    changes: [...turboChanges, ...ratios('9:16', '1:1')],
  },
  turboImage('standard', '720p'),
  turboImage('pro', '1080p'),
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
    endpoint: 'fal-ai/pixverse/v6/text-to-video',
    order: { ...pixverseOrder, kind: 't2v' },
    body: { ...pixverseBody, aspect_ratio: '16:9' },
    changes: [...pixverseChanges, ...pixverseRatios],
  },
  {
    endpoint: 'fal-ai/pixverse/v6/image-to-video',
    order: { ...pixverseOrder, kind: 'i2v', media: [first], ...unshaped },
    body: { ...pixverseBody, image_url: IMAGE },
    changes: pixverseChanges,
  },
  {
    endpoint: 'fal-ai/pixverse/v6/transition',
    order: { ...pixverseOrder, kind: 'start-end', media: frames },
    body: { ...pixverseBody, aspect_ratio: '16:9', first_image_url: IMAGE, end_image_url: LAST_IMAGE },
    changes: [...pixverseChanges, ...pixverseRatios],
  },
  {
    endpoint: 'xai/grok-imagine-video/text-to-video',
    order: { ...grokOrder, kind: 't2v' },
    body: { ...grokBody, aspect_ratio: '16:9' },
    changes: [...grokChanges, ...grokRatios],
  },
  {
    endpoint: 'xai/grok-imagine-video/image-to-video',
    order: { ...grokOrder, kind: 'i2v', media: [first] },
    body: { ...grokBody, aspect_ratio: '16:9', image_url: IMAGE },
    changes: [
      ...grokChanges,
      ...grokRatios,
      [unshaped, { aspect_ratio: 'auto' }],
      [{ aspectRatio: 'adaptive' }, { aspect_ratio: 'auto' }],
    ],
  },
  {
    endpoint: 'xai/grok-imagine-video/reference-to-video',
    order: { ...grokOrder, kind: 'r2v', media: references },
    body: { ...grokBody, aspect_ratio: '16:9', reference_image_urls: [IMAGE, LAST_IMAGE] },
    changes: [...grokChanges, ...grokRatios, [{ seconds: 10 }, { duration: 10 }]],
  },
  {
    endpoint: 'xai/grok-imagine-video/edit-video',
    order: { ...grokOrder, kind: 'video-edit', media: [source], inputMillis: 4_400, ...unshaped },
    body: { prompt, resolution: '720p', video_url: CLIP },
    changes: tiers('480p'),
  },
  {
    endpoint: 'fal-ai/minimax/hailuo-2.3/standard/image-to-video',
    order: { ...hailuoOrder, resolution: '768p' },
    body: { ...hailuoBody, duration: '6' },
    changes: [[{ seconds: 10 }, { duration: '10' }], ...optimizer],
  },
  {
    endpoint: 'fal-ai/minimax/hailuo-2.3/pro/image-to-video',
    order: { ...hailuoOrder, resolution: '1080p' },
    body: hailuoBody,
    changes: optimizer,
  },
  {
    endpoint: 'fal-ai/vidu/q2/image-to-video/turbo',
    order: { kind: 'start-end', seconds: 5, resolution: '720p', audio: false, media: frames, ...unshaped },
    body: { prompt, duration: '5', resolution: '720p', bgm: false, image_url: IMAGE, end_image_url: LAST_IMAGE },
    changes: [
      [{ seconds: 2 }, { duration: '2' }],
      [{ seconds: 8 }, { duration: '8' }],
      ...tiers('1080p'),
      ...seeds,
      // Music is possible only in videos of four seconds.
      [{ audio: true }, {}],
      [
        { audio: true, seconds: 4 },
        { bgm: true, duration: '4' },
      ],
      [
        { audio: false, seconds: 4 },
        { bgm: false, duration: '4' },
      ],
    ],
  },
  {
    endpoint: 'fal-ai/vidu/q3/text-to-video',
    order: { ...viduQ3Order, kind: 't2v' },
    body: { ...viduQ3Body, aspect_ratio: '16:9' },
    changes: [...viduQ3Changes, ...wanRatios],
  },
  {
    endpoint: 'fal-ai/vidu/q3/image-to-video',
    order: { ...viduQ3Order, kind: 'i2v', media: [first], ...unshaped },
    body: { ...viduQ3Body, image_url: IMAGE },
    changes: viduQ3Changes,
  },
  {
    endpoint: 'fal-ai/vidu/q3/image-to-video',
    order: { ...viduQ3Order, kind: 'start-end', media: frames, ...unshaped },
    body: { ...viduQ3Body, image_url: IMAGE, end_image_url: LAST_IMAGE },
    changes: viduQ3Changes,
  },
  lumaText('fal-ai/luma-dream-machine/ray-2'),
  lumaText('fal-ai/luma-dream-machine/ray-2-flash'),
  ...lumaImage('fal-ai/luma-dream-machine/ray-2/image-to-video'),
  ...lumaImage('fal-ai/luma-dream-machine/ray-2-flash/image-to-video'),
];

export const cases = endpoints.map(({ endpoint, ...one }): OrderCase => ({
  ...one,
  modelName: endpoint,
  path: `/${endpoint}`,
}));
