import type { ProviderDefinition } from '../../domain/provider';
import { compatibleDefinition } from '../dialects/messages/compatible-provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createVendorApi } from '../kit/http/vendor-api';
import { kindsOf } from './models';
import { readAnswer } from './refusals';
import { createAlibabaVideo } from './video';

// Reference: https://www.alibabacloud.com/help/en/model-studio, 2026.

const BASE_URL = 'https://dashscope-intl.aliyuncs.com';

const text = compatibleDefinition({
  providerId: 'alibaba',
  name: 'Alibaba Cloud Model Studio',
  variables: 'ALIBABA',
  baseUrl: BASE_URL,
  path: '/apps/anthropic/v1/messages',
  credential: 'x-api-key',
  thinkingTypes: ['enabled', 'disabled'],
  efforts: [],
  noForcedToolsWhileThinking: true,
});

export const alibaba: ProviderDefinition = {
  ...text,
  capabilities: [...text.capabilities, 'video'],
  settings: [
    {
      name: 'ALIBABA_API_KEY',
      aliases: ['DASHSCOPE_API_KEY'],
      required: true,
      description: 'API key of Alibaba Cloud Model Studio, for text models and videos.',
    },
    {
      name: 'ALIBABA_BASE_URL',
      required: false,
      description: `Overrides the API base URL (default ${BASE_URL}, which is Singapore). It must be of the region of the key.`,
    },
  ],
  knows: ({ modelName }) => kindsOf(modelName).length > 0,
  create(deps) {
    const { ALIBABA_API_KEY: key = '' } = deps.settings;
    const provider = text.create(deps);
    const api = createVendorApi({
      baseUrl: findBaseUrl(deps.settings, 'ALIBABA_BASE_URL', BASE_URL),
      clock: deps.clock,
      headers: () => ({ authorization: `Bearer ${key}` }),
      read: readAnswer,
    });
    return {
      ...provider,
      video: createAlibabaVideo({ ...deps, api }),
      async close() {
        await Promise.all([provider.close?.(), api.close()]);
      },
    };
  },
};
