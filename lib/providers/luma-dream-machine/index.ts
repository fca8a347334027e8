import type { ProviderDefinition } from '../../domain/provider';
import { findBaseUrl } from '../kit/http/base-url';
import { createVendorApi } from '../kit/http/vendor-api';
import { createLumaGenerations } from '../kit/video/luma-generations';
import { readAnswer } from './refusals';
import { dreamMachineWire, isDreamMachineModel } from './video';

// Reference: the npm package lumaai 1.19.1, which is Luma's own client of this API. Luma is retiring the API, and has
// named no date; its successor is the provider `luma`, which has other keys and other models.

const BASE_URL = 'https://api.lumalabs.ai/dream-machine/v1';

export const lumaDreamMachine: ProviderDefinition = {
  id: 'luma-dream-machine',
  name: 'Luma Dream Machine',
  capabilities: ['video'],
  settings: [
    {
      name: 'LUMA_DREAM_MACHINE_API_KEY',
      aliases: ['LUMAAI_API_KEY'],
      required: true,
      description: "API key of Luma's older Dream Machine API, for videos of Ray 2.",
    },
    {
      name: 'LUMA_DREAM_MACHINE_BASE_URL',
      required: false,
      description: `Overrides the API base URL (default ${BASE_URL}).`,
    },
  ],
  knows: ({ modelName }) => isDreamMachineModel(modelName),
  create(deps) {
    const { LUMA_DREAM_MACHINE_API_KEY: key = '' } = deps.settings;
    const api = createVendorApi({
      baseUrl: findBaseUrl(deps.settings, 'LUMA_DREAM_MACHINE_BASE_URL', BASE_URL),
      clock: deps.clock,
      headers: () => ({ authorization: `Bearer ${key}` }),
      read: readAnswer,
    });
    return {
      id: 'luma-dream-machine',
      video: createLumaGenerations(dreamMachineWire, { ...deps, api }),
      close: api.close,
    };
  },
};
