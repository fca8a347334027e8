import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createCartesiaTts } from './tts';

export const cartesia: ProviderDefinition = {
  id: 'cartesia',
  name: 'Cartesia',
  capabilities: ['tts'],
  settings: [
    { name: 'CARTESIA_API_KEY', required: true, description: 'API key of Cartesia, for text-to-speech.' },
    {
      name: 'CARTESIA_BASE_URL',
      required: false,
      description: 'Overrides the API base URL (default https://api.cartesia.ai).',
    },
  ],
  create({ settings, clock }) {
    const upstream = {
      baseUrl: findBaseUrl(settings, 'CARTESIA_BASE_URL', 'https://api.cartesia.ai'),
      key: settings.CARTESIA_API_KEY ?? '',
    };
    return { id: 'cartesia', tts: createCartesiaTts(upstream, { clock }) };
  },
};
