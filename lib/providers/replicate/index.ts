import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createVendorApi } from '../kit/http/vendor-api';
import { kindsOf } from './models';
import { readAnswer } from './refusals';
import { createReplicateVideo } from './video';

// Reference: https://replicate.com/docs/reference/http, 2026.

const BASE_URL = 'https://api.replicate.com';

export const replicate: ProviderDefinition = {
  id: 'replicate',
  name: 'Replicate',
  capabilities: ['video'],
  settings: [
    {
      name: 'REPLICATE_API_KEY',
      aliases: ['REPLICATE_API_TOKEN'],
      required: true,
      description: 'API token of Replicate, for videos.',
    },
    {
      name: 'REPLICATE_BASE_URL',
      required: false,
      description: `Overrides the API base URL (default ${BASE_URL}).`,
    },
  ],
  knows: ({ modelName }) => kindsOf(modelName).length > 0,
  create(deps) {
    const { REPLICATE_API_KEY: key = '' } = deps.settings;
    const api = createVendorApi({
      baseUrl: findBaseUrl(deps.settings, 'REPLICATE_BASE_URL', BASE_URL),
      clock: deps.clock,
      headers: () => ({ authorization: `Bearer ${key}` }),
      read: readAnswer,
    });
    return { id: 'replicate', video: createReplicateVideo({ ...deps, api }), close: api.close };
  },
};
