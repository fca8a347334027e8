import type { Model } from '../../domain/model';
import { firstEdition } from '../model-entry';
import { sttModel, ttsModel } from '../speech-entry';

const LIST_PRICE = 'A gateway\'s list of provider prices, 2026-11; not confirmed with the provider.';

export const elevenlabsModels: readonly Model[] = [
  sttModel({
    id: 'scribe-v2-realtime',
    name: 'ElevenLabs Scribe v2 realtime',
    description: 'Transcribes about ninety live languages with times of words; a final text comes at each pause. Without a language it finds out which is spoken.',
    family: 'elevenlabs',
    created: firstEdition,
    facts: {
      encodings: ['pcm_s16le', 'pcm_mulaw'],
      sampleRatesHz: [8000, 16_000, 22_050, 24_000, 44_100, 48_000],
      // The provider says "90 languages"; these are the ones with a code of two letters.
      languages: [
        'af', 'am', 'ar', 'as', 'az', 'be', 'bg', 'bn', 'bs', 'ca', 'cs', 'cy', 'da', 'de', 'el', 'en', 'es', 'et', 'fa', 'fi', 'fr', 'ga', 'gl', 'gu', 'ha', 'he', 'hi',
        'hr', 'hu', 'hy', 'id', 'ig', 'is', 'it', 'ja', 'jv', 'ka', 'kk', 'km', 'kn', 'ko', 'ku', 'ky', 'lb', 'ln', 'lo', 'lt', 'lv', 'mi', 'mk', 'ml', 'mn', 'mr', 'ms',
        'mt', 'my', 'ne', 'nl', 'no', 'oc', 'or', 'pa', 'pl', 'ps', 'pt', 'ro', 'ru', 'sd', 'sk', 'sl', 'sn', 'so', 'sr', 'sv', 'sw', 'ta', 'te', 'tg', 'th', 'tr', 'uk',
        'ur', 'uz', 'vi', 'wo', 'xh', 'zh', 'zu',
      ],
      withoutLanguage: { detects: true },
      wordTimes: 'exact',
      // The provider has a longest session and does not say how long; this is ours.
      maxSessionSeconds: 3_600,
    },
    bindings: [{ providerId: 'elevenlabs', modelName: 'scribe_v2_realtime', price: { perMinute: '0.0065', meter: 'audio', source: LIST_PRICE, verified: false } }],
  }),
  ttsModel({
    id: 'eleven-flash-v2.5',
    name: 'ElevenLabs Flash v2.5',
    description: 'Speaks 32 languages as live streams of raw sound. Voices by name or id. Served only where the operator enables this provider for speech.',
    family: 'elevenlabs',
    created: firstEdition,
    facts: {
      voices: [
        { name: 'Rachel', id: '21m00Tcm4TlvDq8ikWAM' },
        { name: 'Sarah', id: 'EXAVITQu4vr4xnSDxMaL' },
        { name: 'George', id: 'JBFqnCBsd6RMkjVDRZzb' },
      ],
      otherVoices: true,
      languages: [
        'ar', 'bg', 'cs', 'da', 'de', 'el', 'en', 'es', 'fi', 'fr', 'hi', 'hr', 'hu', 'id', 'it', 'ja', 'ko', 'ms', 'nl', 'no', 'pl', 'pt', 'ro', 'ru', 'sk', 'sv', 'ta',
        'tl', 'tr', 'uk', 'vi', 'zh',
      ],
      formats: ['pcm_8000', 'pcm_16000', 'pcm_22050', 'pcm_24000', 'pcm_44100', 'pcm_48000', 'pcm_mulaw_8000', 'pcm_alaw_8000'],
      speed: { min: 0.7, max: 1.2 },
      maxInputCharacters: 10_000,
      maxSessionSeconds: 3_600,
    },
    bindings: [{ providerId: 'elevenlabs', modelName: 'eleven_flash_v2_5', price: { perMillionCharacters: '50', source: LIST_PRICE, verified: false }, extra: true }],
  }),
];
