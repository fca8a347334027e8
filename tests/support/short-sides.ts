/** The short side of a square or wider video of each tier, in pixels, as people know it from the tier's name. */
export const shortSides: Readonly<Record<string, number>> = {
  '360p': 360,
  '480p': 480,
  '512p': 512,
  '540p': 540,
  '720p': 720,
  '768p': 768,
  '1080p': 1080,
  '2k': 1440,
  '4k': 2160,
};
