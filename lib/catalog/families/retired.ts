import type { Model } from '../../domain/model';
import { firstEdition, fourthEdition, videoModel } from '../model-entry';
import type { VideoModelEntry } from '../model-entry';
import { perSecond, unverified } from '../price-table';

// Models that their vendors have shut down, for requests that still name them: the refusal says since when, and what to
// use instead.

// docs.cloud.google.com/gemini-enterprise-agent-platform/models/veo/3-0-generate and 2-0-generate, copies read 2026-11-27.
const olderVeo = {
  family: 'veo',
  created: fourthEdition,
  seconds: [4, 6, 8],
  defaultSeconds: 8,
  resolutions: ['720p', '1080p'],
  defaultResolution: '720p',
  aspectRatios: ['16:9', '9:16'],
  fps: { default: 24 },
  audio: 'toggle',
  parameters: ['negative_prompt', 'generate_audio', 'seed'],
  deactivatedAt: '2026-06-30T00:00:00Z',
} satisfies Partial<VideoModelEntry>;

interface OlderVeo {
  readonly version: string;
  readonly modelName: string;
  /** The version that Google names in its place. */
  readonly successor: string;
  readonly usd: string;
  readonly facts?: Partial<VideoModelEntry>;
}

const olderVersions: readonly OlderVeo[] = [
  { version: '3.0', modelName: 'veo-3.0-generate-001', successor: 'veo-3.1', usd: '0.4' },
  { version: '3.0 Fast', modelName: 'veo-3.0-fast-generate-001', successor: 'veo-3.1-fast', usd: '0.15' },
  {
    version: '2.0',
    modelName: 'veo-2.0-generate-001',
    successor: 'veo-3.1',
    usd: '0.5',
    facts: {
      seconds: [5, 6, 7, 8],
      resolutions: ['720p'],
      audio: 'none',
      parameters: ['negative_prompt', 'seed'],
    },
  },
];

const veoModels = olderVersions.flatMap(({ version, modelName, successor, usd, facts }) => {
  const entry = { ...olderVeo, ...facts };
  const shared = {
    ...entry,
    price: unverified(
      perSecond('UNVERIFIED: historic.', Object.fromEntries(entry.resolutions.map((tier) => [tier, usd]))),
    ),
    bindings: [{ providerId: 'google-vertex', modelName }],
  };
  const id = `veo-${version.toLowerCase().replace(' ', '-')}`;
  return [
    videoModel({
      ...shared,
      id: `${id}-t2v`,
      name: `Google Veo ${version} text to video (retired)`,
      aliases: [modelName],
      description: 'Made a video from a text. Its vendor shut it down on 2026-06-30.',
      kind: 't2v',
      replacements: [`${successor}-t2v`],
    }),
    videoModel({
      ...shared,
      id: `${id}-i2v`,
      name: `Google Veo ${version} image to video (retired)`,
      description: 'Made a video that began with the given image. Its vendor shut it down on 2026-06-30.',
      kind: 'i2v',
      media: { images: { min: 1, max: 1 } },
      replacements: [`${successor}-i2v`],
    }),
  ];
});

export const retiredModels: readonly Model[] = [
  videoModel({
    id: 'sora-2-t2v',
    name: 'OpenAI Sora 2 (retired)',
    aliases: ['sora-2'],
    description: 'Made a video with sound from a text. Its provider shut it down on 2026-09-24.',
    family: 'sora',
    created: firstEdition,
    kind: 't2v',
    seconds: [4, 8, 12],
    defaultSeconds: 4,
    resolutions: ['720p'],
    defaultResolution: '720p',
    aspectRatios: ['16:9', '9:16'],
    fps: { default: 30 },
    audio: 'always',
    parameters: [],
    price: perSecond('OpenAI pricing, historic.', { '720p': '0.1' }),
    bindings: [{ providerId: 'openai', modelName: 'sora-2' }],
    deactivatedAt: '2026-09-24T00:00:00Z',
    replacements: ['veo-3.1-t2v', 'kling-3.0-t2v', 'seedance-2.0-t2v'],
  }),
  ...veoModels,
];
