import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createVendorApi } from '../kit/http/vendor-api';
import { createLumaGenerations } from '../kit/video/luma-generations';
import { readAnswer } from './refusals';
import { agentsWire } from './video';

// Reference: https://docs.agents.lumalabs.ai, September 2026. The older Dream Machine API is the provider `luma-dream-machine`.

const BASE_URL = 'https://agents.lumalabs.ai/v1';

export const luma: ProviderDefinition = {
  id: 'luma',
  name: 'Luma',
  capabilities: ['video'],
  settings: [
    {
      name: 'LUMA_API_KEY',
      aliases: ['LUMA_AGENTS_API_KEY'],
      required: true,
      description: "API key of Luma's Agents API, for videos.",
    },
    { name: 'LUMA_BASE_URL', required: false, description: `Overrides the API base URL (default ${BASE_URL}).` },
  ],
  knows: ({ modelName }) => modelName === 'ray-3.2',
  create(deps) {
    const { LUMA_API_KEY: key = '' } = deps.settings;
    const api = createVendorApi({
      baseUrl: findBaseUrl(deps.settings, 'LUMA_BASE_URL', BASE_URL),
      clock: deps.clock,
      headers: () => ({ authorization: `Bearer ${key}` }),
      read: readAnswer,
    });
    return { id: 'luma', video: createLumaGenerations(agentsWire, { ...deps, api }), close: api.close };
  },
};
