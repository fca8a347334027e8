import type { ApiCase } from '../contract/request-cases';
import { CLIP, IMAGE as FIRST, LAST_IMAGE as LAST, PROMPT as prompt, VOICE } from '../support/vendor-orders';

// What ModelArk must receive for a request, written by hand from its API reference.

type Body = ApiCase['body'];

const text = { type: 'text', text: prompt };
const image = (url: string, role: string) => ({ type: 'image_url', image_url: { url }, role });
const clip = { type: 'video_url', video_url: { url: CLIP }, role: 'reference_video' };

// Of the kinds.
const t2v = { media: {}, body: { content: [text], ratio: '16:9' } };
const i2v = {
  media: { image_url: FIRST },
  body: { content: [text, image(FIRST, 'first_frame')], ratio: 'adaptive' },
};
const startEnd = {
  media: { image_list: [FIRST, LAST] },
  body: { content: [text, image(FIRST, 'first_frame'), image(LAST, 'last_frame')], ratio: 'adaptive' },
};
const r2v = {
  media: { image_list: [FIRST, LAST] },
  body: { content: [text, image(FIRST, 'reference_image'), image(LAST, 'reference_image')], ratio: 'adaptive' },
};
/** The source is a reference, and its length and its shape are those of the output. */
const edit = {
  media: { video_url: CLIP, input_seconds: 5 },
  body: { content: [text, clip], ratio: 'adaptive', duration: -1, omni_reference_task_type: 'edit' },
};

// Of the models.
const plain = { resolution: '720p', duration: 5, watermark: false, service_tier: 'default' };
const version20 = { ...plain, model: 'dreamina-seedance-2-0-260128', generate_audio: true };
const fast = { ...version20, model: 'dreamina-seedance-2-0-fast-260128' };
const mini = { ...version20, model: 'dreamina-seedance-2-0-mini-260615' };
const version25 = { ...version20, model: 'dreamina-seedance-2-5-260628', output_format: 'mp4' };
const version15 = { ...version20, model: 'seedance-1-5-pro-251215' };
const version10 = { ...plain, model: 'seedance-1-0-pro-250528' };
const liteText10 = { ...plain, model: 'seedance-1-0-lite-t2v-250428' };
const liteFrames10 = { ...plain, model: 'seedance-1-0-lite-i2v-250428' };
const fast10 = { ...plain, model: 'seedance-1-0-pro-fast-251015' };

type Changes = ApiCase['changes'];

const parameters: Changes = [
  [{ seed: 0 }, { seed: 0 }],
  [{ seed: 2_147_483_647 }, { seed: 2_147_483_647 }],
  [{ watermark: true }, { watermark: true }],
  [{ watermark: false }, {}],
  [{ remove_watermark: false }, { watermark: true }],
  [{ remove_watermark: true }, {}],
  [{ remove_watermark: true, watermark: true }, { watermark: true }],
  [{ remove_watermark: false, watermark: false }, {}],
];
const sound: Changes = [
  [{ generate_audio: false }, { generate_audio: false }],
  [{ generate_audio: true }, {}],
];
const at480: Changes = [
  [{ size: '864x496' }, { resolution: '480p', ratio: '16:9' }],
  [{ size: '496x864' }, { resolution: '480p', ratio: '9:16' }],
];
const at1080: Changes = [
  [{ size: '1920x1080' }, { resolution: '1080p', ratio: '16:9' }],
  [{ size: '1440x1440' }, { resolution: '1080p', ratio: '1:1' }],
];
const at4k: Changes = [[{ size: '3840x2160' }, { resolution: '4k', ratio: '16:9' }]];
const ratios: Changes = [
  [{ size: '1280x720' }, { ratio: '16:9' }],
  [{ size: '720x1280' }, { ratio: '9:16' }],
  [{ size: '960x960' }, { ratio: '1:1' }],
  [{ size: '1112x834' }, { ratio: '4:3' }],
  [{ size: '834x1112' }, { ratio: '3:4' }],
  [{ size: '1470x630' }, { ratio: '21:9' }],
];
const seconds = (first: number, last: number): Changes => [
  [{ seconds: first }, { duration: first }],
  [{ seconds: last }, { duration: last }],
];
const withClip: Changes = [
  [{ image_list: undefined, video_list: [CLIP] }, { content: [text, clip] }],
  [{ image_list: [FIRST], video_list: [CLIP] }, { content: [text, image(FIRST, 'reference_image'), clip] }],
  [
    { reference_voice: VOICE },
    { content: [...r2v.body.content, { type: 'audio_url', audio_url: { url: VOICE }, role: 'reference_audio' }] },
  ],
];

const editChanges: Changes = [
  [{ input_seconds: 30, seconds: 4 }, {}],
  [{ size: '864x496' }, { resolution: '480p' }],
  [{ size: '1920x1080' }, { resolution: '1080p' }],
  [{ image_list: [FIRST] }, { content: [text, image(FIRST, 'reference_image'), clip] }],
  [
    { reference_voice: VOICE },
    { content: [text, clip, { type: 'audio_url', audio_url: { url: VOICE }, role: 'reference_audio' }] },
  ],
];

const usual = [...ratios, ...parameters];
const changes20 = [...usual, ...sound, ...at480, ...at1080, ...at4k, ...seconds(4, 15)];
const changesFast = [...usual, ...sound, ...at480, ...seconds(4, 15)];
const changes25 = [...usual, ...sound, ...at480, ...at1080, ...seconds(4, 30)];
const changes15 = [...usual, ...sound, ...at480, ...at1080, ...seconds(4, 12)];
const changes10 = [...usual, ...at480, ...at1080, ...seconds(2, 12)];

const one = (
  model: string,
  { media, body }: { readonly media: Body; readonly body: Body },
  fields: Body,
  changes: Changes,
): ApiCase => ({
  model,
  path: '/api/v3/contents/generations/tasks',
  request: { prompt, ...media },
  body: { ...fields, ...body },
  changes,
});

export const cases: readonly ApiCase[] = [
  one('seedance-2.0-t2v', t2v, version20, changes20),
  one('seedance-2.0-i2v', i2v, version20, changes20),
  one('seedance-2.0-start-end', startEnd, version20, changes20),
  one('seedance-2.0-r2v', r2v, version20, [...changes20, ...withClip]),
  one('seedance-2.0-fast-t2v', t2v, fast, changesFast),
  one('seedance-2.0-fast-i2v', i2v, fast, changesFast),
  one('seedance-2.0-fast-start-end', startEnd, fast, changesFast),
  one('seedance-2.0-fast-r2v', r2v, fast, [...changesFast, ...withClip]),
  one('seedance-2.0-mini-t2v', t2v, mini, changesFast),
  one('seedance-2.0-mini-i2v', i2v, mini, changesFast),
  one('seedance-2.0-mini-start-end', startEnd, mini, changesFast),
  one('seedance-2.0-mini-r2v', r2v, mini, [...changesFast, ...withClip]),
  one('seedance-2.5-t2v', t2v, version25, changes25),
  one('seedance-2.5-i2v', i2v, version25, changes25),
  one('seedance-2.5-start-end', startEnd, version25, changes25),
  one('seedance-2.5-r2v', r2v, { ...version25, omni_reference_task_type: 'reference' }, [...changes25, ...withClip]),
  one('seedance-2.5-video-edit', edit, version25, [...parameters, ...sound, ...editChanges]),
  one('seedance-1.5-pro-t2v', t2v, version15, changes15),
  one('seedance-1.5-pro-i2v', i2v, version15, changes15),
  one('seedance-1.5-pro-start-end', startEnd, version15, changes15),
  one('seedance-1.0-pro-t2v', t2v, version10, changes10),
  one('seedance-1.0-pro-i2v', i2v, version10, changes10),
  one('seedance-1.0-pro-start-end', startEnd, version10, changes10),
  one('seedance-1.0-lite-t2v', t2v, liteText10, changes10),
  one('seedance-1.0-lite-i2v', i2v, liteFrames10, changes10),
  one('seedance-1.0-lite-start-end', startEnd, liteFrames10, changes10),
  one('seedance-1.0-lite-r2v', r2v, liteFrames10, [...usual, ...at480, ...seconds(2, 12)]),
  one('seedance-1.0-pro-fast-t2v', t2v, fast10, changes10),
  one('seedance-1.0-pro-fast-i2v', i2v, fast10, changes10),
];
