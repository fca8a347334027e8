import type { ProviderDefinition, ProviderDeps } from '../../domain/provider';
import { SettingError } from '../../domain/provider-settings';
import { findBaseUrl } from '../kit/http/base-url';
import { createVendorApi } from '../kit/http/vendor-api';
import { readAnswer } from './refusals';
import { createHiggsfieldVideo, isModel } from './video';

// Reference: https://docs.higgsfield.ai, November 2026, and @higgsfield/client 0.2.6. The two generations of the API take
// the same pair of keys, in other headers, and the same parameters of DoP.

const API_URL = 'https://api.higgsfield.ai';

export const higgsfield: ProviderDefinition = {
  id: 'higgsfield',
  name: 'Higgsfield',
  capabilities: ['video'],
  settings: [
    {
      name: 'HIGGSFIELD_API_KEY',
      aliases: ['HF_API_KEY', { part: 'id', of: 'HF_CREDENTIALS' }, { part: 'id', of: 'HF_KEY' }],
      required: true,
      description: 'Id of the API key of Higgsfield, for videos.',
    },
    {
      name: 'HIGGSFIELD_API_SECRET',
      aliases: ['HF_API_SECRET', { part: 'secret', of: 'HF_CREDENTIALS' }, { part: 'secret', of: 'HF_KEY' }],
      required: true,
      description: 'Secret that belongs to the API key.',
    },
    {
      name: 'HIGGSFIELD_API_VERSION',
      required: false,
      description:
        'Version of the API of Higgsfield that takes new videos: 1 or 2 (default 1). With 2, a video can be cancelled while it is queued there.',
    },
    {
      name: 'HIGGSFIELD_BASE_URL',
      required: false,
      description: `Overrides the API base URL (default ${API_URL}).`,
    },
  ],
  knows: ({ modelName }) => isModel(modelName),
  create(deps) {
    const { HIGGSFIELD_API_KEY: key = '', HIGGSFIELD_API_SECRET: secret = '' } = deps.settings;
    const apiWith = (headers: Readonly<Record<string, string>>) =>
      createVendorApi({
        baseUrl: findBaseUrl(deps.settings, 'HIGGSFIELD_BASE_URL', API_URL),
        clock: deps.clock,
        headers: () => headers,
        read: readAnswer,
      });
    const api = apiWith({ 'hf-api-key': key, 'hf-secret': secret });
    const secondApi = apiWith({ authorization: `Key ${key}:${secret}` });
    return {
      id: 'higgsfield',
      video: createHiggsfieldVideo({ ...deps, api, secondApi, secret, version: versionOf(deps.settings) }),
      async close() {
        await Promise.all([api.close(), secondApi.close()]);
      },
    };
  },
};

function versionOf({ HIGGSFIELD_API_VERSION: version = '1' }: ProviderDeps['settings']): 1 | 2 {
  if (version !== '1' && version !== '2') throw new SettingError('HIGGSFIELD_API_VERSION', 'must be 1 or 2.');
  return version === '1' ? 1 : 2;
}
