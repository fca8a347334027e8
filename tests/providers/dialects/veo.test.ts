import { describe, expect, it } from 'vitest';
import { makeRequest } from '../../../lib/providers/dialects/veo/request';
import { writeMedia } from '../../../lib/providers/kit/video/order-media';
import { makeOrder } from '../support/vendor-subject';

// The rest is tested with the two providers.

describe('the request of Veo', () => {
  it.each([
    [720, 1280, '9:16'],
    [1280, 720, '16:9'],
    [960, 960, '16:9'],
  ])('has the ratio of the size %i × %i if the order has none', (width, height, aspectRatio) => {
    const { aspectRatio: _, ...order } = makeOrder({}, { width, height });
    const none = { first_frame: [], last_frame: [], reference_image: [], reference_video: [], source_video: [] };
    const { parameters } = makeRequest(order, none, { personGeneration: 'allow_adult' }, writeMedia);
    expect(parameters.aspectRatio).toBe(aspectRatio);
  });
});
