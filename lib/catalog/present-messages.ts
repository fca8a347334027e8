import type { TokenPricesJson } from '../contract/models';
import type { MessagesBinding, MessagesRate } from '../domain/messages';
import type { MessagesModel } from '../domain/model';
import { priceText } from '../domain/money';

// The fields of text models in the catalog's responses, in addition to those of all models.

/** Returns the fields of `/v1/models` that replace the general ones. */
export function presentMessagesModel(model: MessagesModel) {
  const { messages, bindings } = model;
  return {
    architecture: {
      input_modalities: model.inputModalities,
      output_modalities: model.outputModalities,
      tokenizer: messages.tokenizer.encoding,
    },
    top_provider: { is_moderated: bindings.some(({ unmoderated }) => !unmoderated) },
    context_length: messages.contextTokens,
    max_input_tokens: messages.contextTokens,
    max_tokens: messages.maxOutputTokens,
    json_output: messages.structuredOutputs,
    structured_outputs: messages.structuredOutputs,
  };
}

/** Returns the fields of a mapping that replace the general ones. */
export function presentMessagesBinding({ messages }: MessagesModel, binding: MessagesBinding) {
  return {
    streaming: true,
    cancellation: !binding.keepsRunning,
    tools: true,
    parallelToolCalls: binding.parallelTools,
    reasoning: messages.thinkingTypes.some((type) => type !== 'disabled'),
    web_search: binding.webSearch,
    reasoningLevels: messages.efforts,
  };
}

/**
 * Returns `pricing`: dollars per token as plain decimals. If long inputs have their own prices, these are those of
 * short ones.
 */
export function presentMessagesPrices({ price }: MessagesBinding): Readonly<Record<string, string>> {
  return {
    ...presentRate(price.tiers[0]),
    ...(price.webSearch !== undefined && { web_search: priceText(price.webSearch) }),
  };
}

/** Returns `pricing_tiers`, ascending: prices of the whole request from a number of input tokens on. */
export function presentPriceTiers({ price: { tiers } }: MessagesBinding) {
  const [, ...longer] = tiers;
  return longer.map((rate) => ({ from_input_tokens: rate.fromInputTokens, ...presentRate(rate) }));
}

/** Returns the parameter names that clients of the catalog expect. */
export function messagesParameters({ messages }: MessagesModel): string[] {
  return [
    'max_tokens',
    'stop',
    'stream',
    'system',
    'tools',
    'tool_choice',
    ...(messages.sampling ? ['temperature', 'top_p', 'top_k'] : []),
    ...(messages.thinkingTypes.some((type) => type !== 'disabled') ? ['reasoning'] : []),
    ...(messages.structuredOutputs ? ['structured_outputs'] : []),
  ];
}

/** Returns the fields that a form needs, for `/internal/models`. */
export function presentMessagesFacts({ messages }: MessagesModel) {
  return {
    context_length: messages.contextTokens,
    max_tokens: messages.maxOutputTokens,
    sampling: messages.sampling,
    images: messages.imageMaxEdgePixels !== undefined,
    thinking_types: messages.thinkingTypes,
    efforts: messages.efforts,
  };
}

function presentRate(rate: MessagesRate): TokenPricesJson {
  const write = rate.cacheWrite5m ?? rate.input;
  return {
    prompt: priceText(rate.input),
    completion: priceText(rate.output),
    input_cache_read: priceText(rate.cacheRead ?? rate.input),
    input_cache_write: priceText(write),
    ...(rate.cacheWrite1h !== undefined && { input_cache_write_1h: priceText(rate.cacheWrite1h) }),
  };
}
