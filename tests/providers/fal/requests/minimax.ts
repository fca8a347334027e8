import { first, IMAGE, LAST_IMAGE, parameter, PROMPT as prompt, unshaped } from '../../support/vendor-orders';
import { type EndpointCase, frames, ofSeconds } from './shared';

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

export const minimaxRequests: readonly EndpointCase[] = [
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
    changes: [ofSeconds(10, '10'), ...optimizer],
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
];
