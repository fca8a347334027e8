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
import { type EndpointCase, frames, references, ratios, tiers, seeds, negativePrompt, sound } from './shared';

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
const veoText = (endpoint: string, ...more: string[]): EndpointCase => ({
  endpoint,
  order: { ...veoOrder, kind: 't2v' },
  body: { ...veoBody, aspect_ratio: '16:9' },
  changes: [...veoChanges, ...tiers(...more)],
});
const veoImage = (endpoint: string, ...more: string[]): EndpointCase => ({
  endpoint,
  order: { ...veoOrder, kind: 'i2v', media: [first] },
  body: { ...veoBody, aspect_ratio: '16:9', image_url: IMAGE },
  changes: [
    ...veoChanges,
    ...tiers(...more),
    [unshaped, { aspect_ratio: 'auto' }],
    [{ aspectRatio: 'adaptive' }, { aspect_ratio: 'auto' }],
  ],
});
const veoFrames = (endpoint: string): EndpointCase => ({
  endpoint,
  order: { ...veoOrder, kind: 'start-end', media: frames },
  body: { ...veoBody, aspect_ratio: '16:9', first_frame_url: IMAGE, last_frame_url: LAST_IMAGE },
  changes: [...veoChanges, ...tiers('4k'), [unshaped, { aspect_ratio: 'auto' }]],
});

const portrait = [{ ...unshaped, width: 720, height: 1_280 }, { aspect_ratio: '9:16' }] as const;
const omniTiers = tiers('360p', '1080p', '4k');
const omniCases = (version: string, maxSeconds: number): EndpointCase[] => {
  const endpoint = (name: string) => `google/gemini-omni-flash/${version}/${name}`;
  const order = { seconds: 8, resolution: '720p', audio: true } as const;
  const body = { prompt, duration: 8, resolution: '720p', aspect_ratio: '16:9' };
  const lengths = (last: number) =>
    [
      [{ seconds: 3 }, { duration: 3 }],
      [{ seconds: last }, { duration: last }],
    ] as const;
  const shared = [...omniTiers, ...ratios('9:16')];
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
      changes: [
        ...lengths(maxSeconds),
        ...shared,
        [{ media: [videoReference] }, { image_urls: undefined, reference_video_urls: [CLIP] }],
        [{ media: [imageReference, videoReference] }, { image_urls: [IMAGE], reference_video_urls: [CLIP] }],
      ],
    },
  ];
};

const firstOmniOrder = { seconds: 8, resolution: '720p', audio: true } as const;
const firstOmniBody = { prompt, duration: 8, aspect_ratio: '16:9' };
const firstOmniChanges = [
  [{ seconds: 3 }, { duration: 3 }],
  [{ seconds: 10 }, { duration: 10 }],
  ...ratios('9:16'),
] as const;
const firstOmniCases: readonly EndpointCase[] = [
  {
    endpoint: 'google/gemini-omni-flash',
    order: { ...firstOmniOrder, kind: 't2v' },
    body: firstOmniBody,
    changes: firstOmniChanges,
  },
  {
    endpoint: 'google/gemini-omni-flash/image-to-video',
    order: { ...firstOmniOrder, kind: 'i2v', media: [first] },
    body: { ...firstOmniBody, image_url: IMAGE },
    changes: [...firstOmniChanges, portrait],
  },
  {
    endpoint: 'google/gemini-omni-flash/reference-to-video',
    order: { ...firstOmniOrder, kind: 'r2v', media: references },
    body: { ...firstOmniBody, image_urls: [IMAGE, LAST_IMAGE] },
    changes: firstOmniChanges,
  },
  {
    endpoint: 'google/gemini-omni-flash/edit',
    order: { ...firstOmniOrder, kind: 'video-edit', seconds: 5, media: [source], inputMillis: 5_000, ...unshaped },
    body: { prompt, video_url: CLIP },
    changes: [],
  },
];

export const googleRequests: readonly EndpointCase[] = [
  ...firstOmniCases,
  veoText('fal-ai/veo3.1', '4k'),
  veoText('fal-ai/veo3.1/fast', '4k'),
  veoText('fal-ai/veo3.1/lite'),
  veoImage('fal-ai/veo3.1/image-to-video', '4k'),
  veoImage('fal-ai/veo3.1/fast/image-to-video', '4k'),
  veoImage('fal-ai/veo3.1/lite/image-to-video'),
  veoFrames('fal-ai/veo3.1/first-last-frame-to-video'),
  veoFrames('fal-ai/veo3.1/fast/first-last-frame-to-video'),
  {
    ...veoFrames('fal-ai/veo3.1/lite/first-last-frame-to-video'),
    changes: [...veoChanges.slice(2), [unshaped, { aspect_ratio: 'auto' }]],
  },
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
    endpoint: 'google/gemini-omni-flash/v1.1/edit',
    order: {
      kind: 'video-edit',
      seconds: 5,
      resolution: '720p',
      audio: true,
      media: [source],
      inputMillis: 4_400,
      ...unshaped,
    },
    body: { prompt, resolution: '720p', video_url: CLIP },
    changes: omniTiers,
  },
];
