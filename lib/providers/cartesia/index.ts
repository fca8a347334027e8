import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/base-url';
import { createCartesiaTts } from './tts';

export const cartesia: ProviderDefinition = {
  id: 'cartesia',
  name: 'Cartesia',
  capabilities: ['tts'],
  settings: [
    { name: 'CARTESIA_API_KEY', required: true, description: 'Key of Cartesia: text to speech.' },
    { name: 'CARTESIA_BASE_URL', required: false, description: 'Stands in for https://api.cartesia.ai.' },
  ],
  create({ settings, clock }) {
    const upstream = {
      baseUrl: findBaseUrl(settings, 'CARTESIA_BASE_URL', 'https://api.cartesia.ai'),
      key: settings.CARTESIA_API_KEY ?? '',
    };
    return { id: 'cartesia', tts: createCartesiaTts(upstream, { clock }) };
  },
};
