import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createWavespeedApi } from './api';
import { canOrder, createWavespeedVideo } from './video';

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
  knows: canOrder,
  create({ settings, clock, media, files, probe }) {
    const api = createWavespeedApi({
      baseUrl: findBaseUrl(settings, 'WAVESPEED_BASE_URL', BASE_URL),
      key: settings.WAVESPEED_API_KEY ?? '',
      clock,
    });
    return { id: 'wavespeed', video: createWavespeedVideo({ api, clock, media, files, probe }), close: api.close };
  },
};
