import { randomUUID } from 'node:crypto';
import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createVendorApi } from '../kit/http/vendor-api';
import { pixverseModel } from './models';
import { readAnswer } from './refusals';
import { createPixverseVideo } from './video';

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
  knows: ({ modelName }) => pixverseModel(modelName) !== undefined,
  create(deps) {
    const { PIXVERSE_API_KEY: key = '' } = deps.settings;
    const api = createVendorApi({
      baseUrl: findBaseUrl(deps.settings, 'PIXVERSE_BASE_URL', 'https://app-api.pixverse.ai'),
      clock: deps.clock,
      // A trace id must be new for every request: for one that it has seen, PixVerse returns the earlier answer.
      headers: () => ({ 'API-KEY': key, 'Ai-trace-id': randomUUID() }),
      read: readAnswer,
    });
    return { id: 'pixverse', video: createPixverseVideo({ ...deps, api }), close: api.close };
  },
};
