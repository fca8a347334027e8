import type { OrderCase } from '../contract/request-cases';
import { CLIP, first, IMAGE, last, LAST_IMAGE, PROMPT, source, unshaped } from '../support/vendor-orders';

// The orders and bodies of Luma, from the reference of its Agents API.

const order = { seconds: 5, resolution: '720p', audio: false, aspectRatio: '16:9' } as const;
const body = { model: 'ray-3.2', type: 'video', prompt: PROMPT, aspect_ratio: '16:9' };
const ratios = ['9:16', '1:1', '4:3', '3:4', '21:9'].map(
  (ratio) => [{ aspectRatio: ratio }, { aspect_ratio: ratio }] as const,
);
const tiers = (video: object = {}) =>
  ['360p', '540p', '1080p'].map(
    (resolution) => [{ resolution }, { video: { resolution, duration: '5s', ...video } }] as const,
  );
const keyframe = { keyframes: [{ url: IMAGE }], keyframe_indexes: [0] };
const keyframes = (end: number) => ({
  keyframes: [{ url: IMAGE }, { url: LAST_IMAGE }],
  keyframe_indexes: [0, end],
});

export const cases: readonly OrderCase[] = [
  {
    model: 'ray-3.2-t2v',
    path: '/v1/generations',
    order: { ...order, kind: 't2v' },
    body: { ...body, video: { resolution: '720p', duration: '5s' } },
    changes: [[{ seconds: 10 }, { video: { resolution: '720p', duration: '10s' } }], ...tiers(), ...ratios],
  },
  {
    model: 'ray-3.2-i2v',
    path: '/v1/generations',
    order: { ...order, kind: 'i2v', media: [first] },
    body: { ...body, video: { resolution: '720p', duration: '5s', ...keyframe } },
    changes: [
      [{ seconds: 10 }, { video: { resolution: '720p', duration: '10s', ...keyframe } }],
      ...tiers(keyframe),
      ...ratios,
      // The ratio of the image is what Luma makes without a ratio.
      [{ aspectRatio: 'adaptive' }, { aspect_ratio: undefined }],
      [unshaped, { aspect_ratio: undefined }],
    ],
  },
  {
    model: 'ray-3.2-start-end',
    path: '/v1/generations',
    // The keyframes are in the order of time, whatever that of the media.
    order: { ...order, kind: 'start-end', media: [last, first] },
    body: { ...body, video: { resolution: '720p', duration: '5s', ...keyframes(120) } },
    changes: [
      [{ seconds: 10 }, { video: { resolution: '720p', duration: '10s', ...keyframes(240) } }],
      ...tiers(keyframes(120)),
      ...ratios,
      [{ aspectRatio: 'adaptive' }, { aspect_ratio: undefined }],
      [unshaped, { aspect_ratio: undefined }],
    ],
  },
  {
    model: 'ray-3.2-video-edit',
    path: '/v1/generations',
    order: {
      ...order,
      ...unshaped,
      kind: 'video-edit',
      media: [source],
      inputMillis: 4_400,
      outputFollowsSource: true,
    },
    body: {
      model: 'ray-3.2',
      type: 'video_edit',
      prompt: PROMPT,
      source: { url: CLIP, media_type: 'video/mp4' },
      video: { resolution: '720p', edit: { auto_controls: true } },
    },
    changes: ['540p', '1080p'].map(
      (resolution) => [{ resolution }, { video: { resolution, edit: { auto_controls: true } } }] as const,
    ),
  },
];
