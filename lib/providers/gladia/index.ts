import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createGladiaStt } from './stt';

export const gladia: ProviderDefinition = {
  id: 'gladia',
  name: 'Gladia',
  capabilities: ['stt'],
  settings: [
    { name: 'GLADIA_API_KEY', required: true, description: 'API key of Gladia, for speech-to-text.' },
    {
      name: 'GLADIA_BASE_URL',
      required: false,
      description: 'Overrides the API base URL (default https://api.gladia.io).',
    },
  ],
  create({ settings, clock }) {
    return {
      id: 'gladia',
      stt: createGladiaStt({
        baseUrl: findBaseUrl(settings, 'GLADIA_BASE_URL', 'https://api.gladia.io'),
        key: settings.GLADIA_API_KEY ?? '',
        clock,
      }),
    };
  },
};
