import type { Binding, Model } from '../domain/model';
import type { Catalog } from './catalog';
import { optionalMedia } from './present-media';
import { presentVideoPrice } from './present-price';
import { messagesParameters, presentMessagesBinding, presentMessagesModel, presentMessagesPrice } from './present-messages';
import { presentSpeechPrice, speechLimits, speechParameters } from './present-speech';

// A model as `/v1/models` shows it. One body serves three kinds of client: the specification's fields; `object` and
// `owned_by` for one family of SDKs; `type`, `display_name`, `created_at` and the token limits for the other.

/** Where there are no tokens, they cost nothing. */
const noTokenPrices = { prompt: '0', completion: '0', image: '0', web_search: '0' };
const noCachePrices = { request: '0', input_cache_read: '0', input_cache_write: '0', internal_reasoning: '0' };

/** One entry. A narrowed model (see `withBindings`) shows only the mappings, tiers and parameters that are left. */
export function presentModel(catalog: Catalog, model: Model) {
  const [first] = model.bindings;
  return {
    id: model.id,
    object: 'model' as const,
    type: 'model' as const,
    name: model.name,
    display_name: model.name,
    aliases: model.aliases,
    created: model.created,
    created_at: isoInstant(model.created),
    owned_by: model.family,
    description: model.description,
    family: model.family,
    architecture: { input_modalities: model.inputModalities, output_modalities: model.outputModalities, tokenizer: 'none' },
    top_provider: { is_moderated: first !== undefined && 'parameters' in first && !first.unmoderated },
    providers: model.bindings.map((binding) => presentBinding(catalog, model, binding)),
    pricing: {
      ...noTokenPrices,
      ...noCachePrices,
      ...(first && presentPrice(first)),
    },
    context_length: 0,
    // There are no tokens to limit, unless the model's own fields below say so.
    max_input_tokens: null,
    max_tokens: null,
    per_request_limits: perRequestLimits(model),
    supported_parameters: supportedParameters(model),
    json_output: false,
    structured_outputs: false,
    free: model.free,
    ...(model.deprecatedAt !== undefined && { deprecated_at: model.deprecatedAt }),
    ...(model.deactivatedAt !== undefined && { deactivated_at: model.deactivatedAt }),
    ...(model.capability === 'messages' && presentMessagesModel(model)),
    stability: model.stability,
    available: catalog.available(model),
  };
}

/** A provider mapping. */
export function presentBinding(catalog: Catalog, model: Model, binding: Binding) {
  return {
    providerId: binding.providerId,
    modelName: binding.modelName,
    pricing: { ...noTokenPrices, ...presentPrice(binding) },
    streaming: model.capability !== 'video',
    vision: model.inputModalities.includes('image'),
    cancellation: model.capability === 'video' ? catalog.canCancel(binding.providerId) : model.capability === 'tts',
    tools: false,
    parallelToolCalls: false,
    reasoning: false,
    web_search: false,
    reasoningLevels: [],
    ...(model.capability === 'messages' && 'parallelTools' in binding && presentMessagesBinding(model, binding)),
    stability: binding.stability,
    available: catalog.available(model, binding),
    supported_parameters: 'parameters' in binding ? binding.parameters : supportedParameters(model),
    ...(model.capability === 'video' && { supported_resolutions: ('resolutions' in binding && binding.resolutions) || model.video.resolutions }),
  };
}

/** The price fields of a mapping that its kind of model has. */
export function presentPrice(binding: Binding) {
  if ('parameters' in binding) return { video: presentVideoPrice(binding.price) };
  return 'parallelTools' in binding ? presentMessagesPrice(binding) : presentSpeechPrice(binding);
}

/** What may be sent beside the required media, the length and the size. */
export function supportedParameters(model: Model): string[] {
  switch (model.capability) {
    case 'video':
      return [...optionalMedia(model.video), ...model.video.parameters];
    case 'messages':
      return messagesParameters(model);
    default:
      return [...speechParameters[model.capability]];
  }
}

/** Unix seconds as `2026-11-21T00:00:00Z`. */
export function isoInstant(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace('.000Z', 'Z');
}

function perRequestLimits(model: Model): Readonly<Record<string, string>> {
  if (model.capability === 'messages') return { max_output_tokens: String(model.messages.maxOutputTokens) };
  if (model.capability !== 'video') return speechLimits(model);
  const longest = model.video.seconds.at(-1);
  return longest === undefined ? {} : { max_video_duration_seconds: String(longest) };
}
