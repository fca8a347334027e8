import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createOpenAiStt } from './stt';

export const openai: ProviderDefinition = {
  id: 'openai',
  name: 'OpenAI',
  capabilities: ['stt'],
  settings: [
    { name: 'OPENAI_API_KEY', required: true, description: 'API key of OpenAI, for speech-to-text.' },
    {
      name: 'OPENAI_BASE_URL',
      required: false,
      description: 'Overrides the API base URL (default https://api.openai.com).',
    },
  ],
  create({ settings, clock }) {
    // The vendor's own clients include the version in this variable.
    const baseUrl = findBaseUrl(settings, 'OPENAI_BASE_URL', 'https://api.openai.com').replace(/\/v1$/, '');
    return { id: 'openai', stt: createOpenAiStt({ baseUrl, key: settings.OPENAI_API_KEY ?? '', clock }) };
  },
};
