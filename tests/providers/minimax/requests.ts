import type { ApiCase } from '../contract/request-cases';

// What MiniMax must receive for each request, written by hand from its API reference and not computed.

const IMAGE = 'https://example.com/0.png';
const LAST_IMAGE = 'https://example.com/1.png';
const CLIP = 'https://example.com/0.mp4';
const VOICE = 'https://example.com/voice.mp3';

const watermarks = [
  [{ watermark: true }, { aigc_watermark: true }],
  [{ watermark: false }, { aigc_watermark: false }],
  [{ remove_watermark: false }, { aigc_watermark: true }],
  [{ remove_watermark: true }, { aigc_watermark: false }],
  [{ watermark: true, remove_watermark: true }, { aigc_watermark: true }],
] as const;

const hailuo = { prompt: 'a cat', duration: 6, resolution: '768P', prompt_optimizer: false, aigc_watermark: false };
const hailuoChanges = [
  [{ seconds: 10 }, { duration: 10 }],
  [{ seconds: '6' }, { duration: 6 }],
  [{ size: '1920x1080' }, { resolution: '1080P' }],
  [{ prompt_extend: true }, { prompt_optimizer: true }],
  [{ prompt_extend: false }, { prompt_optimizer: false }],
  ...watermarks,
] as const;
const portraitHailuo = [{ size: '1080x1920' }, { resolution: '1080P' }] as const;

const text = { type: 'text', text: 'a cat' };
const first = { type: 'image_url', role: 'first_frame', image_url: { url: IMAGE } };
const last = { type: 'image_url', role: 'last_frame', image_url: { url: LAST_IMAGE } };
const reference = { type: 'image_url', role: 'reference_image', image_url: { url: IMAGE } };
const otherReference = { type: 'image_url', role: 'reference_image', image_url: { url: LAST_IMAGE } };
const clip = { type: 'video_url', role: 'reference_video', video_url: { url: CLIP } };

const h3 = { model: 'MiniMax-H3', resolution: '768P', duration: 5, aigc_watermark: false };
const h3Changes = [
  [{ seconds: 4 }, { duration: 4 }],
  [{ seconds: 15 }, { duration: 15 }],
  [{ size: '2560x1440' }, { resolution: '2K' }],
  ...watermarks,
] as const;
const portraitH3 = [{ size: '1440x2560' }, { resolution: '2K' }] as const;

const h3Max = {
  ...h3,
  model: 'MiniMax-H3-Max',
  extra: { prompt_expansion_mode: 'disabled' },
};
const h3MaxChanges = [
  [{ seconds: 5 }, { duration: 5 }],
  [{ seconds: 15 }, { duration: 15 }],
  [{ size: '854x480' }, { resolution: '480P' }],
  [{ prompt_extend: true }, { extra: { prompt_expansion_mode: 'balanced' } }],
  [{ prompt_extend: false }, { extra: { prompt_expansion_mode: 'disabled' } }],
  ...watermarks,
] as const;

const ratios = [
  [{ size: '768x1366' }, { ratio: '9:16' }],
  [{ size: '1024x1024' }, { ratio: '1:1' }],
  [{ size: '1184x888' }, { ratio: '4:3' }],
  [{ size: '888x1184' }, { ratio: '3:4' }],
  [{ size: '1568x672' }, { ratio: '21:9' }],
] as const;

export const cases: readonly ApiCase[] = [
  {
    model: 'hailuo-2.3-t2v',
    path: '/v1/video_generation',
    body: { ...hailuo, model: 'MiniMax-Hailuo-2.3' },
    changes: hailuoChanges,
  },
  {
    model: 'hailuo-2.3-i2v',
    path: '/v1/video_generation',
    body: { ...hailuo, model: 'MiniMax-Hailuo-2.3', first_frame_image: IMAGE },
    changes: [...hailuoChanges, portraitHailuo],
  },
  {
    model: 'hailuo-2.3-fast-i2v',
    path: '/v1/video_generation',
    body: { ...hailuo, model: 'MiniMax-Hailuo-2.3-Fast', first_frame_image: IMAGE },
    changes: [...hailuoChanges, portraitHailuo],
  },
  {
    model: 'hailuo-02-t2v',
    path: '/v1/video_generation',
    body: { ...hailuo, model: 'MiniMax-Hailuo-02' },
    changes: hailuoChanges,
  },
  {
    model: 'hailuo-02-i2v',
    path: '/v1/video_generation',
    body: { ...hailuo, model: 'MiniMax-Hailuo-02', first_frame_image: IMAGE },
    changes: [...hailuoChanges, portraitHailuo, [{ size: '912x512' }, { resolution: '512P' }]],
  },
  {
    model: 'minimax-s2v-01-r2v',
    path: '/v1/video_generation',
    body: {
      model: 'S2V-01',
      prompt: 'a cat',
      prompt_optimizer: false,
      aigc_watermark: false,
      subject_reference: [{ type: 'character', image: [IMAGE] }],
    },
    changes: [
      [{ seconds: 6 }, {}],
      [{ prompt_extend: true }, { prompt_optimizer: true }],
      [{ prompt_extend: false }, { prompt_optimizer: false }],
      ...watermarks,
    ],
  },
  ...(
    [
      ['minimax-01-t2v', 'T2V-01'],
      ['minimax-01-director-t2v', 'T2V-01-Director'],
      ['minimax-01-i2v', 'I2V-01'],
      ['minimax-01-director-i2v', 'I2V-01-Director'],
      ['minimax-01-live-i2v', 'I2V-01-live'],
    ] as const
  ).map(([model, name]) => ({
    model,
    path: '/v1/video_generation',
    body: {
      model: name,
      prompt: 'a cat',
      prompt_optimizer: false,
      aigc_watermark: false,
      ...(model.endsWith('i2v') && { first_frame_image: IMAGE }),
    },
    changes: [
      [{ seconds: 6 }, {}],
      [{ prompt_extend: true }, { prompt_optimizer: true }],
      [{ prompt_extend: false }, { prompt_optimizer: false }],
      ...watermarks,
    ] as const,
  })),
  {
    model: 'hailuo-02-start-end',
    path: '/v1/video_generation',
    body: { ...hailuo, model: 'MiniMax-Hailuo-02', first_frame_image: IMAGE, last_frame_image: LAST_IMAGE },
    changes: [...hailuoChanges, portraitHailuo],
  },
  {
    model: 'minimax-h3-t2v',
    path: '/v2/video_generation',
    body: { ...h3, content: [text], ratio: '16:9' },
    changes: [...h3Changes, ...ratios, [{ size: '1440x2560' }, { resolution: '2K', ratio: '9:16' }]],
  },
  {
    model: 'minimax-h3-i2v',
    path: '/v2/video_generation',
    body: { ...h3, content: [text, first] },
    changes: [...h3Changes, portraitH3],
  },
  {
    model: 'minimax-h3-start-end',
    path: '/v2/video_generation',
    body: { ...h3, content: [text, first, last] },
    changes: [...h3Changes, portraitH3],
  },
  {
    model: 'minimax-h3-r2v',
    path: '/v2/video_generation',
    body: { ...h3, content: [text, reference], ratio: '16:9' },
    changes: [
      ...h3Changes,
      ...ratios,
      [{ image_list: [IMAGE, LAST_IMAGE] }, { content: [text, reference, otherReference] }],
      [{ video_list: [CLIP] }, { content: [text, reference, clip] }],
      [{ image_list: undefined, video_list: [CLIP], input_seconds: 6 }, { content: [text, clip] }],
      [
        { reference_voice: VOICE },
        { content: [text, reference, { type: 'audio_url', role: 'reference_audio', audio_url: { url: VOICE } }] },
      ],
    ],
  },
  {
    model: 'minimax-h3-max-t2v',
    path: '/v2/video_generation',
    body: { ...h3Max, content: [text], ratio: '16:9' },
    changes: [...h3MaxChanges, ...ratios, [{ size: '480x854' }, { resolution: '480P', ratio: '9:16' }]],
  },
  {
    model: 'minimax-h3-max-i2v',
    path: '/v2/video_generation',
    body: { ...h3Max, content: [text, first] },
    changes: [...h3MaxChanges, [{ size: '480x854' }, { resolution: '480P' }]],
  },
  {
    model: 'minimax-h3-max-start-end',
    path: '/v2/video_generation',
    body: { ...h3Max, content: [text, first, last] },
    changes: [...h3MaxChanges, [{ size: '480x854' }, { resolution: '480P' }]],
  },
];
