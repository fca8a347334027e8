import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createUpstream } from '../kit/http/http';
import { isEndpoint } from './endpoints';
import { createFalVideo } from './video';

// Reference: https://fal.ai/docs/documentation/model-apis/inference/queue, November 2026.

const QUEUE_URL = 'https://queue.fal.run';

export const fal: ProviderDefinition = {
  id: 'fal',
  name: 'fal',
  capabilities: ['video'],
  settings: [
    { name: 'FAL_API_KEY', aliases: ['FAL_KEY'], required: true, description: 'API key of fal, for videos.' },
    {
      name: 'FAL_BASE_URL',
      required: false,
      description: `Overrides the base URL of the queue API (default ${QUEUE_URL}).`,
    },
  ],
  knows: ({ modelName }) => isEndpoint(modelName),
  create({ settings, clock, media, files }) {
    const upstream = createUpstream({ baseUrl: findBaseUrl(settings, 'FAL_BASE_URL', QUEUE_URL), clock });
    return {
      id: 'fal',
      video: createFalVideo({ upstream, key: settings.FAL_API_KEY ?? '', clock, media, files }),
      close: () => upstream.close(),
    };
  },
};
