import type { TokenPricesJson } from '../contract/models';
import type { MessagesBinding, MessagesRate } from '../domain/messages';
import type { MessagesModel } from '../domain/model';
import { priceText } from '../domain/money';

// The fields of text models in the catalog's responses, in addition to those of all models.

/** Fields of `/v1/models` that replace the general ones. */
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

/** Fields of a mapping that replace the general ones. */
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

/** `pricing`: dollars per token as plain decimals, for short inputs if longer ones have their own prices. */
export function presentMessagesPrices({ price }: MessagesBinding): Readonly<Record<string, string>> {
  return {
    ...presentRate(price.tiers[0]),
    ...(price.webSearch !== undefined && { web_search: priceText(price.webSearch) }),
  };
}

/** `pricing_tiers`: the prices of the whole request from this many input tokens on, ascending. */
export function presentPriceTiers({ price: { tiers } }: MessagesBinding) {
  const [, ...longer] = tiers;
  return longer.map((rate) => ({ from_input_tokens: rate.fromInputTokens, ...presentRate(rate) }));
}

/** Parameter names as clients of the catalog expect them. */
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

/** The fields that a form needs, for `/internal/models`. */
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
