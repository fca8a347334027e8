import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createSonioxStt } from './stt';

export const soniox: ProviderDefinition = {
  id: 'soniox',
  name: 'Soniox',
  capabilities: ['stt'],
  settings: [
    { name: 'SONIOX_API_KEY', required: true, description: 'API key of Soniox, for speech-to-text.' },
    {
      name: 'SONIOX_BASE_URL',
      required: false,
      description:
        'Overrides the API base URL (default https://stt-rt.soniox.com). https://stt-rt.eu.soniox.com keeps audio in the EU.',
    },
  ],
  create({ settings, clock }) {
    const baseUrl = findBaseUrl(settings, 'SONIOX_BASE_URL', 'https://stt-rt.soniox.com');
    return { id: 'soniox', stt: createSonioxStt({ baseUrl, key: settings.SONIOX_API_KEY ?? '', clock }) };
  },
};
