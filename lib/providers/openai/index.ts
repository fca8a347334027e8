import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/base-url';
import { createOpenAiStt } from './stt';

export const openai: ProviderDefinition = {
  id: 'openai',
  name: 'OpenAI',
  capabilities: ['stt'],
  settings: [
    { name: 'OPENAI_API_KEY', required: true, description: 'Key of OpenAI: speech to text.' },
    { name: 'OPENAI_BASE_URL', required: false, description: 'Stands in for https://api.openai.com.' },
  ],
  create({ settings, clock }) {
    // The vendor's own clients write the version into this variable.
    const baseUrl = findBaseUrl(settings, 'OPENAI_BASE_URL', 'https://api.openai.com').replace(/\/v1$/, '');
    return { id: 'openai', stt: createOpenAiStt({ baseUrl, key: settings.OPENAI_API_KEY ?? '', clock }) };
  },
};
