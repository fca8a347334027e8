import {
  CLIP,
  first,
  IMAGE,
  imageReference,
  LAST_IMAGE,
  parameter,
  PROMPT as prompt,
  unshaped,
  videoReference,
  VOICE,
} from '../../support/vendor-orders';
import { type EndpointCase, frames, ofSeconds, ratios, references, seeds, sound, tiers } from './shared';

interface Version {
  readonly path: string;
  readonly shortest: number;
  readonly longest: number;
  readonly tiers: readonly string[];
  readonly hasSound: boolean;
  readonly takesLastFrame: boolean;
  /** From pictures, it takes neither a ratio nor a seed. */
  readonly followsFrames?: true;
}

const seedanceRatios = ratios('9:16', '1:1', '4:3', '3:4', '21:9');
const shapeless = [
  [unshaped, { aspect_ratio: 'auto' }],
  [{ aspectRatio: 'adaptive' }, { aspect_ratio: 'auto' }],
] as const;

function wordsOf({ shortest, longest, tiers: tiersOfVersion, hasSound }: Version) {
  const ofAnyShape = [
    ofSeconds(shortest, String(shortest)),
    ofSeconds(longest, String(longest)),
    ...tiers(...tiersOfVersion),
    ...(hasSound ? [sound] : []),
  ];
  return {
    order: { seconds: 5, resolution: '720p', audio: false } as const,
    body: {
      prompt,
      duration: '5',
      resolution: '720p',
      aspect_ratio: '16:9',
      ...(hasSound && { generate_audio: false }),
    },
    changes: [...ofAnyShape, ...seeds, ...seedanceRatios],
    ofAnyShape,
  };
}

function casesOf(version: Version): EndpointCase[] {
  const { order, body, changes, ofAnyShape } = wordsOf(version);
  const endpoint = `${version.path}/image-to-video`;
  const fromFrames = version.followsFrames
    ? { order: { ...order, ...unshaped }, body: { ...body, aspect_ratio: 'auto' }, changes: ofAnyShape }
    : { order, body, changes: [...changes, ...shapeless] };
  // Only Seedance 1.0 makes this shape, and only from a text.
  const upright = version.path.includes('/seedance/v1/') ? ratios('9:21') : [];
  return [
    {
      endpoint: `${version.path}/text-to-video`,
      order: { ...order, kind: 't2v' },
      body,
      changes: [...changes, ...upright],
    },
    {
      endpoint,
      order: { ...fromFrames.order, kind: 'i2v', media: [first] },
      body: { ...fromFrames.body, image_url: IMAGE },
      changes: fromFrames.changes,
    },
    ...(version.takesLastFrame
      ? [
          {
            endpoint,
            order: { ...fromFrames.order, kind: 'start-end', media: frames } as const,
            body: { ...fromFrames.body, image_url: IMAGE, end_image_url: LAST_IMAGE },
            changes: fromFrames.changes,
          },
        ]
      : []),
  ];
}

function referencesOf(version: Version): EndpointCase {
  const { order, body, changes } = wordsOf(version);
  return {
    endpoint: `${version.path}/reference-to-video`,
    order: { ...order, kind: 'r2v', media: references },
    body: { ...body, image_urls: [IMAGE, LAST_IMAGE] },
    changes: [
      ...changes,
      ...shapeless,
      [{ media: [videoReference] }, { image_urls: undefined, video_urls: [CLIP] }],
      [{ media: [imageReference, videoReference] }, { image_urls: [IMAGE], video_urls: [CLIP] }],
      [parameter('reference_voice', VOICE), { audio_urls: [VOICE] }],
    ],
  };
}

const newer = { shortest: 4, longest: 15, hasSound: true, takesLastFrame: true } as const;
const older = { shortest: 2, longest: 12, tiers: ['480p', '1080p'], hasSound: false, takesLastFrame: true } as const;
const seedance25: Version = {
  ...newer,
  path: 'bytedance/seedance-2.5',
  longest: 30,
  tiers: ['480p', '1080p', '4k'],
  followsFrames: true,
};
const seedance20: Version = { ...newer, path: 'bytedance/seedance-2.0', tiers: ['480p', '1080p'] };
const seedance20Fast: Version = { ...newer, path: 'bytedance/seedance-2.0/fast', tiers: ['480p'] };

const lite: Version = { ...older, path: 'fal-ai/bytedance/seedance/v1/lite' };
const ofLite = wordsOf({ ...lite, tiers: ['480p'] });

export const seedanceRequests: readonly EndpointCase[] = [
  ...casesOf(seedance25),
  referencesOf(seedance25),
  ...casesOf(seedance20),
  ...casesOf(seedance20Fast),
  referencesOf(seedance20),
  referencesOf(seedance20Fast),
  ...casesOf({ ...older, path: 'fal-ai/bytedance/seedance/v1.5/pro', shortest: 4, hasSound: true }),
  ...casesOf({ ...older, path: 'fal-ai/bytedance/seedance/v1/pro' }),
  ...casesOf({ ...older, path: 'fal-ai/bytedance/seedance/v1/pro/fast', takesLastFrame: false }),
  ...casesOf(lite),
  {
    endpoint: 'fal-ai/bytedance/seedance/v1/lite/reference-to-video',
    order: { ...ofLite.order, kind: 'r2v', media: references },
    body: { ...ofLite.body, reference_image_urls: [IMAGE, LAST_IMAGE] },
    changes: [...ofLite.changes, ...shapeless],
  },
];
