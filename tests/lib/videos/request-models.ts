import { wholeSeconds } from '../../../lib/domain/video-tiers';
import { firstEdition, videoModel, type VideoModelEntry } from '../../../lib/catalog/model-entry';
import { perInputAndOutputSecond, perSecond } from '../../../lib/catalog/price-table';
import type { VideoModel } from '../../../lib/domain/model';

// Models made up for tests: one that takes every parameter, and one of each kind of media.

const shared = {
  id: 'acme-t2v',
  name: 'Acme',
  description: 'Serves tests.',
  family: 'acme',
  created: firstEdition,
  kind: 't2v',
  seconds: wholeSeconds(3, 15),
  resolutions: ['720p', '1080p'],
  defaultResolution: '720p',
  aspectRatios: ['16:9', '9:16'],
  fps: { default: 24 },
  audio: 'none',
  parameters: [],
  price: perSecond('made up for tests', { '720p': '0.10', '1080p': '0.20' }),
  bindings: [{ providerId: 'alpha', modelName: 'acme-at-alpha' }],
} as const satisfies VideoModelEntry;

/** A text-to-video model of 3 to 15 seconds at $0.10 (720p) or $0.20 (1080p) a second, unless changed. */
export function madeUp(changes: Partial<VideoModelEntry> = {}): VideoModel {
  return videoModel({ ...shared, defaultSeconds: 5, ...changes });
}

export const everyParameter = [
  'quality',
  'options',
  'thinking_type',
  'generate_audio',
  'sound',
  'keep_original_sound',
  'audio',
  'generate_audio_switch',
  'go_fast',
  'remove_watermark',
  'multi_clip',
  'generate_multi_clip_switch',
  'bgm',
  'seed',
  'fps',
  'prompt_extend',
  'negative_prompt',
  'watermark',
  'reference_voice',
];

export const plain = madeUp();
export const everything = madeUp({
  fps: { default: 24, min: 8, max: 30 },
  audio: 'toggle',
  parameters: everyParameter,
});
export const fromPicture = madeUp({
  id: 'acme-i2v',
  kind: 'i2v',
  aspectRatios: [],
  media: { images: { min: 1, max: 1 } },
});
export const fromTwoPictures = madeUp({
  id: 'acme-start-end',
  kind: 'start-end',
  aspectRatios: [],
  media: { images: { min: 2, max: 2 } },
});
export const fromReferences = madeUp({
  id: 'acme-r2v',
  kind: 'r2v',
  media: { images: { min: 0, max: 4 }, videos: { min: 0, max: 2 }, eitherRequired: true },
});
export const fromPicturesOnly = madeUp({ id: 'acme-pictures-r2v', kind: 'r2v', media: { images: { min: 1, max: 3 } } });
export const edit = videoModel({
  ...shared,
  id: 'acme-video-edit',
  kind: 'video-edit',
  audio: 'source',
  media: { sourceVideo: true, images: { min: 0, max: 2 } },
  parameters: ['keep_original_sound'],
  price: perInputAndOutputSecond('made up for tests', { '720p': '0.10', '1080p': '0.20' }),
});
