import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createVendorApi } from '../kit/http/vendor-api';
import { readAnswer } from './refusals';
import { createHiggsfieldVideo, isModel } from './video';

// Reference: https://docs.higgsfield.ai, November 2026, and @higgsfield/client 0.2.6. Of the two generations of the API,
// the first one takes all parameters of DoP. Both take the same pair of keys.

const API_URL = 'https://api.higgsfield.ai';

export const higgsfield: ProviderDefinition = {
  id: 'higgsfield',
  name: 'Higgsfield',
  capabilities: ['video'],
  settings: [
    {
      name: 'HIGGSFIELD_API_KEY',
      aliases: ['HF_API_KEY', { part: 'id', of: 'HF_CREDENTIALS' }, { part: 'id', of: 'HF_KEY' }],
      required: true,
      description: 'Id of the API key of Higgsfield, for videos.',
    },
    {
      name: 'HIGGSFIELD_API_SECRET',
      aliases: ['HF_API_SECRET', { part: 'secret', of: 'HF_CREDENTIALS' }, { part: 'secret', of: 'HF_KEY' }],
      required: true,
      description: 'Secret that belongs to the API key.',
    },
    {
      name: 'HIGGSFIELD_BASE_URL',
      required: false,
      description: `Overrides the API base URL (default ${API_URL}).`,
    },
  ],
  knows: ({ modelName }) => isModel(modelName),
  create(deps) {
    const { HIGGSFIELD_API_KEY: key = '', HIGGSFIELD_API_SECRET: secret = '' } = deps.settings;
    const api = createVendorApi({
      baseUrl: findBaseUrl(deps.settings, 'HIGGSFIELD_BASE_URL', API_URL),
      clock: deps.clock,
      headers: () => ({ 'hf-api-key': key, 'hf-secret': secret }),
      read: readAnswer,
    });
    return { id: 'higgsfield', video: createHiggsfieldVideo({ ...deps, api, secret }), close: api.close };
  },
};
