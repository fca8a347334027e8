import type { BindingJson, ModelJson, ModelPricesJson, StructuredPricesJson } from '../contract/models';
import type { Binding, Model } from '../domain/model';
import type { VideoBinding, VideoFacts } from '../domain/video';
import { unionOfFacts } from './binding-facts';
import type { Catalog } from './catalog';
import { optionalMedia } from './present-media';
import { presentVideoPrice, priceOfMapping, priceOfModel } from './present-price';
import {
  messagesParameters,
  presentMessagesBinding,
  presentMessagesModel,
  presentMessagesPrices,
  presentPriceTiers,
} from './present-messages';
import { presentSpeechPrice, speechLimits, speechParameters } from './present-speech';

// A model as `/v1/models` shows it. One body serves three kinds of client. It has the specification's fields; `object`
// and `owned_by` for one family of SDKs; and `type`, `display_name`, `created_at` and the token limits for another.

/** Plain decimal dollars under the names of their units. */
type Prices = Readonly<Record<string, string>>;

/** Models without tokens have token prices of zero. */
const noTokenPrices = { prompt: '0', completion: '0', image: '0', web_search: '0' };
const noCachePrices = { request: '0', input_cache_read: '0', input_cache_write: '0', internal_reasoning: '0' };

/**
 * Presents one entry. A narrowed model (see `withBindings`) shows only the remaining mappings, tiers and parameters.
 */
export function presentModel(catalog: Catalog, model: Model): ModelJson {
  const [first] = model.bindings;
  return {
    id: model.id,
    object: 'model',
    type: 'model',
    name: model.name,
    display_name: model.name,
    aliases: model.aliases,
    created: model.created,
    created_at: isoInstant(model.created),
    owned_by: model.family,
    description: model.description,
    family: model.family,
    architecture: {
      input_modalities: model.inputModalities,
      output_modalities: model.outputModalities,
      tokenizer: 'none',
    },
    top_provider: { is_moderated: first !== undefined && 'parameters' in first && !first.unmoderated },
    providers: model.bindings.map((binding) => presentBinding(catalog, model, binding)),
    ...presentModelPrices(model),
    context_length: 0,
    // No token limits, unless the capability's own fields below set them.
    max_input_tokens: null,
    max_tokens: null,
    per_request_limits: perRequestLimits(model),
    supported_parameters: supportedParameters(model),
    json_output: false,
    structured_outputs: false,
    free: model.free,
    ...presentRetirement(model),
    ...(model.capability === 'messages' && presentMessagesModel(model)),
    stability: model.stability,
    available: catalog.available(model),
  };
}

/** Returns since when a model is deprecated, and when it is or was retired. Each is absent if unset. */
export function presentRetirement({ deprecatedAt, deactivatedAt }: Model) {
  return {
    ...(deprecatedAt !== undefined && { deprecated_at: deprecatedAt }),
    ...(deactivatedAt !== undefined && { deactivated_at: deactivatedAt }),
  };
}

/** Presents a provider mapping. */
export function presentBinding(catalog: Catalog, model: Model, binding: Binding): BindingJson {
  return {
    providerId: binding.providerId,
    modelName: binding.modelName,
    pricing: { ...noTokenPrices, ...presentPrices(binding) },
    ...presentStructuredPrices(model, binding),
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
    ...(binding.region !== undefined && { region: binding.region }),
    available: catalog.available(model, binding),
    supported_parameters: 'parameters' in binding ? binding.parameters : supportedParameters(model),
    ...(model.capability === 'video' && 'parameters' in binding && presentVideoLimits(model.video, binding)),
  };
}

function presentVideoLimits(facts: VideoFacts, binding: VideoBinding) {
  const { resolutions, seconds, aspectRatios } = unionOfFacts(facts, [binding]);
  return {
    supported_resolutions: resolutions,
    supported_durations: seconds,
    supported_aspect_ratios: aspectRatios,
  };
}

/**
 * Returns the prices of an entry under every name of the specification: those of the first mapping, and for a video
 * also those of the resolutions that only other mappings have.
 */
export function presentModelPrices(model: Model): ModelPricesJson {
  const [first] = model.bindings;
  const videoPrice = model.capability === 'video' ? priceOfModel(model) : undefined;
  return {
    pricing: { ...noTokenPrices, ...noCachePrices, ...(first && presentPrices(first)) },
    ...(first && presentStructuredPrices(model, first)),
    ...(videoPrice && { video_pricing: presentVideoPrice(videoPrice) }),
  };
}

/**
 * Returns the fields of `pricing`. Clients read it as an object of strings, so prices that depend on the request are
 * not in it.
 */
function presentPrices(binding: Binding): Prices {
  if ('parameters' in binding) return {};
  return 'parallelTools' in binding ? presentMessagesPrices(binding) : presentSpeechPrice(binding);
}

/**
 * Returns prices that depend on the request, next to `pricing`: `video_pricing` of a video, `pricing_tiers` of long
 * inputs.
 */
function presentStructuredPrices(model: Model, binding: Binding): StructuredPricesJson {
  if (model.capability === 'video' && 'parameters' in binding)
    return { video_pricing: presentVideoPrice(priceOfMapping(model, binding)) };
  return 'parallelTools' in binding && binding.price.tiers.length > 1
    ? { pricing_tiers: presentPriceTiers(binding) }
    : {};
}

/** Returns the optional fields, in addition to the required media, the duration and the size. */
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

/** Formats Unix seconds as `2026-11-21T00:00:00Z`. */
export function isoInstant(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace('.000Z', 'Z');
}

function perRequestLimits(model: Model): Readonly<Record<string, string>> {
  if (model.capability === 'messages') return { max_output_tokens: String(model.messages.maxOutputTokens) };
  if (model.capability !== 'video') return speechLimits(model);
  const longest = model.video.seconds.at(-1);
  return longest === undefined ? {} : { max_video_duration_seconds: String(longest) };
}
