import type { ProviderDefinition } from '../../domain/provider';
import { createChatProvider } from '../dialects/chat-completions/provider';
import { chatRules, type ChatFacts } from '../dialects/chat-completions/request';
import { findBaseUrl } from '../kit/http/base-url';
import { createUpstream } from '../kit/http/http';

// Any server that implements chat completions, usually on the operator's own machine (Ollama, vLLM, llama.cpp, LM
// Studio). It is trusted like a part of the installation: only the operator sets its URL.

const EXAMPLE_URL = 'http://127.0.0.1:11434/v1';

const facts: ChatFacts = {
  providerId: 'openai-compatible',
  outputLimit: 'max_tokens',
  thinking: 'effort',
  efforts: ['low', 'medium', 'high'],
  maxStops: 4,
  systemTurns: false,
  structured: 'json_schema',
};

export const openaiCompatible: ProviderDefinition = {
  id: 'openai-compatible',
  name: 'OpenAI-compatible server',
  capabilities: ['messages'],
  settings: [
    {
      name: 'OPENAI_COMPATIBLE_BASE_URL',
      required: true,
      description: `Base URL of a server with a chat completions API, with /v1. For Ollama: ${EXAMPLE_URL}.`,
    },
    { name: 'OPENAI_COMPATIBLE_API_KEY', required: false, description: 'API key of that server, if it needs one.' },
    {
      name: 'OPENAI_COMPATIBLE_MODEL',
      required: false,
      description: 'Name of the model on that server (default "default").',
    },
  ],
  ownCredentials: [],
  messageRules: chatRules(() => facts),
  create({ settings, clock, media, thinkingSigner }) {
    const upstream = createUpstream({
      baseUrl: findBaseUrl(settings, 'OPENAI_COMPATIBLE_BASE_URL', EXAMPLE_URL),
      clock,
    });
    const key = settings.OPENAI_COMPATIBLE_API_KEY;
    const messages = createChatProvider({
      upstream,
      clock,
      media,
      thinkingSigner,
      path: '/chat/completions',
      credentials: key === undefined ? {} : { authorization: `Bearer ${key}` },
      facts: () => facts,
      ...(settings.OPENAI_COMPATIBLE_MODEL !== undefined && { modelName: settings.OPENAI_COMPATIBLE_MODEL }),
    });
    return { id: 'openai-compatible', messages, close: () => upstream.close() };
  },
};
