import { compatibleDefinition } from '../dialects/messages/compatible-provider';

export const minimax = compatibleDefinition({
  providerId: 'minimax',
  name: 'MiniMax',
  variables: 'MINIMAX',
  baseUrl: 'https://api.minimax.io',
  path: '/anthropic/v1/messages',
  credential: 'x-api-key',
  thinkingTypes: ['adaptive', 'disabled'],
  efforts: [],
  positiveTemperature: true,
});
