import type { Model } from '../../domain/model';
import { firstEdition } from '../model-entry';
import { sttModel } from '../speech-entry';

export const gladiaModels: readonly Model[] = [
  sttModel({
    id: 'solaria-1',
    name: 'Gladia Solaria 1',
    description: 'Transcribes about a hundred live languages with times of words. Without a language it finds out which is spoken. Billed for the time of the recording.',
    family: 'gladia',
    created: firstEdition,
    facts: {
      encodings: ['pcm_s16le', 'pcm_mulaw', 'pcm_alaw'],
      sampleRatesHz: [8000, 16_000, 32_000, 44_100, 48_000],
      // The provider says "over 100"; these are the ones with a code of two letters that its model's kind is known for.
      languages: [
        'af', 'am', 'ar', 'as', 'az', 'ba', 'be', 'bg', 'bn', 'bo', 'br', 'bs', 'ca', 'cs', 'cy', 'da', 'de', 'el', 'en', 'es', 'et', 'eu', 'fa', 'fi', 'fo', 'fr', 'gl',
        'gu', 'ha', 'he', 'hi', 'hr', 'ht', 'hu', 'hy', 'id', 'is', 'it', 'ja', 'jv', 'ka', 'kk', 'km', 'kn', 'ko', 'la', 'lb', 'ln', 'lo', 'lt', 'lv', 'mg', 'mi', 'mk',
        'ml', 'mn', 'mr', 'ms', 'mt', 'my', 'ne', 'nl', 'nn', 'no', 'oc', 'pa', 'pl', 'ps', 'pt', 'ro', 'ru', 'sa', 'sd', 'si', 'sk', 'sl', 'sn', 'so', 'sq', 'sr', 'su',
        'sv', 'sw', 'ta', 'te', 'tg', 'th', 'tk', 'tl', 'tr', 'tt', 'uk', 'ur', 'uz', 'vi', 'yi', 'yo', 'zh',
      ],
      withoutLanguage: { detects: true },
      wordTimes: 'exact',
      // The provider ends a session at three hours; ours ends a minute earlier, so that its last words arrive.
      maxSessionSeconds: 10_740,
    },
    bindings: [{ providerId: 'gladia', modelName: 'solaria-1', price: { perMinute: '0.0125', meter: 'session', source: 'gladia.io pricing, 2026-11: $0.75 an hour in the starter plan.', verified: true } }],
  }),
];
