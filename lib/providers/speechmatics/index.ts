import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createSpeechmaticsStt } from './stt';

export const speechmatics: ProviderDefinition = {
  id: 'speechmatics',
  name: 'Speechmatics',
  capabilities: ['stt'],
  settings: [
    { name: 'SPEECHMATICS_API_KEY', required: true, description: 'API key of Speechmatics, for speech-to-text.' },
    {
      name: 'SPEECHMATICS_BASE_URL',
      required: false,
      description: 'Overrides the API base URL (default https://eu.rt.speechmatics.com).',
    },
  ],
  create({ settings, clock }) {
    const baseUrl = findBaseUrl(settings, 'SPEECHMATICS_BASE_URL', 'https://eu.rt.speechmatics.com');
    return {
      id: 'speechmatics',
      stt: createSpeechmaticsStt({ baseUrl, key: settings.SPEECHMATICS_API_KEY ?? '', clock }),
    };
  },
};
