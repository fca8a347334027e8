import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createAssemblyAiStt } from './stt';

export const assemblyai: ProviderDefinition = {
  id: 'assemblyai',
  name: 'AssemblyAI',
  capabilities: ['stt'],
  settings: [
    { name: 'ASSEMBLYAI_API_KEY', required: true, description: 'API key of AssemblyAI, for speech-to-text.' },
    {
      name: 'ASSEMBLYAI_BASE_URL',
      required: false,
      description:
        'Overrides the API base URL (default https://streaming.assemblyai.com). https://streaming.eu.assemblyai.com keeps audio in the EU.',
    },
  ],
  create({ settings, clock }) {
    const baseUrl = findBaseUrl(settings, 'ASSEMBLYAI_BASE_URL', 'https://streaming.assemblyai.com');
    return { id: 'assemblyai', stt: createAssemblyAiStt({ baseUrl, key: settings.ASSEMBLYAI_API_KEY ?? '', clock }) };
  },
};
