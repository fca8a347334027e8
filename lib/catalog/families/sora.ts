import type { Model } from '../../domain/model';
import { firstEdition, videoModel } from '../model-entry';
import { perSecond } from '../price-table';

export const soraModels: readonly Model[] = [
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
];
