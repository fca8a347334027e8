import { compatibleDefinition } from '../dialects/messages/compatible-provider';

// The vendor has its own error codes, some of them in responses with status 200 (seen in September 2026).

export const zai = compatibleDefinition({
  providerId: 'zai',
  name: 'Z.ai',
  variables: 'ZAI',
  baseUrl: 'https://api.z.ai',
  path: '/api/anthropic/v1/messages',
  credential: 'x-api-key',
  thinkingTypes: ['enabled', 'disabled'],
  efforts: ['low', 'high', 'max'],
  repeatsResultId: true,
  statusOfCode: {
    1001: 401,
    1113: 402,
    1210: 400,
    1213: 400,
    1214: 400,
    1261: 400,
    1301: 400,
    1302: 429,
    1303: 429,
    1304: 429,
    1305: 529,
  },
});
