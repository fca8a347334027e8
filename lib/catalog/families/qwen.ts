import type { MessagesFacts } from '../../domain/messages';
import type { MessagesModel } from '../../domain/model';
import { messagesModel } from '../messages-entry';

const source = 'Published price lists of July and September 2026.';

const facts = {
  contextTokens: 1_000_000,
  maxOutputTokens: 65_536,
  tokenizer: { encoding: 'o200k', multiplier: 1.05 },
  sampling: true,
  forcedTools: true,
  prefill: false,
  thinkingTypes: ['enabled', 'adaptive', 'disabled'],
  efforts: [],
  structuredOutputs: false,
} as const satisfies MessagesFacts;

export const qwenModels: readonly MessagesModel[] = [
  messagesModel({
    id: 'qwen3.7-max',
    name: 'Qwen3.7 Max',
    description: 'The large model of its family. Thinking can be turned on and off, with a budget.',
    family: 'qwen',
    created: Date.UTC(2026, 4, 21) / 1_000,
    facts,
    bindings: [
      {
        providerId: 'alibaba',
        modelName: 'qwen3.7-max',
        price: { input: '2.5', output: '7.5', cacheRead: '0.5', cacheWrite5m: '3.125', source, verified: true },
      },
    ],
  }),
  messagesModel({
    id: 'qwen3.7-plus',
    name: 'Qwen3.7 Plus',
    description: 'A general model that sees images. From 256,000 input tokens on a request costs more, all of it.',
    family: 'qwen',
    created: Date.UTC(2026, 5, 2) / 1_000,
    inputModalities: ['text', 'image'],
    facts: { ...facts, imageMaxEdgePixels: 1_568 },
    bindings: [
      {
        providerId: 'alibaba',
        modelName: 'qwen3.7-plus',
        price: {
          input: '0.5',
          output: '3',
          cacheRead: '0.05',
          cacheWrite5m: '0.625',
          longer: [{ fromInputTokens: 256_000, input: '2', output: '6', cacheRead: '0.2', cacheWrite5m: '2.5' }],
          source,
          verified: true,
        },
      },
    ],
  }),
  messagesModel({
    id: 'qwen3-coder-plus',
    name: 'Qwen3 Coder Plus',
    description: 'A model for code with a long context that does not think before it answers.',
    family: 'qwen',
    created: Date.UTC(2025, 6, 23) / 1_000,
    facts: { ...facts, contextTokens: 1_048_576, thinkingTypes: [] },
    // Longer requests cost more; the threshold and the price are not confirmed.
    bindings: [
      {
        providerId: 'alibaba',
        modelName: 'qwen3-coder-plus',
        price: { input: '1', output: '5', source, verified: false },
      },
    ],
  }),
];
