import type { OrderCase } from '../contract/request-cases';
import { first, IMAGE, LAST_IMAGE, parameter, PROMPT, unshaped } from '../support/vendor-orders';

// What Higgsfield must receive for an order, written by hand from its API reference.

const params = {
  model: 'dop-turbo',
  prompt: PROMPT,
  enhance_prompt: false,
  input_images: [{ type: 'image_url', image_url: IMAGE }],
};
const withParams = (change: Readonly<Record<string, unknown>>) => ({ params: { ...params, ...change } });

export const cases: readonly OrderCase[] = [
  {
    model: 'higgsfield-dop-i2v',
    modelName: 'dop-turbo',
    path: '/v1/image2video/dop',
    order: { ...unshaped, kind: 'i2v', seconds: 5, resolution: '720p', audio: false, media: [first] },
    body: { params },
    changes: [
      [parameter('options', 'dop-lite'), withParams({ model: 'dop-lite' })],
      [parameter('options', 'dop-turbo'), {}],
      [parameter('options', 'dop-preview'), withParams({ model: 'dop-preview' })],
      [parameter('prompt_extend', true), withParams({ enhance_prompt: true })],
      [parameter('prompt_extend', false), {}],
      [{ seed: 0 }, withParams({ seed: 0 })],
      [{ seed: 1_000_000 }, withParams({ seed: 1_000_000 })],
      [
        { media: [{ role: 'first_frame', url: LAST_IMAGE }] },
        withParams({ input_images: [{ type: 'image_url', image_url: LAST_IMAGE }] }),
      ],
    ],
  },
];
