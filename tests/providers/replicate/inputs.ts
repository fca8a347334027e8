import type { OrderMedia, VideoOrder } from '../../../lib/domain/video';

// The input that each model of Replicate must receive for an order, written by hand from the pages of the models and not
// computed. Each change of the order is listed with what it changes in the input; all other fields stay.

export const IMAGE = 'https://media.example.com/first.png';
const LAST_IMAGE = 'https://media.example.com/last.png';

type Body = Readonly<Record<string, unknown>>;
type OrderChange = Partial<VideoOrder>;
type Change = readonly [change: OrderChange, body: Body];

export interface ReplicateCase {
  /** Of the catalog. */
  readonly model: string;
  readonly upstreamModel: string;
  readonly order: OrderChange & Pick<VideoOrder, 'kind' | 'seconds' | 'resolution' | 'audio'>;
  readonly input: Body;
  /** A field that becomes undefined is not sent. */
  readonly changes: readonly Change[];
}

export const prompt = 'A paper boat on a quiet river';
const first: OrderMedia = { role: 'first_frame', url: IMAGE };
const last: OrderMedia = { role: 'last_frame', url: LAST_IMAGE };
const unshaped = { aspectRatio: undefined } as unknown as OrderChange;

const parameter = (name: string, value: string | boolean): OrderChange => ({ parameters: { [name]: value } });

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

export const replicateCases: readonly ReplicateCase[] = [
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
      [parameter('prompt_extend', true), { optimize_prompt: true }],
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
