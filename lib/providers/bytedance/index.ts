import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createVendorApi } from '../kit/http/vendor-api';
import { readAnswer } from './refusals';
import { modelOf } from './request';
import { createSeedance } from './video';

// Seedance on BytePlus ModelArk. Reference: https://docs.byteplus.com/en/docs/ModelArk/1520757, November 2026; the wire
// of @ai-sdk/bytedance 1.0.29.

// A key, a host and the names of the models belong to one region; this is the only one of BytePlus with Seedance.
const BASE_URL = 'https://ark.ap-southeast.bytepluses.com/api/v3';

export const bytedance: ProviderDefinition = {
  id: 'bytedance',
  name: 'ByteDance',
  capabilities: ['video'],
  settings: [
    {
      name: 'BYTEDANCE_API_KEY',
      aliases: ['ARK_API_KEY'],
      required: true,
      description:
        'API key of BytePlus ModelArk, for videos of Seedance. It must belong to the region of the base URL.',
    },
    {
      name: 'BYTEDANCE_BASE_URL',
      required: false,
      description: `Overrides the API base URL (default ${BASE_URL}).`,
    },
  ],
  knows: ({ modelName }) => modelOf(modelName) !== undefined,
  create(deps) {
    const { BYTEDANCE_API_KEY: key = '' } = deps.settings;
    const api = createVendorApi({
      baseUrl: findBaseUrl(deps.settings, 'BYTEDANCE_BASE_URL', BASE_URL),
      clock: deps.clock,
      headers: () => ({ authorization: `Bearer ${key}` }),
      read: readAnswer,
    });
    return { id: 'bytedance', video: createSeedance({ ...deps, api }), close: api.close };
  },
};
