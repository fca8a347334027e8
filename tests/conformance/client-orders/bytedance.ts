import {
  CLIP,
  edit,
  frame,
  frames,
  inPixels,
  inSeconds,
  inSizes,
  references,
  text,
  withEach,
  type ModelOrders,
  type VendorOrders,
} from './order';

// Seedance. Reference: docs.byteplus.com/en/docs/ModelArk, video generation, 2026, with its tables of pixels.

const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];
const newPixels: Readonly<Record<string, string>> = {
  '480p': '864x496 496x864 752x560 560x752 640x640 992x432',
  '720p': '1280x720 720x1280 1112x834 834x1112 960x960 1470x630',
  '1080p': '1920x1080 1080x1920 1664x1248 1248x1664 1440x1440 2206x946',
  '4k': '3840x2160 2160x3840',
};
const oldPixels: Readonly<Record<string, string>> = {
  '480p': '864x480 480x864 736x544 544x736 640x640 960x416 832x480 624x624',
  '720p': '1248x704 704x1248 1120x832 832x1120 960x960 1504x640',
  '1080p': '1920x1088 1088x1920 1664x1248 1248x1664 1440x1440 2176x928',
};

interface Version {
  readonly id: string;
  readonly tiers: readonly string[];
  readonly pixels: Readonly<Record<string, string>>;
  readonly seconds: readonly (number | string)[];
  readonly isSilent?: true;
}

const versions: readonly Version[] = [
  { id: '2.5', tiers: ['480p', '720p', '1080p'], pixels: newPixels, seconds: [4, 5, 10, '15', 30] },
  { id: '2.0', tiers: ['480p', '720p', '1080p', '4k'], pixels: newPixels, seconds: [4, 5, 10, '15'] },
  { id: '2.0-fast', tiers: ['480p', '720p'], pixels: newPixels, seconds: [4, 5, 10, '15'] },
  { id: '2.0-mini', tiers: ['480p', '720p'], pixels: newPixels, seconds: [4, 5, '15'] },
  { id: '1.5-pro', tiers: ['480p', '720p', '1080p'], pixels: oldPixels, seconds: [4, 5, 8, '12'] },
  { id: '1.0-pro', tiers: ['480p', '720p', '1080p'], pixels: oldPixels, seconds: [2, 5, 10, '12'], isSilent: true },
  { id: '1.0-lite', tiers: ['480p', '720p', '1080p'], pixels: oldPixels, seconds: [2, 5, '10'], isSilent: true },
  { id: '1.0-pro-fast', tiers: ['480p', '720p', '1080p'], pixels: oldPixels, seconds: [2, 5, 10], isSilent: true },
];

const chosenLength = (order: typeof text) => ({
  order: { ...order, seconds: -1 },
  param: 'seconds',
  reason: 'The vendor chooses the length itself for -1, and the price is fixed before the video is made.',
});

function usual({ tiers, pixels, seconds, isSilent }: Version, order: typeof text) {
  const named = tiers.filter((tier) => tier !== '4k');
  return [
    order,
    ...inSeconds(order, ...seconds),
    ...tiers.flatMap((tier) => inPixels(order, pixels[tier] ?? '')),
    ...inSizes(order, named, ratios),
    ...inSizes(order, tiers, ['16:9']),
    ...withEach(order, { seed: 42 }, { watermark: false }, { watermark: true }, { camera_fixed: true }),
    ...(isSilent ? [] : withEach(order, { generate_audio: true }, { generate_audio: false })),
  ];
}

function modelsOf(version: Version): ModelOrders[] {
  const { id } = version;
  const isNew = id.startsWith('2');
  const first = references(1);
  return [
    { model: `seedance-${id}-t2v`, orders: usual(version, text), refused: [chosenLength(text)] },
    { model: `seedance-${id}-i2v`, orders: usual(version, frame) },
    ...(id === '1.0-pro-fast' ? [] : [{ model: `seedance-${id}-start-end`, orders: usual(version, frames) }]),
    ...(isNew
      ? [
          {
            model: `seedance-${id}-r2v`,
            orders: [
              ...usual(version, first),
              references(9),
              { ...text, video_list: [CLIP], input_seconds: 5 },
              { ...references(1), reference_voice: 'https://cdn.example.com/voice.mp3' },
              { ...references(2), reference_videos: [CLIP, CLIP, CLIP], input_seconds: 12 },
            ],
          },
        ]
      : []),
    ...(id === '2.5'
      ? [
          {
            model: `seedance-${id}-video-edit`,
            orders: [
              edit(5),
              edit(30),
              { ...edit(5), ...references(3) },
              ...inSizes(edit(5), version.tiers, ['16:9']),
              ...withEach(edit(5), { seed: 42 }, { watermark: false }, { generate_audio: false }),
            ],
          },
        ]
      : []),
    ...(id === '1.0-lite'
      ? [
          {
            model: `seedance-${id}-r2v`,
            orders: [...usual({ ...version, tiers: ['480p', '720p'] }, first), references(4)],
          },
        ]
      : []),
  ];
}

export const bytedance: VendorOrders = { provider: 'bytedance', models: versions.flatMap(modelsOf) };
