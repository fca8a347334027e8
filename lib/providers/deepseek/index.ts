import { compatibleDefinition } from '../dialects/messages/compatible-provider';

// Thinks unless disabled, and requires its thinking in turns that call tools (reference: its API page, October 2026).

export const deepseek = compatibleDefinition({
  providerId: 'deepseek',
  name: 'DeepSeek',
  variables: 'DEEPSEEK',
  baseUrl: 'https://api.deepseek.com',
  path: '/anthropic/v1/messages',
  credential: 'x-api-key',
  thinkingTypes: ['enabled', 'disabled'],
  efforts: ['low', 'high', 'max'],
});
