import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createDeepgramStt } from './stt';
import { createAura } from './tts';

export const deepgram: ProviderDefinition = {
  id: 'deepgram',
  name: 'Deepgram',
  capabilities: ['stt', 'tts'],
  settings: [
    {
      name: 'DEEPGRAM_API_KEY',
      required: true,
      description:
        'API key of Deepgram, for speech-to-text, and for text-to-speech if EXTRA_SPEECH_PROVIDERS names it.',
    },
    {
      name: 'DEEPGRAM_BASE_URL',
      required: false,
      description: 'Overrides the API base URL (default https://api.deepgram.com).',
    },
  ],
  create({ settings, clock }) {
    const upstream = {
      baseUrl: findBaseUrl(settings, 'DEEPGRAM_BASE_URL', 'https://api.deepgram.com'),
      key: settings.DEEPGRAM_API_KEY ?? '',
      clock,
    };
    return { id: 'deepgram', stt: createDeepgramStt(upstream), tts: createAura(upstream) };
  },
};
