import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/base-url';
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
      description: 'Key of ElevenLabs: speech to text, and text to speech where EXTRA_SPEECH_PROVIDERS names it.',
    },
    { name: 'ELEVENLABS_BASE_URL', required: false, description: 'Stands in for https://api.elevenlabs.io.' },
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
