import type { ProviderDefinition } from '../../domain/provider';
import { createUpstream } from '../kit/http/http';
import { findBaseUrl } from '../kit/http/base-url';
import { DEFAULT_SECONDS, DEFAULT_SIZES, narrowToOffer, parseOffer } from './offer';
import { createOpenaiVideos } from './video';

// Any server that implements the OpenAI Videos API, such as a reseller, a model on the operator's own machine, or another
// Patchbay. It is trusted like a part of the installation: only the operator sets its URL. OpenAI itself has shut its
// service down (2026-09-24).

const EXAMPLE_URL = 'https://videos.example/v1';

export const openaiVideos: ProviderDefinition = {
  id: 'openai-videos',
  name: 'OpenAI Videos API',
  capabilities: ['video'],
  settings: [
    {
      name: 'OPENAI_VIDEOS_BASE_URL',
      required: true,
      description: `Base URL of a server with the OpenAI Videos API, with /v1, such as ${EXAMPLE_URL}.`,
    },
    { name: 'OPENAI_VIDEOS_API_KEY', required: false, description: 'API key of that server, if it needs one.' },
    {
      name: 'OPENAI_VIDEOS_MODEL',
      required: true,
      description: 'Name of the model on that server that makes videos from a text.',
    },
    {
      name: 'OPENAI_VIDEOS_IMAGE_MODEL',
      required: false,
      description: 'Name of the model that makes videos from an image (default: the same model).',
    },
    {
      name: 'OPENAI_VIDEOS_SIZES',
      required: false,
      description: `The sizes that the model makes, separated by commas (default ${DEFAULT_SIZES}).`,
    },
    {
      name: 'OPENAI_VIDEOS_SECONDS',
      required: false,
      description: `The durations that the model makes, in seconds, separated by commas (default ${DEFAULT_SECONDS}).`,
    },
    {
      name: 'OPENAI_VIDEOS_PRICE',
      required: false,
      description:
        'Price of a second of video in US dollars, such as 0.10. Without it, the models are not offered in live mode.',
    },
  ],
  narrow: (binding, _kind, settings) => narrowToOffer(binding, parseOffer(settings)),
  ownCredentials: [],
  create({ settings, clock, media, files }) {
    const { OPENAI_VIDEOS_MODEL: model = '', OPENAI_VIDEOS_IMAGE_MODEL: imageModel = model } = settings;
    const upstream = createUpstream({ baseUrl: findBaseUrl(settings, 'OPENAI_VIDEOS_BASE_URL', EXAMPLE_URL), clock });
    return {
      id: 'openai-videos',
      video: createOpenaiVideos({
        upstream,
        key: settings.OPENAI_VIDEOS_API_KEY,
        modelOf: ({ kind }) => (kind === 'i2v' ? imageModel : model),
        sizeOf: parseOffer(settings).sizeOf,
        clock,
        media,
        files,
      }),
      close: () => upstream.close(),
    };
  },
};
