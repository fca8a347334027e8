import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createPixverseVideo } from './video';
import { createPixverseApi } from './wire';

// Reference: https://docs.platform.pixverse.ai, November 2026.

export const pixverse: ProviderDefinition = {
  id: 'pixverse',
  name: 'PixVerse',
  capabilities: ['video'],
  settings: [
    {
      name: 'PIXVERSE_API_KEY',
      required: true,
      description: 'API key of PixVerse, for videos.',
    },
    {
      name: 'PIXVERSE_BASE_URL',
      required: false,
      description: 'Overrides the API base URL (default https://app-api.pixverse.ai).',
    },
  ],
  // Other models of this vendor take other fields and durations.
  knows: ({ modelName }) => modelName === 'v6',
  create({ settings, clock, media, files }) {
    const api = createPixverseApi({
      baseUrl: findBaseUrl(settings, 'PIXVERSE_BASE_URL', 'https://app-api.pixverse.ai'),
      key: settings.PIXVERSE_API_KEY ?? '',
      clock,
    });
    return { id: 'pixverse', video: createPixverseVideo({ api, clock, media, files }), close: api.close };
  },
};
