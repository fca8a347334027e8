import type { Model } from '../../domain/model';
import { wholeSeconds } from '../../domain/video-tiers';
import { fourthEdition, videoModel } from '../model-entry';
import type { BindingEntry, VideoModelEntry } from '../model-entry';
import { assumed, perInputAndOutputSecond, perSecond, unverified, withImages, withVideoInput } from '../price-table';

// Google bills tokens: a second at 720p is 5,792. The tokens of a source and of thinking are added, so the rates are
// rounded up.
const TARIFF =
  'UNVERIFIED: the tariff of ai.google.dev in dollars for a second, as resellers pass it on, November 2026. Google bills tokens, those of the input and of thinking as well.';

const newRows = { '360p': '0.0235', '720p': '0.07', '1080p': '0.105', '4k': '0.21' };
const olderRows = { '360p': '0.034', '720p': '0.102', '1080p': '0.153', '4k': '0.306' };

// Runway charges a cent for each image with the first version; the same is assumed for this one.
const RUNWAY_TARIFF =
  "UNVERIFIED: Google's numbers. A public note of 2026-10-04 quotes docs.dev.runwayml.com/guides/pricing: 0.034 to 0.3 by tier.";
const priceAtRunway = unverified(perSecond(RUNWAY_TARIFF, olderRows));
const onRunway = {
  providerId: 'runway',
  modelName: 'gemini_omni_flash_1.1',
  stability: 'beta',
  price: priceAtRunway,
} as const satisfies BindingEntry;
const imagesOnRunway = { ...onRunway, price: withImages(priceAtRunway, { free: 0, usd: '0.01' }) };
/** Quoted by a public note of 2026-09-23 from Runway's description of its API. */
const MAX_IMAGES_OF_EDIT_AT_RUNWAY = 5;
/** The most in one request: Google's limits for the first version, which fal has too. Runway does not state its own. */
const MAX_REFERENCES = { images: 10, videos: 3, secondsOfVideo: 10 };

interface Version {
  readonly name: '1.2' | '1.1';
  /** The longest video from a text, an image or references. */
  readonly maxSeconds: number;
  readonly price: VideoModelEntry['price'];
  /** Includes the tokens of the source, which is as long as the output: half the price for a second of each. */
  readonly editPrice: VideoModelEntry['price'];
  readonly falPrice: VideoModelEntry['price'];
}

const versions: readonly Version[] = [
  {
    name: '1.2',
    maxSeconds: 15,
    price: unverified(perSecond(TARIFF, newRows)),
    editPrice: unverified(
      perInputAndOutputSecond(TARIFF, { '360p': '0.01625', '720p': '0.0395', '1080p': '0.057', '4k': '0.1095' }),
    ),
    falPrice: perSecond('fal.ai/models/google/gemini-omni-flash/v1.2, copies read 2026-11-27.', {
      '360p': '0.0273',
      '720p': '0.0819',
      '1080p': '0.1229',
      '4k': '0.2457',
    }),
  },
  {
    name: '1.1',
    maxSeconds: 10,
    price: unverified(perSecond(TARIFF, olderRows)),
    editPrice: unverified(
      perInputAndOutputSecond(TARIFF, { '360p': '0.0215', '720p': '0.0555', '1080p': '0.081', '4k': '0.1575' }),
    ),
    falPrice: perSecond('fal.ai/models/google/gemini-omni-flash/v1.1, copies read 2026-11-28.', {
      '360p': '0.03',
      '720p': '0.1',
      '1080p': '0.15',
      '4k': '0.3',
    }),
  },
];

// fal charges twice these rates for each second of the output. The input is as long, so each is billed at half.
const editsOfOlderOnFal = perInputAndOutputSecond(
  'fal.ai/models/google/gemini-omni-flash/v1.1/edit, a copy read 2026-11-28.',
  { '360p': '0.015', '720p': '0.05', '1080p': '0.075', '4k': '0.15' },
);

const shared = {
  family: 'gemini-omni',
  created: fourthEdition,
  resolutions: ['360p', '720p', '1080p', '4k'],
  defaultResolution: '720p',
  aspectRatios: ['16:9', '9:16'],
  fps: { default: 24 },
  audio: 'always',
  parameters: [],
  promptCharacters: 20_000,
} satisfies Partial<VideoModelEntry>;

/** The longest video between two frames. */
const MAX_SECONDS_OF_FRAMES = 10;
const MAX_IMAGES_AT_GOOGLE = 6;
/** Google bills reference videos. Whether Runway does is not known, so they are billed here too. */
const referencesOnRunway = {
  ...imagesOnRunway,
  price: withVideoInput(imagesOnRunway.price, {
    per: 'input_plus_output_second',
    secondsIfUnstated: MAX_REFERENCES.videos * MAX_REFERENCES.secondsOfVideo,
    rows: olderRows,
  }),
} satisfies BindingEntry;

const editOnRunway = {
  ...onRunway,
  resolutions: ['720p'],
  outputFollowsSource: true,
  media: { images: { min: 0, max: MAX_IMAGES_OF_EDIT_AT_RUNWAY } },
  price: withImages(
    unverified(
      perInputAndOutputSecond("UNVERIFIED: Runway's price of edits was not found; these are Google's numbers.", {
        '720p': '0.0555',
      }),
    ),
    { free: 0, usd: '0.01' },
  ),
} as const satisfies BindingEntry;

function modelsOf({ name, maxSeconds, price, editPrice, falPrice }: Version): Model[] {
  const modelName = `gemini-omni-${name}-flash`;
  const title = `Gemini Omni ${name} Flash`;
  const onGemini = { providerId: 'google-ai-studio', modelName } satisfies BindingEntry;
  const falOf = (endpoint: string, tariff: VideoModelEntry['price']) =>
    ({
      providerId: 'fal',
      modelName: `google/gemini-omni-flash/v${name}/${endpoint}`,
      price: tariff,
    }) satisfies BindingEntry;
  const isAtRunway = name === '1.1';
  const fromFrames = falOf(
    'image-to-video',
    name === '1.1' ? falPrice : assumed('this endpoint of fal', 'its endpoint for text', falPrice),
  );
  // No endpoint of fal for edits with 1.2 is known.
  const editsOnFal: BindingEntry[] =
    name === '1.1'
      ? [
          {
            ...falOf('edit', editsOfOlderOnFal),
            // The endpoint takes no images.
            media: {},
            outputFollowsSource: true,
          },
        ]
      : [];
  const length = `3 to ${maxSeconds} seconds from 360p to 4k`;
  const any = { ...shared, price, seconds: wholeSeconds(3, maxSeconds) };
  const made = { ...any, defaultSeconds: 8 };
  return [
    videoModel({
      ...made,
      id: `${modelName}-t2v`,
      name: `${title} text to video`,
      aliases: [modelName],
      description: `Makes a video with sound from a text: ${length}.`,
      kind: 't2v',
      bindings: [onGemini, falOf('text-to-video', falPrice), ...(isAtRunway ? [onRunway] : [])],
    }),
    videoModel({
      ...made,
      id: `${modelName}-i2v`,
      name: `${title} image to video`,
      description: `Makes a video with sound that begins with the given image: ${length}.`,
      kind: 'i2v',
      media: { images: { min: 1, max: 1 } },
      bindings: [onGemini, fromFrames, ...(isAtRunway ? [imagesOnRunway] : [])],
    }),
    videoModel({
      ...made,
      id: `${modelName}-start-end`,
      name: `${title} first and last frame`,
      description: `Makes a video with sound that leads from the first given image to the second: 3 to ${MAX_SECONDS_OF_FRAMES} seconds from 360p to 4k.`,
      kind: 'start-end',
      seconds: wholeSeconds(3, MAX_SECONDS_OF_FRAMES),
      media: { images: { min: 2, max: 2 } },
      bindings: [onGemini, fromFrames, ...(isAtRunway ? [imagesOnRunway] : [])],
    }),
    videoModel({
      ...made,
      id: `${modelName}-r2v`,
      name: `${title} reference to video`,
      description: `Makes a video with sound from a text, reference images and up to ${MAX_REFERENCES.videos} reference videos, which the text cites as <IMAGE_REF_0>, <VIDEO_REF_0> …: ${length}. fal takes videos of at most three seconds each, and does not bill them.`,
      kind: 'r2v',
      media: {
        images: { min: 0, max: MAX_REFERENCES.images },
        videos: { min: 0, max: MAX_REFERENCES.videos },
        eitherRequired: true,
      },
      bindings: [
        // First, because this endpoint takes any number of images, and videos.
        falOf('reference-to-video', falPrice),
        ...(isAtRunway ? [referencesOnRunway] : []),
        { ...onGemini, media: { images: { min: 1, max: MAX_IMAGES_AT_GOOGLE } } },
      ],
    }),
    videoModel({
      ...any,
      id: `${modelName}-video-edit`,
      name: `${title} video edit`,
      description: `Changes a given video of 3 to ${maxSeconds} seconds by a text and up to ${MAX_IMAGES_AT_GOOGLE} reference images; it keeps its length and its shape. Google does not offer it in Europe.`,
      kind: 'video-edit',
      aspectRatios: [],
      sourceSeconds: { min: 3, max: maxSeconds },
      media: { sourceVideo: true, images: { min: 0, max: MAX_IMAGES_AT_GOOGLE } },
      price: editPrice,
      bindings: [{ ...onGemini, outputFollowsSource: true }, ...editsOnFal, ...(isAtRunway ? [editOnRunway] : [])],
    }),
  ];
}

// Google shut the first version down for keys of the Gemini API, as github.com/tanstack/ai/releases reports, and not on
// Google Cloud, whose page of the model names 2027-06-30.
const FIRST_RUNWAY_TARIFF =
  'UNVERIFIED: docs.dev.runwayml.com/guides/pricing as public notes of 2026-09 and 2026-10-04 quote it.';
const first = {
  ...shared,
  created: Date.UTC(2026, 10, 28) / 1_000,
  deprecatedAt: '2026-09-30T00:00:00Z',
  seconds: wholeSeconds(3, 10),
  resolutions: ['720p'],
  price: unverified(perSecond(FIRST_RUNWAY_TARIFF, { '720p': '0.1' })),
  bindings: [{ providerId: 'runway', modelName: 'gemini_omni_flash', stability: 'beta' }],
} satisfies Partial<VideoModelEntry>;

const firstOnFal = (path: string, usd: string, per: typeof perSecond | typeof perInputAndOutputSecond = perSecond) => {
  const modelName = `google/gemini-omni-flash${path}`;
  const source = `UNVERIFIED: fal.ai/models/${modelName}, a copy read 2026-11-28, which bills tokens and states about this much for a second.`;
  return { providerId: 'fal', modelName, price: unverified(per(source, { '720p': usd })) } satisfies BindingEntry;
};

const firstModels: readonly Model[] = [
  videoModel({
    ...first,
    id: 'gemini-omni-flash-t2v',
    name: 'Gemini Omni Flash text to video',
    description: 'The predecessor of 1.1: a video with sound from a text, 3 to 10 seconds at 720p.',
    kind: 't2v',
    defaultSeconds: 8,
    bindings: [...first.bindings, firstOnFal('', '0.125')],
    replacements: ['gemini-omni-1.1-flash-t2v'],
  }),
  videoModel({
    ...first,
    id: 'gemini-omni-flash-i2v',
    name: 'Gemini Omni Flash image to video',
    description:
      'The predecessor of 1.1: a video with sound that begins with the given image, 3 to 10 seconds at 720p.',
    kind: 'i2v',
    defaultSeconds: 8,
    media: { images: { min: 1, max: 1 } },
    price: withImages(first.price, { free: 0, usd: '0.01' }),
    bindings: [...first.bindings, firstOnFal('/image-to-video', '0.13')],
    replacements: ['gemini-omni-1.1-flash-i2v'],
  }),
  videoModel({
    ...first,
    id: 'gemini-omni-flash-r2v',
    name: 'Gemini Omni Flash reference to video',
    description:
      'The predecessor of 1.1: a video with sound from a text and reference images, which the text cites as <IMAGE_REF_0> …, 3 to 10 seconds at 720p.',
    kind: 'r2v',
    defaultSeconds: 8,
    media: { images: { min: 1, max: MAX_REFERENCES.images } },
    bindings: [firstOnFal('/reference-to-video', '0.13')],
    replacements: ['gemini-omni-1.1-flash-r2v'],
  }),
  videoModel({
    ...first,
    id: 'gemini-omni-flash-video-edit',
    name: 'Gemini Omni Flash video edit',
    description: `The predecessor of 1.1: changes a given video of 3 to 10 seconds by a text and up to ${MAX_IMAGES_OF_EDIT_AT_RUNWAY} reference images; it keeps its length and its shape.`,
    kind: 'video-edit',
    aspectRatios: [],
    sourceSeconds: { min: 3, max: 10 },
    media: { sourceVideo: true, images: { min: 0, max: MAX_IMAGES_OF_EDIT_AT_RUNWAY } },
    // Runway charges 0.11 for a second of the source. The output is as long, so each is billed at half.
    price: withImages(unverified(perInputAndOutputSecond(FIRST_RUNWAY_TARIFF, { '720p': '0.055' })), {
      free: 0,
      usd: '0.01',
    }),
    bindings: [
      ...first.bindings,
      // The endpoint takes no images. A second of the output and its second of the source cost 0.13 together.
      { ...firstOnFal('/edit', '0.065', perInputAndOutputSecond), media: {} },
    ].map((binding) => ({ ...binding, outputFollowsSource: true as const })),
    replacements: ['gemini-omni-1.1-flash-video-edit'],
  }),
];

export const geminiOmniModels: readonly Model[] = [...versions.flatMap(modelsOf), ...firstModels];
