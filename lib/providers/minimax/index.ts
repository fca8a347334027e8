import type { ProviderDefinition } from '../../domain/provider';
import { compatibleDefinition } from '../dialects/messages/compatible-provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createMinimaxApi } from './api';
import { createMinimaxVideo } from './video';
import { isKnownModel } from './wire';

// Reference: https://platform.minimax.io/docs/api-reference, November 2026.

const BASE_URL = 'https://api.minimax.io';

const textModels = compatibleDefinition({
  providerId: 'minimax',
  name: 'MiniMax',
  variables: 'MINIMAX',
  baseUrl: BASE_URL,
  path: '/anthropic/v1/messages',
  credential: 'x-api-key',
  thinkingTypes: ['adaptive', 'disabled'],
  efforts: [],
  positiveTemperature: true,
});

export const minimax: ProviderDefinition = {
  ...textModels,
  capabilities: ['messages', 'video'],
  settings: [
    { name: 'MINIMAX_API_KEY', required: true, description: 'API key of MiniMax, for text models and videos.' },
    {
      name: 'MINIMAX_BASE_URL',
      required: false,
      description: `Overrides the API base URL (default ${BASE_URL}).`,
    },
  ],
  knows: ({ modelName }) => isKnownModel(modelName),
  create(deps) {
    const { settings, clock, media, files } = deps;
    const text = textModels.create(deps);
    const api = createMinimaxApi({
      baseUrl: findBaseUrl(settings, 'MINIMAX_BASE_URL', BASE_URL),
      key: settings.MINIMAX_API_KEY ?? '',
      clock,
    });
    return {
      ...text,
      video: createMinimaxVideo({ api, clock, media, files }),
      close: async () => {
        await Promise.all([text.close?.(), api.close()]);
      },
    };
  },
};
