import { wholeSeconds } from '../allowed-seconds';
import { firstEdition } from '../model-entry';
import type { VideoModelEntry } from '../model-entry';
import { perSecond, unverified } from '../price-table';

// Facts that all versions of Kling's models share.

export const TARIFF =
  'UNVERIFIED: kling.ai/document-api/pricing/base/video as notes of its readers copy it, 2026-09-16.';
const price = unverified(
  perSecond(TARIFF, {
    '720p': { silent: '0.084', audio: '0.126' },
    '1080p': { silent: '0.112', audio: '0.168' },
    '4k': '0.42',
  }),
);
export const ratios = ['16:9', '9:16', '1:1'];

export const shared = {
  family: 'kling',
  created: firstEdition,
  seconds: wholeSeconds(3, 15),
  resolutions: ['720p', '1080p', '4k'],
  defaultResolution: '720p',
  // Not documented by the provider; the real rate of a finished video is read from its file.
  fps: { default: 24 },
  audio: 'toggle',
  parameters: ['sound', 'multi_clip', 'watermark', 'remove_watermark'],
  promptCharacters: 3_072,
  price,
} satisfies Partial<VideoModelEntry>;

export const firstFrame = { images: { min: 1, max: 1 } };
export const bothFrames = { images: { min: 2, max: 2 } };
