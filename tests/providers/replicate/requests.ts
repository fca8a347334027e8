import type { OrderCase } from '../contract/request-cases';
import {
  first,
  IMAGE,
  last,
  LAST_IMAGE,
  parameter,
  PROMPT as prompt,
  unshaped,
  type OrderChange,
} from '../support/vendor-orders';

// The input that each model of Replicate must receive for an order, written by hand from the pages of the models.

type Body = OrderCase['body'];
type Change = readonly [change: OrderChange, input: Body];

interface ReplicateCase extends Pick<OrderCase, 'model' | 'order'> {
  readonly upstreamModel: string;
  readonly input: Body;
  /** Each with what it changes in the input. */
  readonly changes: readonly Change[];
}

const wan27 = { prompt, first_frame: IMAGE, resolution: '720p', duration: 5, enable_prompt_expansion: false };
const wan27Changes: Change[] = [
  [{ seconds: 2 }, { duration: 2 }],
  [{ seconds: 15 }, { duration: 15 }],
  [{ resolution: '1080p' }, { resolution: '1080p' }],
  [{ seed: 0 }, { seed: 0 }],
  [{ seed: 2_147_483_647 }, { seed: 2_147_483_647 }],
  [parameter('prompt_extend', true), { enable_prompt_expansion: true }],
  [parameter('prompt_extend', false), {}],
  [parameter('negative_prompt', 'rain'), { negative_prompt: 'rain' }],
];

const fast = { prompt, resolution: '720p', num_frames: 81, frames_per_second: 16, go_fast: true };
const fastChanges: Change[] = [
  [{ resolution: '480p' }, { resolution: '480p' }],
  [
    { fps: 24, parameters: { fps: 24 } },
    { num_frames: 121, frames_per_second: 24 },
  ],
  [{ fps: 20 }, { num_frames: 101, frames_per_second: 20 }],
  [{ seed: 0 }, { seed: 0 }],
  [parameter('go_fast', false), { go_fast: false }],
  [parameter('go_fast', true), {}],
];

const kling = { prompt, mode: 'standard', duration: 5, generate_audio: false };
const klingChanges: Change[] = [
  [{ seconds: 3 }, { duration: 3 }],
  [{ seconds: 15 }, { duration: 15 }],
  [{ resolution: '1080p' }, { mode: 'pro' }],
  [{ audio: true }, { generate_audio: true }],
  [parameter('negative_prompt', 'rain'), { negative_prompt: 'rain' }],
];

const plain = { seconds: 5, resolution: '720p' } as const;

const models: readonly ReplicateCase[] = [
  {
    model: 'wan-2.7-i2v',
    upstreamModel: 'wan-video/wan-2.7-i2v',
    order: { ...plain, ...unshaped, kind: 'i2v', audio: true, media: [first] },
    input: wan27,
    changes: wan27Changes,
  },
  {
    model: 'wan-2.7-start-end',
    upstreamModel: 'wan-video/wan-2.7-i2v',
    // The frames have their names, whatever the order of the media.
    order: { ...plain, ...unshaped, kind: 'start-end', audio: true, media: [last, first] },
    input: { ...wan27, last_frame: LAST_IMAGE },
    changes: wan27Changes,
  },
  {
    model: 'wan-2.2-fast-t2v',
    upstreamModel: 'wan-video/wan-2.2-t2v-fast',
    order: { ...plain, kind: 't2v', audio: false, aspectRatio: '16:9', fps: 16 },
    input: { ...fast, aspect_ratio: '16:9', optimize_prompt: false },
    changes: [
      ...fastChanges,
      [{ aspectRatio: '9:16' }, { aspect_ratio: '9:16' }],
      [parameter('negative_prompt', 'rain'), { negative_prompt: 'rain' }],
      [parameter('prompt_extend', true), { optimize_prompt: true }],
      [parameter('prompt_extend', false), {}],
    ],
  },
  {
    model: 'wan-2.2-fast-i2v',
    upstreamModel: 'wan-video/wan-2.2-i2v-fast',
    order: { ...plain, ...unshaped, kind: 'i2v', audio: false, fps: 16, media: [first] },
    input: { ...fast, image: IMAGE },
    changes: fastChanges,
  },
  {
    model: 'wan-2.2-fast-start-end',
    upstreamModel: 'wan-video/wan-2.2-i2v-fast',
    order: { ...plain, ...unshaped, kind: 'start-end', audio: false, fps: 16, media: [last, first] },
    input: { ...fast, image: IMAGE, last_image: LAST_IMAGE },
    changes: fastChanges,
  },
  {
    model: 'kling-3.0-t2v',
    upstreamModel: 'kwaivgi/kling-v3-video',
    order: { ...plain, kind: 't2v', audio: false, aspectRatio: '16:9' },
    input: { ...kling, aspect_ratio: '16:9' },
    changes: [
      ...klingChanges,
      [{ aspectRatio: '9:16' }, { aspect_ratio: '9:16' }],
      [{ aspectRatio: '1:1' }, { aspect_ratio: '1:1' }],
    ],
  },
  {
    model: 'kling-3.0-i2v',
    upstreamModel: 'kwaivgi/kling-v3-video',
    order: { ...plain, ...unshaped, kind: 'i2v', audio: false, media: [first] },
    input: { ...kling, start_image: IMAGE },
    changes: klingChanges,
  },
  {
    model: 'kling-3.0-start-end',
    upstreamModel: 'kwaivgi/kling-v3-video',
    order: { ...plain, ...unshaped, kind: 'start-end', audio: false, media: [last, first] },
    input: { ...kling, start_image: IMAGE, end_image: LAST_IMAGE },
    changes: klingChanges,
  },
];

export const cases = models.map(({ upstreamModel, input, changes, ...one }): OrderCase => ({
  ...one,
  modelName: upstreamModel,
  path: `/v1/models/${upstreamModel}/predictions`,
  body: { input },
  changes: changes.map(([change, part]) => [change, { input: part }]),
}));
