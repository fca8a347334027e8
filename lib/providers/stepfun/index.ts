import { compatibleDefinition } from '../dialects/messages/compatible-provider';

export const stepfun = compatibleDefinition({
  providerId: 'stepfun',
  name: 'StepFun',
  variables: 'STEPFUN',
  baseUrl: 'https://api.stepfun.ai',
  path: '/v1/messages',
  credential: 'bearer',
  thinkingTypes: [],
  efforts: ['low', 'medium', 'high'],
});
