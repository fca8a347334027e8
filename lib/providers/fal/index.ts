import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createUpstream } from '../kit/http/http';
import { createVendorApi } from '../kit/http/vendor-api';
import { isEndpoint } from './endpoints';
import { readAnswer } from './refusals';
import { createFalVideo } from './video';

// Reference: https://fal.ai/docs/documentation/model-apis/inference/queue, November 2026.

const QUEUE_URL = 'https://queue.fal.run';
const KEYS_URL = 'https://rest.fal.ai';

export const fal: ProviderDefinition = {
  id: 'fal',
  name: 'fal',
  capabilities: ['video'],
  settings: [
    {
      name: 'FAL_API_KEY',
      // The two parts of a key, as @fal-ai/client reads them too.
      aliases: ['FAL_KEY', { id: 'FAL_KEY_ID', secret: 'FAL_KEY_SECRET' }],
      required: true,
      description: 'API key of fal, for videos.',
    },
    {
      name: 'FAL_BASE_URL',
      required: false,
      description: `Overrides the base URL of the queue API (default ${QUEUE_URL}).`,
    },
    {
      name: 'FAL_KEYS_BASE_URL',
      required: false,
      description: `Overrides the base URL of the keys with which fal signs its callbacks (default ${KEYS_URL}).`,
    },
  ],
  knows: ({ modelName }) => isEndpoint(modelName),
  create(deps) {
    // An id and a secret, `id:secret`.
    const { FAL_API_KEY: key = '' } = deps.settings;
    const api = createVendorApi({
      baseUrl: findBaseUrl(deps.settings, 'FAL_BASE_URL', QUEUE_URL),
      clock: deps.clock,
      headers: () => ({ authorization: `Key ${key}` }),
      read: readAnswer,
    });
    const keys = createUpstream({
      baseUrl: findBaseUrl(deps.settings, 'FAL_KEYS_BASE_URL', KEYS_URL),
      clock: deps.clock,
    });
    return {
      id: 'fal',
      video: createFalVideo({ ...deps, api, keys }),
      close: async () => {
        await Promise.all([api.close(), keys.close()]);
      },
    };
  },
};
