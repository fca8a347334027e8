import { PICTURE } from '../../support/media-bytes';
import { IMAGE_MODEL, TEXT_MODEL } from '../../support/upstreams/fake-openai-videos';
import { firstFrame } from '../support/vendor-subject';
import type { OrderCase } from '../contract/request-cases';
import { PROMPT as prompt } from '../support/vendor-orders';

// The fields of the form that the server must receive for an order, written by hand from the reference of the API.

const portrait = { aspectRatio: '9:16', width: 720, height: 1280 } as const;
const changes: OrderCase['changes'] = [
  [{ seconds: 8 }, { seconds: '8' }],
  [{ seconds: 12 }, { seconds: '12' }],
  [portrait, { size: '720x1280' }],
  // A larger size of the server, which is near 1080p.
  [{ resolution: '1080p', width: 1920, height: 1080 }, { size: '1792x1024' }],
  [{ ...portrait, resolution: '1080p', width: 1080, height: 1920 }, { size: '1024x1792' }],
  // The API does not have these parameters.
  [{ seed: 0, parameters: { negative_prompt: 'rain' } }, {}],
];
const plain = { seconds: 4, resolution: '720p', aspectRatio: '16:9', audio: true } as const;
const body = { prompt, seconds: '4', size: '1280x720' };

export const cases: readonly OrderCase[] = [
  {
    model: 'local-video-t2v',
    path: '/v1/videos',
    order: { ...plain, kind: 't2v' },
    body: { ...body, model: TEXT_MODEL },
    changes,
  },
  {
    model: 'local-video-i2v',
    path: '/v1/videos',
    order: { ...plain, kind: 'i2v', media: [firstFrame] },
    body: { ...body, model: IMAGE_MODEL, 'input_reference[image_url]': PICTURE },
    changes,
  },
];
