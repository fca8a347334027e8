import type { ProviderDefinition } from '../../domain/provider';
import { nativeCount, nativeRequest, nativeBufferedRequest } from '../dialects/messages/native-request';
import { createMessagesProvider } from '../dialects/messages/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createUpstream } from '../kit/http/http';

// The vendor that defines the dialect of the messages API: its answers pass through unchanged, and it counts tokens
// itself.

export const anthropic: ProviderDefinition = {
  id: 'anthropic',
  name: 'Anthropic',
  capabilities: ['messages'],
  settings: [
    { name: 'ANTHROPIC_API_KEY', required: true, description: 'API key of Anthropic, for text models.' },
    {
      name: 'ANTHROPIC_BASE_URL',
      required: false,
      description: 'Overrides the API base URL, without /v1 (default https://api.anthropic.com).',
    },
  ],
  create({ settings, clock }) {
    const upstream = createUpstream({
      baseUrl: findBaseUrl(settings, 'ANTHROPIC_BASE_URL', 'https://api.anthropic.com'),
      clock,
    });
    const messages = createMessagesProvider({
      upstream,
      clock,
      path: '/v1/messages',
      credentials: { 'x-api-key': settings.ANTHROPIC_API_KEY ?? '' },
      write: nativeRequest,
      writeBuffered: nativeBufferedRequest,
      answer: { native: true },
      count: { path: '/v1/messages/count_tokens', write: nativeCount },
    });
    return { id: 'anthropic', messages: { ...messages, native: true }, close: () => upstream.close() };
  },
};
