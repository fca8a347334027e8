import type { ApiCase } from '../contract/request-cases';

// What Vidu must receive for each request, written by hand from its API reference and not computed. The payload, which is
// our id of the video, is added by the test.

const IMAGE = 'https://example.com/0.png';
const LAST_IMAGE = 'https://example.com/1.png';

const shared = { prompt: 'a cat', duration: 5, resolution: '720p', off_peak: false, watermark: false };
const sharedChanges = [
  [{ size: '1920x1080' }, { resolution: '1080p' }],
  [{ seed: 0 }, { seed: 0 }],
  [{ seed: 2_147_483_647 }, { seed: 2_147_483_647 }],
  [{ watermark: true }, { watermark: true }],
  [{ watermark: false }, { watermark: false }],
  [{ remove_watermark: false }, { watermark: true }],
  [{ remove_watermark: true }, { watermark: false }],
] as const;
const smallTier = [{ size: '960x540' }, { resolution: '540p' }] as const;
const portrait = [{ size: '1080x1920' }, { resolution: '1080p' }] as const;
const ratios = [
  [{ size: '720x1280' }, { aspect_ratio: '9:16' }],
  [{ size: '1104x832' }, { aspect_ratio: '4:3' }],
  [{ size: '832x1104' }, { aspect_ratio: '3:4' }],
  [{ size: '960x960' }, { aspect_ratio: '1:1' }],
  [{ size: '1080x1920' }, { resolution: '1080p', aspect_ratio: '9:16' }],
] as const;
const seconds = (...lengths: number[]) => lengths.map((length) => [{ seconds: length }, { duration: length }] as const);

const q3 = { ...shared, audio: true, audio_type: 'all' };
const q3Changes = [
  ...sharedChanges,
  [{ audio: false }, { audio: false, audio_type: undefined }],
  [{ audio: true }, { audio: true, audio_type: 'all' }],
] as const;
const q2 = { ...shared, bgm: true, movement_amplitude: 'auto' };
const q2Changes: ApiCase['changes'] = [
  ...sharedChanges,
  [{ bgm: false }, { bgm: false }],
  [{ bgm: true }, { bgm: true }],
];

const upstreamNames = { 'vidu-q3-pro': 'viduq3-pro', 'vidu-q3-turbo': 'viduq3-turbo' };

const textAndFramesOfQ3 = Object.entries(upstreamNames).flatMap(([model, name]): ApiCase[] => [
  {
    model: `${model}-t2v`,
    path: '/ent/v2/text2video',
    body: { ...q3, model: name, aspect_ratio: '16:9' },
    changes: [...q3Changes, ...seconds(1, 16), smallTier, ...ratios],
  },
  {
    model: `${model}-i2v`,
    path: '/ent/v2/img2video',
    body: { ...q3, model: name, images: [IMAGE] },
    changes: [...q3Changes, ...seconds(1, 16), smallTier, portrait],
  },
  {
    model: `${model}-start-end`,
    path: '/ent/v2/start-end2video',
    body: { ...q3, model: name, images: [IMAGE, LAST_IMAGE] },
    changes: [...q3Changes, ...seconds(1, 16), smallTier, portrait],
  },
]);

const seven = Array.from({ length: 7 }, (_, index) => `https://example.com/${index}.png`);
const moreImages = [{ image_list: seven }, { images: seven }] as const;

const VIDEO = 'https://example.com/0.mp4';
const SECOND_VIDEO = 'https://example.com/1.mp4';
const old = { ...q2, duration: 5, resolution: '1080p' };
const threeShapes = [
  [{ size: '1080x1920' }, { aspect_ratio: '9:16' }],
  [{ size: '1440x1440' }, { aspect_ratio: '1:1' }],
] as const;
const changesOf1080p = q2Changes.filter(([{ size }]) => size === undefined);
const lengthsAndTiersOf20 = [
  [{ seconds: 8 }, { duration: 8 }],
  [{ size: '640x360' }, { resolution: '360p' }],
] as const;

const VOICE = 'https://example.com/voice.mp3';
const q4 = { ...shared, model: 'viduq4-preview', audio: true, images: [IMAGE] };
const q4Changes = [
  ...sharedChanges,
  [{ audio: false }, { audio: false }],
  [{ audio: true }, {}],
  ...seconds(3, 16),
  smallTier,
  [{ size: '2560x1440' }, { resolution: '2K' }],
  [{ size: '3840x2160' }, { resolution: '4K' }],
] as const;
const fifteen = Array.from({ length: 15 }, (_, index) => `https://example.com/${index}.png`);

export const cases: readonly ApiCase[] = [
  {
    model: 'vidu-q4-preview-i2v',
    path: '/ent/v2/img2video',
    body: q4,
    changes: [...q4Changes, portrait],
  },
  {
    model: 'vidu-q4-preview-r2v',
    path: '/ent/v2/reference2video',
    body: { ...q4, aspect_ratio: '16:9' },
    changes: [
      ...q4Changes,
      ...ratios,
      [{ image_list: fifteen }, { images: fifteen }],
      [{ reference_voice: VOICE }, { sounds: [VOICE] }],
    ],
  },
  ...textAndFramesOfQ3,
  {
    model: 'vidu-q3-pro-fast-i2v',
    path: '/ent/v2/img2video',
    body: { ...q3, model: 'viduq3-pro-fast', images: [IMAGE] },
    changes: [...q3Changes, ...seconds(1, 16), smallTier, portrait],
  },
  {
    model: 'vidu-q3-r2v',
    path: '/ent/v2/reference2video',
    body: { ...q3, model: 'viduq3', images: [IMAGE], aspect_ratio: '16:9' },
    changes: [...q3Changes, ...seconds(3, 16), smallTier, ...ratios, moreImages],
  },
  {
    model: 'vidu-q3-mix-r2v',
    path: '/ent/v2/reference2video',
    body: { ...q3, model: 'viduq3-mix', images: [IMAGE], aspect_ratio: '16:9' },
    changes: [...q3Changes, ...seconds(1, 16), ...ratios, moreImages],
  },
  {
    model: 'vidu-q3-turbo-r2v',
    path: '/ent/v2/reference2video',
    body: { ...q3, model: 'viduq3-turbo', images: [IMAGE], aspect_ratio: '16:9' },
    changes: [...q3Changes, ...seconds(3, 16), smallTier, ...ratios, moreImages],
  },
  {
    model: 'vidu-q2-t2v',
    path: '/ent/v2/text2video',
    body: { ...q2, model: 'viduq2', aspect_ratio: '16:9' },
    changes: [...q2Changes, ...seconds(1, 10), smallTier, ...ratios],
  },
  {
    model: 'vidu-q2-i2v',
    path: '/ent/v2/img2video',
    body: { ...q2, model: 'viduq2-turbo', images: [IMAGE] },
    changes: [...q2Changes, ...seconds(1, 10), smallTier, portrait],
  },
  {
    model: 'vidu-q2-start-end',
    path: '/ent/v2/start-end2video',
    body: { ...q2, model: 'viduq2-turbo', images: [IMAGE, LAST_IMAGE] },
    changes: [...q2Changes, ...seconds(2, 8), smallTier, portrait],
  },
  {
    model: 'vidu-q2-pro-i2v',
    path: '/ent/v2/img2video',
    body: { ...q2, model: 'viduq2-pro', images: [IMAGE] },
    changes: [...q2Changes, ...seconds(1, 10), smallTier, portrait],
  },
  {
    model: 'vidu-q2-pro-start-end',
    path: '/ent/v2/start-end2video',
    body: { ...q2, model: 'viduq2-pro', images: [IMAGE, LAST_IMAGE] },
    changes: [...q2Changes, ...seconds(2, 8), smallTier, portrait],
  },
  {
    model: 'vidu-q2-pro-fast-i2v',
    path: '/ent/v2/img2video',
    body: { ...q2, model: 'viduq2-pro-fast', images: [IMAGE] },
    changes: [...q2Changes, ...seconds(1, 10), portrait],
  },
  {
    model: 'vidu-q2-pro-fast-start-end',
    path: '/ent/v2/start-end2video',
    body: { ...q2, model: 'viduq2-pro-fast', images: [IMAGE, LAST_IMAGE] },
    changes: [...q2Changes, ...seconds(2, 8), portrait],
  },
  {
    model: 'vidu-q2-r2v',
    path: '/ent/v2/reference2video',
    body: { ...q2, model: 'viduq2', images: [IMAGE], aspect_ratio: '16:9' },
    changes: [...q2Changes, ...seconds(1, 10), smallTier, ...ratios, moreImages],
  },
  {
    model: 'vidu-q2-pro-r2v',
    path: '/ent/v2/reference2video',
    body: { ...q2, model: 'viduq2-pro', images: [IMAGE], aspect_ratio: '16:9' },
    changes: [
      ...q2Changes,
      ...seconds(1, 10),
      smallTier,
      ...ratios,
      moreImages,
      [{ video_list: [VIDEO] }, { videos: [VIDEO] }],
      [{ video_list: [VIDEO, SECOND_VIDEO] }, { videos: [VIDEO, SECOND_VIDEO] }],
    ],
  },
  {
    model: 'vidu-q1-t2v',
    path: '/ent/v2/text2video',
    body: { ...old, model: 'viduq1', aspect_ratio: '16:9' },
    changes: [...changesOf1080p, ...seconds(5), ...threeShapes],
  },
  {
    model: 'vidu-q1-i2v',
    path: '/ent/v2/img2video',
    body: { ...old, model: 'viduq1', images: [IMAGE] },
    changes: [...changesOf1080p, ...seconds(5), [{ size: '1080x1920' }, {}]],
  },
  {
    model: 'vidu-q1-start-end',
    path: '/ent/v2/start-end2video',
    body: { ...old, model: 'viduq1', images: [IMAGE, LAST_IMAGE] },
    changes: [...changesOf1080p, ...seconds(5), [{ size: '1080x1920' }, {}]],
  },
  {
    model: 'vidu-q1-r2v',
    path: '/ent/v2/reference2video',
    body: { ...old, model: 'viduq1', images: [IMAGE], aspect_ratio: '16:9' },
    changes: [...changesOf1080p, ...seconds(5), ...threeShapes, moreImages],
  },
  {
    model: 'vidu-q1-classic-i2v',
    path: '/ent/v2/img2video',
    body: { ...old, model: 'viduq1-classic', images: [IMAGE] },
    changes: [...changesOf1080p, ...seconds(5), [{ size: '1080x1920' }, {}]],
  },
  {
    model: 'vidu-q1-classic-start-end',
    path: '/ent/v2/start-end2video',
    body: { ...old, model: 'viduq1-classic', images: [IMAGE, LAST_IMAGE] },
    changes: [...changesOf1080p, ...seconds(5), [{ size: '1080x1920' }, {}]],
  },
  {
    model: 'vidu-2.0-i2v',
    path: '/ent/v2/img2video',
    body: { ...q2, model: 'vidu2.0', duration: 4, images: [IMAGE] },
    changes: [...q2Changes, ...lengthsAndTiersOf20, portrait],
  },
  {
    model: 'vidu-2.0-start-end',
    path: '/ent/v2/start-end2video',
    body: { ...q2, model: 'vidu2.0', duration: 4, images: [IMAGE, LAST_IMAGE] },
    changes: [...q2Changes, ...lengthsAndTiersOf20, portrait],
  },
  {
    model: 'vidu-2.0-r2v',
    path: '/ent/v2/reference2video',
    body: { ...q2, model: 'vidu2.0', duration: 4, images: [IMAGE], aspect_ratio: '16:9' },
    changes: [
      ...changesOf1080p,
      [{ size: '640x360' }, { resolution: '360p' }],
      [{ size: '720x1280' }, { aspect_ratio: '9:16' }],
      [{ size: '960x960' }, { aspect_ratio: '1:1' }],
      moreImages,
    ],
  },
];
