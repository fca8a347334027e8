import type { Model } from '../../domain/model';
import { wholeSeconds } from '../../domain/video-tiers';
import { fifthEdition, thirdEdition, videoModel } from '../model-entry';
import type { BindingEntry, VideoModelEntry } from '../model-entry';
import { assumed, perSecond, unverified } from '../price-table';
import { olderViduModels } from './vidu-older';
import { bothFrames, firstFrame, ratios, references, shared } from './vidu-shared';

// Vidu Q4 and Q3; the older versions are in `vidu-older.ts`.

const CREDITS = "Vidu's own table of credits for each second (platform.vidu.com), at $0.005 for a credit, 2026.";
const proPrice = perSecond(CREDITS, { '540p': '0.045', '720p': '0.1', '1080p': '0.12' });
const turboPrice = perSecond(CREDITS, { '540p': '0.035', '720p': '0.055', '1080p': '0.065' });
const mixPrice = perSecond(CREDITS, { '720p': '0.12', '1080p': '0.145' });

// Only fal makes 360p.
const q3Tiers = ['360p', ...shared.resolutions];
const q3 = {
  ...shared,
  seconds: wholeSeconds(1, 16),
  audio: 'toggle',
  parameters: ['audio', 'seed', 'watermark', 'remove_watermark'],
} satisfies Partial<VideoModelEntry>;
const pro = {
  ...q3,
  resolutions: q3Tiers,
  price: proPrice,
  bindings: [{ providerId: 'vidu', modelName: 'viduq3-pro', resolutions: shared.resolutions }],
};
const proPriceOnFal = perSecond("fal's page of vidu/q3/text-to-video, 2026.", {
  '360p': '0.07',
  '540p': '0.07',
  '720p': '0.154',
  '1080p': '0.154',
});
const proOnFal = {
  providerId: 'fal',
  promptCharacters: 2_000,
  modelName: 'fal-ai/vidu/q3/image-to-video',
  parameters: ['audio', 'seed'],
  price: { ...proPriceOnFal, source: 'fal.ai/models/fal-ai/vidu/q3/image-to-video, a copy read 2026-11-28.' },
} as const satisfies BindingEntry;
const turbo = {
  ...q3,
  resolutions: q3Tiers,
  price: turboPrice,
  bindings: [{ providerId: 'vidu', modelName: 'viduq3-turbo', resolutions: shared.resolutions }],
};

const turboOnFal = (endpoint: string): BindingEntry => ({
  providerId: 'fal',
  promptCharacters: 2_000,
  modelName: `fal-ai/vidu/q3/${endpoint}/turbo`,
  parameters: ['audio', 'seed'],
  price: assumed('this endpoint of fal', "fal's Q3 Pro", proPriceOnFal),
});

/** Q3 at resellers. Replicate's prices are those of one note of its readers, 2026; WaveSpeed says that it bills Vidu's. */
const q3OnReplicate = (version: 'pro' | 'turbo') =>
  ({
    providerId: 'replicate',
    modelName: `vidu/q3-${version}`,
    resolutions: shared.resolutions,
    parameters: ['audio', 'seed'],
    price:
      version === 'pro'
        ? unverified(
            perSecond('UNVERIFIED: replicate.com/vidu/q3-pro as a note of its readers quotes it, 2026.', {
              '540p': '0.07',
              '720p': '0.15',
              '1080p': '0.16',
            }),
          )
        : assumed('Replicate', 'Vidu', turboPrice),
  }) satisfies BindingEntry;
const q3OnWavespeed = (version: 'pro' | 'turbo', endpoint: string) =>
  ({
    providerId: 'wavespeed',
    modelName: `vidu/q3-${version}/${endpoint}-to-video`,
    resolutions: shared.resolutions,
    // It has no field for the ratio of a video from a text.
    ...(endpoint === 'text' && { aspectRatios: ['16:9'] }),
    parameters: ['audio', 'seed'],
    price: assumed('WaveSpeed', 'Vidu', version === 'pro' ? proPrice : turboPrice),
  }) satisfies BindingEntry;

// Vidu's API reference of Q4 Preview as a client quotes it; WaveSpeed takes fewer references.
const q4 = {
  ...shared,
  created: fifthEdition,
  seconds: wholeSeconds(3, 16),
  resolutions: [...shared.resolutions, '2k', '4k'],
  audio: 'toggle',
  parameters: ['audio', 'seed', 'watermark', 'remove_watermark'],
  promptCharacters: 20_000,
  price: unverified(
    perSecond(
      'UNVERIFIED: no published price was found; these are those of Q3 Pro, and in 2k and 4k two and four times that of 1080p.',
      { '540p': '0.045', '720p': '0.1', '1080p': '0.12', '2k': '0.24', '4k': '0.48' },
    ),
  ),
  bindings: [{ providerId: 'vidu', modelName: 'viduq4-preview' }],
} satisfies Partial<VideoModelEntry>;
const q4OnWavespeed = (endpoint: string) =>
  ({
    providerId: 'wavespeed',
    modelName: `vidu/q4-preview/${endpoint}-to-video`,
    parameters: ['audio', 'seed'],
    price: assumed('WaveSpeed', 'Vidu Q3 Pro', q4.price),
  }) satisfies BindingEntry;

export const viduModels: readonly Model[] = [
  videoModel({
    ...q4,
    id: 'vidu-q4-preview-i2v',
    name: 'Vidu Q4 Preview image to video',
    description:
      'Makes a video that begins with the given image and keeps its shape, silent or with speech and sounds: 3 to 16 seconds up to 4k.',
    kind: 'i2v',
    media: firstFrame,
    bindings: [...q4.bindings, q4OnWavespeed('image')],
  }),
  videoModel({
    ...q4,
    id: 'vidu-q4-preview-r2v',
    name: 'Vidu Q4 Preview reference to video',
    description:
      'Makes a video from a text and up to fifteen reference images, silent or with speech and sounds: 3 to 16 seconds up to 4k. A reference voice can be given.',
    kind: 'r2v',
    aspectRatios: ratios,
    media: { images: { min: 1, max: 15 } },
    parameters: [...q4.parameters, 'reference_voice'],
    bindings: [
      ...q4.bindings,
      {
        ...q4OnWavespeed('reference'),
        media: { images: { min: 1, max: 12 } },
        parameters: ['audio', 'seed', 'reference_voice'],
      },
    ],
  }),
  videoModel({
    ...pro,
    id: 'vidu-q3-pro-t2v',
    name: 'Vidu Q3 Pro text to video',
    description: 'Makes a video from a text, silent or with speech and sounds: 1 to 16 seconds up to 1080p.',
    kind: 't2v',
    aspectRatios: ratios,
    bindings: [
      ...pro.bindings,
      { ...proOnFal, modelName: 'fal-ai/vidu/q3/text-to-video', price: proPriceOnFal },
      q3OnReplicate('pro'),
      q3OnWavespeed('pro', 'text'),
    ],
  }),
  videoModel({
    ...pro,
    id: 'vidu-q3-pro-i2v',
    name: 'Vidu Q3 Pro image to video',
    description:
      'Makes a video that begins with the given image and keeps its shape, silent or with speech and sounds: 1 to 16 seconds up to 1080p.',
    kind: 'i2v',
    media: firstFrame,
    bindings: [...pro.bindings, proOnFal, q3OnReplicate('pro'), q3OnWavespeed('pro', 'image')],
  }),
  videoModel({
    ...pro,
    id: 'vidu-q3-pro-start-end',
    name: 'Vidu Q3 Pro first and last frame',
    description:
      'Makes a video that leads from the first given image to the second, silent or with speech and sounds: 1 to 16 seconds up to 1080p.',
    kind: 'start-end',
    media: bothFrames,
    bindings: [...pro.bindings, proOnFal, q3OnReplicate('pro'), q3OnWavespeed('pro', 'start-end')],
  }),
  videoModel({
    ...q3,
    id: 'vidu-q3-pro-fast-i2v',
    name: 'Vidu Q3 Pro Fast image to video',
    description:
      'Makes a video that begins with the given image and keeps its shape, sooner than Q3 Pro: 1 to 16 seconds up to 1080p.',
    created: thirdEdition,
    kind: 'i2v',
    media: firstFrame,
    price: assumed('Vidu Q3 Pro Fast', 'Vidu Q3 Pro', proPrice),
    bindings: [{ providerId: 'vidu', modelName: 'viduq3-pro-fast' }],
  }),
  videoModel({
    ...turbo,
    id: 'vidu-q3-turbo-t2v',
    name: 'Vidu Q3 Turbo text to video',
    description: 'Makes a video from a text, sooner than Q3 Pro and with less detail: 1 to 16 seconds up to 1080p.',
    kind: 't2v',
    aspectRatios: ratios,
    bindings: [...turbo.bindings, turboOnFal('text-to-video'), q3OnReplicate('turbo'), q3OnWavespeed('turbo', 'text')],
  }),
  videoModel({
    ...turbo,
    id: 'vidu-q3-turbo-i2v',
    name: 'Vidu Q3 Turbo image to video',
    description:
      'Makes a video that begins with the given image, sooner than Q3 Pro and with less detail: 1 to 16 seconds up to 1080p.',
    kind: 'i2v',
    media: firstFrame,
    bindings: [
      ...turbo.bindings,
      turboOnFal('image-to-video'),
      q3OnReplicate('turbo'),
      q3OnWavespeed('turbo', 'image'),
    ],
  }),
  videoModel({
    ...turbo,
    id: 'vidu-q3-turbo-start-end',
    name: 'Vidu Q3 Turbo first and last frame',
    description:
      'Makes a video that leads from the first given image to the second, sooner than Q3 Pro and with less detail: 1 to 16 seconds up to 1080p.',
    kind: 'start-end',
    media: bothFrames,
    bindings: [
      ...turbo.bindings,
      turboOnFal('image-to-video'),
      q3OnReplicate('turbo'),
      q3OnWavespeed('turbo', 'start-end'),
    ],
  }),
  videoModel({
    ...q3,
    id: 'vidu-q3-r2v',
    name: 'Vidu Q3 reference to video',
    description:
      'Makes a video from a text and up to seven reference images, with changes of the camera, silent or with speech and sounds: 3 to 16 seconds up to 1080p.',
    kind: 'r2v',
    // The reference says 1 to 16 for the family; resellers of this model say 3 to 16.
    seconds: wholeSeconds(3, 16),
    aspectRatios: ratios,
    media: references,
    price: perSecond(CREDITS, { '540p': '0.035', '720p': '0.06', '1080p': '0.075' }),
    bindings: [{ providerId: 'vidu', modelName: 'viduq3' }],
  }),
  videoModel({
    ...q3,
    id: 'vidu-q3-mix-r2v',
    name: 'Vidu Q3 Mix reference to video',
    description:
      'Makes a video from a text and up to seven reference images, with the most detail of its family: 1 to 16 seconds at 360p, 540p, 720p or 1080p.',
    kind: 'r2v',
    resolutions: q3Tiers,
    aspectRatios: ratios,
    media: references,
    price: mixPrice,
    bindings: [
      { providerId: 'vidu', modelName: 'viduq3-mix', resolutions: ['720p', '1080p'] },
      {
        providerId: 'fal',
        promptCharacters: 2_000,
        modelName: 'fal-ai/vidu/q3/reference-to-video/mix',
        parameters: ['audio', 'seed'],
        media: { images: { min: 1, max: 4 } },
        price: perSecond('fal.ai/models/fal-ai/vidu/q3/reference-to-video/mix, a copy read 2026-11-27.', {
          '360p': '0.07',
          '540p': '0.07',
          '720p': '0.154',
          '1080p': '0.154',
        }),
      },
      {
        providerId: 'wavespeed',
        // Its page calls it "Mix", and contradicts itself about the tiers below 720p (wavespeed.ai/docs, a copy read
        // 2026-11-30).
        modelName: 'vidu/q3/reference-to-video',
        resolutions: ['720p', '1080p'],
        parameters: ['audio', 'seed'],
        media: { images: { min: 1, max: 4 } },
        price: assumed('WaveSpeed', 'Vidu', mixPrice),
      },
    ],
  }),
  videoModel({
    ...turbo,
    id: 'vidu-q3-turbo-r2v',
    name: 'Vidu Q3 Turbo reference to video',
    description:
      'Makes a video from a text and up to seven reference images, sooner than Q3 and with less detail: 3 to 16 seconds up to 1080p.',
    kind: 'r2v',
    resolutions: shared.resolutions,
    seconds: wholeSeconds(3, 16),
    aspectRatios: ratios,
    media: references,
    price: perSecond(CREDITS, { '540p': '0.02', '720p': '0.05', '1080p': '0.065' }),
  }),
  ...olderViduModels,
];
