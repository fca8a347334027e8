import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createViduApi } from './api';
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
  create({ settings, clock, media, files }) {
    const api = createViduApi({
      baseUrl: findBaseUrl(settings, 'VIDU_BASE_URL', BASE_URL),
      key: settings.VIDU_API_KEY ?? '',
      clock,
    });
    return { id: 'vidu', video: createViduVideo({ api, clock, media, files }), close: api.close };
  },
};
