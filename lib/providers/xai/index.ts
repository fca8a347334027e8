import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createVendorApi } from '../kit/http/vendor-api';
import { readAnswer } from './refusals';
import { isModel } from './request';
import { createXaiVideo } from './video';

// Reference: https://docs.x.ai/docs/guides/video-generations, November 2026, and xAI's provider for the AI SDK.

const BASE_URL = 'https://api.x.ai/v1';

export const xai: ProviderDefinition = {
  id: 'xai',
  name: 'xAI',
  capabilities: ['video'],
  settings: [
    { name: 'XAI_API_KEY', required: true, description: 'API key of xAI, for videos.' },
    { name: 'XAI_BASE_URL', required: false, description: `Overrides the API base URL (default ${BASE_URL}).` },
  ],
  knows: ({ modelName }) => isModel(modelName),
  create(deps) {
    const { XAI_API_KEY: key = '' } = deps.settings;
    const api = createVendorApi({
      baseUrl: findBaseUrl(deps.settings, 'XAI_BASE_URL', BASE_URL),
      clock: deps.clock,
      headers: () => ({ authorization: `Bearer ${key}` }),
      read: readAnswer,
    });
    return { id: 'xai', video: createXaiVideo({ ...deps, api }), close: api.close };
  },
};
