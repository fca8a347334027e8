import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createRunwayApi } from './api';
import { isModel } from './models';
import { createRunwayVideo } from './video';

// Reference: https://docs.dev.runwayml.com/api, November 2026, and the types of @runwayml/sdk 4.20.1.

const API_URL = 'https://api.dev.runwayml.com';

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
  create({ settings, clock, media, files, probe }) {
    const api = createRunwayApi({
      baseUrl: findBaseUrl(settings, 'RUNWAY_BASE_URL', API_URL),
      key: settings.RUNWAY_API_KEY ?? '',
      clock,
    });
    return { id: 'runway', video: createRunwayVideo({ api, clock, media, files, probe }), close: api.close };
  },
};
