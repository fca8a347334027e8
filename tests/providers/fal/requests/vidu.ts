import {
  CLIP,
  first,
  IMAGE,
  LAST_IMAGE,
  PROMPT as prompt,
  unshaped,
  videoReference,
} from '../../support/vendor-orders';
import { type EndpointCase, frames, references, ratios, tiers, seeds, ofSeconds } from './shared';

const viduQ3Changes = [
  [{ seconds: 1 }, { duration: 1 }],
  [{ seconds: 16 }, { duration: 16 }],
  ...tiers('360p', '540p', '1080p'),
  ...seeds,
  [{ audio: true }, { audio: true }],
] as const;
const viduQ3Order = { seconds: 5, resolution: '720p', audio: false } as const;
const viduQ3Body = { prompt, duration: 5, resolution: '720p', audio: false };

const viduRatios = ratios('9:16', '1:1', '4:3', '3:4');
const viduQ3Cases = (version: string): EndpointCase[] => [
  {
    endpoint: `fal-ai/vidu/q3/text-to-video${version}`,
    order: { ...viduQ3Order, kind: 't2v' },
    body: { ...viduQ3Body, aspect_ratio: '16:9' },
    changes: [...viduQ3Changes, ...viduRatios],
  },
  {
    endpoint: `fal-ai/vidu/q3/image-to-video${version}`,
    order: { ...viduQ3Order, kind: 'i2v', media: [first], ...unshaped },
    body: { ...viduQ3Body, image_url: IMAGE },
    changes: viduQ3Changes,
  },
  {
    endpoint: `fal-ai/vidu/q3/image-to-video${version}`,
    order: { ...viduQ3Order, kind: 'start-end', media: frames, ...unshaped },
    body: { ...viduQ3Body, image_url: IMAGE, end_image_url: LAST_IMAGE },
    changes: viduQ3Changes,
  },
];

const viduQ2Order = { seconds: 5, resolution: '720p', audio: false } as const;
const viduQ2Body = { prompt, duration: '5', resolution: '720p', bgm: false };
const viduQ2Changes = [
  ofSeconds(2, '2'),
  ofSeconds(8, '8'),
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
] as const;
const viduQ2Image = (tier: string): EndpointCase[] => [
  {
    endpoint: `fal-ai/vidu/q2/image-to-video/${tier}`,
    order: { ...viduQ2Order, kind: 'i2v', media: [first], ...unshaped },
    body: { ...viduQ2Body, image_url: IMAGE },
    changes: viduQ2Changes,
  },
  {
    endpoint: `fal-ai/vidu/q2/image-to-video/${tier}`,
    order: { ...viduQ2Order, kind: 'start-end', media: frames, ...unshaped },
    body: { ...viduQ2Body, image_url: IMAGE, end_image_url: LAST_IMAGE },
    changes: viduQ2Changes,
  },
];

const viduQ1References: EndpointCase = {
  endpoint: 'fal-ai/vidu/q1/reference-to-video',
  order: { seconds: 5, resolution: '1080p', audio: false, kind: 'r2v', media: references },
  body: { prompt, aspect_ratio: '16:9', bgm: false, reference_image_urls: [IMAGE, LAST_IMAGE] },
  changes: [...seeds, ...ratios('9:16', '1:1'), [{ audio: true }, { bgm: true }]],
};

export const viduRequests: readonly EndpointCase[] = [
  viduQ1References,
  {
    endpoint: 'fal-ai/vidu/q2/reference-to-video/pro',
    order: { ...viduQ2Order, kind: 'r2v', media: references },
    body: { ...viduQ2Body, duration: 5, aspect_ratio: '16:9', reference_image_urls: [IMAGE, LAST_IMAGE] },
    changes: [
      ofSeconds(1, 1),
      ofSeconds(10, 10),
      ...tiers('540p', '1080p'),
      ...seeds,
      ...viduRatios,
      [{ audio: true }, { bgm: true }],
      [
        { media: [...references, videoReference] },
        { reference_image_urls: [IMAGE, LAST_IMAGE], reference_video_urls: [CLIP] },
      ],
    ],
  },
  ...['', '/turbo'].flatMap(viduQ3Cases),
  {
    endpoint: 'fal-ai/vidu/q3/reference-to-video/mix',
    order: { ...viduQ3Order, kind: 'r2v', media: references },
    body: { ...viduQ3Body, aspect_ratio: '16:9', reference_image_urls: [IMAGE, LAST_IMAGE] },
    changes: [...viduQ3Changes, ...viduRatios],
  },
  {
    endpoint: 'fal-ai/vidu/q2/text-to-video',
    order: { ...viduQ2Order, kind: 't2v' },
    body: { ...viduQ2Body, aspect_ratio: '16:9' },
    changes: [
      ...viduQ2Changes,
      ...ratios('9:16', '1:1'),
      [{ resolution: '540p' }, { resolution: '520p' }],
      [{ resolution: '360p' }, { resolution: '360p' }],
    ],
  },
  ...['turbo', 'pro'].flatMap(viduQ2Image),
];
