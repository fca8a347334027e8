import { secondEdition } from '../model-entry';
import type { VideoModelEntry } from '../model-entry';

// Facts that all versions of Vidu's models share.

export const ratios = ['16:9', '9:16', '4:3', '3:4', '1:1'];
export const firstFrame = { images: { min: 1, max: 1 } };
export const bothFrames = { images: { min: 2, max: 2 } };
export const references = { images: { min: 1, max: 7 } };

export const shared = {
  family: 'vidu',
  created: secondEdition,
  defaultSeconds: 5,
  resolutions: ['540p', '720p', '1080p'],
  defaultResolution: '720p',
  // Not documented by the provider; the real rate of a finished video is read from its file.
  fps: { default: 24 },
  // The vendor's own limit; those of resellers are lower.
  promptCharacters: 5_000,
  maxSeed: 2_147_483_647,
} satisfies Partial<VideoModelEntry>;
