import type { ApiCase } from '../contract/request-cases';
import { IMAGE, LAST_IMAGE, PROMPT as prompt } from '../support/vendor-orders';

// What WaveSpeed must receive for a request, written by hand from its API reference.

export const cases: readonly ApiCase[] = [
  {
    model: 'vidu-q2-start-end',
    path: '/api/v3/vidu/start-end-to-video-q2-turbo',
    request: { prompt, image_list: [IMAGE, LAST_IMAGE] },
    body: {
      image: IMAGE,
      last_image: LAST_IMAGE,
      prompt,
      duration: 5,
      resolution: '720p',
      bgm: true,
      movement_amplitude: 'auto',
    },
    changes: [
      [{ seconds: 2 }, { duration: 2 }],
      [{ seconds: 8 }, { duration: 8 }],
      [{ size: '1280x720' }, {}],
      [{ size: '720x1280' }, {}],
      [{ size: '960x960' }, {}],
      [{ size: '960x540' }, { resolution: '540p' }],
      [{ size: '1080x1920' }, { resolution: '1080p' }],
      [{ bgm: true }, {}],
      [{ bgm: false }, { bgm: false }],
      [{ seed: 0 }, { seed: 0 }],
      [{ seed: 2_147_483_647 }, { seed: 2_147_483_647 }],
      // WaveSpeed has no such fields.
      [{ watermark: true, remove_watermark: false }, {}],
    ],
  },
];
