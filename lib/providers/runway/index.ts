import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createVendorApi } from '../kit/http/vendor-api';
import { isModel } from './models';
import { readAnswer } from './refusals';
import { createRunwayVideo } from './video';

// Reference: https://docs.dev.runwayml.com/api, November 2026, and the types of @runwayml/sdk 4.20.1.

const API_URL = 'https://api.dev.runwayml.com';
/** The version of the API for which the requests of this folder are written. */
const API_VERSION = '2024-11-06';

export const runway: ProviderDefinition = {
  id: 'runway',
  name: 'Runway',
  capabilities: ['video'],
  settings: [
    {
      name: 'RUNWAY_API_KEY',
      aliases: ['RUNWAYML_API_SECRET'],
      required: true,
      description: 'API key of Runway, for videos.',
    },
    {
      name: 'RUNWAY_BASE_URL',
      required: false,
      description: `Overrides the API base URL (default ${API_URL}).`,
    },
  ],
  knows: ({ modelName }) => isModel(modelName),
  create(deps) {
    const { RUNWAY_API_KEY: key = '' } = deps.settings;
    const api = createVendorApi({
      baseUrl: findBaseUrl(deps.settings, 'RUNWAY_BASE_URL', API_URL),
      clock: deps.clock,
      headers: () => ({ authorization: `Bearer ${key}`, 'x-runway-version': API_VERSION }),
      read: readAnswer,
    });
    return { id: 'runway', video: createRunwayVideo({ ...deps, api }), close: api.close };
  },
};
