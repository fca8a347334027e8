import type { Model } from '../../domain/model';
import { firstEdition } from '../model-entry';
import { sttModel } from '../speech-entry';

export const sonioxModels: readonly Model[] = [
  sttModel({
    id: 'stt-rt-v5',
    name: 'Soniox real-time v5',
    description: 'Transcribes sixty live languages, also mixed within a sentence, with times of words. A language that is named is a hint. Billed for the time that the session is open.',
    family: 'soniox',
    created: firstEdition,
    facts: {
      encodings: ['pcm_s16le', 'pcm_f32le', 'pcm_mulaw', 'pcm_alaw'],
      sampleRatesHz: [8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
      // soniox.com/docs, supported languages, 2026-11.
      languages: [
        'af', 'ar', 'az', 'be', 'bg', 'bn', 'bs', 'ca', 'cs', 'cy', 'da', 'de', 'el', 'en', 'es', 'et', 'eu', 'fa', 'fi', 'fr', 'gl', 'gu', 'he', 'hi', 'hr', 'hu', 'id',
        'it', 'ja', 'kk', 'kn', 'ko', 'lt', 'lv', 'mk', 'ml', 'mr', 'ms', 'nl', 'no', 'pa', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'sq', 'sr', 'sv', 'sw', 'ta', 'te', 'th',
        'tl', 'tr', 'uk', 'ur', 'vi', 'zh',
      ],
      withoutLanguage: { detects: true },
      wordTimes: 'exact',
      // The provider ends a stream at five hours; ours ends a minute earlier, so that its last words arrive.
      maxSessionSeconds: 17_940,
    },
    bindings: [{ providerId: 'soniox', modelName: 'stt-rt-v5', price: { perMinute: '0.002', meter: 'session', source: 'soniox.com, language detection page, 2026-11: $0.12 an hour in real time.', verified: true } }],
  }),
];
