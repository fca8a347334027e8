import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createVendorApi } from '../kit/http/vendor-api';
import { readAnswer } from './refusals';
import { isKnownModel } from './request';
import { createViduVideo } from './video';

// Reference: https://docs.platform.vidu.com, November 2026.

const BASE_URL = 'https://api.vidu.com';

export const vidu: ProviderDefinition = {
  id: 'vidu',
  name: 'Vidu',
  capabilities: ['video'],
  settings: [
    { name: 'VIDU_API_KEY', required: true, description: 'API key of Vidu, for videos.' },
    { name: 'VIDU_BASE_URL', required: false, description: `Overrides the API base URL (default ${BASE_URL}).` },
  ],
  knows: ({ modelName }) => isKnownModel(modelName),
  create(deps) {
    const { VIDU_API_KEY: key = '' } = deps.settings;
    const api = createVendorApi({
      baseUrl: findBaseUrl(deps.settings, 'VIDU_BASE_URL', BASE_URL),
      clock: deps.clock,
      headers: () => ({ authorization: `Token ${key}` }),
      read: readAnswer,
    });
    return { id: 'vidu', video: createViduVideo({ ...deps, api, key }), close: api.close };
  },
};
