import type { Model } from '../../domain/model';
import { firstEdition } from '../model-entry';
import { sttModel } from '../speech-entry';

export const speechmaticsModels: readonly Model[] = [
  sttModel({
    id: 'speechmatics-enhanced',
    name: 'Speechmatics Enhanced',
    description: 'Transcribes more than fifty live languages with punctuation and times of words. The language should be named; English is assumed. Billed for the time of the session.',
    family: 'speechmatics',
    created: firstEdition,
    facts: {
      encodings: ['pcm_s16le', 'pcm_f32le', 'pcm_mulaw'],
      sampleRatesHz: [8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
      // docs.speechmatics.com/speech-to-text/languages, the ones with a code of two letters.
      languages: [
        'ar', 'ba', 'be', 'bg', 'bn', 'ca', 'cs', 'cy', 'da', 'de', 'el', 'en', 'eo', 'es', 'et', 'eu', 'fa', 'fi', 'fr', 'ga', 'gl', 'he', 'hi', 'hr', 'hu', 'ia', 'id',
        'it', 'ja', 'ko', 'lt', 'lv', 'mn', 'mr', 'ms', 'mt', 'nl', 'no', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'sv', 'sw', 'ta', 'th', 'tl', 'tr', 'ug', 'uk', 'ur', 'vi', 'zh',
      ],
      withoutLanguage: { assumes: 'en' },
      wordTimes: 'exact',
      // The provider would go on for two days; nobody else does.
      maxSessionSeconds: 43_200,
    },
    bindings: [{ providerId: 'speechmatics', modelName: 'enhanced', price: { perMinute: '0.004', meter: 'session', source: 'speechmatics.com pricing, 2026-11: "from $0.24 an hour"; the tier that it begins at is not stated, and lists of others are higher.', verified: false } }],
  }),
];
