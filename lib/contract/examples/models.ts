import type { JsonOf } from '../fields';
import type {
  BindingJson,
  compatModelPageSchema,
  CompatModelJson,
  internalModelListSchema,
  ModelJson,
  ModelPageJson,
  VideoPriceJson,
} from '../models';

const price = {
  prompt: '0',
  completion: '0',
  image: '0',
  request: '0',
  input_cache_read: '0',
  input_cache_write: '0',
  web_search: '0',
  internal_reasoning: '0',
};
const videoPrice: VideoPriceJson = {
  currency: 'USD',
  per: 'output_second',
  rates: [{ usd: '0.01' }],
  source: 'The sandbox has a price of its own.',
  verified: true,
};
const parameters = ['seconds', 'size', 'seed', 'generate_audio'];

const binding: BindingJson = {
  providerId: 'sandbox',
  modelName: 'sandbox-t2v',
  pricing: { prompt: '0', completion: '0', image: '0', web_search: '0' },
  video_pricing: videoPrice,
  streaming: false,
  vision: false,
  cancellation: true,
  tools: false,
  parallelToolCalls: false,
  reasoning: false,
  web_search: false,
  reasoningLevels: [],
  stability: 'stable',
  available: true,
  supported_parameters: parameters,
  supported_resolutions: ['720p', '1080p'],
  supported_durations: [1, 2, 4, 5, 8, 10],
  supported_aspect_ratios: ['16:9', '9:16', '1:1'],
};

export const modelExample: ModelJson = {
  id: 'sandbox-t2v',
  object: 'model',
  type: 'model',
  name: 'Sandbox text to video',
  display_name: 'Sandbox text to video',
  aliases: [],
  created: 1_790_000_000,
  created_at: '2026-09-21T14:13:20Z',
  owned_by: 'sandbox',
  description: 'Renders a real MP4 on this machine.',
  family: 'sandbox',
  architecture: { input_modalities: ['text'], output_modalities: ['video'], tokenizer: 'none' },
  top_provider: { is_moderated: false },
  providers: [binding],
  pricing: price,
  video_pricing: videoPrice,
  context_length: 32_000,
  max_input_tokens: null,
  max_tokens: null,
  per_request_limits: {},
  supported_parameters: parameters,
  json_output: false,
  structured_outputs: false,
  free: false,
  stability: 'stable',
  available: true,
};
export const modelPageExample: ModelPageJson = {
  object: 'list',
  data: [modelExample],
  first_id: modelExample.id,
  last_id: modelExample.id,
  has_more: false,
};

const yes = { supported: true };
const no = { supported: false };
const compatModel: CompatModelJson = {
  type: 'model',
  id: 'sandbox-text',
  display_name: 'Sandbox text',
  created_at: '2026-09-21T14:13:20Z',
  max_input_tokens: 200_000,
  max_tokens: 8_192,
  lifecycle: 'active',
  deprecated_at: null,
  retires_at: null,
  line: null,
  capabilities: {
    batch: no,
    citations: no,
    code_execution: no,
    context_management: {
      ...no,
      clear_thinking_20251015: no,
      clear_tool_uses_20250919: no,
      compact_20260112: no,
    },
    effort: { ...no, low: no, medium: no, high: no, xhigh: no, max: no },
    image_input: yes,
    pdf_input: no,
    server_tools: { ...no, code_execution: no, web_search: no },
    structured_outputs: yes,
    thinking: { ...yes, types: { adaptive: yes, between_tools: no, disabled: yes, enabled: yes } },
  },
};
export const compatModelPageExample: JsonOf<typeof compatModelPageSchema> = {
  data: [compatModel],
  first_id: compatModel.id,
  last_id: compatModel.id,
  has_more: false,
};

export const internalModelListExample: JsonOf<typeof internalModelListSchema> = {
  data: [
    {
      id: 'sandbox-t2v',
      name: 'Sandbox text to video',
      aliases: [],
      description: 'Renders a real MP4 on this machine.',
      family: 'sandbox',
      type: 'video',
      kind: 't2v',
      supported_durations: [1, 2, 4, 5, 8, 10],
      supported_resolutions: ['720p', '1080p'],
      supported_aspect_ratios: ['16:9', '9:16', '1:1'],
      supported_sizes: ['1280x720', '1920x1080'],
      default_seconds: 5,
      default_size: '1280x720',
      default_resolution: '720p',
      fps: 24,
      supported_fps: null,
      audio: 'toggle',
      required_media: [],
      optional_media: [],
      media_counts: {},
      rules: [],
      pricing: price,
      video_pricing: videoPrice,
      supported_parameters: parameters,
      providers: [binding],
      stability: 'stable',
      available: true,
    },
  ],
};
