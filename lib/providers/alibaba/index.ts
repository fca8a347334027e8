import { compatibleDefinition } from '../dialects/messages/compatible-provider';

export const alibaba = compatibleDefinition({
  providerId: 'alibaba',
  name: 'Alibaba Cloud Model Studio',
  variables: 'ALIBABA',
  baseUrl: 'https://dashscope-intl.aliyuncs.com',
  path: '/apps/anthropic/v1/messages',
  credential: 'x-api-key',
  thinkingTypes: ['enabled', 'disabled'],
  efforts: [],
  noForcedToolsWhileThinking: true,
});
