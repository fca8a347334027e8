import { CLIP, first, IMAGE, LAST_IMAGE, PROMPT as prompt, source, unshaped } from '../../support/vendor-orders';
import { type EndpointCase, frames, ofSeconds, references, ratios, tiers } from './shared';

const grokOrder = { seconds: 8, resolution: '720p', audio: true } as const;
const grokBody = { prompt, duration: 8, resolution: '720p' };
const grokRatios = ratios('9:16', '1:1', '4:3', '3:4', '3:2', '2:3');
const grokChanges = [[{ seconds: 1 }, { duration: 1 }], [{ seconds: 15 }, { duration: 15 }], ...tiers('480p')] as const;

const lumaOrder = { seconds: 5, resolution: '720p', audio: false, aspectRatio: '16:9' } as const;
const lumaBody = { prompt, duration: '5s', resolution: '720p', aspect_ratio: '16:9' };
const lumaChanges = [
  [{ seconds: 9 }, { duration: '9s' }],
  ...tiers('540p', '1080p'),
  ...ratios('9:16', '4:3', '3:4', '21:9', '9:21'),
] as const;
const lumaAgentChanges = [...tiers('540p', '1080p'), ...ratios('9:16', '1:1', '4:3', '3:4', '21:9')] as const;
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

export const otherRequests: readonly EndpointCase[] = [
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
    changes: [...grokChanges, ...grokRatios, ofSeconds(10, 10)],
  },
  {
    endpoint: 'xai/grok-imagine-video/edit-video',
    order: { ...grokOrder, kind: 'video-edit', media: [source], inputMillis: 4_400, ...unshaped },
    body: { prompt, resolution: '720p', video_url: CLIP },
    changes: tiers('480p'),
  },
  {
    endpoint: 'xai/grok-imagine-video/v1.5/text-to-video',
    order: { ...grokOrder, kind: 't2v' },
    body: { ...grokBody, aspect_ratio: '16:9' },
    changes: [...grokChanges, ...tiers('1080p'), ...grokRatios],
  },
  {
    endpoint: 'xai/grok-imagine-video/v1.5/image-to-video',
    order: { ...grokOrder, kind: 'i2v', media: [first], ...unshaped },
    body: { ...grokBody, image_url: IMAGE },
    changes: [...grokChanges, ...tiers('1080p')],
  },
  {
    endpoint: 'xai/grok-imagine-video/v1.5/reference-to-video',
    order: { ...grokOrder, kind: 'r2v', media: references },
    body: { ...grokBody, aspect_ratio: '16:9', reference_image_urls: [IMAGE, LAST_IMAGE] },
    changes: [...grokChanges, ...grokRatios, ofSeconds(10, 10)],
  },
  {
    ...lumaText('luma/agent/ray/v3.2/text-to-video'),
    changes: [ofSeconds(10, '10s'), ...lumaAgentChanges],
  },
  {
    endpoint: 'luma/agent/ray/v3.2/image-to-video',
    order: { ...lumaOrder, kind: 'i2v', media: [first] },
    body: { ...lumaBody, image_url: IMAGE },
    changes: lumaAgentChanges,
  },
  lumaText('fal-ai/luma-dream-machine/ray-2'),
  lumaText('fal-ai/luma-dream-machine/ray-2-flash'),
  ...lumaImage('fal-ai/luma-dream-machine/ray-2/image-to-video'),
  ...lumaImage('fal-ai/luma-dream-machine/ray-2-flash/image-to-video'),
  {
    endpoint: 'fal-ai/luma-dream-machine/ray-2-flash/modify',
    order: { ...lumaOrder, ...unshaped, kind: 'video-edit', media: [source], inputMillis: 4_400 },
    body: { prompt, video_url: CLIP, mode: 'flex_1' },
    changes: [],
  },
];
