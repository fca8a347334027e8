import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { bearerJson } from '../kit/http/bearer-json';
import { createUpstream } from '../kit/http/http';
import { isModel } from './request';
import { createXaiVideo } from './video';

// Reference: https://docs.x.ai/docs/guides/video-generations, November 2026, and xAI's provider for the AI SDK.

const BASE_URL = 'https://api.x.ai/v1';

export const xai: ProviderDefinition = {
  id: 'xai',
  name: 'xAI',
  capabilities: ['video'],
  settings: [
    { name: 'XAI_API_KEY', required: true, description: 'API key of xAI, for videos.' },
    { name: 'XAI_BASE_URL', required: false, description: `Overrides the API base URL (default ${BASE_URL}).` },
  ],
  knows: ({ modelName }) => isModel(modelName),
  create({ settings, clock, media, files }) {
    const upstream = createUpstream({ baseUrl: findBaseUrl(settings, 'XAI_BASE_URL', BASE_URL), clock });
    const ask = bearerJson({ upstream, key: settings.XAI_API_KEY ?? '', clock });
    return {
      id: 'xai',
      video: createXaiVideo({ ask, clock, media, files }),
      close: upstream.close,
    };
  },
};
