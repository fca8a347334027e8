/** A whole video model of a CATALOG_FILE, served by the sandbox, at a dime a second. */
export const lantern = {
  capability: 'video',
  id: 'lantern-t2v',
  name: 'Lantern text to video',
  description: 'Makes a silent video from a text.',
  family: 'lantern',
  created: 1_795_392_000,
  kind: 't2v',
  seconds: [2, 4],
  defaultSeconds: 2,
  resolutions: ['360p', '720p'],
  defaultResolution: '360p',
  aspectRatios: ['16:9'],
  fps: { default: 24 },
  audio: 'none',
  parameters: ['seed'],
  price: {
    per: 'output_second',
    rates: [{ usd: '0.1' }],
    source: 'https://prices.example.com/lantern',
    date: '2026-11-23',
    verified: true,
  },
  bindings: [{ providerId: 'sandbox', modelName: 'lantern-1' }],
};

/** The text of a file with these entries. */
export const fileOf = (...models: readonly unknown[]) => JSON.stringify({ models });
