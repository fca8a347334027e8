import { compatibleDefinition } from '../dialects/messages/compatible-provider';

export const xiaomi = compatibleDefinition({
  providerId: 'xiaomi',
  name: 'Xiaomi MiMo',
  variables: 'XIAOMI',
  baseUrl: 'https://api.xiaomimimo.com',
  path: '/anthropic/v1/messages',
  credential: 'x-api-key',
  thinkingTypes: ['enabled', 'disabled'],
  efforts: [],
});
