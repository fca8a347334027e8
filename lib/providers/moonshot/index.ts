import type { MessagesBinding } from '../../domain/messages';
import type { ProviderDefinition } from '../../domain/provider';
import { createChatProvider } from '../dialects/chat-completions/provider';
import { chatRules, type ChatFacts } from '../dialects/chat-completions/request';
import { findBaseUrl } from '../kit/http/base-url';
import { createUpstream } from '../kit/http/http';

// Uses chat completions, the dialect that the vendor documents best. The vendor requires the thinking of turns that
// called tools, and an empty one counts as missing.

const facts: ChatFacts = {
  providerId: 'moonshot',
  outputLimit: 'max_tokens',
  thinking: 'none',
  efforts: [],
  maxStops: 5,
  systemTurns: true,
  structured: 'json_object',
  noForcedToolsWhileThinking: true,
};

/** K3 always thinks, with an effort level; the thinking of K2.6 can be disabled; the other models decide themselves. */
function factsOf({ modelName }: MessagesBinding): ChatFacts {
  if (modelName === 'kimi-k3') return { ...facts, thinking: 'effort', efforts: ['low', 'high', 'max'] };
  return modelName === 'kimi-k2.6' ? { ...facts, thinking: 'switch' } : facts;
}

export const moonshot: ProviderDefinition = {
  id: 'moonshot',
  name: 'Moonshot AI',
  capabilities: ['messages'],
  settings: [
    { name: 'MOONSHOT_API_KEY', required: true, description: 'API key of Moonshot AI, for text models.' },
    {
      name: 'MOONSHOT_BASE_URL',
      required: false,
      description: 'Overrides the API base URL, without /v1 (default https://api.moonshot.ai).',
    },
  ],
  messageRules: chatRules(factsOf),
  create({ settings, clock, media, thinkingSigner }) {
    const upstream = createUpstream({
      baseUrl: findBaseUrl(settings, 'MOONSHOT_BASE_URL', 'https://api.moonshot.ai'),
      clock,
    });
    const messages = createChatProvider({
      upstream,
      clock,
      media,
      thinkingSigner,
      path: '/v1/chat/completions',
      credentials: { authorization: `Bearer ${settings.MOONSHOT_API_KEY ?? ''}` },
      facts: factsOf,
    });
    return { id: 'moonshot', messages, close: () => upstream.close() };
  },
};
