import type { Model } from '../../domain/model';
import type { SttFacts } from '../../domain/transcription';
import { firstEdition } from '../model-entry';
import { sttModel } from '../speech-entry';

const heard = {
  encodings: ['pcm_s16le', 'pcm_mulaw'],
  sampleRatesHz: [8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
  wordTimes: 'exact',
  // The provider ends a session at three hours; ours ends a minute earlier, so that its last results arrive.
  maxSessionSeconds: 10_740,
} satisfies Partial<SttFacts>;

// $0.15 an hour of open session.
const price = {
  perMinute: '0.0025',
  meter: 'session',
  source: 'assemblyai.com pricing, 2026-10: $0.15 an hour of session.',
  verified: true,
} as const;

export const assemblyaiModels: readonly Model[] = [
  sttModel({
    id: 'universal-streaming-english',
    name: 'AssemblyAI Universal Streaming English',
    description:
      'Transcribes live English turn by turn, with punctuation and times of words. Billed for the time that the session is open.',
    family: 'assemblyai',
    created: firstEdition,
    facts: { ...heard, languages: ['en'], withoutLanguage: { assumes: 'en' } },
    bindings: [{ providerId: 'assemblyai', modelName: 'universal-streaming-english', price }],
  }),
  sttModel({
    id: 'universal-streaming-multilingual',
    name: 'AssemblyAI Universal Streaming multilingual',
    description:
      'Transcribes six live languages turn by turn and finds out which is spoken. Billed for the time that the session is open.',
    family: 'assemblyai',
    created: firstEdition,
    facts: { ...heard, languages: ['de', 'en', 'es', 'fr', 'it', 'pt'], withoutLanguage: { detects: true } },
    bindings: [{ providerId: 'assemblyai', modelName: 'universal-streaming-multilingual', price }],
  }),
];
