import { wholeSeconds } from '../../domain/video-tiers';
import { firstEdition } from '../model-entry';
import type { VideoModelEntry } from '../model-entry';
import { perSecond, unverified } from '../price-table';

// Facts that the versions of Wan share.

export const TARIFF = 'UNVERIFIED: the official tariff as two resellers quote it, 2026-06.';
export const rows = { '720p': '0.1', '1080p': '0.15' };
export const price = unverified(perSecond(TARIFF, rows));
export const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4'];
export const shared = {
  family: 'wan',
  created: firstEdition,
  seconds: wholeSeconds(2, 15),
  resolutions: ['720p', '1080p'],
  defaultResolution: '720p',
  fps: { default: 30 },
  audio: 'always',
  parameters: ['seed', 'prompt_extend', 'negative_prompt', 'watermark', 'remove_watermark'],
  // The limits of the vendor's own API.
  promptCharacters: 5_000,
  negativePromptCharacters: 500,
  maxSeed: 2_147_483_647,
  price,
} satisfies Partial<VideoModelEntry>;
