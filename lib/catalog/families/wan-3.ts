import type { Model } from '../../domain/model';
import { wholeSeconds } from '../../domain/video-tiers';
import { fourthEdition, secondEdition, thirdEdition, videoModel } from '../model-entry';
import type { BindingEntry, VideoModelEntry } from '../model-entry';
import { assumed, perSecond, unverified, withAssumedPrice, withVideoInput } from '../price-table';
import { ratios, shared } from './wan-shared';

// Wan 3.0 and the faster 3.0 Prime. The other versions are in `wan.ts`.

const rowsOf30 = { '480p': '0.1', '720p': '0.1', '1080p': '0.2' };
const shared30 = {
  ...shared,
  created: thirdEdition,
  seconds: wholeSeconds(2, 30),
  defaultSeconds: 5,
  resolutions: ['480p', '720p', '1080p'],
  // Without a requested size, a video has the shape of its first image.
  aspectRatios: [...ratios, 'adaptive'],
  audio: 'toggle',
  parameters: [...shared.parameters, 'audio'],
  promptCharacters: 20_000,
  price: unverified(
    perSecond(
      'UNVERIFIED: as a public note of 2026-10-07 quotes it, at 480p that of 720p; the note has half as much.',
      rowsOf30,
    ),
  ),
} satisfies Partial<VideoModelEntry>;

/** Also bills the seconds of reference videos, at most 15 together; whether the vendor bills them is not known. */
const withVideosOf30 = (price: VideoModelEntry['price'], withVideo: Readonly<Record<string, string>>) =>
  withVideoInput(price, { per: 'input_plus_output_second', secondsIfUnstated: 15, rows: withVideo });

const at30 = { providerId: 'alibaba', modelName: 'wan3.0-video' } as const;
const at30OnRunway = {
  providerId: 'runway',
  modelName: 'wan3',
  stability: 'beta',
  parameters: ['audio'],
  price: unverified(
    perSecond(
      'UNVERIFIED: docs.dev.runwayml.com/guides/pricing as public notes of 2026-09-27 and 2026-10-07 quote it, at 480p that of 720p; the notes have half as much.',
      rowsOf30,
    ),
  ),
} as const satisfies BindingEntry;
/** Runway takes fewer reference videos than Alibaba. */
const referencesAtRunway = { images: { min: 0, max: 10 }, videos: { min: 0, max: 3 } };

const rowsOf30OnFal = { '480p': '0.05', '720p': '0.1', '1080p': '0.2' };
const primeRowsOnFal = { '480p': '0.068', '720p': '0.14', '1080p': '0.28' };
/** A binding of Wan 3.0 or 3.0 Prime at fal. */
const thirdOnFal = (model: 'wan-3.0' | 'wan-3.0-prime', endpoint: string) => {
  const modelName = `alibaba/${model}/${endpoint}`;
  return {
    providerId: 'fal',
    modelName,
    parameters: ['seed', 'prompt_extend', 'audio'],
    price: perSecond(
      `fal.ai/models/${modelName}, a copy read 2026-11-28.`,
      model === 'wan-3.0' ? rowsOf30OnFal : primeRowsOnFal,
    ),
  } satisfies BindingEntry;
};
/** `thirdOnFal` for an endpoint whose page was not found. */
const assumedThirdOnFal = (model: 'wan-3.0' | 'wan-3.0-prime', endpoint: string, whose: string) =>
  withAssumedPrice(thirdOnFal(model, endpoint), 'this endpoint of fal', whose);
/** The binding with a reference voice, and with a price for the seconds of reference videos. */
const withReferencesAt30 = (
  binding: ReturnType<typeof thirdOnFal>,
  rowsWithVideo: Readonly<Record<string, string>>,
) => ({
  ...binding,
  parameters: [...binding.parameters, 'reference_voice'],
  price: withVideosOf30(
    { ...binding.price, source: `${binding.price.source} Whether reference videos are billed is not said; they are.` },
    rowsWithVideo,
  ),
});
const referencesOn30AtFal = thirdOnFal('wan-3.0', 'reference-to-video');
const primeReferencesAtFal = thirdOnFal('wan-3.0-prime', 'reference-to-video');

/** Resellers whose prices were not found. Replicate always makes sound. */
const thirdOnWavespeed = (model: 'wan-3.0' | 'wan-3.0-prime', endpoint: string) => ({
  providerId: 'wavespeed',
  modelName: `alibaba/${model}/${endpoint}`,
  parameters: ['seed', 'prompt_extend', 'audio'],
  price: assumed('WaveSpeed', 'fal', perSecond('', model === 'wan-3.0' ? rowsOf30OnFal : primeRowsOnFal)),
});
/** It takes ten images, and whether it takes reference videos is not known. */
const referencesAtWavespeed = (model: 'wan-3.0' | 'wan-3.0-prime') => ({
  ...thirdOnWavespeed(model, 'reference-to-video'),
  media: { images: { min: 1, max: 10 } },
});
const thirdOnReplicate = (model: 'wan-3' | 'wan-3-prime') => ({
  providerId: 'replicate',
  modelName: `alibaba/${model}`,
  audio: 'always' as const,
  parameters: ['seed', 'prompt_extend', 'negative_prompt'],
  price: assumed('Replicate', 'fal', perSecond('', model === 'wan-3' ? rowsOf30OnFal : primeRowsOnFal)),
});

/** Bindings for videos from frames. At Runway such a video has the shape of its frames. */
const framesAt30 = [
  at30,
  assumedThirdOnFal('wan-3.0', 'image-to-video', 'its text to video'),
  { ...at30OnRunway, aspectRatios: [] },
  thirdOnWavespeed('wan-3.0', 'image-to-video'),
];

const primeRows = { '480p': '0.1', '720p': '0.14', '1080p': '0.28' };
const primeOnRunway = { providerId: 'runway', modelName: 'wan3_prime', stability: 'beta' } as const;
const prime = {
  ...shared30,
  created: fourthEdition,
  // The parameters that Runway takes.
  parameters: ['audio'],
  price: unverified(
    perSecond(
      "UNVERIFIED: Runway's price was not found; these are its numbers for Wan 3.0, raised as resellers raise theirs for Prime, 2026-11.",
      primeRows,
    ),
  ),
} satisfies Partial<VideoModelEntry>;

// Alibaba's price of Prime was not found. It takes what it takes for Wan 3.0.
const primeAtAlibaba = {
  providerId: 'alibaba',
  modelName: 'wan3.0-video-prime',
  parameters: shared30.parameters,
  price: assumed('Alibaba', 'fal', perSecond('', primeRowsOnFal)),
} as const satisfies BindingEntry;

const primeFrames = [
  { ...thirdOnFal('wan-3.0-prime', 'image-to-video'), aspectRatios: [] },
  { ...primeOnRunway, aspectRatios: [] },
  primeAtAlibaba,
  thirdOnWavespeed('wan-3.0-prime', 'image-to-video'),
];

export const thirdWanModels: readonly Model[] = [
  videoModel({
    ...shared30,
    id: 'wan-3.0-t2v',
    name: 'Wan 3.0 text to video',
    description: 'Makes a video from a text, silent or with sound: 2 to 30 seconds at 480p, 720p or 1080p.',
    created: secondEdition,
    kind: 't2v',
    aspectRatios: ratios,
    bindings: [
      at30,
      thirdOnFal('wan-3.0', 'text-to-video'),
      at30OnRunway,
      thirdOnReplicate('wan-3'),
      thirdOnWavespeed('wan-3.0', 'text-to-video'),
    ],
  }),
  videoModel({
    ...shared30,
    id: 'wan-3.0-i2v',
    name: 'Wan 3.0 image to video',
    description:
      'Makes a video that begins with the given image, in its shape unless a size is requested, silent or with sound: 2 to 30 seconds at 480p, 720p or 1080p.',
    kind: 'i2v',
    media: { images: { min: 1, max: 1 } },
    bindings: [...framesAt30, thirdOnReplicate('wan-3')],
  }),
  videoModel({
    ...shared30,
    id: 'wan-3.0-start-end',
    name: 'Wan 3.0 first and last frame',
    description:
      'Makes a video that leads from the first given image to the second, silent or with sound: 2 to 30 seconds at 480p, 720p or 1080p.',
    kind: 'start-end',
    media: { images: { min: 2, max: 2 } },
    bindings: framesAt30,
  }),
  videoModel({
    ...shared30,
    id: 'wan-3.0-r2v',
    name: 'Wan 3.0 reference to video',
    description:
      'Makes a video from a text, up to ten reference images and up to five reference videos, silent or with sound: 2 to 30 seconds at 480p, 720p or 1080p. A reference voice can be given.',
    kind: 'r2v',
    media: { images: { min: 0, max: 10 }, videos: { min: 0, max: 5 }, eitherRequired: true },
    parameters: [...shared30.parameters, 'reference_voice'],
    price: withVideosOf30(shared30.price, rowsOf30),
    bindings: [
      at30,
      withReferencesAt30(referencesOn30AtFal, rowsOf30OnFal),
      {
        ...at30OnRunway,
        parameters: [...at30OnRunway.parameters, 'reference_voice'],
        aspectRatios: ratios,
        media: referencesAtRunway,
        price: withVideosOf30(at30OnRunway.price, rowsOf30),
      },
      referencesAtWavespeed('wan-3.0'),
    ],
  }),
  videoModel({
    ...prime,
    id: 'wan-3.0-prime-t2v',
    name: 'Wan 3.0 Prime text to video',
    description: 'Makes a video from a text, silent or with sound: 2 to 30 seconds at 480p, 720p or 1080p.',
    kind: 't2v',
    aspectRatios: ratios,
    bindings: [
      assumedThirdOnFal('wan-3.0-prime', 'text-to-video', 'its image to video'),
      primeOnRunway,
      primeAtAlibaba,
      thirdOnReplicate('wan-3-prime'),
      thirdOnWavespeed('wan-3.0-prime', 'text-to-video'),
    ],
  }),
  videoModel({
    ...prime,
    id: 'wan-3.0-prime-i2v',
    name: 'Wan 3.0 Prime image to video',
    description:
      'Makes a video that begins with the given image, in its shape unless a size is requested of a provider that has a choice, silent or with sound: 2 to 30 seconds at 480p, 720p or 1080p.',
    kind: 'i2v',
    aspectRatios: [...ratios, 'adaptive'],
    media: { images: { min: 1, max: 1 } },
    bindings: [...primeFrames, thirdOnReplicate('wan-3-prime')],
  }),
  videoModel({
    ...prime,
    id: 'wan-3.0-prime-start-end',
    name: 'Wan 3.0 Prime first and last frame',
    description:
      'Makes a video that leads from the first given image to the second, silent or with sound: 2 to 30 seconds at 480p, 720p or 1080p.',
    kind: 'start-end',
    aspectRatios: [...ratios, 'adaptive'],
    media: { images: { min: 2, max: 2 } },
    bindings: primeFrames,
  }),
  videoModel({
    ...prime,
    id: 'wan-3.0-prime-r2v',
    name: 'Wan 3.0 Prime reference to video',
    description:
      'Makes a video from a text, up to ten reference images and up to five reference videos, silent or with sound: 2 to 30 seconds at 480p, 720p or 1080p. A reference voice can be given.',
    kind: 'r2v',
    aspectRatios: ratios,
    parameters: [...prime.parameters, 'reference_voice'],
    media: { images: { min: 0, max: 10 }, videos: { min: 0, max: 5 }, eitherRequired: true },
    price: withVideosOf30(prime.price, primeRows),
    bindings: [
      withReferencesAt30(primeReferencesAtFal, primeRowsOnFal),
      { ...primeOnRunway, media: referencesAtRunway },
      {
        ...primeAtAlibaba,
        parameters: [...primeAtAlibaba.parameters, 'reference_voice'],
        price: withVideosOf30(primeAtAlibaba.price, primeRowsOnFal),
      },
      referencesAtWavespeed('wan-3.0-prime'),
    ],
  }),
];
