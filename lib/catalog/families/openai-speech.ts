import type { Model } from '../../domain/model';
import { firstEdition } from '../model-entry';
import { sttModel } from '../speech-entry';

export const openaiSpeechModels: readonly Model[] = [
  sttModel({
    id: 'gpt-4o-transcribe',
    name: 'OpenAI GPT-4o transcribe',
    description: 'Transcribes live speech in 57 languages, utterance by utterance. Without a language it finds out which is spoken. Gives no times of words.',
    family: 'openai',
    created: firstEdition,
    facts: {
      encodings: ['pcm_s16le', 'pcm_f32le', 'pcm_mulaw', 'pcm_alaw'],
      // Whatever comes goes up at 24 kHz, the only rate that the provider takes.
      sampleRatesHz: [8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
      languages: [
        'af', 'ar', 'az', 'be', 'bg', 'bs', 'ca', 'cs', 'cy', 'da', 'de', 'el', 'en', 'es', 'et', 'fa', 'fi', 'fr', 'gl', 'he', 'hi', 'hr', 'hu', 'hy', 'id', 'is', 'it',
        'ja', 'kk', 'kn', 'ko', 'lt', 'lv', 'mi', 'mk', 'mr', 'ms', 'ne', 'nl', 'no', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'sr', 'sv', 'sw', 'ta', 'th', 'tl', 'tr', 'uk',
        'ur', 'vi', 'zh',
      ],
      withoutLanguage: { detects: true },
      wordTimes: 'none',
      // The provider ends a session at sixty minutes; ours ends a minute earlier, so that its last words arrive.
      maxSessionSeconds: 3_540,
    },
    bindings: [{ providerId: 'openai', modelName: 'gpt-4o-transcribe', price: { perMinute: '0.006', meter: 'audio', source: 'An estimate from the provider\'s price of a minute for files; developers.openai.com, 2026-11, bills live sessions by tokens ($2.5 and $10 a million), and two later models $0.017 a minute.', verified: false } }],
  }),
];
