import type { Model } from '../../domain/model';
import type { SttFacts } from '../../domain/transcription';
import { firstEdition } from '../model-entry';
import { sttModel, ttsModel } from '../speech-entry';

// The float encoding is left out: the provider has a 32-bit one and does not document its format.

const LIST_PRICE =
  "Two lists that quote deepgram.com/pricing, pay as you go, 2026-05 and 2026-08; the provider's own page was not read.";

const heard = {
  encodings: ['pcm_s16le', 'pcm_mulaw', 'pcm_alaw'],
  sampleRatesHz: [8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
  wordTimes: 'exact',
  // The provider documents no maximum session length; this is ours.
  maxSessionSeconds: 10_800,
} satisfies Partial<SttFacts>;

const minute = (perMinute: string, perMinuteDetecting?: string) =>
  ({
    perMinute,
    ...(perMinuteDetecting !== undefined && { perMinuteDetecting }),
    meter: 'audio',
    source: LIST_PRICE,
    verified: false,
  }) as const;

export const deepgramModels: readonly Model[] = [
  sttModel({
    id: 'nova-3',
    name: 'Deepgram Nova 3',
    description:
      'Transcribes live speech in more than forty languages, with times of words. Without a language it follows ten of them, also within a sentence, at a higher price.',
    family: 'deepgram',
    created: firstEdition,
    facts: {
      ...heard,
      // developers.deepgram.com changelogs 2025-08-15 to 2026-08-05.
      languages: [
        'be',
        'bg',
        'bn',
        'bs',
        'ca',
        'cs',
        'da',
        'de',
        'el',
        'en',
        'es',
        'et',
        'fi',
        'fr',
        'hi',
        'hr',
        'hu',
        'id',
        'it',
        'ja',
        'kn',
        'ko',
        'lt',
        'lv',
        'mk',
        'mr',
        'ms',
        'ne',
        'nl',
        'no',
        'pa',
        'pl',
        'pt',
        'ro',
        'ru',
        'sk',
        'sl',
        'sr',
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
      withoutLanguage: { detects: true },
    },
    bindings: [{ providerId: 'deepgram', modelName: 'nova-3', price: minute('0.0048', '0.0058') }],
  }),
  sttModel({
    id: 'flux-general-en',
    name: 'Deepgram Flux English',
    description:
      'Transcribes English turn by turn for conversations: a final text comes when the speaker has finished, not at each pause.',
    family: 'deepgram',
    created: firstEdition,
    facts: { ...heard, languages: ['en'], withoutLanguage: { assumes: 'en' } },
    bindings: [{ providerId: 'deepgram', modelName: 'flux-general-en', price: minute('0.0065') }],
  }),
  sttModel({
    id: 'flux-general-multi',
    name: 'Deepgram Flux multilingual',
    description:
      'Transcribes ten languages turn by turn for conversations and finds out which is spoken; a language that is named is a hint.',
    family: 'deepgram',
    created: firstEdition,
    facts: {
      ...heard,
      languages: ['de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'nl', 'pt', 'ru'],
      withoutLanguage: { detects: true },
    },
    bindings: [{ providerId: 'deepgram', modelName: 'flux-general-multi', price: minute('0.0078') }],
  }),
  ttsModel({
    id: 'aura-2',
    name: 'Deepgram Aura 2',
    description:
      'Speaks English and Spanish as live streams of raw sound. The voice decides the language. Served only where the operator enables this provider for speech.',
    family: 'deepgram',
    created: firstEdition,
    facts: {
      voices: [
        { name: 'thalia', id: 'aura-2-thalia-en', language: 'en' },
        { name: 'andromeda', id: 'aura-2-andromeda-en', language: 'en' },
        { name: 'helena', id: 'aura-2-helena-en', language: 'en' },
        { name: 'apollo', id: 'aura-2-apollo-en', language: 'en' },
        { name: 'arcas', id: 'aura-2-arcas-en', language: 'en' },
        { name: 'celeste', id: 'aura-2-celeste-es', language: 'es' },
        { name: 'nestor', id: 'aura-2-nestor-es', language: 'es' },
      ],
      otherVoices: true,
      languages: ['en', 'es'],
      formats: ['pcm_8000', 'pcm_16000', 'pcm_24000', 'pcm_48000', 'pcm_mulaw_8000', 'pcm_alaw_8000'],
      maxInputCharacters: 2_000,
      maxSessionSeconds: 3_600,
    },
    bindings: [
      {
        providerId: 'deepgram',
        modelName: 'aura-2',
        price: { perMillionCharacters: '30', source: LIST_PRICE, verified: false },
        extra: true,
      },
    ],
  }),
];
