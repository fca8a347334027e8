import {
  first,
  IMAGE,
  imageReference,
  LAST_IMAGE,
  parameter,
  PROMPT as prompt,
  unshaped,
} from '../../support/vendor-orders';
import { type EndpointCase, frames, ofSeconds, ratios, references, seeds } from './shared';

const hailuoOrder = { kind: 'i2v', seconds: 6, audio: false, media: [first], ...unshaped } as const;
const hailuoBody = { prompt, image_url: IMAGE, prompt_optimizer: false };
const optimizer = [
  [parameter('prompt_extend', true), { prompt_optimizer: true }],
  [parameter('prompt_extend', false), {}],
] as const;

const hailuoText = (endpoint: string, resolution: string): EndpointCase => ({
  endpoint,
  order: { kind: 't2v', seconds: 6, resolution, audio: false },
  body: { prompt, prompt_optimizer: false, ...(resolution === '768p' && { duration: '6' }) },
  changes: resolution === '768p' ? [ofSeconds(10, '10'), ...optimizer] : optimizer,
});
const hailuo02Frames = { kind: 'start-end', media: frames } as const;

const h3Cases = (
  name: string,
  [tier, ...otherTiers]: readonly [string, ...string[]],
  hasReferences = true,
): EndpointCase[] => {
  const order = { seconds: 5, resolution: tier, audio: true } as const;
  const body = { prompt, duration: 5, resolution: tier.toUpperCase(), prompt_expansion_mode: 'disabled' };
  const changes = [
    ofSeconds(15, 15),
    ...otherTiers.map((resolution) => [{ resolution }, { resolution: resolution.toUpperCase() }] as const),
    ...seeds,
    [parameter('prompt_extend', true), { prompt_expansion_mode: 'balanced' }],
    [parameter('prompt_extend', false), {}],
  ] as const;
  const h3Ratios = ratios('9:16', '1:1', '4:3', '3:4', '21:9');
  return [
    {
      endpoint: `minimax/${name}/text-to-video`,
      order: { ...order, kind: 't2v' },
      body: { ...body, aspect_ratio: '16:9' },
      changes: [...changes, ...h3Ratios],
    },
    {
      endpoint: `minimax/${name}/image-to-video`,
      order: { ...order, kind: 'i2v', media: [first], ...unshaped },
      body: { ...body, image_url: IMAGE },
      changes,
    },
    {
      endpoint: `minimax/${name}/image-to-video`,
      order: { ...order, kind: 'start-end', media: frames, ...unshaped },
      body: { ...body, image_url: IMAGE, end_image_url: LAST_IMAGE },
      changes,
    },
    ...(hasReferences
      ? [
          {
            endpoint: `minimax/${name}/reference-to-video`,
            order: { ...order, kind: 'r2v' as const, media: references },
            body: { ...body, aspect_ratio: '16:9', reference_image_urls: [IMAGE, LAST_IMAGE] },
            changes: [...changes, ...h3Ratios],
          },
        ]
      : []),
  ];
};

export const minimaxRequests: readonly EndpointCase[] = [
  ...h3Cases('h3', ['768p', '480p', '2k', '4k']),
  ...h3Cases('h3-max', ['480p', '768p', '1080p']),
  ...h3Cases('h3-max-turbo', ['480p', '768p', '1080p'], false),
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
  hailuoText('fal-ai/minimax/hailuo-2.3/standard/text-to-video', '768p'),
  hailuoText('fal-ai/minimax/hailuo-2.3/pro/text-to-video', '1080p'),
  {
    endpoint: 'fal-ai/minimax/hailuo-2.3-fast/standard/image-to-video',
    order: { ...hailuoOrder, resolution: '768p' },
    body: { ...hailuoBody, duration: '6' },
    changes: [ofSeconds(10, '10'), ...optimizer],
  },
  {
    endpoint: 'fal-ai/minimax/hailuo-2.3-fast/pro/image-to-video',
    order: { ...hailuoOrder, resolution: '1080p' },
    body: hailuoBody,
    changes: optimizer,
  },
  hailuoText('fal-ai/minimax/hailuo-02/standard/text-to-video', '768p'),
  hailuoText('fal-ai/minimax/hailuo-02/pro/text-to-video', '1080p'),
  {
    endpoint: 'fal-ai/minimax/hailuo-02/standard/image-to-video',
    order: { ...hailuoOrder, resolution: '768p' },
    body: { ...hailuoBody, duration: '6', resolution: '768P' },
    changes: [ofSeconds(10, '10'), [{ resolution: '512p' }, { resolution: '512P' }], ...optimizer],
  },
  {
    endpoint: 'fal-ai/minimax/hailuo-02/standard/image-to-video',
    order: { ...hailuoOrder, ...hailuo02Frames, resolution: '768p' },
    body: { ...hailuoBody, end_image_url: LAST_IMAGE, duration: '6', resolution: '768P' },
    changes: [ofSeconds(10, '10'), ...optimizer],
  },
  {
    endpoint: 'fal-ai/minimax/hailuo-02/pro/image-to-video',
    order: { ...hailuoOrder, resolution: '1080p' },
    body: hailuoBody,
    changes: optimizer,
  },
  {
    endpoint: 'fal-ai/minimax/hailuo-02/pro/image-to-video',
    order: { ...hailuoOrder, ...hailuo02Frames, resolution: '1080p' },
    body: { ...hailuoBody, end_image_url: LAST_IMAGE },
    changes: optimizer,
  },
  ...['video-01', 'video-01-director'].map((name): EndpointCase => ({
    endpoint: `fal-ai/minimax/${name}`,
    order: { kind: 't2v', seconds: 6, resolution: '720p', audio: false },
    body: { prompt, prompt_optimizer: false },
    changes: optimizer,
  })),
  ...['video-01', 'video-01-director', 'video-01-live'].map((name): EndpointCase => ({
    endpoint: `fal-ai/minimax/${name}/image-to-video`,
    order: { ...hailuoOrder, resolution: '720p' },
    body: hailuoBody,
    changes: optimizer,
  })),
  {
    endpoint: 'fal-ai/minimax/video-01-subject-reference',
    order: { kind: 'r2v', seconds: 6, resolution: '720p', audio: false, media: [imageReference] },
    body: { prompt, prompt_optimizer: false, subject_reference_image_url: IMAGE },
    changes: optimizer,
  },
];
