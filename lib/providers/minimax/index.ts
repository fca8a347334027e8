import type { ProviderDefinition } from '../../domain/provider';
import { compatibleDefinition } from '../dialects/messages/compatible-provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createVendorApi } from '../kit/http/vendor-api';
import { readAnswer } from './refusals';
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
    const { MINIMAX_API_KEY: key = '' } = deps.settings;
    const text = textModels.create(deps);
    const api = createVendorApi({
      baseUrl: findBaseUrl(deps.settings, 'MINIMAX_BASE_URL', BASE_URL),
      clock: deps.clock,
      headers: () => ({ authorization: `Bearer ${key}` }),
      read: readAnswer,
    });
    return {
      ...text,
      video: createMinimaxVideo({ ...deps, api }),
      close: async () => {
        await Promise.all([text.close?.(), api.close()]);
      },
    };
  },
};
