import type { OrderCase } from '../contract/request-cases';
import { CLIP, first, IMAGE, last, LAST_IMAGE, PROMPT, source, unshaped } from '../support/vendor-orders';

// The orders and bodies of Dream Machine, from the types of lumaai 1.19.1.

const order = { seconds: 5, resolution: '720p', audio: false, aspectRatio: '16:9' } as const;
const path = '/dream-machine/v1/generations/video';
const changes = [
  [{ seconds: 9 }, { duration: '9s' }],
  ...['540p', '1080p', '4k'].map((resolution) => [{ resolution }, { resolution }] as const),
  ...['9:16', '1:1', '4:3', '3:4', '21:9', '9:21'].map(
    (ratio) => [{ aspectRatio: ratio }, { aspect_ratio: ratio }] as const,
  ),
] as const;
const frame0 = { type: 'image', url: IMAGE };
const frame1 = { type: 'image', url: LAST_IMAGE };

export const cases: readonly OrderCase[] = ['ray-2', 'ray-flash-2'].flatMap((model) => {
  const id = model === 'ray-2' ? 'ray-2' : 'ray-2-flash';
  const body = { model, prompt: PROMPT, aspect_ratio: '16:9', duration: '5s', resolution: '720p' };
  return [
    { model: `${id}-t2v`, path, order: { ...order, kind: 't2v' }, body, changes },
    {
      model: `${id}-i2v`,
      path,
      order: { ...order, kind: 'i2v', media: [first] },
      body: { ...body, keyframes: { frame0 } },
      changes,
    },
    {
      model: `${id}-start-end`,
      path,
      order: { ...order, kind: 'start-end', media: [last, first] },
      body: { ...body, keyframes: { frame0, frame1 } },
      changes,
    },
    {
      model: `${id}-video-edit`,
      path: `${path}/modify`,
      order: { ...order, ...unshaped, kind: 'video-edit', media: [source], inputMillis: 4_400 },
      body: { generation_type: 'modify_video', model, prompt: PROMPT, media: { url: CLIP }, mode: 'flex_1' },
      changes: [],
    },
  ];
});
