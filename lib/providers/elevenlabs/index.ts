import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createScribe } from './stt';
import { createElevenLabsTts } from './tts';

export const elevenlabs: ProviderDefinition = {
  id: 'elevenlabs',
  name: 'ElevenLabs',
  capabilities: ['stt', 'tts'],
  settings: [
    {
      name: 'ELEVENLABS_API_KEY',
      required: true,
      description:
        'API key of ElevenLabs, for speech-to-text, and for text-to-speech if EXTRA_SPEECH_PROVIDERS names it.',
    },
    {
      name: 'ELEVENLABS_BASE_URL',
      required: false,
      description: 'Overrides the API base URL (default https://api.elevenlabs.io).',
    },
  ],
  create({ settings, clock }) {
    const upstream = {
      baseUrl: findBaseUrl(settings, 'ELEVENLABS_BASE_URL', 'https://api.elevenlabs.io'),
      key: settings.ELEVENLABS_API_KEY ?? '',
      clock,
    };
    return { id: 'elevenlabs', stt: createScribe(upstream), tts: createElevenLabsTts(upstream) };
  },
};
