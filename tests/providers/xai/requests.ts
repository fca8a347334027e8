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
  PROMPT,
  source,
  unshaped,
  VOICE,
} from '../support/vendor-orders';

// The orders and bodies of xAI, from its API reference.

const references = [imageReference, otherReference];

const generations = '/v1/videos/generations';
const base = 'grok-imagine-video';
const newer = 'grok-imagine-video-1.5';
const lite = 'grok-imagine-video-1.5-lite';
const order = { seconds: 8, resolution: '720p', audio: true, aspectRatio: '16:9' } as const;
const body = { prompt: PROMPT, duration: 8, resolution: '720p', aspect_ratio: '16:9', generate_audio: true };

const durations = (...seconds: number[]) =>
  seconds.map((length) => [{ seconds: length }, { duration: length }] as const);
const tiers = (...names: string[]) => names.map((resolution) => [{ resolution }, { resolution }] as const);
const ratios = ['9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9', '5:2'].map(
  (ratio) => [{ aspectRatio: ratio }, { aspect_ratio: ratio }] as const,
);
// The ratio of the frame is what xAI makes without a ratio.
const ratioOfFrame = [
  [{ aspectRatio: 'adaptive' }, { aspect_ratio: undefined }],
  [unshaped, { aspect_ratio: undefined }],
] as const;
const silence = [{ audio: false, parameters: { generate_audio: false } }, { generate_audio: false }] as const;
const sound = [{ audio: true, parameters: { generate_audio: true } }, { generate_audio: true }] as const;
const shared = [...ratios, silence, sound];
const voices = [
  [parameter('reference_voice', VOICE), { reference_audios: [{ url: VOICE }] }],
  [parameter('reference_voice', 'ara'), { reference_audios: [{ voice_id: 'ara' }] }],
] as const;

export const cases: readonly OrderCase[] = [
  {
    model: 'grok-imagine-t2v',
    path: generations,
    order: { ...order, kind: 't2v' },
    body: { model: base, ...body },
    changes: [...durations(1, 15), ...tiers('480p'), ...shared],
  },
  {
    model: 'grok-imagine-i2v',
    path: generations,
    order: { ...order, kind: 'i2v', media: [first] },
    body: { model: base, ...body, image: { url: IMAGE } },
    changes: [...durations(1, 15), ...tiers('480p'), ...shared, ...ratioOfFrame],
  },
  {
    model: 'grok-imagine-r2v',
    path: generations,
    order: { ...order, kind: 'r2v', media: references },
    body: { model: base, ...body, reference_images: [{ url: IMAGE }, { url: LAST_IMAGE }] },
    changes: [
      ...durations(1, 10),
      ...tiers('480p'),
      ...shared,
      [{ prompt: 'Like <IMAGE_1>' }, { prompt: 'Like <IMAGE_1>' }],
      ...voices,
    ],
  },
  {
    model: 'grok-imagine-video-edit',
    path: '/v1/videos/edits',
    order: {
      ...order,
      ...unshaped,
      kind: 'video-edit',
      media: [source],
      inputMillis: 4_400,
      outputFollowsSource: true,
    },
    body: { model: base, prompt: PROMPT, video: { url: CLIP } },
    changes: [[{ seconds: 9, audio: false }, {}]],
  },
  ...(
    [
      ['grok-imagine-1.5', newer],
      ['grok-imagine-1.5-lite', lite],
    ] as const
  ).flatMap(([id, model]): OrderCase[] => [
    {
      model: `${id}-t2v`,
      path: generations,
      order: { ...order, kind: 't2v' },
      body: { model, ...body },
      changes: [...durations(1, 15), ...tiers('480p', '1080p'), ...shared],
    },
    {
      model: `${id}-i2v`,
      path: generations,
      order: { ...order, kind: 'i2v', media: [first] },
      body: { model, ...body, image: { url: IMAGE } },
      changes: [...durations(1, 15), ...tiers('480p', '1080p'), ...shared, ...ratioOfFrame],
    },
  ]),
  {
    model: 'grok-imagine-1.5-r2v',
    path: generations,
    order: { ...order, kind: 'r2v', media: references },
    body: { model: newer, ...body, reference_images: [{ url: IMAGE }, { url: LAST_IMAGE }] },
    changes: [...durations(1, 15), ...tiers('480p'), ...shared, ...voices],
  },
  {
    model: 'grok-imagine-1.5-start-end',
    path: generations,
    // The frames have fields of their own, whatever the order of the media.
    order: { ...order, kind: 'start-end', media: [last, first] },
    body: { model: newer, ...body, image: { url: IMAGE }, last_frame: { url: LAST_IMAGE } },
    changes: [...durations(1, 15), ...tiers('480p', '1080p'), ...shared, ...ratioOfFrame],
  },
];
