import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createVendorApi } from '../kit/http/vendor-api';
import { isModel } from './models';
import { readAnswer } from './refusals';
import { createWavespeedVideo } from './video';

// Reference: https://wavespeed.ai/docs, November 2026; the wire of wavespeed 0.3.2.

const BASE_URL = 'https://api.wavespeed.ai';

export const wavespeed: ProviderDefinition = {
  id: 'wavespeed',
  name: 'WaveSpeed',
  capabilities: ['video'],
  settings: [
    {
      name: 'WAVESPEED_API_KEY',
      required: true,
      description: 'API key of WaveSpeedAI, for videos.',
    },
    {
      name: 'WAVESPEED_BASE_URL',
      required: false,
      description: `Overrides the API base URL (default ${BASE_URL}).`,
    },
  ],
  knows: ({ modelName }) => isModel(modelName),
  create(deps) {
    const { WAVESPEED_API_KEY: key = '' } = deps.settings;
    const api = createVendorApi({
      baseUrl: findBaseUrl(deps.settings, 'WAVESPEED_BASE_URL', BASE_URL),
      clock: deps.clock,
      headers: () => ({ authorization: `Bearer ${key}` }),
      read: readAnswer,
    });
    return { id: 'wavespeed', video: createWavespeedVideo({ ...deps, api }), close: api.close };
  },
};
