import type { ApiCase } from '../contract/request-cases';
import { PROMPT as prompt } from '../support/vendor-orders';

// What PixVerse must receive for a request, written by hand from its API reference. The ids of the images are added by the
// test.

const image = {
  model: 'v6',
  prompt,
  duration: 5,
  quality: '720p',
  generate_audio_switch: false,
  generate_multi_clip_switch: false,
  thinking_type: 'auto',
  off_peak_mode: false,
};
const text = { ...image, aspect_ratio: '16:9' };
const { generate_multi_clip_switch: _none, ...transition } = image;

const shared: ApiCase['changes'] = [
  [{ seconds: 1 }, { duration: 1 }],
  [{ seconds: '15' }, { duration: 15 }],
  [{ seed: 0 }, { seed: 0 }],
  [{ seed: 2_147_483_647 }, { seed: 2_147_483_647 }],
  [{ generate_audio_switch: true }, { generate_audio_switch: true }],
  [{ generate_audio_switch: false }, {}],
  [{ thinking_type: 'enabled' }, { thinking_type: 'enabled' }],
  [{ thinking_type: 'disabled' }, { thinking_type: 'disabled' }],
];
const clips: ApiCase['changes'] = [
  [{ generate_multi_clip_switch: true }, { generate_multi_clip_switch: true }],
  [{ generate_multi_clip_switch: false }, {}],
];

export const cases: readonly ApiCase[] = [
  {
    model: 'pixverse-v6-t2v',
    path: '/openapi/v2/video/text/generate',
    request: { prompt },
    body: text,
    changes: [
      ...shared,
      ...clips,
      [{ size: '640x360' }, { quality: '360p' }],
      [{ size: '960x540' }, { quality: '540p' }],
      [{ size: '1920x1080' }, { quality: '1080p' }],
      [{ size: '1080x1920' }, { quality: '1080p', aspect_ratio: '9:16' }],
      [{ size: '720x1280' }, { aspect_ratio: '9:16' }],
      [{ size: '960x960' }, { aspect_ratio: '1:1' }],
      [{ size: '1104x832' }, { aspect_ratio: '4:3' }],
      [{ size: '832x1104' }, { aspect_ratio: '3:4' }],
      [{ size: '1176x784' }, { aspect_ratio: '3:2' }],
      [{ size: '784x1176' }, { aspect_ratio: '2:3' }],
      [{ size: '1470x630' }, { aspect_ratio: '21:9' }],
    ],
  },
  {
    model: 'pixverse-v6-i2v',
    path: '/openapi/v2/video/img/generate',
    request: { prompt },
    body: image,
    changes: [
      ...shared,
      ...clips,
      [{ size: '360x640' }, { quality: '360p' }],
      [{ size: '540x960' }, { quality: '540p' }],
      [{ size: '1440x1440' }, { quality: '1080p' }],
    ],
  },
  {
    model: 'pixverse-v6-transition',
    path: '/openapi/v2/video/transition/generate',
    request: { prompt },
    body: transition,
    changes: [
      ...shared,
      [{ size: '640x360' }, { quality: '360p' }],
      [{ size: '960x540' }, { quality: '540p' }],
      [{ size: '1080x1920' }, { quality: '1080p' }],
      [{ size: '960x960' }, {}],
      // The vendor's API has no such field for a transition.
      [{ generate_multi_clip_switch: true }, {}],
      [{ generate_multi_clip_switch: false }, {}],
    ],
  },
];
