import { first, IMAGE, LAST_IMAGE, parameter, PROMPT as prompt, unshaped } from '../../support/vendor-orders';
import { type EndpointCase, frames, negativePrompt, ofSeconds, ratios, references, seeds, tiers } from './shared';

const order = { seconds: 5, resolution: '720p', audio: false } as const;
const fiveRatios = ratios('9:16', '1:1', '4:3', '3:4');
const eightRatios = [...fiveRatios, ...ratios('21:9', '2:3', '3:2')];

const shared = [...tiers('360p', '540p', '1080p'), ...seeds];
const sound = [{ audio: true }, { generate_audio_switch: true }] as const;
const thinking = [
  [parameter('thinking_type', 'disabled'), { thinking_type: 'disabled' }],
  [parameter('thinking_type', 'enabled'), { thinking_type: 'enabled' }],
] as const;

type Changes = NonNullable<EndpointCase['changes']>;
interface Version {
  readonly version: string;
  readonly body: EndpointCase['body'];
  readonly transition?: EndpointCase['body'];
  readonly changes: Changes;
  readonly ratios: Changes;
}

const cases = ({ version, body, transition = body, changes, ratios: shapes }: Version): EndpointCase[] => [
  {
    endpoint: `fal-ai/pixverse/${version}/text-to-video`,
    order: { ...order, kind: 't2v' },
    body: { ...body, aspect_ratio: '16:9' },
    changes: [...changes, ...shapes],
  },
  {
    endpoint: `fal-ai/pixverse/${version}/image-to-video`,
    order: { ...order, kind: 'i2v', media: [first], ...unshaped },
    body: { ...body, image_url: IMAGE },
    changes,
  },
  {
    endpoint: `fal-ai/pixverse/${version}/transition`,
    order: { ...order, kind: 'start-end', media: frames },
    body: { ...transition, aspect_ratio: '16:9', first_image_url: IMAGE, end_image_url: LAST_IMAGE },
    // The images of these tests are upright.
    changes: [...changes, ...shapes, [{ aspectRatio: 'adaptive' }, { aspect_ratio: '9:16' }]],
  },
];

const ofFifth = { prompt, duration: '5', resolution: '720p', negative_prompt: '' };
const of56 = { ...ofFifth, generate_audio_switch: false, thinking_type: 'auto' };
const changesOf56 = [ofSeconds(8, '8'), ofSeconds(10, '10'), ...shared, negativePrompt, sound, ...thinking];
const ofC1 = { prompt, duration: 5, resolution: '720p', generate_audio_switch: false };
const changesOfC1 = [ofSeconds(1, 1), ofSeconds(15, 15), ...shared, sound];

export const pixverseRequests: readonly EndpointCase[] = [
  ...cases({
    version: 'v6',
    body: { ...of56, duration: 5, generate_multi_clip_switch: false },
    changes: [
      ...changesOfC1,
      negativePrompt,
      ...thinking,
      [parameter('generate_multi_clip_switch', true), { generate_multi_clip_switch: true }],
      [parameter('generate_multi_clip_switch', false), {}],
    ],
    ratios: eightRatios,
  }),
  ...cases({ version: 'c1', body: ofC1, changes: changesOfC1, ratios: eightRatios }),
  {
    endpoint: 'fal-ai/pixverse/c1/reference-to-video',
    order: { ...order, kind: 'r2v', media: references },
    body: {
      ...ofC1,
      aspect_ratio: '16:9',
      image_references: [
        { type: 'subject', ref_name: 'img1', image_url: IMAGE },
        { type: 'subject', ref_name: 'img2', image_url: LAST_IMAGE },
      ],
    },
    changes: [...changesOfC1, ...eightRatios, [{ prompt: '@img1, then @img2' }, { prompt: '@img1 , then @img2' }]],
  },
  ...cases({ version: 'v5.6', body: of56, changes: changesOf56, ratios: fiveRatios }),
  ...cases({
    version: 'v5.5',
    body: { ...of56, generate_multi_clip_switch: false },
    transition: of56,
    changes: changesOf56,
    ratios: fiveRatios,
  }),
  ...['v5', 'v4.5', 'v4', 'v3.5'].flatMap((version) =>
    cases({
      version,
      body: ofFifth,
      changes: [ofSeconds(8, '8'), ...shared, negativePrompt],
      ratios: fiveRatios,
    }).filter(({ order: { kind } }) => kind !== 'start-end' || version === 'v5' || version === 'v4.5'),
  ),
];
