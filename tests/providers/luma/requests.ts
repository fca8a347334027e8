import type { OrderCase } from '../contract/request-cases';
import { first, IMAGE, PROMPT, unshaped } from '../support/vendor-orders';

// The orders and bodies of Luma, from the reference of its Agents API.

const order = { seconds: 5, resolution: '720p', audio: false, aspectRatio: '16:9' } as const;
const body = { model: 'ray-3.2', type: 'video', prompt: PROMPT, aspect_ratio: '16:9' };
const ratios = ['9:16', '1:1', '4:3', '3:4', '21:9'].map(
  (ratio) => [{ aspectRatio: ratio }, { aspect_ratio: ratio }] as const,
);
const keyframe = { keyframes: [{ url: IMAGE }], keyframe_indexes: [0] };

export const cases: readonly OrderCase[] = [
  {
    model: 'ray-3.2-t2v',
    path: '/v1/generations',
    order: { ...order, kind: 't2v' },
    body: { ...body, video: { resolution: '720p', duration: '5s' } },
    changes: [
      [{ seconds: 10 }, { video: { resolution: '720p', duration: '10s' } }],
      [{ resolution: '540p' }, { video: { resolution: '540p', duration: '5s' } }],
      [{ resolution: '1080p' }, { video: { resolution: '1080p', duration: '5s' } }],
      ...ratios,
    ],
  },
  {
    model: 'ray-3.2-i2v',
    path: '/v1/generations',
    order: { ...order, kind: 'i2v', media: [first] },
    body: { ...body, video: { resolution: '720p', duration: '5s', ...keyframe } },
    changes: [
      [{ seconds: 10 }, { video: { resolution: '720p', duration: '10s', ...keyframe } }],
      [{ resolution: '540p' }, { video: { resolution: '540p', duration: '5s', ...keyframe } }],
      [{ resolution: '1080p' }, { video: { resolution: '1080p', duration: '5s', ...keyframe } }],
      ...ratios,
      // The ratio of the image is what Luma makes without a ratio.
      [{ aspectRatio: 'adaptive' }, { aspect_ratio: undefined }],
      [unshaped, { aspect_ratio: undefined }],
    ],
  },
];
