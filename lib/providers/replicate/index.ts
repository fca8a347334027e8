import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createUpstream } from '../kit/http/http';
import { kindsOf } from './models';
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
  create({ settings, clock, media, files, probe }) {
    const upstream = createUpstream({ baseUrl: findBaseUrl(settings, 'REPLICATE_BASE_URL', BASE_URL), clock });
    const key = settings.REPLICATE_API_KEY ?? '';
    return {
      id: 'replicate',
      video: createReplicateVideo({ upstream, key, clock, media, files, probe }),
      close: () => upstream.close(),
    };
  },
};
