import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createUpstream } from '../kit/http/http';
import { canOrder } from './models';
import { createGeminiVideo } from './video';

// Reference: ai.google.dev, "Generate videos with Veo 3.1", 2026-08, and "Generate and edit videos with Gemini Omni
// Flash", 2026-11; the wires of @google/genai 2.32.0 and 3.1.0.

const VERSION_PATH = '/v1beta';
// Interactions are no longer in the beta version of the API (@google/genai 3.1.0, which does not offer Veo with a key).
const INTERACTIONS_VERSION_PATH = '/v1';
const BASE_URL = `https://generativelanguage.googleapis.com${VERSION_PATH}`;

export const googleAiStudio: ProviderDefinition = {
  id: 'google-ai-studio',
  name: 'Google AI Studio',
  capabilities: ['video'],
  settings: [
    {
      name: 'GOOGLE_AI_STUDIO_API_KEY',
      aliases: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
      required: true,
      description: 'API key of Google AI Studio (the Gemini API), for videos of Gemini Omni and Veo.',
    },
    {
      name: 'GOOGLE_AI_STUDIO_BASE_URL',
      required: false,
      description: `Overrides the API base URL (default ${BASE_URL}). Gemini Omni is called at ${INTERACTIONS_VERSION_PATH} in place of ${VERSION_PATH}.`,
    },
  ],
  knows: canOrder,
  create({ settings, clock, media, files, probe }) {
    const baseUrl = baseUrlOf(settings);
    const upstream = createUpstream({ baseUrl, clock });
    const interactions = createUpstream({ baseUrl: interactionsUrlOf(baseUrl), clock });
    const credentials = { 'x-goog-api-key': settings.GOOGLE_AI_STUDIO_API_KEY ?? '' };
    return {
      id: 'google-ai-studio',
      video: createGeminiVideo({ upstream, interactions, credentials, clock, media, files, probe }),
      async close() {
        await Promise.all([upstream.close(), interactions.close()]);
      },
    };
  },
};

/** Returns the base URL; one without a path gets the path of the API's version. */
function baseUrlOf(settings: Readonly<Record<string, string>>): string {
  const url = findBaseUrl(settings, 'GOOGLE_AI_STUDIO_BASE_URL', BASE_URL);
  return new URL(url).pathname === '/' ? url + VERSION_PATH : url;
}

/** Returns the base URL with the API version that has interactions. A path that the operator has set is kept. */
function interactionsUrlOf(baseUrl: string): string {
  return baseUrl.endsWith(VERSION_PATH) ? baseUrl.slice(0, -VERSION_PATH.length) + INTERACTIONS_VERSION_PATH : baseUrl;
}
