import type { Model } from '../../domain/model';
import type { TtsFacts } from '../../domain/speech';
import { firstEdition } from '../model-entry';
import { ttsModel } from '../speech-entry';

const rates = [8000, 16_000, 22_050, 24_000, 44_100, 48_000];

const spoken: TtsFacts = {
  voices: [
    {
      name: 'Katie',
      id: 'f786b574-daa5-4673-aa0c-cbe3e8534c02',
      language: 'en',
      description: 'A woman, American; steady, for assistants.',
    },
    {
      name: 'Jameson',
      id: 'a5136bf9-224c-4d76-b823-52bd5efcffcc',
      language: 'en',
      description: 'A man, American; steady, for assistants.',
    },
  ],
  otherVoices: true,
  // docs.cartesia.ai, older models, snapshot sonic-3-2026-01-12; sonic-3.5 states the same number of languages.
  languages: [
    'ar',
    'bg',
    'bn',
    'cs',
    'da',
    'de',
    'el',
    'en',
    'es',
    'fi',
    'fr',
    'gu',
    'he',
    'hi',
    'hr',
    'hu',
    'id',
    'it',
    'ja',
    'ka',
    'kn',
    'ko',
    'ml',
    'mr',
    'ms',
    'nl',
    'no',
    'pa',
    'pl',
    'pt',
    'ro',
    'ru',
    'sk',
    'sv',
    'ta',
    'te',
    'th',
    'tl',
    'tr',
    'uk',
    'vi',
    'zh',
  ],
  formats: [...rates.flatMap((rate) => [`pcm_${rate}`, `pcm_f32le_${rate}`]), 'pcm_mulaw_8000', 'pcm_alaw_8000'],
  speed: { min: 0.6, max: 1.5 },
  maxInputCharacters: 10_000,
  maxSessionSeconds: 3_600,
};

// One credit per character; a million credits cost $37 to $50 depending on the plan. We charge for the most expensive
// plan.
const price = {
  perMillionCharacters: '50',
  source:
    'docs.cartesia.ai/pricing, 2026-11: about one credit a character on the WebSocket; cartesia.ai plans: $5 for 100,000 credits, $299 for 8 million.',
  verified: true,
} as const;

export const cartesiaModels: readonly Model[] = [
  ttsModel({
    id: 'sonic-3.5',
    name: 'Cartesia Sonic 3.5',
    description: 'Speaks 42 languages as live streams of raw sound. Voices by name or id.',
    family: 'cartesia',
    created: firstEdition,
    facts: spoken,
    bindings: [{ providerId: 'cartesia', modelName: 'sonic-3.5', price }],
  }),
  ttsModel({
    id: 'sonic-3',
    name: 'Cartesia Sonic 3',
    description: 'Speaks 42 languages as live streams of raw sound; the generation before 3.5. Voices by name or id.',
    family: 'cartesia',
    created: firstEdition,
    facts: spoken,
    bindings: [{ providerId: 'cartesia', modelName: 'sonic-3', price }],
  }),
];
